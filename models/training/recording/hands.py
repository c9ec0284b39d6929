"""Hands with sleeves, seen from above: height maps lit like solid things, kept as sprites.

A sprite's own measure is centimetres with the middle fingertip at (0, 0), the fingers pointing to
+y and the arm coming from −y; ``mirrored`` turns the right hand into the left.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.surfaces import smooth_noise

SCALE = 20.0
"""Sprite pixels per centimetre."""
_LEFT, _RIGHT, _BACK, _FRONT = 9.0, 9.0, 92.0, 1.0
_ORIGIN = np.array((_LEFT, _BACK))

Colour = tuple[int, int, int]

_FINGERS = (
    # base, knuckle, tip (centimetres), radius
    ((2.7, -8.2), (2.7, -4.6), (2.3, -1.1), 0.86),
    ((0.8, -8.4), (0.6, -4.3), (0.3, -0.9), 0.90),
    ((-1.0, -8.2), (-1.3, -4.6), (-1.5, -1.4), 0.85),
    ((-2.7, -7.8), (-3.2, -5.0), (-3.4, -2.6), 0.72),
    ((2.9, -13.2), (5.2, -9.8), (5.0, -6.4), 1.05),
)
_PALM = [(-3.6, -7.2), (3.5, -7.6), (4.1, -10.5), (3.5, -14.0), (2.9, -20.0), (-2.7, -20.0)]
_PALM += [(-3.4, -13.5), (-3.9, -10.5)]


@dataclass(frozen=True)
class Sprite:
    """A drawn hand: BGR float32 picture, coverage 0 … 1, and its fingertip in sprite pixels."""

    picture: np.ndarray
    cover: np.ndarray
    tip: tuple[float, float]


def _grid() -> tuple[np.ndarray, np.ndarray]:
    width, height = int((_LEFT + _RIGHT) * SCALE), int((_BACK + _FRONT) * SCALE)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    return xx / SCALE - _LEFT, yy / SCALE - _BACK


def _capsule(
    xx: np.ndarray, yy: np.ndarray, p: tuple[float, float], q: tuple[float, float], r: float
) -> np.ndarray:
    """Height of a round rod from p to q, 0 outside."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    along = np.clip(((xx - p[0]) * dx + (yy - p[1]) * dy) / (dx * dx + dy * dy), 0, 1)
    away = (xx - p[0] - along * dx) ** 2 + (yy - p[1] - along * dy) ** 2
    return np.sqrt(np.maximum(r * r - away, 0))


def _filled(points: list[tuple[float, float]], shape: tuple[int, int]) -> np.ndarray:
    mask = np.zeros(shape, np.uint8)
    outline = np.round((np.array(points) + _ORIGIN) * SCALE).astype(np.int32)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA)
    return mask


def _lit(height: np.ndarray, light: tuple[float, float, float]) -> np.ndarray:
    """Brightness 0 … 1 of a height map (cm) under a light from ``light``."""
    smooth = cv2.GaussianBlur(height, (0, 0), 3.0)
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=SCALE / 8)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=SCALE / 8)
    norm = np.sqrt(gx**2 + gy**2 + 1)
    lx, ly, lz = np.array(light) / np.linalg.norm(light)
    return np.clip((-gx * lx - gy * ly + lz) / norm, 0, 1)


def _skin(
    xx: np.ndarray, yy: np.ndarray, rng: np.random.Generator, tone: Colour
) -> tuple[np.ndarray, np.ndarray]:
    """Lit picture and mask of the bare hand."""
    height = np.zeros_like(xx)
    for base, knuckle, tip, radius in _FINGERS:
        height = np.maximum(height, _capsule(xx, yy, base, knuckle, radius * 1.08))
        height = np.maximum(height, _capsule(xx, yy, knuckle, tip, radius))
    palm = _filled(_PALM, xx.shape)
    inside = cv2.distanceTransform((palm > 127).astype(np.uint8), cv2.DIST_L2, 5) / SCALE
    body = 1.35 * (1 - np.exp(-inside / 1.1))
    height = np.maximum(height, body)
    mask = ((height > 0.12) * 255).astype(np.uint8)
    height = cv2.GaussianBlur(height, (0, 0), 4)
    for base, _, _, radius in _FINGERS[:4]:
        bump = np.exp(-((xx - base[0]) ** 2 + (yy - base[1] - 0.3) ** 2) / (2 * 0.55**2))
        height = height + bump * 0.22 * radius
    height += smooth_noise(rng, *xx.shape, 14) * 0.018
    lit = _lit(height, (-0.45, -0.5, 0.9))
    colour = np.array(tone, np.float32) * (0.42 + 0.66 * lit[..., None])
    flush = sum(
        np.exp(-((xx - p[0]) ** 2 + (yy - p[1]) ** 2) / (2 * 0.7**2))
        for base, knuckle, tip, _ in _FINGERS
        for p in (knuckle, tip, base)
    )
    colour *= 1 - flush[..., None] * np.array((0.10, 0.07, 0.0), np.float32)
    colour *= 1 + smooth_noise(rng, *xx.shape, 30)[..., None] * 0.035
    for _, knuckle, tip, radius in _FINGERS:
        _nail(colour, knuckle, tip, radius, tone)
    return colour, mask


def _nail(
    picture: np.ndarray,
    knuckle: tuple[float, float],
    tip: tuple[float, float],
    radius: float,
    tone: Colour,
) -> None:
    """A nail near the tip and two creases over the middle joint."""
    direction = np.array(tip) - np.array(knuckle)
    direction /= np.linalg.norm(direction)
    turn = float(np.degrees(np.arctan2(direction[1], direction[0])))

    def at(point: np.ndarray) -> tuple[int, int]:
        x, y = (point + _ORIGIN) * SCALE
        return round(float(x)), round(float(y))

    middle = np.array(tip) + direction * radius * 0.15
    axes = (round(radius * 0.58 * SCALE), round(radius * 0.46 * SCALE))
    ink = tuple(min(255, round(v * f)) for v, f in zip(tone, (1.08, 1.06, 1.04), strict=True))
    cv2.ellipse(picture, at(middle), axes, turn, 0, 360, ink, -1, cv2.LINE_AA)
    dark = tuple(round(v * 0.72) for v in tone)
    cv2.ellipse(picture, at(middle), axes, turn, 60, 300, dark, 1, cv2.LINE_AA)
    for offset in (-0.12, 0.16):
        crease = np.array(knuckle) + direction * offset
        short = (3, round(radius * 0.55 * SCALE))
        cv2.ellipse(picture, at(crease), short, turn, 90, 270, dark, 1, cv2.LINE_AA)


def _sleeve(
    xx: np.ndarray, yy: np.ndarray, rng: np.random.Generator, ink: Colour, cuff: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Lit picture and mask of the sleeve, with a white cuff."""
    back = -_BACK
    edge = [(-4.5, -18.2), (4.6, -18.2), (6.2, -45), (7.6, back), (-7.6, back), (-6.0, -45)]
    mask = _filled(edge, xx.shape)
    half = np.interp(-yy[:, 0], [18.2, 45, -back], [4.55, 6.1, 7.6]).astype(np.float32)[:, None]
    height = np.sqrt(np.maximum(half**2 - xx**2, 0.01)) * 0.6
    folds = smooth_noise(rng, xx.shape[0], xx.shape[1], 70) * 0.42
    slant = np.sin((yy + 0.55 * xx + smooth_noise(rng, *xx.shape, 160) * 3) * 0.8) * 0.16
    fine = smooth_noise(rng, xx.shape[0], xx.shape[1], 26) * 0.06
    lit = _lit((height + folds + slant + fine).astype(np.float32), (-0.45, -0.5, 0.9))
    colour = np.array(ink, np.float32) * (0.25 + 1.15 * lit[..., None])
    if cuff:
        band = _filled([(-4.0, -16.6), (4.1, -16.6), (4.5, -18.9), (-4.4, -18.9)], xx.shape)
        white = np.array((222, 224, 226), np.float32) * (0.45 + 0.6 * lit[..., None])
        only = (band > 127) & (mask < 128)
        colour[only] = white[only]
        mask = np.maximum(mask, band)
    return colour, mask


def draw_hand(
    rng: np.random.Generator, tone: Colour, sleeve: Colour, mirrored: bool, cuff: bool = True
) -> Sprite:
    """A hand with its sleeve. ``tone`` and ``sleeve`` are BGR."""
    xx, yy = _grid()
    skin, bare = _skin(xx, yy, rng, tone)
    cloth, covered = _sleeve(xx, yy, rng, sleeve, cuff)
    dressed = cv2.GaussianBlur(covered.astype(np.float32) / 255, (0, 0), 1.0)[..., None]
    near = cv2.GaussianBlur(covered.astype(np.float32) / 255, (0, 0), 9.0)[..., None]
    picture = skin * (1 - 0.45 * near) * (1 - dressed) + cloth * dressed
    cover = cv2.GaussianBlur(np.maximum(bare, covered).astype(np.float32) / 255, (0, 0), 1.2)
    if mirrored:
        picture, cover = picture[:, ::-1].copy(), cover[:, ::-1].copy()
    x = (_RIGHT if mirrored else _LEFT) * SCALE
    return Sprite(np.clip(picture, 0, 255).astype(np.float32), cover, (x, _BACK * SCALE))
