"""What a lens bends: straight picture ↔ picture as the camera gives it, for points. Pure.

The usual model of radial and tangential distortion (k1, k2, p1, p2, k3, the order of OpenCV's
five coefficients). Points are undistorted, never pictures: a table has few points and many pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from calibration.homography import Point

_STEPS = 25
_CLOSE = 1e-9
_PROBES = 400
_FLAT = 0.05
"""Smallest growth of the bent distance with the straight one; below it points fold over."""


@dataclass(frozen=True, slots=True)
class Lens:
    """``fx``, ``fy``: focal lengths, ``cx``, ``cy``: the lens's middle, all in pixels."""

    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    def scaled(self, sx: float, sy: float) -> Lens:
        """The same lens on a picture that is sx times as wide and sy times as high."""
        return Lens(
            self.fx * sx,
            self.fy * sy,
            self.cx * sx,
            self.cy * sy,
            self.k1,
            self.k2,
            self.p1,
            self.p2,
            self.k3,
        )

    @property
    def reach(self) -> float:
        """Distance from the middle (in focal lengths) up to which the model is one to one."""
        return _reach(self.k1, self.k2, self.k3)

    def distort(self, point: Point) -> Point:
        """Where the camera shows a point of the straight picture, pixels → pixels.

        Beyond the model's reach (never within the picture) it goes on straight.
        """
        x, y = (point[0] - self.cx) / self.fx, (point[1] - self.cy) / self.fy
        r, reach = math.hypot(x, y), self.reach
        shrink = min(1.0, reach / r) if r > 0 else 1.0
        bent_x, bent_y = self._bend(x * shrink, y * shrink)
        return bent_x / shrink * self.fx + self.cx, bent_y / shrink * self.fy + self.cy

    def undistort(self, point: Point) -> Point:
        """Where a point of the camera's picture lies in the straight picture, pixels → pixels."""
        wanted_x, wanted_y = (point[0] - self.cx) / self.fx, (point[1] - self.cy) / self.fy
        x, y = wanted_x, wanted_y
        for _ in range(_STEPS):
            bent_x, bent_y = self._bend(x, y)
            miss_x, miss_y = bent_x - wanted_x, bent_y - wanted_y
            if abs(miss_x) + abs(miss_y) < _CLOSE:
                break
            a, b, c, d = self._slope(x, y)
            area = a * d - b * c
            if abs(area) < _CLOSE:
                break
            x -= (d * miss_x - b * miss_y) / area
            y -= (a * miss_y - c * miss_x) / area
        return x * self.fx + self.cx, y * self.fy + self.cy

    def fits(self, width: float, height: float) -> bool:
        """Whether every point of a picture of that size can be turned back and forth."""
        for step in range(17):
            share = step / 16
            for point in (
                (share * width, 0.0),
                (share * width, height),
                (0.0, share * height),
                (width, share * height),
            ):
                straight = self.undistort(point)
                away = math.hypot(
                    (straight[0] - self.cx) / self.fx, (straight[1] - self.cy) / self.fy
                )
                if away > self.reach or math.dist(self.distort(straight), point) > 0.01:
                    return False
        return True

    def _bend(self, x: float, y: float) -> Point:
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        return (
            x * radial + 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x),
            y * radial + self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y,
        )

    def _slope(self, x: float, y: float) -> tuple[float, float, float, float]:
        """How the bent point moves with the straight one: dx/dx, dx/dy, dy/dx, dy/dy."""
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        growth = 2 * (self.k1 + r2 * (2 * self.k2 + r2 * 3 * self.k3))
        mixed = x * y * growth + 2 * self.p1 * x + 2 * self.p2 * y
        return (
            radial + x * x * growth + 2 * self.p1 * y + 6 * self.p2 * x,
            mixed,
            mixed,
            radial + y * y * growth + 6 * self.p1 * y + 2 * self.p2 * x,
        )


@lru_cache(maxsize=64)
def _reach(k1: float, k2: float, k3: float) -> float:
    for step in range(1, _PROBES + 1):
        r = 2.0 * step / _PROBES
        if 1 + r**2 * (3 * k1 + r**2 * (5 * k2 + r**2 * 7 * k3)) <= _FLAT:
            return r - 2.0 / _PROBES
    return math.inf
