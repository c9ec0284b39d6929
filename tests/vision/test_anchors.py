"""The finder's raw output → boxes of likely places."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kiosk.vision.anchors import BINS, STRIDES, likely_boxes, places

ROWS, COLUMNS = 64, 96


def raw(
    row: int, column: int, stride: int, sides: tuple[int, int, int, int], logit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Output of a network that sees one index, its sides so many strides from one place."""
    middles, strides = places((ROWS, COLUMNS))
    at = np.array([(column + 0.5) * stride, (row + 0.5) * stride])
    (place,) = np.flatnonzero((strides == stride) & np.isclose(middles.T, at).all(1))
    distances = np.zeros((4, BINS, len(strides)), np.float32)
    for side, bins in enumerate(sides):
        distances[side, bins, place] = 60
    logits = np.full((2, len(strides)), -9, np.float32)
    logits[0, place] = logit
    return distances.reshape(4 * BINS, -1), logits


def test_every_grid_has_its_places() -> None:
    middles, strides = places((ROWS, COLUMNS))
    assert [int((strides == stride).sum()) for stride in STRIDES] == [96, 24, 6]
    assert middles[:, 0].tolist() == [4, 4] and middles[:, 1].tolist() == [12, 4]
    assert middles[:, -1].tolist() == [80, 48]


@pytest.mark.parametrize("stride", STRIDES)
def test_a_box_lies_round_its_place(stride: int) -> None:
    distances, logits = raw(1, 1, stride, (1, 0, 2, 3), 2.0)
    found = likely_boxes(distances, logits, 0.25, (ROWS, COLUMNS))
    x, y, width, height, index, body = found[:, 0]
    middle = 1.5 * stride
    assert found.shape == (6, 1)
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    wanted = (middle - stride, middle + 2 * stride, middle, middle + 3 * stride)
    assert np.allclose((left, right, top, bottom), wanted, atol=1e-3)
    assert math.isclose(index, 1 / (1 + math.exp(-2)), rel_tol=1e-5) and body < 0.001


def test_only_places_at_or_above_the_threshold_are_worked_out() -> None:
    distances, logits = raw(0, 0, 16, (1, 1, 1, 1), 0.0)
    assert likely_boxes(distances, logits, 0.5, (ROWS, COLUMNS)).shape == (6, 1)
    assert likely_boxes(distances, logits, 0.51, (ROWS, COLUMNS)).shape == (6, 0)
    assert likely_boxes(distances, logits, 0.0, (ROWS, COLUMNS)).shape == (6, 126)


def test_another_picture_size_than_the_outputs_is_an_error() -> None:
    distances, logits = raw(0, 0, 16, (1, 1, 1, 1), 0.0)
    with pytest.raises(ValueError, match="126 places"):
        likely_boxes(distances, logits, 0.5, (ROWS, COLUMNS + 32))
