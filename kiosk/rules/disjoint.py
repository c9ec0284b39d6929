"""How each five-card hand stands against all hands that the rest of the deck can give a dealer.

Counting, not dealing: the dealer's hands that share no card with a hand are counted by inclusion
and exclusion over the hands that hold one, two, three or four given cards, while the dealer's
hands are laid in from the lowest to the highest. That replaces four billion comparisons by a few
hundred million additions and stays exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from kiosk.cards import Card
from kiosk.rules.batch import FIRST_SHIFT, KIND_SHIFT, evaluate_many, ids_of
from kiosk.rules.evaluate import Combo
from kiosk.rules.options import House
from kiosk.rules.patterns import hand_patterns

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Standings:
    """Numbers of the dealer's hands by how they stand to a hand of the box."""

    no_game: int
    lower_dealers: int
    equal_dealers: int
    higher_dealers: int

    @property
    def total(self) -> int:
        return self.no_game + self.lower_dealers + self.equal_dealers + self.higher_dealers


_CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(53)], np.int64)
_PARTS = {size: np.array(list(combinations(range(5), size))) for size in range(1, 5)}


class Laid:
    """The dealer's hands laid in so far: how many hold each card, pair, three and four."""

    def __init__(self) -> None:
        self.all = 0
        self.holding = {size: np.zeros(comb(52, size), np.int64) for size in _PARTS}

    def lay(self, hands: Numbers) -> None:
        self.all += len(hands)
        for size, counts in self.holding.items():
            np.add.at(counts, _places(hands, size).ravel(), 1)

    def apart(self, hands: Numbers, *, laid: bool) -> Numbers:
        """For each hand, how many of those laid in share no card with it. ``laid``: whether the
        hands themselves are among them."""
        found = np.full(len(hands), self.all, np.int64)
        for size, counts in self.holding.items():
            shared = counts[_places(hands, size)].sum(axis=1)
            found += shared if size % 2 == 0 else -shared
        return found - 1 if laid else found


def _places(hands: Numbers, size: int) -> Numbers:
    """Number of each choice of ``size`` cards out of five, as places in a counter."""
    chosen = hands[:, _PARTS[size]]
    places: Numbers = sum(
        (_CHOOSE[chosen[:, :, i], i + 1] for i in range(size)),
        start=np.zeros(chosen.shape[:2], np.int64),
    )
    return places


def lowest_game(house: House) -> int:
    """The score from which the dealer has a game."""
    kind, ranks = house.qualify.kind, house.qualify.ranks
    bit = 1 << (ranks[0] - 2) if ranks else 0
    return (int(kind) << KIND_SHIFT) | (bit << FIRST_SHIFT if kind is Combo.PAIR else bit)


def standings(house: House) -> Iterator[tuple[tuple[Card, ...], int, Standings]]:
    """For one hand of each pattern: its cards, how many hands it stands for, how it stands.

    Five-card games with ace-king; the dealer's game is from ``house.qualify`` upwards.
    """
    patterns = list(hand_patterns(5))
    own = np.sort(np.array([ids_of(cards) for cards, _ in patterns], np.int64), axis=1)
    own_scores = evaluate_many(own.astype(np.uint8))
    dealers = np.array(list(combinations(range(52), 5)), np.int64)
    scores = evaluate_many(dealers.astype(np.uint8))
    order = np.argsort(scores, kind="stable")
    dealers, scores = dealers[order], scores[order]
    least = lowest_game(house)
    start = int(np.searchsorted(scores, least))
    laid = Laid()
    laid.lay(dealers[:start])
    no_game = np.where(own_scores < least, laid.apart(own, laid=True), laid.apart(own, laid=False))
    lower, equal = np.zeros_like(no_game), np.zeros_like(no_game)
    _sweep(laid, dealers[start:], scores[start:], own, own_scores, (no_game, lower, equal))
    total = comb(47, 5)
    for index, (cards, weight) in enumerate(patterns):
        counts = int(no_game[index]), int(lower[index]), int(equal[index])
        yield cards, weight, Standings(*counts, total - sum(counts))


def _sweep(
    laid: Laid,
    dealers: Numbers,
    scores: NDArray[np.int32],
    own: Numbers,
    own_scores: NDArray[np.int32],
    counted: tuple[Numbers, Numbers, Numbers],
) -> None:
    """Lays in the dealer's games class by class and reads off what lies below and beside."""
    no_game, lower, equal = counted
    edges = np.flatnonzero(np.diff(scores)) + 1
    starts, ends = [0, *edges.tolist()], [*edges.tolist(), len(scores)]
    order = np.argsort(own_scores, kind="stable")
    sorted_scores = own_scores[order]
    for first, last in zip(starts, ends, strict=True):
        here = order[
            np.searchsorted(sorted_scores, scores[first]) : np.searchsorted(
                sorted_scores, scores[first], side="right"
            )
        ]
        hands = own[here]
        below = laid.apart(hands, laid=False)
        laid.lay(dealers[first:last])
        lower[here] = below - no_game[here]
        equal[here] = laid.apart(hands, laid=True) - below
