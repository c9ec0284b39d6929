"""How indices stand to each other, where it is known which way up they are. Pure.

In the opposite corner of a card, and in the one below on the same side, an index stands on its
head; in the corner beside it, where a deck has four indices, it stands alike. Neighbours of a fan
stand alike.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from enum import Enum

from kiosk.sightings import Direction, Sighting
from kiosk.vision.rectangles import one_index

_AGREE = 0.9
"""Length that a mean of directions has where all are within some 25 degrees of it."""

_TURN = 0.77
"""Cosine of how far off a direction may be, by perspective and by misjudgement: 40 degrees."""

_LEVEL = 0.7
"""Share of their distance by which indices beside each other may stand higher or lower: half of it
on a card seen far aslant, all of it in a column."""

_DEEP = 0.3
"""Least share of their distance by which each of two opposite indices stands below the other; on a
card seen from above it is four fifths and more."""

_STRAIGHT = 0.35
"""Share of its depth by which an index may stand to the side of the one that it is below."""

_WIDE = 0.65
"""Least distance of corners beside each other in distances of corners one below the other; on a
card it is three quarters and more, in a fan most often less."""

_CORNERS, _ALIKE = 4, 2
"""Indices that a card has at most, and how many of them stand alike."""


class Standing(Enum):
    """``OPPOSITE``: each on its head to the other, and below it. ``BESIDE``: alike and level, as
    corners of a card with four indices stand, but neighbours of a fan too. ``STRANGE``: no two
    corners of one card stand so."""

    OPPOSITE = "opposite"
    BESIDE = "beside"
    STRANGE = "strange"


def mean_direction(directions: Sequence[Direction | None]) -> Direction | None:
    """What most of them say; None where they are too far from each other or unknown."""
    if not directions:
        return None
    known = [one or (0.0, 0.0) for one in directions]
    x, y = (sum(part) / len(known) for part in zip(*known, strict=True))
    length = math.hypot(x, y)
    return (x / length, y / length) if length >= _AGREE else None


def standing(one: Sighting, other: Sighting) -> Standing | None:
    """How two indices stand to each other; None where one's direction is not known.

    Nor is it of a six and a nine: what was taken for one of them standing so may be the other one
    standing on its head.
    """
    if one.up is None or other.up is None or _turn_into_each_other(one, other):
        return None
    way = (other.centre[0] - one.centre[0], other.centre[1] - one.centre[1])
    far = math.hypot(*way)
    turn = _dot(one.up, other.up)
    if turn >= _TURN:
        both = (one.up[0] + other.up[0], one.up[1] + other.up[1])
        level = abs(_dot(way, both)) <= _LEVEL * far * math.hypot(*both)
        return Standing.BESIDE if level else Standing.STRANGE
    deep = _DEEP * far
    below = _dot(way, one.up) < -deep and _dot(way, other.up) > deep
    return Standing.OPPOSITE if turn <= -_TURN and below else Standing.STRANGE


def _turn_into_each_other(one: Sighting, other: Sighting) -> bool:
    ranks = {sighting.candidates[0][0].rank for sighting in (one, other) if sighting.candidates}
    return ranks == {"6", "9"}


def may_share_a_card(sightings: Iterable[Sighting]) -> bool:
    """Whether indices that lie round the middle of something can be of one card: no two of them
    stand strangely, and some two opposite each other, as far as is known."""
    stands = [standing(a, b) for a, b in itertools.combinations(sightings, 2)]
    if Standing.STRANGE in stands:
        return False
    return Standing.OPPOSITE in stands or None in stands


def more_than_a_card(sightings: Sequence[Sighting]) -> bool:
    """Whether there are more indices than one card has, or more that stand alike; boxes that
    overlap are one index found twice."""
    apart: list[Sighting] = []
    for sighting in sightings:
        if not any(one_index(sighting.box, known.box) for known in apart):
            apart.append(sighting)
    ups = [sighting.up for sighting in apart if sighting.up is not None]
    alike = max((sum(_dot(one, other) >= _TURN for other in ups) for one in ups), default=0)
    return len(apart) > _CORNERS or alike > _ALIKE


def beside_on_one_card(one: Sighting, other: Sighting, others: Iterable[Sighting]) -> bool:
    """Whether two that stand beside each other are corners of one card because another of its
    corners stands straight below one of them, as deep as a card of that width is high."""
    if standing(one, other) is not Standing.BESIDE:
        return False
    apart = math.dist(one.centre, other.centre)
    return any(
        standing(a, third) is Standing.OPPOSITE
        and standing(b, third) is Standing.OPPOSITE
        and _straight(a, third)
        and apart >= _WIDE * math.dist(a.centre, third.centre)
        for third in others
        for a, b in ((one, other), (other, one))
    )


def _straight(upper: Sighting, lower: Sighting) -> bool:
    """Whether the second stands below the first, not to its side."""
    assert upper.up is not None
    way = (lower.centre[0] - upper.centre[0], lower.centre[1] - upper.centre[1])
    deep = -_dot(way, upper.up)
    aside = abs(way[0] * upper.up[1] - way[1] * upper.up[0])
    return aside <= _STRAIGHT * deep


def _dot(one: Direction, other: Direction) -> float:
    return one[0] * other[0] + one[1] * other[1]
