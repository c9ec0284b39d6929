"""From the finder's raw output to boxes: only those of likely places are worked out. Pure arrays.

The network says, of each place of three grids, how far the four sides of a box are from it, as
chances of 0 … 15 strides (distribution focal loss), and the logits of its classes. A softmax over
all places takes a part of a look that can be felt; a few hundred places count.
"""

from __future__ import annotations

import math

import numpy as np

from kiosk.vision.runtime import Floats

STRIDES = (8, 16, 32)
"""Pixels between the places of each grid, in the order of the output."""

BINS = 16
"""Distances, in strides, of which each side has a chance."""


def likely_boxes(
    distances: Floats, logits: Floats, threshold: float, size: tuple[int, int]
) -> Floats:
    """(4 + classes, k) of the places where some class reaches the threshold: middle x, y, width,
    height in pixels, scores.

    ``distances`` (4 · BINS, n): left, top, right, bottom. ``logits`` (classes, n). ``size``: rows
    and columns of the network's input, multiples of the largest stride. ValueError where the
    number of places is not that of this size.
    """
    middles, strides = places(size)
    if len(strides) != distances.shape[1]:
        raise ValueError(f"{distances.shape[1]} places for a picture of {len(strides)}")
    least = math.log(threshold / (1 - threshold)) if 0 < threshold < 1 else -math.inf
    chosen = np.flatnonzero(logits.max(axis=0) >= least)
    parts = distances[:, chosen].reshape(4, BINS, -1)
    powers = np.exp(parts - parts.max(axis=1, keepdims=True))
    chances = powers / powers.sum(axis=1, keepdims=True)
    sides = np.einsum("sbk,b->sk", chances, np.arange(BINS, dtype=np.float32)) * strides[chosen]
    left, top, right, bottom = sides
    x, y = middles[:, chosen]
    scores = 1 / (1 + np.exp(-logits[:, chosen]))
    boxes = [x + (right - left) / 2, y + (bottom - top) / 2, left + right, top + bottom]
    return np.concatenate([np.stack(boxes), scores]).astype(np.float32)


def places(size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Middles (2, n) of all places in pixels and their strides (n,), as the network lists them."""
    middles, strides = [], []
    for stride in STRIDES:
        rows, columns = size[0] // stride, size[1] // stride
        y, x = np.mgrid[:rows, :columns]
        middles.append((np.stack([x.ravel(), y.ravel()]) + 0.5) * stride)
        strides.append(np.full(rows * columns, stride))
    return (
        np.concatenate(middles, axis=1).astype(np.float32),
        np.concatenate(strides).astype(np.float32),
    )
