"""How a camera shows the felt: centimetres ↔ pixels, through plane and lens. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calibration.homography import Matrix, Point, apply, invert
from calibration.lens import Lens


@dataclass(frozen=True, slots=True)
class View:
    """``matrix``: felt centimetres → pixels of the straight picture; ``back``: the way back.
    ``lens``: what bends the straight picture into the camera's; None: nothing.
    """

    matrix: Matrix
    back: Matrix
    lens: Lens | None = None

    def to_picture(self, point: Point) -> Point:
        """Felt centimetres → pixels of the camera's picture."""
        straight = apply(self.matrix, point)
        return straight if self.lens is None else self.lens.distort(straight)

    def to_felt(self, point: Point) -> Point:
        """Pixels of the camera's picture → felt centimetres."""
        straight = point if self.lens is None else self.lens.undistort(point)
        return apply(self.back, straight)

    def scale(self, point: Point, step: float = 0.5) -> float:
        """Pixels per centimetre round a felt point: the smaller of the two main directions."""
        x, y = point
        pairs = (((x - step, y), (x + step, y)), ((x, y - step), (x, y + step)))
        return min(
            math.dist(self.to_picture(one), self.to_picture(other)) / (2 * step)
            for one, other in pairs
        )


def make_view(matrix: Matrix, lens: Lens | None = None) -> View:
    """The view with its way back. BadCornersError for a map that squashes the plane."""
    return View(matrix, invert(matrix), lens)
