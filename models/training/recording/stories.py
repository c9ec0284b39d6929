"""The rounds that the recording plays: who holds what, in the order the cards are laid out."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.cards import Card, parse_cards


@dataclass(frozen=True)
class Story:
    """One round. ``boxes``: box number → five cards as laid out, in dealing order.

    ``hover``: the dealer's hand passes over the dealer's known cards for some seconds.
    """

    title: str
    dealer: tuple[Card, ...]
    boxes: tuple[tuple[int, tuple[Card, ...]], ...]
    hover: bool = False


def _cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


STORIES = (
    Story(
        "a pair of nines: two pair win, sixes lose, three of a kind with ace-king win twice",
        _cards("9h 9c Kd 7s 3d"),
        (
            (1, _cards("Qs Qd 4h 4c Jd")),
            (2, _cards("6c 6h As Td 2s")),
            (3, _cards("8s 8d 8h Ac Kh")),
        ),
    ),
    Story(
        "no game: nobody buys, the ante is paid whatever the boxes hold",
        _cards("Ad Qh Tc 7d 3s"),
        (
            (1, _cards("2h 5h 9h Jh Kh")),
            (4, _cards("4d 5c 6s 7h 8c")),
        ),
        hover=True,
    ),
    Story(
        "ace-king: a flush wins, a pair with ace-king wins twice",
        _cards("As Kd Js 6h 2c"),
        (
            (2, _cards("3c 5c 8c Tc Qc")),
            (4, _cards("Td Th Ah Ks 4s")),
        ),
    ),
)
