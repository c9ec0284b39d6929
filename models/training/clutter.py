"""Things that lie over cards in a scene: chips and fingers."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.painter import Painter


def chip(rng: np.random.Generator, painter: Painter, radius: float) -> None:
    """Lays a striped chip of ``radius`` pixels somewhere over everything."""
    height, width = painter.owner.shape
    x, y, r = int(rng.integers(width)), int(rng.integers(height)), max(3, int(radius))
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    mask = np.zeros((height, width), np.uint8)
    cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:] = colour
    for turn in range(0, 360, 60):
        cv2.ellipse(picture, (x, y), (r, r), 0, turn, turn + 25, (235, 235, 235), -1)
    cv2.circle(picture, (x, y), int(r * 0.7), colour, -1)
    if rng.random() < 0.6:
        cv2.putText(
            picture,
            str(rng.choice(["5", "25", "100", "500", "1K"])),
            (x - r // 2, y + r // 4),
            0,
            r / 40,
            (240, 240, 240),
            1,
            cv2.LINE_AA,
        )
    painter.cover(mask, picture)


def finger(rng: np.random.Generator, painter: Painter, width_px: float) -> None:
    """Lays a finger of ``width_px`` pixels somewhere over everything, in one of four skins."""
    height, width = painter.owner.shape
    start = rng.uniform(0, 1, 2) * (width, height)
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1) * width
    end = start + length * np.array([np.cos(angle), np.sin(angle)])
    mask = np.zeros((height, width), np.uint8)
    cv2.line(
        mask,
        tuple(int(v) for v in start),
        tuple(int(v) for v in end),
        255,
        max(4, int(width_px)),
        cv2.LINE_AA,
    )
    skin = np.array(
        ((140, 170, 215), (90, 120, 175), (50, 70, 110), (60, 50, 45))[int(rng.integers(4))]
    )
    noise = rng.normal(0, 4, (height, width, 1))
    painter.cover(mask, np.clip(skin * rng.uniform(0.7, 1.15) + noise, 0, 255))
