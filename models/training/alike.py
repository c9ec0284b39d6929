"""Cards that readers of cards mix up, pair by pair (V4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from kiosk.cards import RANKS

ALIKE = ("Q9", "35", "86", "97", "64", "96")
"""Ranks that look alike, in one suit."""

BLACK = "spade/club"
"""The suits that look alike, in one rank; those of the ranks are named by them."""

PAIRS = (*ALIKE, BLACK)


def pair_of(card: str, name: str) -> str | None:
    """The pair that a card and the name it got make, if it is one of ``PAIRS``."""
    if card == name or len(card) != 2 or len(name) != 2:
        return None
    if card[1] == name[1]:
        return next((pair for pair in ALIKE if {card[0], name[0]} == set(pair)), None)
    return BLACK if card[0] == name[0] and {card[1], name[1]} == {"s", "c"} else None


def members(pair: str) -> tuple[str, ...]:
    """The cards of a pair: two ranks in four suits, or all spades and clubs."""
    if pair == BLACK:
        return tuple(rank + suit for rank in RANKS for suit in "sc")
    return tuple(rank + suit for rank in pair for suit in "cdhs")


def mixed_up(taken_for: Mapping[tuple[str, str], int]) -> Counter[str]:
    """How often a card of each pair got the name of the other for certain. ``taken_for``: (card,
    name it got) → how often."""
    found: Counter[str] = Counter()
    for (card, name), count in taken_for.items():
        pair = pair_of(card, name)
        if pair is not None:
            found[pair] += count
    return found


def pair_table(shown: Mapping[str, int], taken_for: Mapping[tuple[str, str], int]) -> list[str]:
    """A line a pair: its cards among ``shown`` (card → how often), how many of them were taken for
    the other, and which."""
    wrong = mixed_up(taken_for)
    lines = []
    for pair in PAIRS:
        cards = sum(shown.get(card, 0) for card in members(pair))
        which = ", ".join(
            f"{card} as {name}: {count}"
            for (card, name), count in sorted(taken_for.items())
            if pair_of(card, name) == pair
        )
        lines.append(f"{pair}: {wrong[pair]} of {cards}" + (f" ({which})" if which else ""))
    return lines
