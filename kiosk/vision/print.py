"""Print on the felt is no card: an index stands on paper, a printed word on cloth.

The finder takes some printed letters for indices. What surrounds them tells: the felt's own colour
instead of paper. Where felt and paper look alike nothing is told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.sightings import Box, Sighting
from kiosk.vision.images import Image
from kiosk.vision.runtime import Floats

_MARGIN, _GAP = 0.18, 1
"""Width of the ring looked at round a box, in sizes of the box, and pixels left out before it."""
_MOSTLY = 0.65
"""Share of the ring that must have the felt's colour."""
_TINT = 0.05
"""Largest difference in the shares of blue, green and red (each 0 … 1)."""
_SHADE, _GREY_SHADE = (0.45, 1.7), (0.45, 1.3)
"""How much darker or brighter than usual felt may be under one lamp; on grey felt brightness alone
tells paper in a shadow from it."""
_LIGHT_FELT, _PAPER, _TINTED = 0.6, 120.0, 0.1
"""Felt without a tint (shares that differ by less) looks like paper when it is brighter than this
share of the picture's brightest, which paper would bring to this level at least."""


@dataclass(frozen=True, slots=True)
class Cloth:
    """The felt's colour: mean level, and the shares of blue, green and red in it."""

    level: float
    shares: tuple[float, float, float]

    @property
    def grey(self) -> bool:
        """Whether it has no tint that would tell it from paper."""
        return max(self.shares) - min(self.shares) < _TINTED


def cloth_of(small: Image) -> Cloth | None:
    """The felt's colour in a (small) picture of the table, of which cards cover the lesser part.

    None when paper could not be told from it.
    """
    pixels = small[::4, ::4].reshape(-1, 3)
    colour = np.median(pixels, axis=0)
    cloth = _cloth(colour)
    brightest = max(float(np.percentile(pixels.max(axis=1), 99.5)), _PAPER)
    if cloth.level < 3.0 or (cloth.grey and cloth.level > _LIGHT_FELT * brightest):
        return None
    return cloth


def without_print(
    image: Image, sightings: Sequence[Sighting], cloth: Cloth | None
) -> tuple[Sighting, ...]:
    """The sightings that do not stand on bare felt."""
    if cloth is None:
        return tuple(sightings)
    return tuple(s for s in sightings if not on_cloth(image, s.box, cloth))


def on_cloth(image: Image, box: Box, cloth: Cloth) -> bool:
    """Whether mostly the felt's colour surrounds a box.

    Round an index lies paper, round one at its card's corner still on two sides; round a letter
    lies felt but for its neighbours in the word.
    """
    margin = _GAP + max(2, round(_MARGIN * min(box[2] - box[0], box[3] - box[1])))
    x1, y1 = int(box[0]), int(box[1])
    x2, y2 = int(box[2]) + 1, int(box[3]) + 1
    left, top = max(0, x1 - margin), max(0, y1 - margin)
    part = image[top : max(0, y2 + margin), left : max(0, x2 + margin)]
    if part.size == 0:
        return False
    felt = _is_cloth(cv2.medianBlur(np.ascontiguousarray(part), 3).astype(np.float32), cloth)
    ring = np.ones(felt.shape, bool)
    inner = (max(0, y1 - top - _GAP), max(0, x1 - left - _GAP))
    ring[inner[0] : max(0, y2 - top + _GAP), inner[1] : max(0, x2 - left + _GAP)] = False
    return bool(ring.any()) and float(felt[ring].mean()) >= _MOSTLY


def _is_cloth(pixels: Floats, cloth: Cloth) -> NDArray[np.bool_]:
    """Which pixels (rows × columns × 3) have the felt's colour."""
    total = np.maximum(pixels.sum(axis=2), 1.0)
    shares = pixels / total[..., None]
    tint = np.abs(shares - np.array(cloth.shares, np.float32)).max(axis=2) <= _TINT
    level = total / 3
    low, high = _GREY_SHADE if cloth.grey else _SHADE
    lit = (level >= low * cloth.level) & (level <= high * cloth.level)
    return np.asarray(tint & lit, np.bool_)


def _cloth(colour: NDArray[np.float64]) -> Cloth:
    total = max(float(colour.sum()), 1.0)
    blue, green, red = (float(value) / total for value in colour)
    return Cloth(total / 3, (blue, green, red))
