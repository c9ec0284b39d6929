"""Plane to plane: 3×3 homographies as plain tuples, without numpy or OpenCV.

A point is (x, y). A matrix maps a point of one plane (felt, centimetres) to another (picture,
pixels). Everything here is pure and small; a layout has four corners, not thousands of points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Matrix = tuple[
    tuple[float, float, float],
    tuple[float, float, float],
    tuple[float, float, float],
]

IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

_SMALLEST_PIVOT = 1e-9


class BadCornersError(ValueError):
    """Four corners that do not make a four-sided figure without dents."""


def check_corners(corners: Sequence[Point]) -> None:
    """Refuse anything but four corners of a convex figure, in order round it.

    Raises BadCornersError.
    """
    if len(corners) != 4:
        raise BadCornersError(f"expected 4 corners, got {len(corners)}")
    turns = []
    for i in range(4):
        (ax, ay), (bx, by), (cx, cy) = (corners[(i + k) % 4] for k in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    size = max(abs(x) + abs(y) for x, y in corners) or 1.0
    smallest = 1e-6 * size * size
    if not (all(t > smallest for t in turns) or all(t < -smallest for t in turns)):
        raise BadCornersError(
            "the corners must go round the felt in order (top left, top right, bottom right, "
            "bottom left), no three of them on one line"
        )


def from_corners(source: Sequence[Point], target: Sequence[Point]) -> Matrix:
    """The homography that takes the four source corners to the four target corners.

    Raises BadCornersError when either four are not convex and in order.
    """
    check_corners(source)
    check_corners(target)
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u])
        rows.append([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v])
    a, b, c, d, e, f, g, h = _solve(rows)
    return ((a, b, c), (d, e, f), (g, h, 1.0))


def _solve(rows: list[list[float]]) -> list[float]:
    """Gauss elimination with row pivoting; each row carries its right side last."""
    n = len(rows)
    for column in range(n):
        pivot = max(range(column, n), key=lambda r: abs(rows[r][column]))
        if abs(rows[pivot][column]) < _SMALLEST_PIVOT:
            raise BadCornersError("the corners do not fix the plane")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for r in range(n):
            if r == column:
                continue
            factor = rows[r][column] / rows[column][column]
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[column], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def apply(matrix: Matrix, point: Point) -> Point:
    """Where the point lands. ZeroDivisionError on the plane's horizon."""
    x, y = point
    (a, b, c), (d, e, f), (g, h, i) = matrix
    w = g * x + h * y + i
    return (a * x + b * y + c) / w, (d * x + e * y + f) / w


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """The map that does ``right`` first and ``left`` after it."""
    rows = [
        tuple(sum(left[r][k] * right[k][c] for k in range(3)) for c in range(3)) for r in range(3)
    ]
    return rows[0], rows[1], rows[2]  # type: ignore[return-value]


def invert(matrix: Matrix) -> Matrix:
    """The map back. Raises BadCornersError for a map that squashes the plane."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    minors = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    determinant = a * minors[0][0] + b * minors[1][0] + c * minors[2][0]
    if abs(determinant) < _SMALLEST_PIVOT * max(abs(v) for row in matrix for v in row):
        raise BadCornersError("the map cannot be turned round")
    rows = [tuple(v / determinant for v in row) for row in minors]
    return rows[0], rows[1], rows[2]  # type: ignore[return-value]


def scaled(matrix: Matrix, sx: float, sy: float) -> Matrix:
    """The same map into a picture that is sx times as wide and sy times as high."""
    return multiply(((sx, 0.0, 0.0), (0.0, sy, 0.0), (0.0, 0.0, 1.0)), matrix)


def local_scale(matrix: Matrix, point: Point, step: float = 0.5) -> float:
    """Pixels per centimetre round a felt point: the smaller of the two main directions."""
    x, y = point
    across = pairwise(apply(matrix, (x + dx, y)) for dx in (-step, step))
    along = pairwise(apply(matrix, (x, y + dy)) for dy in (-step, step))
    lengths = [math.dist(a, b) / (2 * step) for pairs in (across, along) for a, b in pairs]
    return min(lengths)
