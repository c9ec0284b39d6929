"""Plane to plane maps."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibration import homography, polygon
from calibration.homography import BadCornersError, apply, from_corners, invert, scaled

UNIT = polygon.rectangle(0, 0, 96, 54)
shift = st.floats(-150, 150)
corners = st.tuples(*[st.tuples(shift, shift)] * 4).map(
    lambda moves: tuple(
        (x + dx, y + dy)
        for (x, y), (dx, dy) in zip(polygon.rectangle(200, 160, 1100, 600), moves, strict=True)
    )
)


@given(corners)
def test_corners_land_on_corners(target: tuple[tuple[float, float], ...]) -> None:
    assume(_convex(target))
    matrix = from_corners(UNIT, target)
    for source, wanted in zip(UNIT, target, strict=True):
        assert apply(matrix, source) == pytest.approx(wanted, abs=1e-6)


@given(corners, st.floats(0, 96), st.floats(0, 54))
def test_there_and_back_again(target: tuple[tuple[float, float], ...], x: float, y: float) -> None:
    assume(_convex(target))
    matrix = from_corners(UNIT, target)
    assert apply(invert(matrix), apply(matrix, (x, y))) == pytest.approx((x, y), abs=1e-4)


@given(corners, st.floats(0, 96), st.floats(0, 54), st.floats(0, 1))
def test_straight_lines_stay_straight(
    target: tuple[tuple[float, float], ...], x: float, y: float, share: float
) -> None:
    assume(_convex(target))
    matrix = from_corners(UNIT, target)
    a, b = apply(matrix, (0, 0)), apply(matrix, (x, y))
    m = apply(matrix, (x * share, y * share))
    cross = (b[0] - a[0]) * (m[1] - a[1]) - (b[1] - a[1]) * (m[0] - a[0])
    assert abs(cross) < 1e-3


def test_twice_the_picture_is_twice_the_place() -> None:
    matrix = from_corners(UNIT, polygon.rectangle(0, 0, 1280, 720))
    assert apply(scaled(matrix, 1.5, 1.5), (48, 27)) == pytest.approx((960, 540))
    assert homography.local_scale(matrix, (10, 10)) == pytest.approx(1280 / 96)


@pytest.mark.parametrize(
    "bad",
    [
        ((0, 0), (1, 0), (1, 1)),
        ((0, 0), (10, 0), (0, 10), (10, 10)),
        ((0, 0), (5, 0), (10, 0), (5, 5)),
        ((0, 0), (10, 0), (2, 2), (0, 10)),
    ],
    ids=["three", "crossed", "three on a line", "dented"],
)
def test_corners_that_make_no_felt_are_refused(bad: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(BadCornersError):
        from_corners(UNIT, bad)


def _convex(points: tuple[tuple[float, float], ...]) -> bool:
    try:
        homography.check_corners(points)
    except BadCornersError:
        return False
    # Needles are convex too, but no camera sees a felt so.
    return polygon.area(points) > 40_000


@given(st.floats(0, 10), st.floats(0, 10))
def test_v5_a_point_on_a_shared_edge_lies_in_exactly_one_zone(x: float, y: float) -> None:
    left, right = polygon.rectangle(0, 0, 5, 10), polygon.rectangle(5, 0, 10, 10)
    inside = polygon.contains(left, (x, y)) + polygon.contains(right, (x, y))
    assert inside == (1 if x < 10 and y < 10 else 0)


def test_overlap_of_figures() -> None:
    square = polygon.rectangle(0, 0, 10, 10)
    assert polygon.overlap(square, polygon.rectangle(5, 5, 15, 15))
    assert polygon.overlap(square, polygon.rectangle(2, 2, 4, 4))
    assert polygon.overlap(square, square)
    assert not polygon.overlap(square, polygon.rectangle(10, 0, 20, 10))
    assert polygon.overlap(square, polygon.rectangle(-5, 4, 15, 6))
