"""Is the camera's picture good enough: focus, sharpness, exposure, light. Pass or fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import Image

Name = Literal["focus", "sharpness", "exposure", "light"]

SHARP_PX = 4.2
"""Width of the sharpest edges, pixels, up to which the picture is in focus."""

SOFT_PX = 5.2
"""Width of the edges in the worst part of the picture that still lets an index be read."""

BURNT = 0.02
"""Share of the picture that may be burnt out (white without detail)."""

DARK = 90.0
"""Grey level (0 … 255) that the brightest hundredth must reach."""

UNEVEN = 4.0
"""How many times brighter the lightest part may be than the darkest."""

ADVICE = {
    "burnt": "too bright: lower exposure or lamps",
    "dark": "too dark: more light or exposure",
    "uneven": "uneven: add a lamp on the dark side, away from the camera",
    "nothing": "nothing sharp to see: lay the marker sheet or some cards on the felt",
    "blurred": "blurred: turn the focus ring, switch auto focus off",
    "soft": "soft in a part of the picture: set the camera square to the table, clean the lens",
}
"""What to do, in one line."""

_CONTRAST = 30.0
_EDGES = 40
_FULL = 252


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``value``: what was measured, None where nothing could be. ``advice``: what to
    do, empty when it is good."""

    name: Name
    ok: bool
    value: float | None
    advice: str = ""


def check_picture(image: Image) -> tuple[Check, ...]:
    """All checks of a BGR picture of the table, in the order in which to put them right."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    return (_exposure(grey), _light(grey), *_edges(grey))


def _exposure(grey: Image) -> Check:
    bright = float(np.percentile(grey, 99))
    burnt = float((grey >= _FULL).mean())
    if burnt > BURNT:
        return Check("exposure", False, round(burnt, 3), ADVICE["burnt"])
    if bright < DARK:
        return Check("exposure", False, round(bright), ADVICE["dark"])
    return Check("exposure", True, round(bright))


def _light(grey: Image) -> Check:
    """The lamps' fall-off: cloth is what most of every part shows, so its median tells."""
    rows = (part for part in np.array_split(grey, 3, axis=0))
    parts = [float(np.median(part)) for row in rows for part in np.array_split(row, 4, axis=1)]
    ratio = max(parts) / max(1.0, min(parts))
    advice = "" if ratio <= UNEVEN else ADVICE["uneven"]
    return Check("light", ratio <= UNEVEN, round(ratio, 1), advice)


def _edges(grey: Image) -> tuple[Check, Check]:
    widths = _edge_widths(grey)
    known = widths[np.isfinite(widths)]
    if known.size == 0:
        nothing = ADVICE["nothing"]
        return Check("focus", False, None, nothing), Check("sharpness", False, None, nothing)
    best, worst = float(known.min()), float(known.max())
    focus = Check(
        "focus",
        best <= SHARP_PX,
        round(best, 1),
        "" if best <= SHARP_PX else ADVICE["blurred"],
    )
    sharp = worst <= SOFT_PX
    soft = ADVICE["soft"]
    return focus, Check("sharpness", sharp, round(worst, 1), "" if sharp else soft)


def _edge_widths(grey: Image) -> NDArray[np.float64]:
    """Width in pixels of the crispest edges of each of 3 × 3 parts; NaN where there are none.

    An edge is as wide as its step in grey divided by its steepest slope.
    """
    smooth = cv2.GaussianBlur(grey, (3, 3), 0).astype(np.float32)
    slope = cv2.magnitude(
        cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8),
        cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8),
    )
    around = np.ones((11, 11), np.uint8)
    step = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    peak = slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8)) - 1e-3
    good = peak & (step > _CONTRAST)
    height, width = grey.shape
    found = np.full((3, 3), np.nan)
    for row in range(3):
        for column in range(3):
            part = (
                slice(row * height // 3, (row + 1) * height // 3),
                slice(column * width // 3, (column + 1) * width // 3),
            )
            here = good[part]
            if here.sum() >= _EDGES:
                widths = step[part][here] / np.maximum(slope[part][here], 1e-3)
                found[row, column] = np.percentile(widths, 20)
    return found
