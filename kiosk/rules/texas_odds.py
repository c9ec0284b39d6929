"""Many random deals of Texas poker at once, counted by combination and outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from kiosk.rules.batch import KIND_SHIFT, evaluate_many
from kiosk.rules.disjoint import lowest_game
from kiosk.rules.evaluate import Combo
from kiosk.rules.options import House
from kiosk.rules.results import Outcome

_CHUNK = 20_000
_OUTCOMES: tuple[Outcome, ...] = ("no-game", "higher", "equal", "lower")

Counts = Counter[tuple[Combo, Outcome]]


def texas_counts(house: House, rounds: int, seed: int) -> Counts:
    """How often a box that always plays holds each combination with each outcome."""
    random = np.random.default_rng(seed)
    counts: Counts = Counter()
    for size in _parts(rounds):
        deck = np.argsort(random.random((size, 52)), axis=1)[:, :9].astype(np.uint8)
        own = evaluate_many(deck[:, :7], False)
        other = evaluate_many(deck[:, 2:], False)
        places = np.where(own > other, 1, np.where(own == other, 2, 3))
        places[other < lowest_game(house)] = 0
        rows = (own >> KIND_SHIFT) * len(_OUTCOMES) + places
        for row, count in zip(*np.unique(rows, return_counts=True), strict=True):
            kind, place = divmod(int(row), len(_OUTCOMES))
            counts[Combo(kind), _OUTCOMES[place]] += int(count)
    return counts


def _parts(rounds: int) -> Iterator[int]:
    while rounds > 0:
        yield min(rounds, _CHUNK)
        rounds -= _CHUNK
