"""Flat figures as corner lists: inside or outside, area, overlap. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.homography import Point

Polygon = tuple[Point, ...]


def rectangle(x1: float, y1: float, x2: float, y2: float) -> Polygon:
    """The four corners, from the top left clockwise as seen in the picture."""
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Whether the point lies inside.

    Ray casting with half-open edges: of two figures that share an edge, exactly one holds a point
    on it.
    """
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def area(polygon: Sequence[Point]) -> float:
    """Area by the shoelace formula, always positive."""
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def centre(polygon: Sequence[Point]) -> Point:
    """The mean of the corners."""
    return (
        sum(x for x, _ in polygon) / len(polygon),
        sum(y for _, y in polygon) / len(polygon),
    )


def bounds(polygon: Sequence[Point]) -> tuple[float, float, float, float]:
    """x1, y1, x2, y2 of the upright box round it."""
    xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
    return min(xs), min(ys), max(xs), max(ys)


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two figures share area (touching edges do not count)."""
    return (
        any(_crosses(a, b, c, d) for a, b in _edges(one) for c, d in _edges(other))
        or _strictly_inside(one, other)
        or _strictly_inside(other, one)
    )


def _edges(polygon: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def _side(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _strictly_inside(inner: Sequence[Point], outer: Sequence[Point]) -> bool:
    """Whether the middle or a slightly shrunk corner of ``inner`` lies in ``outer``."""
    cx, cy = centre(inner)
    probes = [(cx, cy)]
    probes += [(x + (cx - x) * 1e-6, y + (cy - y) * 1e-6) for x, y in inner]
    return any(contains(outer, probe) for probe in probes)
