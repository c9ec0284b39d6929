"""What the recording's camera adds: uneven light, a soft shadow edge, blur, vignette and noise."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.recording.felt import SIZE
from models.training.surfaces import smooth_noise

_NOISE = 2.4
_BLUR = 0.62
_BANK = 6


class Camera:
    """One camera over one table. Pictures depend only on the seed and the frame's number."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed + 1)
        self._gain = _light(self._rng)
        width, height = SIZE
        shape = (height + 64, width + 64, 3)
        grain = [self._rng.normal(0, 1, shape).astype(np.float32) for _ in range(_BANK)]
        self._grain = [cv2.GaussianBlur(g, (0, 0), 0.6) * 1.7 * _NOISE for g in grain]
        self._seed = seed

    def shoot(self, table: np.ndarray, number: int) -> np.ndarray:
        """The frame ``number`` of a painted table: BGR uint8."""
        rng = np.random.default_rng((self._seed, number))
        lit = table * self._gain * (1 + 0.004 * float(rng.normal()))
        lit = cv2.GaussianBlur(lit, (0, 0), _BLUR)
        x, y = (int(v) for v in rng.integers(0, 64, 2))
        width, height = SIZE
        grain = self._grain[number % _BANK][y : y + height, x : x + width]
        lit += grain * (0.55 + 0.45 * np.sqrt(np.maximum(lit, 0) / 128))
        # The shoulder of the tone curve keeps white cards from burning out.
        lit = np.where(lit > 200, 200 + (lit - 200) * 0.72, lit)
        return np.clip(lit, 0, 255).astype(np.uint8)


def _light(rng: np.random.Generator) -> np.ndarray:
    """Gain of every pixel and channel: lamp left of the middle, falling off to the right, and
    the soft edge of a shadow across the lower right."""
    width, height = SIZE
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = xx / width, yy / height
    lamp = np.exp(-(((x - 0.40) / 0.62) ** 2 + ((y - 0.36) / 0.75) ** 2))
    gain = 0.60 + 0.50 * lamp
    gain *= 1 + 0.07 * (0.5 - x)
    edge = (x - 0.86) * 0.94 + (y - 0.62) * 0.5
    gain *= 1 - 0.27 / (1 + np.exp(-edge / 0.018))
    away = (x - 0.5) ** 2 * 1.2 + (y - 0.5) ** 2
    gain *= 1 - 0.30 * away
    gain *= 1 + smooth_noise(rng, height, width, 500) * 0.03
    warm = np.array((0.93, 1.0, 1.04), np.float32) + np.zeros(3, np.float32)
    cool = np.array((1.05, 1.0, 0.96), np.float32)
    mix = np.clip(lamp, 0, 1)[..., None]
    return (gain[..., None] * (warm * mix + cool * (1 - mix))).astype(np.float32)
