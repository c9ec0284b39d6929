"""From sightings of one moment to cards and doubts, in picture geometry (V1, V5, V9). Pure.

Two corners of one card agree and become one card; the same name in two places that cannot be one
card is a conflict; what is not certain is a doubt with its candidates. No name is given twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kiosk.cards import Card
from kiosk.sightings import Body, Box, Candidate, Doubt, ReadCard, Sighting
from kiosk.vision.corners import (
    distinct,
    near_corners,
    on_one_body,
    one_card,
    parted,
    pool,
    stands_as_corners,
)
from kiosk.vision.rectangles import centre_of, holds, shared_area
from kiosk.vision.standing import (
    Standing,
    beside_on_one_card,
    may_share_a_card,
    more_than_a_card,
    standing,
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Limits for naming; all are probabilities 0 … 1.

    ``find``: finder scores below are dropped. ``index``: a cut-out less likely to be an index is
    clutter. ``name``: a card at or above is certain. ``doubt``: an unnamed sighting whose finder
    score times index probability is below is clutter and not asked about.
    """

    find: float = 0.25
    name: float = 0.9
    doubt: float = 0.3
    index: float = 0.5

    @classmethod
    def from_settings(cls, values: Mapping[str, object]) -> Thresholds:
        """From the ``thresholds`` of the models' settings; missing ones keep their default.

        Raises ValueError for a value that is not a number between 0 and 1.
        """
        known = {}
        for name in ("find", "name", "doubt", "index"):
            value = values.get(name)
            if value is None:
                continue
            if not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ValueError(f"thresholds.{name}: expected a number from 0 to 1, got {value!r}")
            known[name] = float(value)
        return cls(**known)


_MAX_CANDIDATES = 5
_LEAST_CANDIDATE = 0.02
_SAME_BODY_CANDIDATE = 0.05
_LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class Merged:
    """What one moment shows: every name at most once, most certain first; and the doubts."""

    cards: tuple[ReadCard, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Sightings that are or may be corners of one card, most certain first."""

    sightings: tuple[Sighting, ...]
    candidates: tuple[Candidate, ...]
    extra: tuple[Box, ...] = ()

    @classmethod
    def of(cls, sightings: Iterable[Sighting]) -> _Group:
        ordered = tuple(sorted(sightings, key=lambda s: (-confidence_of(s), s.box)))
        return cls(ordered, pool([s.candidates for s in ordered]))

    @property
    def card(self) -> Card:
        return self.candidates[0][0]

    @property
    def confidence(self) -> float:
        return max(s.index for s in self.sightings) * self.candidates[0][1]

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(s.box for s in self.sightings) + self.extra


def merge(
    sightings: Iterable[Sighting],
    bodies: Sequence[Body] = (),
    thresholds: Thresholds = Thresholds(),
    reach: float | None = None,
) -> Merged:
    """Cards and doubts of one moment.

    ``reach``: the longest distance between two indices of one card in pixels, where the geometry
    is known; otherwise it is judged from the index size.
    """
    bodies = distinct(bodies)
    real = sorted(
        (s for s in sightings if is_index(s, thresholds)),
        key=lambda s: (-confidence_of(s), s.box),
    )
    groups = _groups(real, bodies, reach)
    certain: list[_Group] = []
    conflicts: list[_Group] = []
    unsure: list[_Group] = []
    for name in dict.fromkeys(group.card for group in groups):
        same = [g for g in groups if g.card == name]
        sure = [g for g in same if g.confidence >= thresholds.name]
        unsure += [g for g in same if g.confidence < thresholds.name]
        (certain if len(sure) == 1 else conflicts).extend(sure)
    certain, left = _absorb(certain, unsure, bodies, reach)
    cards = sorted(
        (ReadCard(g.card, g.confidence, g.boxes) for g in certain),
        key=lambda c: (-c.confidence, str(c.card)),
    )
    doubts = [_doubt(g, "conflict") for g in conflicts]
    doubts += [_doubt(g, "low-confidence") for g in left]
    doubts.sort(key=lambda d: (d.box[1], d.box[0]))
    return Merged(tuple(cards), tuple(doubts))


def confidence_of(sighting: Sighting) -> float:
    """Probability that the sighting is an index of its first candidate."""
    return sighting.index * sighting.candidates[0][1] if sighting.candidates else 0.0


def is_index(sighting: Sighting, thresholds: Thresholds) -> bool:
    """Whether the sighting is named or asked about, and no clutter."""
    if not sighting.candidates or sighting.index < thresholds.index:
        return False
    if sighting.found < thresholds.find:
        return False
    sure = confidence_of(sighting) >= thresholds.name
    return sure or sighting.found * sighting.index >= thresholds.doubt


def _groups(
    sightings: Sequence[Sighting], bodies: Sequence[Body], reach: float | None
) -> list[_Group]:
    """Corners of one body, and others with one first candidate that fit on one card, together."""
    patterns = _patterns(sightings, bodies)
    taken = {s.box for corners in patterns for s in corners}
    rest = [s for s in sightings if s.box not in taken]
    units = sorted(
        (_Group.of(corners) for corners in (*patterns, *on_one_body(rest, bodies))),
        key=lambda g: (-g.confidence, g.boxes),
    )
    gathered: list[_Group] = []
    for name in dict.fromkeys(unit.card for unit in units):
        same = [unit for unit in units if unit.card == name]
        gathered += _joined(same, bodies, reach)
    return gathered


def _joined(units: list[_Group], bodies: Sequence[Body], reach: float | None) -> list[_Group]:
    """Groups of one name, with those joined that fit on one card."""
    two = len(units) == 2
    left, done = list(units), []
    while left:
        group = left.pop(0)
        while (other := _fitting(group, left, bodies, reach, two)) is not None:
            left.remove(other)
            group = _Group.of((*group.sightings, *other.sightings))
        done.append(group)
    return done


def _fitting(
    group: _Group, others: Sequence[_Group], bodies: Sequence[Body], reach: float | None, two: bool
) -> _Group | None:
    """The first of the others that fits on one card with the group. ``two``: there are no more."""
    for other in others:
        together = (*group.sightings, *other.sightings)
        if not more_than_a_card(together) and all(
            one_card(a, b, bodies, reach)
            or (two and near_corners(a, b, bodies))
            or (not parted(a, b, bodies) and beside_on_one_card(a, b, together))
            for a in group.sightings
            for b in other.sightings
        ):
            return other
    return None


def _patterns(
    sightings: Sequence[Sighting], bodies: Sequence[Body]
) -> tuple[tuple[Sighting, ...], ...]:
    """Sightings of one name that stand as the corners of one body, and there is no more of them."""
    found = []
    for name in dict.fromkeys(s.candidates[0][0] for s in sightings):
        same = tuple(s for s in sightings if s.candidates[0][0] == name)
        boxes = [s.box for s in same]
        apart = all(not shared_area(a, b) for a, b in itertools.combinations(boxes, 2))
        if not apart or not may_share_a_card(same):
            continue
        if any(stands_as_corners(boxes, body.box) for body in bodies):
            found.append(same)
    return tuple(found)


def _absorb(
    certain: list[_Group],
    unsure: list[_Group],
    bodies: Sequence[Body],
    reach: float | None,
) -> tuple[list[_Group], list[_Group]]:
    """Doubtful corners of cards that another corner named: added to them, not asked about."""
    extra: dict[Card, list[Box]] = {}
    left: list[_Group] = []
    for group in unsure:
        owner = _owner(group, certain, bodies, reach)
        if owner is None:
            left.append(group)
        else:
            extra.setdefault(owner, []).extend(group.boxes)
    grown = [replace(g, extra=(*g.extra, *extra.get(g.card, ()))) for g in certain]
    return grown, left


def _owner(
    doubtful: _Group, certain: Sequence[_Group], bodies: Sequence[Body], reach: float | None
) -> Card | None:
    """The certain card that the doubtful sightings are corners of, if that is plain.

    A neighbour with a like face must not be swallowed: a second-best candidate counts only where
    one body holds both corners and no other body holds the doubtful one, and where the two do not
    stand beside each other as in a fan.
    """
    centre = doubtful.sightings[0].centre
    holding = [body.box for body in bodies if holds(body.box, centre)]
    for group in certain:
        chance = dict(doubtful.candidates).get(group.card, 0.0)
        centres = [centre_of(box) for box in (*group.boxes, *doubtful.boxes)]
        shared = any(all(holds(body, c) for c in centres) for body in holding)
        if not all(
            one_card(one, other, bodies, reach)
            for one in doubtful.sightings
            for other in group.sightings
        ):
            continue
        first = doubtful.card == group.card and chance >= _LIKELY
        if first and (shared or not holding):
            return group.card
        alone = shared and len(holding) == 1 and not _as_in_a_fan(doubtful, group)
        if alone and chance >= _SAME_BODY_CANDIDATE:
            return group.card
    return None


def _as_in_a_fan(one: _Group, other: _Group) -> bool:
    """Whether some two of them stand beside each other, and no third one shows that these are
    corners of one card."""
    together = (*one.sightings, *other.sightings)
    return any(
        standing(a, b) is Standing.BESIDE and not beside_on_one_card(a, b, together)
        for a in one.sightings
        for b in other.sightings
    )


def _doubt(group: _Group, why: str) -> Doubt:
    likely = group.candidates[:_MAX_CANDIDATES]
    candidates = tuple(pair for pair in likely if pair[1] >= _LEAST_CANDIDATE) or likely[:1]
    x, y = group.sightings[0].centre
    return Doubt(f"{x:.0f}-{y:.0f}", group.sightings[0].box, candidates, why)
