"""Marks of a picture that can be found again: where they are, and where they went."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.vision.images import Image
from kiosk.vision.zones import Plane

Points = NDArray[np.float32]
"""Rows of x, y in pixels."""

_CONTRAST = 5.0
"""Smallest spread of the grey levels (0 … 255) round a mark."""


def find_marks(picture: Image, plane: Plane, width: int, most: int, fewest: int) -> Points:
    """Corners of the felt's picture, spread over it; of the felt itself when it has enough."""
    found = cv2.goodFeaturesToTrack(evened(picture), most * 2, 0.03, 7, blockSize=5)
    if found is None:
        return np.zeros((0, 2), np.float32)
    marks = found.reshape(-1, 2).astype(np.float32)
    marks = marks[np.array([_stands_out(picture, mark) for mark in marks], bool)]
    scale = width / picture.shape[1]
    on_felt = np.array(
        [plane.on_felt(plane.felt((float(x) * scale, float(y) * scale))) for x, y in marks],
        bool,
    )
    felt: Points = marks[on_felt]
    enough = len(felt) >= 2 * fewest and parts(felt, picture.shape) >= 4
    return (felt if enough else marks)[:most]


def _stands_out(picture: Image, mark: Points) -> bool:
    """Whether it is more than the noise of plain cloth."""
    x, y = round(float(mark[0])), round(float(mark[1]))
    patch = picture[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4]
    return float(patch.std()) >= _CONTRAST


def small_grey(image: Image, shape: tuple[int, ...]) -> Image:
    size = (shape[1], shape[0])
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY) if small.ndim == 3 else small
    return grey.astype(np.uint8, copy=False)


def evened(grey: Image) -> Image:
    """The picture without its light: each place compared with what is round it."""
    values = grey.astype(np.float32)
    around = cv2.GaussianBlur(values, (0, 0), 9)
    rough = cv2.sqrt(cv2.GaussianBlur((values - around) ** 2, (0, 0), 9))
    # The constant keeps the noise of plain cloth from being blown up to marks.
    even = (values - around) / (rough + 6.0)
    clipped: Image = np.clip(even * 42 + 128, 0, 255).astype(np.uint8)
    return clipped


def follow(
    before: Image, now: Image, marks: Points, guess: Points
) -> tuple[Points, NDArray[np.bool_]]:
    """Where each mark went, and whether it was really found again."""
    start = marks.reshape(-1, 1, 2)
    there, found = _flow(before, now, start, guess.reshape(-1, 1, 2).copy())
    back, found_back = _flow(now, before, there, start.copy())
    moved = there.reshape(-1, 2)
    returned = np.linalg.norm(back.reshape(-1, 2) - marks, axis=1) < 0.7
    good = found & found_back & returned
    for number in np.flatnonzero(good):
        good[number] = _alike(before, now, marks[number], moved[number])
    return moved, good


def _flow(
    before: Image, now: Image, start: Points, guess: Points
) -> tuple[Points, NDArray[np.bool_]]:
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 0.02)
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before,
        now,
        start,
        guess,
        winSize=(21, 21),
        maxLevel=4,
        criteria=stop,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return there.astype(np.float32, copy=False), found.ravel().astype(bool)


def _alike(before: Image, now: Image, one: Points, other: Points) -> bool:
    """Whether the two places look the same (correlation of 15 × 15 pixels)."""
    height, width = now.shape
    if not (8 <= other[0] < width - 8 and 8 <= other[1] < height - 8):
        return False
    patches = [
        cv2.getRectSubPix(picture, (15, 15), (float(x), float(y))).astype(np.float32)
        for picture, (x, y) in ((before, one), (now, other))
    ]
    match = cv2.matchTemplate(patches[1], patches[0], cv2.TM_CCOEFF_NORMED)
    return float(match[0, 0]) > 0.7


def moved_by(points: Points, shift: NDArray[np.float64]) -> Points:
    """The points after a 2 × 3 shift."""
    return (points @ shift[:, :2].T + shift[:, 2]).astype(np.float32)


def parts(points: Points, shape: tuple[int, ...]) -> int:
    """How many of the picture's 4 × 3 parts hold a point."""
    columns = np.clip(points[:, 0] * 4 // shape[1], 0, 3)
    rows = np.clip(points[:, 1] * 3 // shape[0], 0, 2)
    return len(set(zip(columns.tolist(), rows.tolist(), strict=True)))


def sizes_of(marks: Points, plane: Plane, scale: float) -> NDArray[np.float64]:
    """Millimetres of felt in one pixel, at each mark. ``scale``: camera's pixels of a pixel."""
    sizes = []
    for x, y in marks:
        felt = plane.felt((float(x) * scale, float(y) * scale))
        sizes.append(10 * scale / max(plane.view.scale(felt), 1e-6))
    return np.array(sizes)


def whole_shift(before: Image, now: Image) -> Points:
    """By how many pixels one picture as a whole seems to lie beside the other (x, y)."""
    window = cv2.createHanningWindow((now.shape[1], now.shape[0]), cv2.CV_32F)
    shift, _ = cv2.phaseCorrelate(before.astype(np.float32), now.astype(np.float32), window)
    return np.array(shift, np.float32)
