"""Bent cards: a bow across or along the card, as its picture changes by it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

_MOST = 0.035
_SHADE = 0.16


@dataclass(frozen=True)
class Bend:
    """``bow``: how far the middle moves aside, share of the card's width, either way. ``shade``:
    how much brighter one end is than the middle, and darker the other. ``along``: the bow runs
    from top to bottom; otherwise from left to right.
    """

    bow: float
    shade: float
    along: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> Bend:
        return cls(
            rng.uniform(-_MOST, _MOST), rng.uniform(-_SHADE, _SHADE), bool(rng.random() < 0.6)
        )

    def at(self, where: np.ndarray | float) -> np.ndarray | float:
        """Shift at ``where`` (0 … 1 along the bow), share of the card's width; none on average."""
        return self.bow * (2 / 3 - (2 * where - 1) ** 2)

    def picture(self, face: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Face (BGR) and mask (uint8) of one size, as the bent card shows them."""
        height, width = mask.shape
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        where = y / height if self.along else x / width
        shift = np.asarray(self.at(where), np.float32) * width
        maps = (x - shift, y) if self.along else (x, y - shift)
        bent = cv2.remap(face, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        gain = 1 + self.shade * (2 * where - 1)
        shaded = np.clip(bent * gain[..., None], 0, 255).astype(np.uint8)
        return shaded, cv2.remap(mask, *maps, cv2.INTER_LINEAR)

    def boxes(self, boxes: np.ndarray, size: tuple[int, int]) -> np.ndarray:
        """Where boxes (n, 4) of a face of ``size`` (width, height) lie on the bent card."""
        width, height = size
        moved = np.array(boxes, np.float32).reshape(-1, 4)
        low, high = (1, 3) if self.along else (0, 2)
        where = (moved[:, low] + moved[:, high]) / 2 / (height if self.along else width)
        shift = np.asarray(self.at(where)) * width
        aside = [0, 2] if self.along else [1, 3]
        moved[:, aside] += shift[:, None]
        return moved
