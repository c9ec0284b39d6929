"""From sightings of one moment to cards and doubts, in picture geometry (V1, V5, V9). Pure.

Two corners of one card agree and become one card; the same name in two places that cannot be one
card is a conflict; what is not certain is a doubt with its candidates. No name is given twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kiosk.cards import Card
from kiosk.sightings import Body, Box, Candidate, Doubt, ReadCard, Sighting


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


REACH_IN_INDEX_HEIGHTS = 5.8
"""Two indices further apart than this many index heights are not of one card.

Measured on photographs: opposite corners lie 3 to 5.2 index heights apart, one in twenty more.
"""

CORNER_WEIGHT = 0.7
"""Weight of each corner's evidence when several are pooled: they err together more often than not
at all (one deck, one light), so two corners count as 1.4 and not as 2."""

_MAX_CANDIDATES = 5
_LEAST_CANDIDATE = 0.02
_SAME_BODY_CANDIDATE = 0.05
_LIKELY = 0.5
_APART_IOU = 0.1
_NEAREST_CORNER = 1.8


@dataclass(frozen=True, slots=True)
class Merged:
    """What one moment shows: every name at most once, most certain first; and the doubts."""

    cards: tuple[ReadCard, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    """Sightings that may be corners of one card, most certain first."""

    card: Card
    sightings: tuple[Sighting, ...]
    confidence: float
    extra: tuple[Box, ...] = field(default=())

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
    real = [s for s in sightings if _is_index(s, thresholds)]
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
    certain, split = _two_names_on_one_body(certain, bodies)
    cards = sorted(
        (ReadCard(g.card, g.confidence, g.boxes) for g in certain),
        key=lambda c: (-c.confidence, str(c.card)),
    )
    doubts = [_doubt(g.sightings[0], "conflict", g.card, g.confidence) for g in conflicts]
    doubts += [_doubt(s, "low-confidence") for s in [*split, *left]]
    doubts.sort(key=lambda d: (d.box[1], d.box[0]))
    return Merged(tuple(cards), tuple(doubts))


def confidence_of(sighting: Sighting) -> float:
    """Probability that the sighting is an index of its first candidate."""
    return sighting.index * sighting.candidates[0][1] if sighting.candidates else 0.0


def pooled(probabilities: Sequence[float]) -> float:
    """Confidence of one name from several corners that agree on it.

    Log-odds are added with CORNER_WEIGHT each; a weak corner that agrees never lowers what the
    best one says, and one corner alone stays as it is.
    """
    if len(probabilities) == 1:
        return probabilities[0]
    odds = [math.log(p / (1 - p)) for p in (min(max(p, 1e-6), 1 - 1e-6) for p in probabilities)]
    return max(max(probabilities), 1 / (1 + math.exp(-CORNER_WEIGHT * sum(odds))))


def centre_of(box: Box) -> tuple[float, float]:
    """Middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def iou(one: Box, other: Box) -> float:
    """Shared area over joint area of two boxes, 0 … 1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    areas = sum((b[2] - b[0]) * (b[3] - b[1]) for b in (one, other))
    return shared / (areas - shared)


def _is_index(sighting: Sighting, thresholds: Thresholds) -> bool:
    if not sighting.candidates or sighting.index < thresholds.index:
        return False
    if sighting.found < thresholds.find:
        return False
    sure = confidence_of(sighting) >= thresholds.name
    return sure or sighting.found * sighting.index >= thresholds.doubt


def _groups(
    sightings: Sequence[Sighting], bodies: Sequence[Body], reach: float | None
) -> list[_Group]:
    """Sightings with one first candidate that fit on one card, together."""
    ordered = sorted(sightings, key=lambda s: (-confidence_of(s), s.box))
    gathered: list[list[Sighting]] = []
    for sighting in ordered:
        name = sighting.candidates[0][0]
        for group in gathered:
            if group[0].candidates[0][0] == name and all(
                one_card(sighting.box, other.box, bodies, reach) for other in group
            ):
                group.append(sighting)
                break
        else:
            gathered.append([sighting])
    return [
        _Group(g[0].candidates[0][0], tuple(g), pooled([confidence_of(s) for s in g]))
        for g in gathered
    ]


def one_card(one: Box, other: Box, bodies: Sequence[Body], reach: float | None) -> bool:
    """Whether two index boxes can be corners of one card.

    Boxes that overlap are one index found twice. Corners of one card are never as near as
    neighbours in a fan. A body that holds both says yes, two bodies well apart that hold one each
    say no, otherwise the distance decides.
    """
    a, b = centre_of(one), centre_of(other)
    if iou(one, other) > 0:
        return True
    if math.dist(a, b) < _NEAREST_CORNER * (_size(one) + _size(other)) / 2:
        return False
    with_a = [body.box for body in bodies if _holds(body.box, a)]
    with_b = [body.box for body in bodies if _holds(body.box, b)]
    if any(box in with_b for box in with_a):
        return True
    if with_a and with_b and all(iou(x, y) < _APART_IOU for x in with_a for y in with_b):
        return False
    limit = reach if reach is not None else _reach(one, other)
    return math.dist(a, b) <= limit


def _reach(one: Box, other: Box) -> float:
    return REACH_IN_INDEX_HEIGHTS * (_size(one) + _size(other)) / 2


def _size(box: Box) -> float:
    """The longer side: nearly the same for an index in any turn."""
    return max(box[2] - box[0], box[3] - box[1])


def _holds(box: Box, point: tuple[float, float]) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _absorb(
    certain: list[_Group],
    unsure: list[_Group],
    bodies: Sequence[Body],
    reach: float | None,
) -> tuple[list[_Group], list[Sighting]]:
    """Doubtful corners of cards that another corner named: added to them, not asked about."""
    extra: dict[Card, list[Box]] = {}
    left: list[Sighting] = []
    for group in unsure:
        for sighting in group.sightings:
            owner = _owner(sighting, certain, bodies, reach)
            if owner is None:
                left.append(sighting)
            else:
                extra.setdefault(owner, []).append(sighting.box)
    grown = [
        _Group(g.card, g.sightings, g.confidence, tuple(extra.get(g.card, ()))) for g in certain
    ]
    # Two weak corners of one card make one question, not two.
    kept: list[Sighting] = []
    for sighting in left:
        twin = any(
            sighting.candidates[0][0] == other.candidates[0][0]
            and one_card(sighting.box, other.box, bodies, reach)
            for other in kept
        )
        if not twin:
            kept.append(sighting)
    return grown, kept


def _owner(
    sighting: Sighting, certain: Sequence[_Group], bodies: Sequence[Body], reach: float | None
) -> Card | None:
    """The certain card that the doubtful sighting is another corner of, if that is plain.

    A neighbour with a like face must not be swallowed: a second-best candidate counts only where
    one body holds both corners and no other body holds the doubtful one.
    """
    holding = [body.box for body in bodies if _holds(body.box, sighting.centre)]
    for group in certain:
        chance = dict(sighting.candidates).get(group.card, 0.0)
        centres = [centre_of(box) for box in group.boxes]
        shared = any(all(_holds(body, c) for c in centres) for body in holding)
        if not all(one_card(sighting.box, b, bodies, reach) for b in group.boxes):
            continue
        first = sighting.candidates[0][0] == group.card and chance >= _LIKELY
        if first and (shared or not holding):
            return group.card
        if shared and len(holding) == 1 and chance >= _SAME_BODY_CANDIDATE:
            return group.card
    return None


def _two_names_on_one_body(
    certain: list[_Group], bodies: Sequence[Body]
) -> tuple[list[_Group], list[Sighting]]:
    """Opposite corners of one body with different names: neither is believed.

    Opposite: their midpoint is the body's own middle. Only where each lies in no other body, so
    that fanned neighbours are not taken for one card.
    """
    wrong: set[Card] = set()
    for body in bodies:
        inside = [
            g
            for g in certain
            if all(_holds(body.box, centre_of(b)) for b in g.boxes)
            and sum(_holds(o.box, centre_of(g.boxes[0])) for o in bodies) == 1
        ]
        if len(inside) != 2 or any(len(g.boxes) != 1 for g in inside):
            continue
        a, b = (centre_of(g.boxes[0]) for g in inside)
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        size = math.dist(body.box[:2], body.box[2:])
        if math.dist(middle, centre_of(body.box)) < 0.1 * size and math.dist(a, b) > 0.5 * size:
            wrong |= {g.card for g in inside}
    kept = [g for g in certain if g.card not in wrong]
    return kept, [g.sightings[0] for g in certain if g.card in wrong]


def _doubt(
    sighting: Sighting, why: str, card: Card | None = None, confidence: float = 0.0
) -> Doubt:
    candidates: tuple[Candidate, ...] = tuple(
        (c, p) for c, p in sighting.candidates[:_MAX_CANDIDATES] if p >= _LEAST_CANDIDATE
    )
    if card is not None:
        candidates = ((card, confidence), *(pair for pair in candidates if pair[0] != card))
    if not candidates:
        candidates = sighting.candidates[:1]
    x, y = sighting.centre
    return Doubt(f"{x:.0f}-{y:.0f}", sighting.box, candidates, why)
