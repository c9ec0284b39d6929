"""All hands up to a change of suits, with how many hands each stands for.

Suits have no order (COM-RANK-3), so 2,598,960 five-card hands are only 134,459 patterns and
20,358,520 six-card hands 962,988: few enough to judge each by the engine itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

from kiosk.cards import RANKS, SUITS, Card

Ranks = tuple[str, ...]
"""The ranks held in one suit."""


def hand_patterns(count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """One hand of ``count`` cards for each pattern, with the number of hands it stands for."""
    for lengths in _partitions(count, len(SUITS), count):
        for suits in _suits_of(lengths):
            cards = tuple(
                _CARDS[rank + suit]
                for suit, ranks in zip(SUITS, suits, strict=True)
                for rank in ranks
            )
            alike = prod(factorial(times) for times in Counter(suits).values())
            yield cards, factorial(len(SUITS)) // alike


_CARDS = {rank + suit: Card(rank, suit) for rank in RANKS for suit in SUITS}


def _partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write ``total`` as ``parts`` numbers that never grow."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, largest, len(RANKS)), -1, -1):
        for rest in _partitions(total - first, parts - 1, first):
            yield first, *rest


def _suits_of(lengths: tuple[int, ...]) -> Iterator[tuple[Ranks, ...]]:
    """The ranks in each of four suits of these lengths, suits of equal length unordered."""
    groups = (
        combinations_with_replacement(tuple(combinations(RANKS, length)), times)
        for length, times in Counter(lengths).items()
    )
    for chosen in product(*groups):
        yield tuple(ranks for group in chosen for ranks in group)
