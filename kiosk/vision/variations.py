"""Cut-outs of one index as other moments might show them: turned, shifted, softer, lit anew."""

from __future__ import annotations

import cv2
import numpy as np

from kiosk.sightings import Box
from kiosk.vision.images import Image
from kiosk.vision.namer import CROP, SPAN, cut

WIDE = 72
"""Side in pixels of a kept cut-out."""

WIDE_SPAN = 1.95
"""Side of a kept cut-out in longer sides of the index box: room to turn and shift the namer's."""

_NARROW = SPAN / WIDE_SPAN


def wide_cut(image: Image, box: Box) -> Image:
    """The cut-out round a box that is kept: WIDE pixels a side, BGR; the edge is repeated."""
    return cut(image, box, WIDE, WIDE_SPAN)


def as_seen(wide: Image, turn: int = 0) -> Image:
    """The namer's cut-out out of a kept one, CROP pixels a side, in a quarter turn."""
    return _drawn(np.ascontiguousarray(np.rot90(wide, turn)), 0.0, 1.0, (0.0, 0.0))


def varied(wide: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """One variation. ``strength`` 1: as far as tables differ; 0: only quarter turns."""
    picture = np.ascontiguousarray(np.rot90(wide, int(rng.integers(4))))
    angle = rng.normal(0, 6) * strength
    zoom = float(np.exp(rng.normal(0, 0.07) * strength))
    shift = rng.normal(0, 0.035, 2) * strength
    seen = _softer(_drawn(picture, angle, zoom, (float(shift[0]), float(shift[1]))), rng, strength)
    gain = np.exp(rng.normal(0, 0.22) * strength + rng.normal(0, 0.05, 3) * strength)
    noise = rng.normal(0, rng.uniform(0, 5) * strength, seen.shape) if strength else 0.0
    lit: Image = np.clip(seen * gain + noise, 0, 255).astype(np.uint8)
    return lit


def _softer(seen: Image, rng: np.random.Generator, strength: float) -> Image:
    """Some of them as from further away, some out of focus."""
    if rng.random() < 0.35 * strength:
        small = round(CROP * rng.uniform(0.4, 0.8))
        coarse = cv2.resize(seen, (small, small), interpolation=cv2.INTER_AREA)
        found = cv2.resize(coarse, (CROP, CROP), interpolation=cv2.INTER_LINEAR)
    elif rng.random() < 0.3 * strength:
        found = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.1))
    else:
        return seen
    return found.astype(np.uint8, copy=False)


def _drawn(picture: Image, angle: float, zoom: float, shift: tuple[float, float]) -> Image:
    scale = CROP / (WIDE * _NARROW) * zoom
    matrix = cv2.getRotationMatrix2D((WIDE / 2, WIDE / 2), angle, scale)
    matrix[:, 2] += np.array([CROP - WIDE, CROP - WIDE]) / 2 + np.array(shift) * CROP
    found = cv2.warpAffine(
        picture, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return found.astype(np.uint8, copy=False)
