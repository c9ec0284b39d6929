"""The lens from a series of pictures of the printed board, each from another side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.layout import LensData
from calibration.markers import Board, Found
from kiosk.errors import UserError

FEWEST = 6
"""Pictures that a series needs."""

GOOD_PX = 0.8
"""Largest typical distance of the points from the model, pixels."""

SHARE = 0.5
"""Share of the board's points that a picture must show."""

_FLAGS = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3
"""The third radial term follows noise in a short series and adds nothing for a table's lens."""

_ALIKE_PX = 25.0
"""Two pictures whose boards lie closer than this say the same."""


@dataclass(frozen=True, slots=True)
class LensFit:
    """``covered``: share of the picture (in 3 × 3 parts) where board points were seen."""

    data: LensData
    pictures: int
    covered: float


def useful(found: Found, before: Sequence[Found]) -> str | None:
    """Why a picture adds nothing to the series; None when it does.

    ``no-board``, ``cut-off`` (less than half of the board is seen) or ``same`` (as one before).
    """
    if found.board is None:
        return "no-board"
    if found.board.share < SHARE:
        return "cut-off"
    for other in before:
        if other.board is not None and _apart(found.board, other.board) < _ALIKE_PX:
            return "same"
    return None


def fit_lens(series: Sequence[Found]) -> LensFit:
    """The lens that explains all pictures of the series.

    Raises UserError when there are too few, when their sizes differ, or when no lens fits.
    """
    shown = [found for found in series if found.board is not None]
    if len(shown) < FEWEST:
        raise UserError(
            f"{len(shown)} pictures show the board, {FEWEST} are needed: hold it to every part "
            "of the picture, straight and tilted"
        )
    sizes = {(found.width, found.height) for found in shown}
    if len(sizes) > 1:
        raise UserError("the pictures of the board have different sizes")
    size = sizes.pop()
    boards = [found.board for found in shown if found.board is not None]
    flat = [np.array([(x, y, 0.0) for x, y in b.flat], np.float32) for b in boards]
    seen = [np.array(b.seen, np.float32).reshape(-1, 1, 2) for b in boards]
    start = np.array([[size[0] * 0.8, 0, size[0] / 2], [0, size[0] * 0.8, size[1] / 2], [0, 0, 1]])
    try:
        error, matrix, bend, _, _ = cv2.calibrateCamera(
            flat, seen, size, start, np.zeros(5), flags=_FLAGS
        )
    except cv2.error:
        raise UserError(
            "no lens fits these pictures: take them anew, board flat and sharp"
        ) from None
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(bend)[:5])
    data = LensData(
        matrix=(float(matrix[0, 0]), float(matrix[1, 1]), float(matrix[0, 2]), float(matrix[1, 2])),
        coefficients=(k1, k2, p1, p2, k3),
        error=float(error),
    )
    if error > GOOD_PX or not data.lens.fits(*size):
        raise UserError(
            f"the pictures do not agree on a lens ({error:.1f} px): keep the board flat, "
            "the camera and its focus unchanged"
        )
    return LensFit(data, len(boards), _covered(boards, size))


def _apart(one: Board, other: Board) -> float:
    """Mean distance of the points that both show, pixels; endless when they share none."""
    places = dict(zip(other.flat, other.seen, strict=True))
    pairs = [(p, places[f]) for f, p in zip(one.flat, one.seen, strict=True) if f in places]
    if not pairs:
        return float("inf")
    return float(np.mean([np.hypot(a[0] - b[0], a[1] - b[1]) for a, b in pairs]))


def _covered(boards: Sequence[Board], size: tuple[int, int]) -> float:
    parts = {
        (min(2, int(3 * x / size[0])), min(2, int(3 * y / size[1])))
        for board in boards
        for x, y in board.seen
    }
    return len(parts) / 9
