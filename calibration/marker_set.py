"""The printed markers as data: which there are, how large, where their black squares lie.

Four corner pieces (AprilTag 36h11) and one board for the lens (ChArUco, 5X5). Two sets differ in
size and in their numbers, so that a picture says by itself which one was printed. Lengths in
centimetres, y downwards, as in a layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np

from calibration.homography import Point

Rect = tuple[float, float, float, float]
"""x, y of the top left, width, height."""

Paper = Literal["a4", "a3", "letter"]

TAGS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
BOARDS = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)

CORNERS = ("far left", "far right", "near right", "near left")
"""Names of the four corners in the order of a layout, for someone on the players' side."""

_BOARD_COLUMNS, _BOARD_ROWS = 5, 7
_TAG_CELLS, _BOARD_CELLS = 8, 7


@dataclass(frozen=True, slots=True)
class MarkerSet:
    """One size of markers. ``tag``: side of a corner tag's black square; ``edge``: white between
    it and the two sides of the paper that lie on the felt's edges; ``inner``: white on the other
    two. ``square``, ``marker``: sides of a board's square and of the marker in it.
    """

    name: str
    tag: float
    edge: float
    inner: float
    first_tag: int
    square: float
    marker: float
    first_marker: int

    @property
    def piece(self) -> float:
        """Side of a corner piece of paper."""
        return self.edge + self.tag + self.inner

    @property
    def board_size(self) -> tuple[float, float]:
        """Width and height of the board."""
        return _BOARD_COLUMNS * self.square, _BOARD_ROWS * self.square

    @property
    def board_points(self) -> int:
        """How many inner corners the board has."""
        return (_BOARD_COLUMNS - 1) * (_BOARD_ROWS - 1)

    def tag_place(self, corner: int) -> Point:
        """Top left of the tag on the piece for that corner of the felt (0 … 3)."""
        left = self.edge if corner in (0, 3) else self.inner
        top = self.edge if corner in (0, 1) else self.inner
        return left, top

    def tag_corners(self, corner: int) -> tuple[Point, ...]:
        """The tag's four corners, seen from the piece's corner that lies on the felt's corner.

        x to the right, y downwards, clockwise from the top left.
        """
        left, top = self.tag_place(corner)
        right_side, bottom_side = corner in (1, 2), corner in (2, 3)
        x = left - (self.piece if right_side else 0.0)
        y = top - (self.piece if bottom_side else 0.0)
        side = self.tag
        return (x, y), (x + side, y), (x + side, y + side), (x, y + side)


SMALL = MarkerSet("small", 6.0, 1.0, 2.0, 0, 3.4, 2.6, 0)
LARGE = MarkerSet("large", 9.0, 1.5, 2.5, 4, 5.0, 3.8, 40)
SETS = (SMALL, LARGE)

PAPERS: dict[str, tuple[float, float, MarkerSet]] = {
    "a4": (21.0, 29.7, SMALL),
    "letter": (21.59, 27.94, SMALL),
    "a3": (29.7, 42.0, LARGE),
}
"""Paper → width, height, the markers that fit on it."""


@lru_cache(maxsize=4)
def board_of(markers: MarkerSet) -> cv2.aruco.CharucoBoard:
    """The board as OpenCV knows it."""
    count = len(range(_BOARD_COLUMNS * _BOARD_ROWS // 2))
    ids = np.arange(markers.first_marker, markers.first_marker + count, dtype=np.int32)
    size = (_BOARD_COLUMNS, _BOARD_ROWS)
    return cv2.aruco.CharucoBoard(size, markers.square, markers.marker, BOARDS, ids)


def tag_squares(markers: MarkerSet, corner: int) -> list[Rect]:
    """The black squares of a corner tag, from the tag's top left."""
    bits = cv2.aruco.generateImageMarker(TAGS, markers.first_tag + corner, _TAG_CELLS)
    return _squares(bits, markers.tag / _TAG_CELLS, 0.0, 0.0)


def board_squares(markers: MarkerSet) -> list[Rect]:
    """The black squares of the board, from the board's top left."""
    board = board_of(markers)
    side = markers.square
    black = [
        (column * side, row * side, side, side)
        for row in range(_BOARD_ROWS)
        for column in range(_BOARD_COLUMNS)
        if (row + column) % 2 == 0
    ]
    for number, corners in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        bits = cv2.aruco.generateImageMarker(BOARDS, int(number), _BOARD_CELLS)
        left, top = float(corners[0][0]), float(corners[0][1])
        black += _squares(bits, markers.marker / _BOARD_CELLS, left, top)
    return black


def _squares(bits: np.ndarray, cell: float, left: float, top: float) -> list[Rect]:
    """Runs of black cells of each row as one rectangle each."""
    found: list[Rect] = []
    for row, cells in enumerate(bits):
        begin: int | None = None
        for column, value in enumerate([*cells, 255]):
            if value == 0 and begin is None:
                begin = column
            elif value and begin is not None:
                place = (left + begin * cell, top + row * cell)
                found.append((*place, (column - begin) * cell, cell))
                begin = None
    return found
