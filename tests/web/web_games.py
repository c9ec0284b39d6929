"""One hand of each game, laid on the small kiosk's felt: for the tests of the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

HOUSES = (
    "russian-a",
    "russian-b",
    "russian-c",
    "five-a",
    "six-a",
    "oasis-a",
    "three-a",
    "texas-a",
    "split-a",
)


@dataclass(frozen=True)
class Hand:
    """A hand of one game: what people enter, then what is laid, in order, zone by zone."""

    lay: tuple[tuple[str, str], ...]
    enter: tuple[dict[str, Any], ...] = field(default=())
    paid: int = 0
    taken: int = 0


FIVE = (("dealer", "Ks Kd 9h 6c 2d"), ("box1", "7h 7d Ts Tc Ac"), ("box2", "3h 3s 9c 8d 5d"))

HANDS: dict[str, Hand] = {
    "russian-a": Hand(FIVE, paid=400, taken=300),
    "russian-b": Hand(FIVE, ({"box": 1, "bets": {"bonus": 50}},), paid=400, taken=350),
    "russian-c": Hand(FIVE, paid=500, taken=300),
    "five-a": Hand(FIVE, paid=500, taken=300),
    "six-a": Hand(
        (
            ("dealer", "Ks Kd 9h 6c 2d"),
            ("box1", "7h 7d Ts Tc Ac 4s"),
            ("box2", "3h 3s 9c 8d 5d"),
        ),
        ({"box": 1, "sixth": True},),
        paid=500,
        taken=400,
    ),
    "oasis-a": Hand(
        FIVE, ({"box": 1, "bets": {"bonus": 50, "progressive": 5}},), paid=600, taken=305
    ),
    "three-a": Hand(
        (("dealer", "Ks 9h 2d"), ("box1", "7h 8d 9s"), ("box2", "3h Js 9c")),
        ({"box": 1, "bets": {"pair_plus": 50}},),
        paid=600,
        taken=200,
    ),
    "texas-a": Hand(
        (
            ("board", "As 7c 9d"),
            ("board", "As 7c 9d 2h Js"),
            ("dealer", "9h 4d"),
            ("box1", "Ah Kc"),
            ("box2", "3c 5h"),
        ),
        ({"box": 1, "bets": {"bonus": 50}},),
        paid=650,
        taken=350,
    ),
    "split-a": Hand(
        (
            ("dealer", "Ks Kd 9h 6c 2d"),
            ("dealer-small", "Qh Jc"),
            ("box1", "7h 7d Ts Tc Ac"),
            ("box1-small", "4h 4s"),
            ("box2", "3h 3s 9c 8d 5d"),
            ("box2-small", "Th Js"),
        ),
        paid=600,
        taken=300,
    ),
}
"""House → a hand in which box 1 wins and box 2 loses."""


def deal(kiosk: Any, house: str) -> None:
    """Lays the hand of the house on the felt of a small kiosk; boxes 1 and 2 play, confirmed."""
    hand = HANDS[house]
    for body in hand.enter:
        kiosk.act("bets", body, "test")
    for zone, cards in hand.lay:
        kiosk.lay(zone, cards)
        kiosk.look(2)
    for box in (1, 2):
        kiosk.act("confirm", {"box": box}, "test")
