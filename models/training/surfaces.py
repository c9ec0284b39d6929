"""Backgrounds: casino felt with printed layout, wood, cloth, stone, plain and noisy tables."""

from __future__ import annotations

import cv2
import numpy as np

FELTS = (
    (70, 110, 20),
    (45, 85, 15),
    (120, 60, 20),
    (90, 40, 15),
    (35, 25, 120),
    (60, 60, 60),
    (110, 90, 25),
    (80, 20, 70),
    (30, 100, 50),
)
"""BGR of casino cloths: greens, blues, burgundy, grey, teal, purple."""


def smooth_noise(rng: np.random.Generator, height: int, width: int, scale: float) -> np.ndarray:
    """Value noise in -1 … 1, features about ``scale`` pixels across, float32 (height, width)."""
    rows, columns = max(2, int(height / scale) + 2), max(2, int(width / scale) + 2)
    coarse = rng.uniform(-1, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def felt(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Casino cloth with fibre noise, wear and printed lines, circles and words."""
    colour = np.array(FELTS[int(rng.integers(len(FELTS)))], np.float32)
    colour = np.clip(colour * rng.uniform(0.6, 1.5) + rng.uniform(-12, 12, 3), 3, 235)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = colour
    grain = rng.normal(0, rng.uniform(1, 7), (height, width, 1)).astype(np.float32)
    wear = smooth_noise(rng, height, width, rng.uniform(20, 160))[..., None] * rng.uniform(0, 14)
    picture = np.clip(picture + grain + wear, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 5))):
        _print_mark(rng, picture)
    return picture


def _print_mark(rng: np.random.Generator, picture: np.ndarray) -> None:
    """One printed thing of a layout: a circle, frame, line or word."""
    height, width = picture.shape[:2]
    ink = tuple(int(v) for v in rng.choice([(235, 235, 235), (60, 210, 240), (40, 40, 210)]))
    x, y = int(rng.integers(width)), int(rng.integers(height))
    kind, thick = rng.integers(4), int(rng.integers(1, 4))
    if kind == 0:
        cv2.circle(picture, (x, y), int(rng.integers(10, width // 3)), ink, thick, cv2.LINE_AA)
    elif kind == 1:
        cv2.rectangle(
            picture,
            (x, y),
            (x + int(rng.integers(20, width // 2)), y + int(rng.integers(20, height // 2))),
            ink,
            thick,
        )
    elif kind == 2:
        cv2.line(
            picture,
            (x, y),
            (int(rng.integers(width)), int(rng.integers(height))),
            ink,
            thick,
            cv2.LINE_AA,
        )
    else:
        word = str(
            rng.choice(["ANTE", "BET", "BONUS", "POKER", "2:1", "10", "INSURANCE", "8", "DEALER"])
        )
        cv2.putText(
            picture,
            word,
            (x, y),
            int(rng.integers(0, 8)),
            rng.uniform(0.4, 1.6),
            ink,
            thick,
            cv2.LINE_AA,
        )


def table(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Any other surface: wood grain, weave, stripes, tiles or plain, in any dull colour."""
    base = rng.uniform(10, 240, 3).astype(np.float32)
    base = base * 0.5 + base.mean() * 0.5
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = base
    kind = rng.integers(4)
    if kind == 0:
        grain = cv2.resize(
            smooth_noise(rng, height, width, rng.uniform(2, 10)), (width * 6, height)
        )[:, :width]
        picture += grain[..., None] * rng.uniform(8, 40)
    elif kind == 1:
        yy, xx = np.mgrid[0:height, 0:width]
        angle, period = rng.uniform(0, np.pi), rng.uniform(4, 40)
        wave = np.sin((xx * np.cos(angle) + yy * np.sin(angle)) * 2 * np.pi / period)
        picture += (wave * rng.uniform(5, 40))[..., None].astype(np.float32)
    elif kind == 2:
        for scale in (4, 16, 64):
            picture += smooth_noise(rng, height, width, scale)[..., None] * rng.uniform(2, 22)
    else:
        picture += smooth_noise(rng, height, width, 200)[..., None] * 30
    picture += rng.normal(0, rng.uniform(1, 8), (height, width, 1))
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _print_mark(rng, picture)
    return picture


def clutter(rng: np.random.Generator, picture: np.ndarray) -> None:
    """Things that are no cards: trays, telephones, sheets of paper, with or without writing."""
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        centre = rng.uniform(0, 1, 2) * (width, height)
        size = rng.uniform(0.08, 0.5, 2) * width
        corners = cv2.boxPoints((tuple(centre), tuple(size), rng.uniform(0, 180)))
        base = rng.uniform(10, 235, 3) * 0.5 + rng.uniform(10, 235) * 0.5
        ink = tuple(int(v) for v in base)
        shape = [corners.round().astype(np.int32)]
        cv2.fillPoly(picture, shape, ink, cv2.LINE_AA)
        if rng.random() < 0.6:
            edge = tuple(int(v) for v in np.clip(base + rng.uniform(-60, 60), 0, 255))
            cv2.polylines(picture, shape, True, edge, int(rng.integers(1, 6)), cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 4))):
            word = "".join(rng.choice(list("ABCDEFKQJT0123456789 "), int(rng.integers(1, 9))))
            at = (int(centre[0] - size[0] / 3), int(centre[1] + rng.uniform(-0.3, 0.3) * size[1]))
            dark = tuple(int(v) for v in np.clip(base + rng.choice([-110, 110]), 0, 255))
            cv2.putText(
                picture,
                word,
                at,
                int(rng.integers(0, 8)),
                rng.uniform(0.3, 1.1),
                dark,
                int(rng.integers(1, 3)),
                cv2.LINE_AA,
            )


def surface(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """A felt (two of three) or another table, BGR uint8."""
    picture = felt(rng, height, width) if rng.random() < 0.65 else table(rng, height, width)
    if rng.random() < 0.3:
        clutter(rng, picture)
    return picture
