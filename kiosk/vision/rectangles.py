"""Arithmetic of single boxes in a picture. Pure."""

from __future__ import annotations

from kiosk.sightings import Box

Point = tuple[float, float]

_ONE_INDEX = 0.3
"""Share of the smaller box from which on two that overlap are one index found twice; upright boxes
round neighbours of a turned fan overlap by less."""


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


def one_index(one: Box, other: Box) -> bool:
    """Whether two boxes are one index found twice."""
    return shared_area(one, other) > _ONE_INDEX * min(area_of(one), area_of(other))
