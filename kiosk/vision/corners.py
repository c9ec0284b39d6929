"""Which indices are corners of one card, and how many bodies there are. Pure picture geometry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kiosk.cards import Card
from kiosk.sightings import Body, Box, Candidate, Sighting

Point = tuple[float, float]

REACH_IN_INDEX_HEIGHTS = 5.8
"""Two indices further apart than this many index heights are not of one card.

Measured on photographs: opposite corners lie 3 to 5.2 index heights apart, one in twenty more.
"""

NEAREST_CORNER = 1.8
"""Nor are two that are nearer than this many index heights: those are neighbours in a fan."""

CORNER_WEIGHT = 0.7
"""Weight of each corner's evidence when several are pooled: they err together more often than not
at all (one deck, one light), so two corners count as 1.4 and not as 2."""

BODY_SCORE = 0.4
"""Finder score below which a body is no evidence for counting."""

_APART_IOU = 0.1
_INSIDE = 0.8
_FLOOR = 0.004


def centre_of(box: Box) -> Point:
    """Middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def size_of(box: Box) -> float:
    """The longer side: nearly the same for an index in any turn."""
    return max(box[2] - box[0], box[3] - box[1])


def holds(box: Box, point: Point) -> bool:
    """Whether the point lies in the box."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def shared_area(one: Box, other: Box) -> float:
    """Area that both cover."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def area_of(box: Box) -> float:
    """Area of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


def iou(one: Box, other: Box) -> float:
    """Shared area over joint area of two boxes, 0 … 1."""
    shared = shared_area(one, other)
    return shared / (area_of(one) + area_of(other) - shared) if shared else 0.0


def distinct(bodies: Sequence[Body], largest: float = math.inf) -> tuple[Body, ...]:
    """The bodies that count: sure enough, not pieces of a surer one, best first.

    ``largest``: longest side in pixels that a card can have, where it is known.
    """
    kept: list[Body] = []
    for body in sorted(bodies, key=lambda b: (-b.found, b.box)):
        if body.found < BODY_SCORE or size_of(body.box) > largest:
            continue
        piece = any(
            shared_area(body.box, other.box) >= _INSIDE * min(area_of(body.box), area_of(other.box))
            for other in kept
        )
        if not piece:
            kept.append(body)
    return tuple(kept)


def one_card(one: Box, other: Box, bodies: Sequence[Body], reach: float | None) -> bool:
    """Whether two index boxes can be corners of one card.

    Boxes that overlap are one index found twice. Corners of one card are never as near as
    neighbours in a fan. A body that holds both says yes, two bodies well apart that hold one each
    say no, otherwise the distance decides (``reach`` pixels, or judged from the index size).
    """
    if shared_area(one, other) > 0:
        return True
    a, b = centre_of(one), centre_of(other)
    if math.dist(a, b) < NEAREST_CORNER * (size_of(one) + size_of(other)) / 2:
        return False
    with_a = [body.box for body in bodies if holds(body.box, a)]
    with_b = [body.box for body in bodies if holds(body.box, b)]
    if any(box in with_b for box in with_a):
        return True
    if with_a and with_b and all(iou(x, y) < _APART_IOU for x in with_a for y in with_b):
        return False
    limit = reach
    if limit is None:
        limit = REACH_IN_INDEX_HEIGHTS * (size_of(one) + size_of(other)) / 2
    return math.dist(a, b) <= limit


def pooled(probabilities: Sequence[float]) -> float:
    """Confidence of one name from several corners that agree on it.

    Log-odds are added with CORNER_WEIGHT each; a weak corner that agrees never lowers what the
    best one says, and one corner alone stays as it is.
    """
    if len(probabilities) == 1:
        return probabilities[0]
    odds = [math.log(p / (1 - p)) for p in (min(max(p, 1e-6), 1 - 1e-6) for p in probabilities)]
    return max(max(probabilities), 1 / (1 + math.exp(-CORNER_WEIGHT * sum(odds))))


def join_corners(
    sightings: Sequence[Sighting], bodies: Sequence[Body]
) -> tuple[list[Sighting], Mapping[Box, tuple[Box, ...]]]:
    """Two opposite corners of one body that disagree become one sighting with pooled candidates.

    Opposite: their midpoint is the body's own middle, and neither lies in another body, so that
    fanned neighbours are not taken for one card. The mapping gives the other corner's box for the
    box of the joint sighting.
    """
    left = list(sightings)
    partners: dict[Box, tuple[Box, ...]] = {}
    for body in bodies:
        inside = [s for s in left if holds(body.box, s.centre) and s.candidates]
        alone = all(sum(holds(o.box, s.centre) for o in bodies) == 1 for s in inside)
        if len(inside) != 2 or not alone or not _opposite(inside[0], inside[1], body.box):
            continue
        first, second = sorted(inside, key=lambda s: (-s.index * s.candidates[0][1], s.box))
        if first.candidates[0][0] == second.candidates[0][0]:
            continue
        left = [s for s in left if s is not first and s is not second]
        left.append(replace(first, candidates=_pool(first.candidates, second.candidates)))
        partners[first.box] = (second.box,)
    return left, partners


def _opposite(one: Sighting, other: Sighting, body: Box) -> bool:
    a, b = one.centre, other.centre
    diagonal = math.dist(body[:2], body[2:])
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    near = math.dist(middle, centre_of(body)) < 0.12 * diagonal
    return near and math.dist(a, b) > 0.5 * diagonal


def _pool(one: Sequence[Candidate], other: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Both corners' candidates as one list of probabilities that add up to one at most."""
    first, second = dict(one), dict(other)
    raw: dict[Card, float] = {
        card: (max(first.get(card, 0.0), _FLOOR) * max(second.get(card, 0.0), _FLOOR))
        ** CORNER_WEIGHT
        for card in (*first, *second)
    }
    total = sum(raw.values())
    joint = [(card, value / total) for card, value in raw.items()]
    return tuple(sorted(joint, key=lambda pair: (-pair[1], str(pair[0]))))
