"""Pictures of a felt with printed markers on it, through a known plane and a known lens."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.homography import Point, from_corners
from calibration.lens import Lens
from calibration.marker_set import MarkerSet, Rect, board_squares, tag_squares
from calibration.view import View, make_view

PER_CM = 40
"""Pixels of a felt centimetre before the camera."""

_STEP = 8


class RenderedFelt:
    """A felt of ``width`` × ``height`` cm with some lines on it, and paper laid on top."""

    def __init__(self, width: float, height: float, seed: int = 1, around: float = 8.0) -> None:
        self.width, self.height, self.around = width, height, around
        self.rng = np.random.default_rng(seed)
        rows, columns = (round((side + 2 * around) * PER_CM) for side in (height, width))
        self.canvas = np.full((rows, columns, 3), (38, 40, 44), np.uint8)
        self._fill((0, 0, width, height), (52, 98, 26))
        for x in np.linspace(width * 0.1, width * 0.9, 5):
            self._fill((x, height * 0.45, 0.4, height * 0.4), (120, 190, 210))
        cv2.ellipse(
            self.canvas, self._px((width / 2, height * 0.2)), (560, 330), 0, 0, 360,
            (150, 200, 220), 14, cv2.LINE_AA,
        )  # fmt: skip

    def lay_corner(self, markers: MarkerSet, corner: int, turn: float = 0.0) -> None:
        """A corner piece with its marked corner on the felt's corner, turned by some degrees."""
        left, top = markers.tag_corners(corner)[0]
        lead = markers.tag_place(corner)
        paper = (left - lead[0], top - lead[1], markers.piece, markers.piece)
        at = [(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)][corner]
        black = [(left + x, top + y, w, h) for x, y, w, h in tag_squares(markers, corner)]
        self._paper(paper, black, at, turn)

    def lay_board(self, markers: MarkerSet, at: Point, turn: float = 0.0) -> None:
        """The lens board with its top left at a felt point."""
        w, h = markers.board_size
        self._paper((-1.5, -1.5, w + 3, h + 3), board_squares(markers), at, turn)

    def shoot(
        self,
        corners: Sequence[Point],
        lens: Lens | None,
        size: tuple[int, int] = (1920, 1080),
        blur: float = 0.8,
        noise: float = 3.0,
        light: float = 1.0,
    ) -> tuple[np.ndarray, View]:
        """The picture, and the truth: how it shows the felt. ``corners``: of the felt as a lens
        that bends nothing would show them."""
        rect = ((0.0, 0.0), (self.width, 0.0), (self.width, self.height), (0.0, self.height))
        view = make_view(from_corners(rect, corners), lens)
        width, height = size
        # Four points to a pixel, so that edges are as soft as a sensor makes them. The way back
        # through the lens is smooth: it is worked out on every 8th of them.
        nodes = [np.arange(0, 2 * side + _STEP, _STEP) for side in size]
        xs, ys = ((node + 0.5) / 2 - 0.5 for node in nodes)
        grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 1, 2)
        if lens is not None:
            matrix = np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]])
            bend = np.array([lens.k1, lens.k2, lens.p1, lens.p2, lens.k3])
            stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-6)
            grid = cv2.undistortPoints(grid, matrix, bend, None, None, matrix, stop)
        felt = cv2.perspectiveTransform(grid, np.array(view.back)).reshape(len(ys), len(xs), 2)
        coarse = ((felt + self.around) * PER_CM - 0.5).astype(np.float32)
        spread = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        maps = cv2.warpAffine(coarse, spread, (2 * width, 2 * height), flags=flags)
        big = cv2.remap(self.canvas, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        picture = cv2.resize(big, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        picture = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
        fall = np.linspace(1.1, 0.8, width)[None, :, None] * light
        picture = picture * fall + self.rng.normal(0, noise, picture.shape)
        return np.clip(picture, 0, 255).astype(np.uint8), view

    def _px(self, point: Point) -> tuple[int, int]:
        x, y = ((c + self.around) * PER_CM for c in point)
        return round(x), round(y)

    def _fill(self, rect: Rect, colour: tuple[int, int, int]) -> None:
        x, y, w, h = rect
        cv2.rectangle(self.canvas, self._px((x, y)), self._px((x + w, y + h)), colour, -1)

    def _paper(self, paper: Rect, black: Sequence[Rect], at: Point, turn: float) -> None:
        """White paper with black squares, all relative to ``at``, turned round it."""
        for rect, shade in [(paper, 235), *((r, 24) for r in black)]:
            x, y, w, h = rect
            self._turned(x, y, w, h, at, turn, shade)

    def _turned(
        self, x: float, y: float, w: float, h: float, at: Point, turn: float, shade: int
    ) -> None:
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        points = [
            (at[0] + c * px - s * py + self.around, at[1] + s * px + c * py + self.around)
            for px, py in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        ]
        # Sixteenths of a pixel; a pixel's middle lies half a pixel into it.
        fine = np.array([[(v * PER_CM - 0.5) * 16 for v in point] for point in points])
        cv2.fillConvexPoly(
            self.canvas, fine.round().astype(np.int32), (shade,) * 3, cv2.LINE_8, shift=4
        )
