"""Suit pips: drawn from parameters, or taken from a font, as coverage masks."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training.fonts import glyph_mask, suit_font_files

_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SIZE = 192


@dataclass(frozen=True)
class PipStyle:
    """How one deck draws its suits. All lengths in units of the pip's height."""

    font: Path | None
    width: float
    cleft: float
    curve: float
    stem: float
    lobe: float

    @classmethod
    def random(cls, rng: np.random.Generator, held_out: bool = False) -> PipStyle:
        """A random style; held-out styles have slimmer shapes than any trained on."""
        fonts = suit_font_files()
        font = None
        if not held_out and fonts and rng.random() < 0.3:
            font = fonts[int(rng.integers(len(fonts)))]
        width = rng.uniform(0.70, 0.74) if held_out else rng.uniform(0.75, 1.1)
        lobe = (0.235, 0.285) if held_out else (0.215, 0.3)
        return cls(
            font,
            width,
            rng.uniform(0.08, 0.3),
            rng.uniform(-0.02, 0.28),
            rng.uniform(0.10, 0.24),
            rng.uniform(*lobe),
        )


def _curve(*points: tuple[float, float], steps: int = 24) -> np.ndarray:
    """A Bézier curve through its control points, as an array of shape (steps, 2)."""
    t = np.linspace(0, 1, steps)[:, None]
    layer = [np.array(p, float)[None] for p in points]
    while len(layer) > 1:
        layer = [a * (1 - t) + b * t for a, b in itertools.pairwise(layer)]
    return layer[0]


def _mirror(right: np.ndarray) -> np.ndarray:
    left = right[::-1].copy()
    left[:, 0] *= -1
    return np.vstack([right, left])


def _heart(style: PipStyle) -> np.ndarray:
    w = style.width / 2
    top = _curve((0, style.cleft), (0.05, -0.08), (w * 1.25, -0.14), (w, 0.32))
    side = _curve((w, 0.32), (w * 0.92, 0.55 + style.curve * 0.4), (0.12, 0.8), (0, 1))
    return _mirror(np.vstack([top, side]))


def _stem(style: PipStyle, top: float) -> np.ndarray:
    foot = style.stem
    return _mirror(np.vstack([_curve((0.03, top), (0.04, 0.85), (foot * 0.5, 0.99), (foot, 1.0))]))


def _diamond(style: PipStyle) -> np.ndarray:
    w, bend = style.width / 2 * 0.95, style.curve * 0.5
    upper = _curve((0, 0), (w * (0.5 - bend * 0.6), 0.25 + bend * 0.5), (w, 0.5))
    lower = _curve((w, 0.5), (w * (0.5 - bend * 0.6), 0.75 - bend * 0.5), (0, 1))
    return _mirror(np.vstack([upper, lower]))


def suit_mask(suit: str, style: PipStyle, height: int) -> np.ndarray:
    """Coverage mask (uint8) of one pip, ``height`` pixels high, cropped to its ink."""
    if style.font is not None:
        return glyph_mask(style.font, _GLYPHS[suit], height)
    canvas = np.zeros((_SIZE, int(_SIZE * 1.5)), np.uint8)
    centre = canvas.shape[1] / 2

    def fill(outline: np.ndarray) -> None:
        points = (outline * _SIZE + (centre, 0)) * 16
        cv2.fillPoly(canvas, [points.astype(np.int32)], 255, cv2.LINE_AA, 4)

    def disc(x: float, y: float, radius: float) -> None:
        middle = (int((x * _SIZE + centre) * 16), int(y * _SIZE * 16))
        cv2.circle(canvas, middle, int(radius * _SIZE * 16), 255, -1, cv2.LINE_AA, 4)

    if suit == "h":
        fill(_heart(style))
    elif suit == "d":
        fill(_diamond(style))
    elif suit == "s":
        body = _heart(style)
        body[:, 1] = (1 - body[:, 1]) * 0.88
        fill(body)
        fill(_stem(style, 0.55))
    else:
        r, w = style.lobe * 0.95, style.width / 2
        disc(0, r, r)
        disc(-(w - r), 0.56, r)
        disc(w - r, 0.56, r)
        fill(np.array([(-0.12, 0.3), (0.12, 0.3), (0.18, 0.62), (-0.18, 0.62)]))
        fill(_stem(style, 0.5))
    rows, columns = np.flatnonzero(canvas.max(1) > 40), np.flatnonzero(canvas.max(0) > 40)
    ink = canvas[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(1, round(ink.shape[1] * height / ink.shape[0]))
    return cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
