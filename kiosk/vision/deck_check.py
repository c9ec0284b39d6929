"""From cut-outs of a shown deck: how well each card is read, a layer fitted to it, what is alike.

A card is read when it is found and named. How often it is found is known from the showing. One half
of the places where its indices stood (corners of the card, or several layings) is fitted with, the
other half checked with, both in many variations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kiosk.cards import DECK, RANKS, SUITS, Card
from kiosk.vision.enrol import Sample
from kiosk.vision.head import Head, fitted
from kiosk.vision.namer import Namer, as_input, probabilities
from kiosk.vision.runtime import Floats
from kiosk.vision.variations import varied

FITTED_WITH, CHECKED_WITH = 40, 16
"""Variations of each card that are fitted and checked with."""

NEAR_PX = 6.0
"""Pixels within which two cut-outs show one index that went on lying there."""

ALIKE = 0.2
"""Mean probability of another card's name from which on two cards are called alike."""

Told = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class CardFigures:
    """Shares 0 … 1 of single looks: read before and after fitting, wrong after it, found at all.

    Read: found, and named rightly at or above the naming threshold; wrong: named otherwise there,
    as a share of what was found.
    """

    before: float
    after: float
    wrong: float
    found: float = 1.0


@dataclass(frozen=True, slots=True)
class DeckFigures:
    """What the check found. ``alike``: (card, taken for, mean probability of it), worst first."""

    cards: Mapping[Card, CardFigures]
    alike: tuple[tuple[Card, Card, float], ...]
    fitted: bool

    @property
    def before(self) -> float:
        """Mean recall with the weights that ship."""
        return float(np.mean([figures.before for figures in self.cards.values()]))

    @property
    def recall(self) -> float:
        """Mean recall with the weights that are used from now on."""
        return float(np.mean([figures.after for figures in self.cards.values()]))

    @property
    def found(self) -> float:
        """Mean share of the looks at a card that found it."""
        return float(np.mean([figures.found for figures in self.cards.values()]))

    @property
    def wrong(self) -> float:
        """Share of wrong names with the weights that are used from now on."""
        return float(np.mean([figures.wrong for figures in self.cards.values()]))

    def to_json(self) -> dict[str, Any]:
        """As kept with the deck."""
        return {
            "before": round(self.before, 4),
            "recall": round(self.recall, 4),
            "wrong": round(self.wrong, 5),
            "found": round(self.found, 4),
            "fitted": self.fitted,
            "cards": {
                str(card): {
                    "before": round(f.before, 3),
                    "after": round(f.after, 3),
                    "wrong": round(f.wrong, 4),
                    "found": round(f.found, 3),
                }
                for card, f in self.cards.items()
            },
            "alike": [[str(a), str(b), round(p, 3)] for a, b, p in self.alike],
        }


def check_deck(
    namer: Namer,
    base: Head,
    samples: Mapping[Card, tuple[Sample, ...]],
    threshold: float,
    told: Told = lambda share: None,
    found: Mapping[Card, float] | None = None,
) -> tuple[DeckFigures, Head]:
    """Figures of a shown deck and the layer to use for it: the fitted one, or ``base`` where
    fitting made nothing better. ``told`` hears how much is done, 0 … 1. ``found``: share of the
    looks at each card that found it; None: all of them. Takes under a minute."""
    rng = np.random.default_rng(1)
    fit_with, check_with = {}, {}
    for card, kept in samples.items():
        fit_with[card], check_with[card] = _halves(kept)
    seen, truth = _features(namer, fit_with, FITTED_WITH, rng, lambda p: told(0.6 * p))
    ranks, suits = truth
    head = fitted(base, seen, ranks, suits)
    told(0.7)
    checks, (ranks, suits) = _features(
        namer, check_with, CHECKED_WITH, rng, lambda p: told(0.7 + 0.3 * p)
    )
    old = _judged(namer, base.logits(checks), ranks, suits, threshold)
    new = _judged(namer, head.logits(checks), ranks, suits, threshold)
    better = new.recall >= old.recall and new.wrong <= old.wrong
    used = new if better else old
    figures = {}
    for card in samples:
        (before, _), (after, wrong) = old.of(card), used.of(card)
        share = 1.0 if found is None else found[card]
        figures[card] = CardFigures(share * before, share * after, wrong, share)
    told(1.0)
    in_order = {card: figures[card] for card in DECK if card in figures}
    return DeckFigures(in_order, used.alike(), better), head if better else base


def _halves(kept: Sequence[Sample]) -> tuple[list[Sample], list[Sample]]:
    """Samples to fit and to check with: other places if there are two, else other looks."""
    places: list[list[Sample]] = []
    for sample in kept:
        near = (p for p in places if math.dist(p[0].at, sample.at) < NEAR_PX)
        found = next(near, None)
        if found is None:
            places.append([sample])
        else:
            found.append(sample)
    if len(places) > 1:
        return [s for p in places[::2] for s in p], [s for p in places[1::2] for s in p]
    looks = sorted({sample.look for sample in kept})
    check = {*looks[1::2]} or {*looks}
    checked = [s for s in kept if s.look in check]
    return [s for s in kept if s.look not in check] or checked, checked


@dataclass(frozen=True, eq=False)
class _Judged:
    """Names given to the check's variations. ``joint``: (n, 52) in the order of rank, then suit."""

    joint: Floats
    truth: np.ndarray
    threshold: float

    @property
    def _sure(self) -> np.ndarray:
        return np.asarray(self.joint.max(1) >= self.threshold)

    @property
    def _right(self) -> np.ndarray:
        return np.asarray(self.joint.argmax(1) == self.truth)

    @property
    def recall(self) -> float:
        return float((self._sure & self._right).mean())

    @property
    def wrong(self) -> float:
        return float((self._sure & ~self._right).mean())

    def of(self, card: Card) -> tuple[float, float]:
        """Shares read and wrongly named among the card's variations."""
        mine = self.truth == _place(card)
        sure, right = self._sure[mine], self._right[mine]
        return float((sure & right).mean()), float((sure & ~right).mean())

    def alike(self) -> tuple[tuple[Card, Card, float], ...]:
        """Cards whose variations look like another card, worst first."""
        found = []
        for place in np.unique(self.truth):
            mean = self.joint[self.truth == place].mean(0)
            for other in np.flatnonzero(mean >= ALIKE):
                if other != place:
                    found.append((_card(int(place)), _card(int(other)), float(mean[other])))
        return tuple(sorted(found, key=lambda pair: -pair[2]))


def _place(card: Card) -> int:
    return RANKS.index(card.rank) * len(SUITS) + SUITS.index(card.suit)


def _card(place: int) -> Card:
    return Card(RANKS[place // len(SUITS)], SUITS[place % len(SUITS)])


def _judged(
    namer: Namer, logits: Floats, ranks: np.ndarray, suits: np.ndarray, threshold: float
) -> _Judged:
    rank, suit, _ = probabilities(logits, namer.temperatures)
    joint = (rank[:, :, None] * suit[:, None, :]).reshape(len(rank), -1)
    return _Judged(joint, ranks * len(SUITS) + suits, threshold)


def _features(
    namer: Namer,
    samples: Mapping[Card, list[Sample]],
    each: int,
    rng: np.random.Generator,
    told: Told,
) -> tuple[Floats, tuple[np.ndarray, np.ndarray]]:
    """Features of ``each`` variations a card, with ranks and suits as positions."""
    features, ranks, suits = [], [], []
    for number, (card, kept) in enumerate(samples.items()):
        pictures = [varied(kept[i % len(kept)].wide, rng) for i in range(each)]
        features.append(namer.features(as_input(np.stack(pictures))))
        ranks += [RANKS.index(card.rank)] * each
        suits += [SUITS.index(card.suit)] * each
        told((number + 1) / len(samples))
    return np.concatenate(features), (np.array(ranks), np.array(suits))
