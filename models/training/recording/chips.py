"""Chips: a coloured disc with pale edge spots, an inlay and its value."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.fonts import glyph_mask, held_out_file

DIAMETER = 3.9
"""Centimetres."""
SCALE = 40.0
"""Pixels per centimetre of a drawn chip."""
_INKS = {"100": ((38, 34, 36), (222, 226, 228)), "500": ((122, 44, 116), (120, 214, 236))}


def draw_chip(value: str) -> tuple[np.ndarray, np.ndarray]:
    """A chip of that value: (BGR float32 picture, coverage 0 … 1), square."""
    size = int(DIAMETER * SCALE) + 4
    middle, radius = size // 2, int(DIAMETER * SCALE / 2)
    body, spots = _INKS[value]
    picture = np.zeros((size, size, 3), np.uint8)
    picture[:] = body
    for turn in range(0, 360, 60):
        centre, axes = (middle, middle), (radius, radius)
        cv2.ellipse(picture, centre, axes, 0, turn, turn + 24, spots, -1, cv2.LINE_AA)
    cv2.circle(picture, (middle, middle), int(radius * 0.78), body, -1, cv2.LINE_AA)
    cv2.circle(picture, (middle, middle), int(radius * 0.7), spots, 2, cv2.LINE_AA)
    cv2.circle(picture, (middle, middle), int(radius * 0.55), (226, 230, 232), -1, cv2.LINE_AA)
    font = held_out_file("texgyreadventor-bold.otf")
    text = glyph_mask(font, value, int(radius * 0.36))
    top, left = middle - text.shape[0] // 2, middle - text.shape[1] // 2
    area = picture[top : top + text.shape[0], left : left + text.shape[1]]
    alpha = text[..., None].astype(np.float32) / 255
    area[:] = area * (1 - alpha) + np.array(body, np.float32) * alpha
    cover = np.zeros((size, size), np.uint8)
    cv2.circle(cover, (middle, middle), radius, 255, -1, cv2.LINE_AA)
    rim = np.zeros((size, size), np.uint8)
    cv2.circle(rim, (middle, middle), radius, 255, 4, cv2.LINE_AA)
    lit = picture.astype(np.float32) * (1 - 0.45 * rim[..., None].astype(np.float32) / 255)
    return lit, cover.astype(np.float32) / 255
