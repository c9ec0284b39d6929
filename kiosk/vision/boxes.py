"""Box arithmetic on arrays: rows of x1, y1, x2, y2, score."""

from __future__ import annotations

import numpy as np

from kiosk.vision.runtime import Floats


def suppress(rows: Floats, limit: float) -> Floats:
    """Rows (n, 5) without those that overlap a better one by more than ``limit`` IoU.

    Best first. Greedy, over whole arrays.
    """
    rows = rows[np.argsort(-rows[:, 4], kind="stable")]
    areas = (rows[:, 2] - rows[:, 0]) * (rows[:, 3] - rows[:, 1])
    alive = np.ones(len(rows), bool)
    for i in range(len(rows)):
        if not alive[i]:
            continue
        rest = np.flatnonzero(alive[i + 1 :]) + i + 1
        overlap = shared_area(rows[i, :4], rows[rest, :4])
        alive[rest[overlap > limit * (areas[i] + areas[rest] - overlap)]] = False
    return rows[alive]


def drop_parts(rows: Floats, share: float) -> Floats:
    """Rows without those that lie by ``share`` or more inside a better one (cut at a tile edge)."""
    rows = rows[np.argsort(-rows[:, 4], kind="stable")]
    areas = np.maximum((rows[:, 2] - rows[:, 0]) * (rows[:, 3] - rows[:, 1]), 1e-6)
    alive = np.ones(len(rows), bool)
    for i in range(len(rows)):
        if alive[i]:
            rest = np.flatnonzero(alive[i + 1 :]) + i + 1
            overlap = shared_area(rows[i, :4], rows[rest, :4])
            smaller = np.minimum(areas[rest], areas[i])
            alive[rest[overlap >= share * smaller]] = False
    return rows[alive]


def shared_area(box: Floats, others: Floats) -> Floats:
    """Area that one box (4,) shares with each of the others (n, 4)."""
    width = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    height = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    return np.asarray(np.clip(width, 0, None) * np.clip(height, 0, None), np.float32)
