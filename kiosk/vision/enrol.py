"""Showing a deck to the kiosk: what was seen of each card, what is still missing (V2).

The cards may come in any order and several at a time. A card that is read for certain is taken as
what it was read as; a doubtful one waits for a person. Values in, new values out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kiosk.cards import DECK, Card
from kiosk.sightings import Box, Candidate, FrameReading
from kiosk.vision.corners import holds
from kiosk.vision.images import Image
from kiosk.vision.merge import Merged, Thresholds, merge
from kiosk.vision.variations import wide_cut

LOOKS_NEEDED = 2
"""Looks at a card before it counts as shown: one to fit with, one to check with."""

MOST_SAMPLES = 12
"""Cut-outs kept of one card."""

_SAME_PLACE = 0.5
"""Index heights within which two boxes are one place."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One index of a card in one look. ``wide``: the kept cut-out; ``look``: number of the look."""

    wide: Image
    look: int


@dataclass(frozen=True, eq=False)
class Asked:
    """A doubtful card that a person is asked about."""

    key: str
    box: Box
    candidates: tuple[Candidate, ...]
    wide: Image
    look: int


@dataclass(frozen=True, eq=False)
class Enrolment:
    """What has been seen so far. ``answers``: what a person said of places in the last look."""

    looks: int = 0
    samples: Mapping[Card, tuple[Sample, ...]] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    conflicts: tuple[Card, ...] = ()
    seen_now: tuple[Card, ...] = ()
    answers: tuple[tuple[Box, Card], ...] = ()

    @property
    def shown(self) -> tuple[Card, ...]:
        """Cards seen often enough."""
        return tuple(card for card in DECK if self.looks_at(card) >= LOOKS_NEEDED)

    @property
    def missing(self) -> tuple[Card, ...]:
        """Cards not yet seen often enough."""
        return tuple(card for card in DECK if self.looks_at(card) < LOOKS_NEEDED)

    def looks_at(self, card: Card) -> int:
        """In how many looks the card was seen."""
        return len({sample.look for sample in self.samples.get(card, ())})


def look_at(
    state: Enrolment,
    image: Image,
    reading: FrameReading,
    thresholds: Thresholds,
    labels: Sequence[tuple[Card, Box]] | None = None,
) -> Enrolment:
    """One more look at cards that lie still (BGR picture and its reading).

    ``labels``: the true cards with the boxes that hold them, where somebody has written them down;
    then nothing is taken as what it was read as, and nobody is asked.
    """
    number = state.looks + 1
    samples = dict(state.samples)
    if labels is not None:
        for sighting in reading.sightings:
            for card, box in labels:
                if sighting.found >= thresholds.find and holds(box, sighting.centre):
                    _take(samples, card, image, (sighting.box,), number)
                    break
        return replace(state, looks=number, samples=samples)
    merged = merge(reading.sightings, reading.bodies, thresholds)
    for read in merged.cards:
        _take(samples, read.card, image, read.boxes, number)
    asked = []
    for doubt in merged.doubts:
        said = _said(state, doubt.box)
        if said is not None:
            _take(samples, said, image, (doubt.box,), number)
        elif doubt.why != "conflict":
            wide = wide_cut(image, doubt.box)
            asked.append(Asked(doubt.key, doubt.box, doubt.candidates, wide, number))
    return replace(
        state,
        looks=number,
        samples=samples,
        asked=tuple(asked),
        conflicts=_conflicts(merged),
        seen_now=tuple(read.card for read in merged.cards),
    )


def answer(state: Enrolment, key: str, card: Card | None) -> Enrolment:
    """A person says which card the doubtful one is; None: it is no card. KeyError: not asked."""
    place = next((asked for asked in state.asked if asked.key == key), None)
    if place is None:
        raise KeyError(key)
    left = tuple(asked for asked in state.asked if asked.key != key)
    if card is None:
        return replace(state, asked=left)
    samples = dict(state.samples)
    kept = (*samples.get(card, ()), Sample(place.wide, place.look))
    samples[card] = kept[-MOST_SAMPLES:]
    answers = (*state.answers, (place.box, card))[-60:]
    return replace(state, asked=left, samples=samples, answers=answers)


def forget(state: Enrolment, card: Card) -> Enrolment:
    """A person says that what was taken for this card is another one: shown anew."""
    samples = {known: kept for known, kept in state.samples.items() if known != card}
    answers = tuple(pair for pair in state.answers if pair[1] != card)
    return replace(state, samples=samples, answers=answers)


def cleared(state: Enrolment) -> Enrolment:
    """The cards were taken away: answers about places no longer hold."""
    return replace(state, asked=(), answers=(), conflicts=(), seen_now=())


def _take(
    samples: dict[Card, tuple[Sample, ...]],
    card: Card,
    image: Image,
    boxes: tuple[Box, ...],
    look: int,
) -> None:
    fresh = tuple(Sample(wide_cut(image, box), look) for box in boxes)
    samples[card] = (*samples.get(card, ()), *fresh)[-MOST_SAMPLES:]


def _said(state: Enrolment, box: Box) -> Card | None:
    """What a person said of a place that the box still is, if anything."""
    x, y, reach = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, box[3] - box[1]
    for known, card in reversed(state.answers):
        kx, ky = (known[0] + known[2]) / 2, (known[1] + known[3]) / 2
        if max(abs(kx - x), abs(ky - y)) < _SAME_PLACE * reach:
            return card
    return None


def _conflicts(merged: Merged) -> tuple[Card, ...]:
    names = {doubt.candidates[0][0] for doubt in merged.doubts if doubt.why == "conflict"}
    return tuple(card for card in DECK if card in names)
