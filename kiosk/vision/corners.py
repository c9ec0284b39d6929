"""Which indices are corners of one card, and how many bodies there are. Pure picture geometry."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from kiosk.cards import Card
from kiosk.sightings import Body, Box, Candidate, Sighting
from kiosk.vision.rectangles import (
    Point,
    area_of,
    centre_of,
    holds,
    iou,
    one_index,
    shared_area,
    size_of,
)
from kiosk.vision.standing import Standing, may_share_a_card, standing

REACH_IN_INDEX_HEIGHTS = 5.8
"""Two indices further apart than this many index heights are not of one card.

Measured on photographs: opposite corners lie 3 to 5.2 index heights apart, one in twenty more.
"""

NEAREST_CORNER = 1.8
"""Nor are two that are nearer than this many index heights: those are neighbours in a fan."""

NEAREST_OPPOSITE = 1.4
"""The same where they are known to stand opposite each other: large indices, foreshortened."""

NEXT_CORNER_WEIGHT = 0.3
"""How much a second, third … corner adds to the first: corners of one card err together (one deck,
one light, one suit of a like colour), so four agreeing ones are far from four opinions."""

BODY_SCORE = 0.4
"""Finder score below which a body is no evidence for counting."""

_OFF_MIDDLE = 0.12
_SPREAD = 0.45
_NARROWEST = 1.15
_SLIMMEST = 0.3
_FILLS = 0.66
"""Of corners that show one card: how far off its middle their diagonals may cross and how long
these must be (shares of the body's diagonal), how near they may come (index heights, share of the
longest distance among them), how much of the body's width and height they must span."""

_APART_IOU = 0.1
_SLACK = 0.6
"""How far off a body's box may be, in widths of an index."""
_OPPOSITE = (0.55, 0.85)
"""How far apart indices in opposite corners of a card stand, in lengths of its diagonal."""
_INSIDE = 0.8
_FLOOR = 0.004


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


def one_card(one: Sighting, other: Sighting, bodies: Sequence[Body], reach: float | None) -> bool:
    """Whether two indices can be corners of one card.

    Boxes that overlap well are one index found twice. No card has corners that stand strangely to
    each other, nor any as near as neighbours in a fan; those that stand opposite each other may be
    somewhat nearer. A body that holds both says yes, two bodies well apart that hold one each say
    no unless one of them nearly holds both (a body's box is some pixels off at times), otherwise
    the distance decides (``reach`` pixels, or judged from the index size).
    """
    if one_index(one.box, other.box):
        return True
    a, b, stands = one.centre, other.centre, standing(one, other)
    nearest = NEAREST_OPPOSITE if stands is Standing.OPPOSITE else NEAREST_CORNER
    if stands is Standing.STRANGE or math.dist(a, b) < nearest * _size(one, other):
        return False
    with_a = [body.box for body in bodies if holds(body.box, a)]
    with_b = [body.box for body in bodies if holds(body.box, b)]
    if any(box in with_b for box in with_a):
        return True
    apart = all(iou(x, y) < _APART_IOU for x in with_a for y in with_b)
    indices = (one.box, other.box)
    if with_a and with_b and apart and not _across(indices, (*with_a, *with_b), reach):
        return False
    limit = REACH_IN_INDEX_HEIGHTS * _size(one, other) if reach is None else reach
    return math.dist(a, b) <= limit


def _size(one: Sighting, other: Sighting) -> float:
    """Mean height of two indices in pixels."""
    return (size_of(one.box) + size_of(other.box)) / 2


def near_corners(one: Sighting, other: Sighting, bodies: Sequence[Body]) -> bool:
    """Whether two indices of one name, nearer than ``NEAREST_CORNER``, are corners of one card.

    Large indices in all four corners, or a foreshortened card. One body holds both and no other
    holds either, so they are no neighbours of a fan, of which each has a body; should the finder
    have missed one of a name laid twice, the hand lacks a card.
    """
    a, b = one.centre, other.centre
    near = math.dist(a, b) < _NARROWEST * _size(one, other)
    if near or standing(one, other) is Standing.STRANGE:
        return False
    holding = [body.box for body in bodies if holds(body.box, a) or holds(body.box, b)]
    return len(holding) == 1 and holds(holding[0], a) and holds(holding[0], b)


def parted(one: Sighting, other: Sighting, bodies: Sequence[Body]) -> bool:
    """Whether some body holds one of two indices and not the other."""
    return any(holds(b.box, one.centre) is not holds(b.box, other.centre) for b in bodies)


def _across(indices: tuple[Box, Box], bodies: Sequence[Box], reach: float | None) -> bool:
    """Whether two indices stand as far apart as opposite corners of a card whose size is known, and
    one of the bodies would hold both if it were a little larger."""
    a, b = (centre_of(index) for index in indices)
    if reach is None or not _OPPOSITE[0] * reach <= math.dist(a, b) <= _OPPOSITE[1] * reach:
        return False
    slack = _SLACK * max(min(box[2] - box[0], box[3] - box[1]) for box in indices)
    larger = [(x1 - slack, y1 - slack, x2 + slack, y2 + slack) for x1, y1, x2, y2 in bodies]
    return any(holds(body, a) and holds(body, b) for body in larger)


def pool(opinions: Sequence[Sequence[Candidate]]) -> tuple[Candidate, ...]:
    """Candidates of one card from what several of its corners say, most likely first.

    A weighted product of the probabilities, normalised with what they leave open: corners that
    agree strengthen each other somewhat, corners that contradict leave a doubt. One corner alone
    stays as it is.
    """
    if len(opinions) == 1:
        return tuple(opinions[0])
    weight = (1 + NEXT_CORNER_WEIGHT * (len(opinions) - 1)) / len(opinions)
    chances = [dict(opinion) for opinion in opinions]
    raw: dict[Card, float] = {
        card: math.prod(max(chance.get(card, 0.0), _FLOOR) for chance in chances) ** weight
        for card in dict.fromkeys(card for chance in chances for card in chance)
    }
    rest = math.prod(max(1 - sum(c.values()), _FLOOR) for c in chances) ** weight
    total = sum(raw.values()) + rest
    joint = [(card, value / total) for card, value in raw.items()]
    return tuple(sorted(joint, key=lambda pair: (-pair[1], str(pair[0]))))


def on_one_body(
    sightings: Sequence[Sighting], bodies: Sequence[Body]
) -> tuple[tuple[Sighting, ...], ...]:
    """Sightings in groups: those that are plainly corners of one body together, others alone.

    Plainly: they stand round the body's own middle and lie in no other body, and where it is known
    which way up they are, as corners do: fanned neighbours are not taken for one card.
    """
    left = list(sightings)
    groups: list[tuple[Sighting, ...]] = []
    for body in bodies:
        inside = [s for s in left if holds(body.box, s.centre)]
        alone = all(sum(holds(o.box, s.centre) for o in bodies) == 1 for s in inside)
        alone = alone and len(inside) > 1 and may_share_a_card(inside)
        if alone and _round_the_middle(inside, body.box):
            groups.append(tuple(inside))
            left = [s for s in left if s not in inside]
    return (*groups, *((s,) for s in left))


def stands_as_corners(boxes: Sequence[Box], body: Box) -> bool:
    """Whether three or four indices stand where the corners of the one card ``body`` are.

    A diagonal of them has its middle in the body's middle and is about as long as the body
    allows, and so has, of four, the other one; together they span the body. Indices of two cards
    of a fan that happen to form such a figure would stand at the body's side, or span less of it.
    Foreshortened cards with an index in each corner pass, whose corners can be nearer than
    ``NEAREST_CORNER``.
    """
    if not 3 <= len(boxes) <= 4:
        return False
    centres = [centre_of(box) for box in boxes]
    middle, longest = centre_of(body), math.dist(body[:2], body[2:])
    pairs = list(itertools.combinations(range(len(boxes)), 2))
    diagonals = [
        (i, j)
        for i, j in pairs
        if math.dist(_between(centres[i], centres[j]), middle) < _OFF_MIDDLE * longest
        and math.dist(centres[i], centres[j]) > _SPREAD * longest
    ]
    if len(boxes) == 4:
        if not any({*one}.isdisjoint(other) for one in diagonals for other in diagonals):
            return False
    elif not diagonals:
        return False
    for low, high in ((0, 2), (1, 3)):
        span = max(box[high] for box in boxes) - min(box[low] for box in boxes)
        if span < _FILLS * (body[high] - body[low]):
            return False
    apart = sorted(math.dist(centres[i], centres[j]) for i, j in pairs)
    tall = sum(size_of(box) for box in boxes) / len(boxes)
    if apart[0] < _NARROWEST * tall or apart[0] < _SLIMMEST * apart[-1]:
        return False
    far = [math.dist(centre, middle) for centre in centres]
    return min(far) > 0.6 * max(far)


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _round_the_middle(corners: Sequence[Sighting], body: Box) -> bool:
    centres = [s.centre for s in corners]
    for i, one in enumerate(corners):
        for other in corners[:i]:
            least = NEAREST_CORNER * _size(one, other)
            if shared_area(one.box, other.box) > 0 or math.dist(one.centre, other.centre) < least:
                return False
    diagonal = math.dist(body[:2], body[2:])
    middle = (
        sum(x for x, _ in centres) / len(centres),
        sum(y for _, y in centres) / len(centres),
    )
    spread = max(math.dist(centres[0], c) for c in centres[1:])
    slack = 0.12 if len(centres) == 2 else 0.2
    return math.dist(middle, centre_of(body)) < slack * diagonal and spread > 0.5 * diagonal
