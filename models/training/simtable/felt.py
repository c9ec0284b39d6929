"""The bare table of a layout as its camera sees it: cloth, print, shoe and discard box."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.homography import local_scale
from models.training.simtable.places import Places
from models.training.surfaces import smooth_noise

_CLOTHS = ((66, 104, 22), (112, 62, 26), (44, 84, 20), (88, 78, 24))
"""BGR: greens, blue, teal."""
_PRINT = (150, 214, 226)
_WOOD = (40, 62, 92)
_SHOE, _RACK = (40, 36, 36), (44, 44, 112)


def paint_felt(places: Places, width: int, height: int, seed: int) -> np.ndarray:
    """The bare table, BGR uint8 of that size, without light."""
    rng = np.random.default_rng(seed)
    layout = places.layout
    matrix = layout.homography(width, height)
    scale = max(
        local_scale(matrix, (layout.felt.width * fx, layout.felt.height * fy))
        for fx in (0.1, 0.5, 0.9)
        for fy in (0.1, 0.9)
    )
    flat = _cloth(places, scale, rng, _CLOTHS[seed % len(_CLOTHS)])
    to_picture = np.array(matrix) @ np.diag([1 / scale, 1 / scale, 1])
    picture = cv2.warpPerspective(
        flat, to_picture, (width, height), flags=cv2.INTER_AREA, borderValue=_WOOD
    )
    grain = np.zeros((height, width), np.int8)
    cv2.setRNGSeed(seed)
    cv2.randn(grain, 0, 2.0)
    return cv2.add(picture, cv2.merge([grain] * 3), dtype=cv2.CV_8U)


def _cloth(
    places: Places, scale: float, rng: np.random.Generator, ink: tuple[int, int, int]
) -> np.ndarray:
    felt = places.layout.felt
    width, height = round(felt.width * scale), round(felt.height * scale)
    cloth = np.full((height, width, 3), ink, np.uint8)
    for zone in places.layout.zone_ids:
        x1, y1, x2, y2 = (round(v * scale) for v in places.bounds(zone))
        line = max(1, round(0.2 * scale))
        inset = round(0.5 * scale)
        cv2.rectangle(
            cloth, (x1 + inset, y1 + inset), (x2 - inset, y2 - inset), _PRINT, line, cv2.LINE_AA
        )
        _word(cloth, zone.upper().replace("-", " "), (x1 + x2) / 2, y2 - 1.3 * scale, scale)
        spot = places.chips(zone)
        if spot is not None and zone.startswith("box"):
            middle = (round(spot[0] * scale), round(spot[1] * scale))
            cv2.circle(cloth, middle, round(2.6 * scale), _PRINT, line, cv2.LINE_AA)
    nap = smooth_noise(rng, height, width, 8 * scale) * 3.5
    picture = cloth.astype(np.float32) + nap[..., None]
    for spot, ink_of, size in ((places.shoe, _SHOE, (13, 12)), (places.rack, _RACK, (12, 11))):
        x1, x2 = (round((spot[0] + d * size[0] / 2) * scale) for d in (-1, 1))
        y2 = round((spot[1] + size[1] / 2) * scale)
        cv2.rectangle(picture, (x1, -10), (x2, y2), ink_of, -1)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _word(cloth: np.ndarray, text: str, x: float, y: float, scale: float) -> None:
    size = scale * 0.045
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 1)
    at = (round(x - width / 2), round(y))
    cv2.putText(cloth, text, at, cv2.FONT_HERSHEY_DUPLEX, size, _PRINT, 1, cv2.LINE_AA)


def centre_scale(places: Places, width: int, height: int) -> float:
    """Pixels per centimetre in the middle of the picture."""
    felt = places.layout.felt
    matrix = places.layout.homography(width, height)
    return local_scale(matrix, (felt.width / 2, felt.height / 2))
