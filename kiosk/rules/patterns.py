"""All hands up to a change of suits, with how many hands each stands for.

Suits have no order (COM-RANK-3), so 2,598,960 five-card hands are only 134,459 patterns and
20,358,520 six-card hands 962,988: few enough to judge each by the engine itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kiosk.cards import RANKS, SUITS, Card

_BITS = np.array([1 << (13 * suit + rank) for suit in range(4) for rank in range(13)], np.int64)
_PLACES = np.array([1 << (13 * suit) for suit in range(4)], np.int64)


def hand_patterns(count: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """One hand of ``count`` cards (3 or more) for each pattern, with its number of hands."""
    found: dict[int, int] = {}
    for lead in combinations(range(52), 2):
        rest = list(combinations(range(lead[1] + 1, 52), count - 2))
        if rest:
            boards = _BITS[list(lead)].sum() + _BITS[np.array(rest, np.int8)].sum(axis=1)
            unique, weights = np.unique(_without_suits(boards), return_counts=True)
            for key, weight in zip(unique.tolist(), weights.tolist(), strict=True):
                found[key] = found.get(key, 0) + weight
    for key, weight in found.items():
        yield _cards(key), weight


def _without_suits(boards: NDArray[np.int64]) -> NDArray[np.int64]:
    """Hands as four 13-bit masks, one a suit, sorted: equal for hands that suits tell apart."""
    masks = np.stack([(boards >> (13 * suit)) & 8191 for suit in range(4)], axis=1)
    masks.sort(axis=1)
    packed: NDArray[np.int64] = masks @ _PLACES
    return packed


def _cards(key: int) -> tuple[Card, ...]:
    return tuple(
        Card(RANKS[rank], SUITS[suit])
        for suit in range(4)
        for rank in range(13)
        if key >> (13 * suit + rank) & 1
    )
