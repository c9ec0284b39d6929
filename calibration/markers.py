"""Finds the printed markers in a picture, with OpenCV's own detectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import Point
from calibration.marker_set import SETS, TAGS, MarkerSet, board_of

Image = NDArray[np.uint8]

_FEWEST_BOARD_POINTS = 8


@dataclass(frozen=True, slots=True)
class Tag:
    """A corner piece seen. ``corner``: 0 … 3 as in a layout; ``points``: its tag's corners in
    pixels, in the order of ``MarkerSet.tag_corners``."""

    corner: int
    markers: MarkerSet
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """The lens board seen: points in its own centimetres and in pixels, one to one."""

    markers: MarkerSet
    flat: tuple[Point, ...]
    seen: tuple[Point, ...]

    @property
    def share(self) -> float:
        """Share of its points that was seen."""
        return len(self.seen) / self.markers.board_points


@dataclass(frozen=True, slots=True)
class Found:
    """All markers of one picture of ``width`` × ``height`` pixels."""

    width: int
    height: int
    tags: tuple[Tag, ...]
    board: Board | None

    @property
    def missing(self) -> tuple[int, ...]:
        """Corners (0 … 3) whose piece was not seen."""
        seen = {tag.corner for tag in self.tags}
        return tuple(corner for corner in range(4) if corner not in seen)


def find_markers(image: Image) -> Found:
    """Every corner piece and the board, if they are there. ``image``: BGR or grey."""
    grey = image
    if image.ndim == 3:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    height, width = grey.shape[:2]
    return Found(width, height, _tags(grey), _board(grey))


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementMaxIterations = 60
    parameters.cornerRefinementMinAccuracy = 0.005
    return parameters


@lru_cache(maxsize=1)
def _tag_detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(TAGS, _parameters())


@lru_cache(maxsize=4)
def _board_detector(markers: MarkerSet) -> cv2.aruco.CharucoDetector:
    detector = cv2.aruco.CharucoDetector(board_of(markers))
    detector.setDetectorParameters(_parameters())
    return detector


def _tags(grey: Image) -> tuple[Tag, ...]:
    corners, numbers, _ = _tag_detector().detectMarkers(grey)
    found: dict[tuple[str, int], Tag] = {}
    twice: set[tuple[str, int]] = set()
    for points, number in zip(corners, () if numbers is None else numbers.ravel(), strict=True):
        for markers in SETS:
            corner = int(number) - markers.first_tag
            if 0 <= corner < 4:
                key = (markers.name, corner)
                if key in found:
                    twice.add(key)
                found[key] = Tag(corner, markers, _points(points.reshape(-1, 2)))
    return _one_set([tag for key, tag in found.items() if key not in twice])


def _one_set(tags: Sequence[Tag]) -> tuple[Tag, ...]:
    """The tags of the set that is seen most: two sets never count together."""
    counts = {markers.name: sum(t.markers is markers for t in tags) for markers in SETS}
    most = max(counts, key=lambda name: counts[name])
    return tuple(sorted((t for t in tags if t.markers.name == most), key=lambda t: t.corner))


def _board(grey: Image) -> Board | None:
    best: Board | None = None
    for markers in SETS:
        points, numbers, _, _ = _board_detector(markers).detectBoard(grey)
        if numbers is None or len(numbers) < _FEWEST_BOARD_POINTS:
            continue
        known = np.asarray(board_of(markers).getChessboardCorners())[numbers.ravel()]
        seen = Board(markers, _points(known[:, :2]), _points(points.reshape(-1, 2)))
        if best is None or len(seen.seen) > len(best.seen):
            best = seen
    return best


def _points(array: np.ndarray) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in array)
