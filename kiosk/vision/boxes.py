"""Box arithmetic on arrays: rows of x1, y1, x2, y2, score."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kiosk.vision.runtime import Floats

Bools = npt.NDArray[np.bool_]


def suppress(rows: Floats, limit: float) -> Floats:
    """Rows (n, 5) without those that overlap a better one by more than ``limit`` IoU.

    Best first. Greedy, over whole arrays.
    """
    return _best_first(rows, lambda shared, one, others: shared > limit * (one + others - shared))


def drop_parts(rows: Floats, share: float) -> Floats:
    """Rows without those that lie by ``share`` or more inside a better one (cut at a tile edge),
    and without those that hold a better one so. Best first."""
    return _best_first(rows, lambda shared, one, others: shared >= share * np.minimum(one, others))


def _best_first(rows: Floats, beaten: Callable[[Floats, Floats, Floats], Bools]) -> Floats:
    """Rows by falling score without those that a better one that stays has beaten.

    ``beaten`` is given the areas that it shares with them, its own and theirs.
    """
    rows = rows[np.argsort(-rows[:, 4], kind="stable")]
    areas = _areas(rows)
    alive = np.ones(len(rows), bool)
    for i in range(len(rows)):
        if alive[i]:
            rest = np.flatnonzero(alive[i + 1 :]) + i + 1
            shared = shared_area(rows[i, :4], rows[rest, :4])
            alive[rest[beaten(shared, areas[i], areas[rest])]] = False
    return rows[alive]


def _areas(rows: Floats) -> Floats:
    """Areas (n,) of boxes, never nought."""
    areas = (rows[:, 2] - rows[:, 0]) * (rows[:, 3] - rows[:, 1])
    return np.asarray(np.maximum(areas, 1e-6), np.float32)


def shared_area(box: Floats, others: Floats) -> Floats:
    """Area that one box (4,) shares with each of the others (n, 4)."""
    width = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    height = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    return np.asarray(np.clip(width, 0, None) * np.clip(height, 0, None), np.float32)


def with_known(rows: Floats, known: Floats, same: float, share: float) -> Floats:
    """Rows (n, 5) and those of ``known`` that are not among them, without pieces of larger ones.

    Same: at least ``same`` IoU. A piece lies by ``share`` or more inside a larger row; a row that
    holds several which are apart is no whole of them and goes instead.
    """
    fresh = [k for k in known if not _among(k, rows, same)]
    rows = np.concatenate([rows, np.array(fresh, np.float32).reshape(-1, 5)])
    areas = _areas(rows)
    alive = np.ones(len(rows), bool)
    for i in np.argsort(-areas, kind="stable"):
        smaller = np.flatnonzero(alive & (areas < areas[i]))
        inside = smaller[shared_area(rows[i, :4], rows[smaller, :4]) >= share * areas[smaller]]
        if not alive[i]:
            continue
        if any(not shared_area(rows[j, :4], rows[inside, :4]).all() for j in inside):
            alive[i] = False
        else:
            alive[inside] = False
    return rows[alive]


def _among(row: Floats, others: Floats, same: float) -> bool:
    shared = shared_area(row[:4], others[:, :4])
    whole = _areas(row[None])[0] + _areas(others) - shared
    return bool((shared >= same * whole).any())
