"""Showing a deck to the kiosk: what was seen of each card, what is still missing (V2).

The cards may come in any order and several at a time. A card that is read for certain is taken as
what it was read as; a doubtful one waits for a person. Values in, new values out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kiosk.cards import DECK, Card
from kiosk.sightings import Box, Candidate, FrameReading
from kiosk.vision.images import Image
from kiosk.vision.lying import (
    SAME_PLACE,
    Looks,
    Lying,
    Place,
    found_of,
    left_lying,
    near,
)
from kiosk.vision.merge import Merged, Thresholds, is_index, merge
from kiosk.vision.rectangles import centre_of, holds
from kiosk.vision.variations import wide_cut

LOOKS_NEEDED = 2
"""Looks at a card before it counts as shown: one to fit with, one to check with."""

MOST_SAMPLES = 12
"""Cut-outs kept of one card."""

FROM_ONE_PLACE = 3
"""Cut-outs kept of an index that goes on lying in one place."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One index of a card in one look. ``wide``: the kept cut-out; ``look``: number of the look;
    ``at``: the middle of the index in the picture."""

    wide: Image
    look: int
    at: tuple[float, float] = (0.0, 0.0)


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
    """What has been seen so far. ``answers``: what a person said of places, and what each was most
    likely taken for then; they hold while nothing moves. ``doubted``: names that were given
    wrongly; what bears them is asked about from then on. ``counts``: looks at each card from its
    first sighting on, found or missed. ``lying``: where cards lie that were seen."""

    looks: int = 0
    samples: Mapping[Card, tuple[Sample, ...]] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    conflicts: tuple[Card, ...] = ()
    seen_now: tuple[Card, ...] = ()
    answers: tuple[tuple[Box, Card, Card], ...] = ()
    doubted: frozenset[Card] = frozenset()
    counts: Mapping[Card, Looks] = field(default_factory=dict)
    lying: Lying = field(default_factory=dict)

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

    @property
    def found(self) -> dict[Card, float]:
        """Of each card seen, the share 0 … 1 of the looks at it that found it."""
        return {card: self.counts.get(card, Looks()).share for card in self.samples}


def look_at(
    state: Enrolment,
    image: Image,
    reading: FrameReading,
    thresholds: Thresholds,
    labels: Sequence[tuple[Card, Box]] | None = None,
) -> Enrolment:
    """One more look at cards that lie still (BGR picture and its reading).

    ``labels``: the true cards with the boxes that hold them, where somebody has written them down;
    then nothing is taken as what it was read as, nobody is asked, and every labelled card counts as
    found or missed. What lies in the boxes of two cards is nobody's cut-out.
    """
    if labels is not None:
        return _look_at_labelled(state, image, reading, thresholds, labels)
    number = state.looks + 1
    merged = merge(reading.sightings, reading.bodies, thresholds)
    places: list[tuple[tuple[Box, ...], tuple[Candidate, ...]]] = []
    taken: dict[Card, tuple[Box, ...]] = {}
    for read in merged.cards:
        if read.card in state.doubted:
            places.append((read.boxes, ((read.card, read.confidence),)))
        else:
            taken[read.card] = read.boxes
    places += [((doubt.box,), doubt.candidates) for doubt in merged.doubts]
    asked = []
    for boxes, candidates in places:
        said = _said(state, boxes[0], candidates[0][0])
        if said is not None:
            taken[said] = (*taken.get(said, ()), *boxes)
        else:
            x, y = centre_of(boxes[0])
            wide = wide_cut(image, boxes[0])
            asked.append(Asked(f"{x:.0f}-{y:.0f}", boxes[0], candidates, wide, number))
    samples = dict(state.samples)
    for card, boxes in taken.items():
        _take(samples, card, image, boxes, number)
    real = [sighting.box for sighting in reading.sightings if is_index(sighting, thresholds)]
    found = dict.fromkeys(taken, True) | found_of(state.lying, image, taken, real)
    something = bool(reading.sightings or reading.bodies)
    return replace(
        state,
        looks=number,
        samples=samples,
        asked=tuple(asked),
        conflicts=_conflicts(merged),
        seen_now=tuple(read.card for read in merged.cards),
        answers=state.answers if something else (),
        counts=_counted(state.counts, found),
        lying=left_lying(state.lying, image, taken),
    )


def _look_at_labelled(
    state: Enrolment,
    image: Image,
    reading: FrameReading,
    thresholds: Thresholds,
    labels: Sequence[tuple[Card, Box]],
) -> Enrolment:
    """What lies on two cards counts for the one that it is likelier to be of."""
    number = state.looks + 1
    samples = dict(state.samples)
    found = {card: False for card, _ in labels}
    for sighting in reading.sightings:
        under = list(dict.fromkeys(card for card, box in labels if holds(box, sighting.centre)))
        real = sighting.found >= thresholds.find and sighting.index >= thresholds.index
        if real and len(under) == 1:
            _take(samples, under[0], image, (sighting.box,), number)
        if under and is_index(sighting, thresholds):
            chances = dict(sighting.candidates)
            found[max(under, key=lambda card: chances.get(card, 0.0))] = True
    counts = _counted(state.counts, found)
    return replace(state, looks=number, samples=samples, counts=counts)


def answer(state: Enrolment, key: str, card: Card | None) -> Enrolment:
    """A person says which card the doubtful one is; None: it is no card. KeyError: not asked."""
    place = next((asked for asked in state.asked if asked.key == key), None)
    if place is None:
        raise KeyError(key)
    left = tuple(asked for asked in state.asked if asked.key != key)
    if card is None:
        return replace(state, asked=left)
    samples = dict(state.samples)
    before = samples.get(card, ())
    samples[card] = (*before, Sample(place.wide, place.look, centre_of(place.box)))[-MOST_SAMPLES:]
    answers = (*state.answers, (place.box, card, place.candidates[0][0]))[-60:]
    anew = all(sample.look != place.look for sample in before)
    return replace(
        state,
        asked=left,
        samples=samples,
        answers=answers,
        counts=_counted(state.counts, {card: True} if anew else {}),
        lying={**state.lying, card: (Place(place.box, place.wide),)},
    )


def forget(state: Enrolment, card: Card) -> Enrolment:
    """A person says that what was taken for this card is another one: both are shown anew, and
    what is read as this card is asked about from now on."""
    return replace(
        state,
        samples={known: kept for known, kept in state.samples.items() if known != card},
        answers=tuple(pair for pair in state.answers if pair[1] != card),
        doubted=state.doubted | {card},
        counts={known: looks for known, looks in state.counts.items() if known != card},
        lying={known: places for known, places in state.lying.items() if known != card},
    )


def cleared(state: Enrolment) -> Enrolment:
    """Something moves: what was said of places no longer holds, and who knows what lies there."""
    return replace(state, asked=(), answers=(), conflicts=(), seen_now=(), lying={})


def _counted(counts: Mapping[Card, Looks], found: Mapping[Card, bool]) -> dict[Card, Looks]:
    """With one look more at each of these cards."""
    return {**counts, **{c: counts.get(c, Looks()).and_one(seen) for c, seen in found.items()}}


def _take(
    samples: dict[Card, tuple[Sample, ...]],
    card: Card,
    image: Image,
    boxes: tuple[Box, ...],
    look: int,
) -> None:
    """Keeps cut-outs; of a card that goes on lying there only the first few, so that it does not
    push out what was seen of it elsewhere."""
    kept = samples.get(card, ())
    for box in boxes:
        at, reach = centre_of(box), SAME_PLACE * (box[3] - box[1])
        if sum(math.dist(at, known.at) < reach for known in kept) < FROM_ONE_PLACE:
            kept = (*kept, Sample(wide_cut(image, box), look, at))
    samples[card] = kept[-MOST_SAMPLES:]


def _said(state: Enrolment, box: Box, likely: Card) -> Card | None:
    """What a person said of a place that the box still is and that still looks the same."""
    for known, card, taken_for in reversed(state.answers):
        if near(box, known) and likely == taken_for:
            return card
    return None


def _conflicts(merged: Merged) -> tuple[Card, ...]:
    names = {doubt.candidates[0][0] for doubt in merged.doubts if doubt.why == "conflict"}
    return tuple(card for card in DECK if card in names)
