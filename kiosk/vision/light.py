"""Is the light good enough to read by (V14)? Judged by the ink of the cards that lie there.

What counts is how far the ink of an index stands out from its paper; but only in a picture that
is dark or washed out as a whole, because a card that was taken away leaves no ink either. Where
no card lies, only a picture without any light is called poor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from kiosk.sightings import Box
from kiosk.vision.images import Image

LIGHT_POOR = "light-poor"
"""Trouble word."""

_MARGIN = 0.15
"""Paper looked at round an index, in sizes of its box."""


@dataclass(frozen=True, slots=True)
class LightSettings:
    """``contrast``: levels (0 … 255) between paper and ink of an index at least; two stops less
    than good light leave twice that. ``dark``: where the level that one pixel in two hundred
    exceeds is lower, the picture is dark; ``night``: lower than that, nothing can be read.
    ``washed``: level above which the median of the picture is washed out. ``looks``: how many in
    a row must say so, or must no longer.
    """

    contrast: float = 26.0
    dark: float = 80.0
    night: float = 20.0
    washed: float = 215.0
    looks: int = 2


class LightGuard:
    """Looks once a second. ``places``: pixel boxes of the indices that were found."""

    every = 1.0

    def __init__(
        self, places: Callable[[], Sequence[Box]], settings: LightSettings | None = None
    ) -> None:
        self._places = places
        self._settings = settings or LightSettings()
        self._poor = False
        self._other = 0

    def look(self, image: Image, t: float, still: frozenset[str]) -> str | None:
        """LIGHT_POOR while the light is too poor."""
        poor = is_poor(image, self._places(), self._settings)
        self._other = self._other + 1 if poor != self._poor else 0
        if self._other >= self._settings.looks:
            self._poor, self._other = poor, 0
        return LIGHT_POOR if self._poor else None


def is_poor(image: Image, boxes: Sequence[Box], settings: LightSettings) -> bool:
    """Whether this picture is too poor to read. ``image``: BGR; ``boxes``: indices in pixels."""
    thin = image[::8, ::8].max(axis=2)
    brightest, middle = (float(level) for level in np.percentile(thin, (99.5, 50)))
    if brightest >= settings.dark and middle <= settings.washed:
        return False
    contrasts = [value for box in boxes if (value := contrast(image, box)) is not None]
    if contrasts:
        return float(np.median(contrasts)) < settings.contrast
    return brightest < settings.night


def contrast(image: Image, box: Box) -> float | None:
    """Levels between the paper and the ink of one index; None where the box holds no pixels."""
    margin = _MARGIN * (box[2] - box[0] + box[3] - box[1]) / 2
    x1, y1 = max(0, int(box[0] - margin)), max(0, int(box[1] - margin))
    patch = image[y1 : max(0, int(box[3] + margin)) + 1, x1 : max(0, int(box[2] + margin)) + 1]
    if patch.size < 48:
        return None
    # Red ink differs from paper in blue and green only: the channel in which most differs counts.
    smooth = cv2.blur(patch, (3, 3))
    low, high = np.percentile(smooth.reshape(-1, 3), (8, 92), axis=0)
    return float((high - low).max())
