"""Training material out of real photographs: tiles for the finder, cut-outs for the namer."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.folds import Label, Photo

Boxes = np.ndarray


def complete_cards(photo: Photo) -> tuple[list[Label], list[Label]]:
    """(cards whose indices are labelled, cards whose indices are not)."""
    known, unknown = [], []
    for card in photo.cards:
        x1, y1, x2, y2 = card.box
        has = any(
            mark.card == card.card
            and x1 - 8 <= (mark.box[0] + mark.box[2]) / 2 <= x2 + 8
            and y1 - 8 <= (mark.box[1] + mark.box[3]) / 2 <= y2 + 8
            for mark in photo.indices
        )
        (known if has else unknown).append(card)
    return known, unknown


def masked_photo(photo: Photo) -> tuple[np.ndarray, Boxes, Boxes]:
    """The photograph with every card of unlabelled indices painted over.

    Returns (BGR picture, index boxes (n, 4), card boxes (m, 4)) of what is left to be seen.
    """
    picture = cv2.imread(str(photo.path))
    known, unknown = complete_cards(photo)
    hidden = np.zeros(picture.shape[:2], bool)
    fill = np.median(picture.reshape(-1, 3), axis=0)
    rng = np.random.default_rng(abs(hash(photo.path.name)) % (1 << 32))
    for card in unknown:
        x1, y1, x2, y2 = (int(v) for v in card.box)
        hidden[max(0, y1 - 4) : y2 + 4, max(0, x1 - 4) : x2 + 4] = True
    noise = rng.normal(0, 10, picture.shape)
    picture[hidden] = np.clip(fill + noise, 0, 255).astype(np.uint8)[hidden]
    indices = [
        m.box
        for m in photo.indices
        if not hidden[int(m.box[1]) : int(m.box[3]) + 1, int(m.box[0]) : int(m.box[2]) + 1].any()
    ]
    bodies = []
    for card in known:
        x1, y1, x2, y2 = (int(v) for v in card.box)
        if hidden[y1:y2, x1:x2].mean() < 0.6:
            bodies.append(card.box)
    return (
        picture,
        np.array(indices, np.float32).reshape(-1, 4),
        np.array(bodies, np.float32).reshape(-1, 4),
    )


def quarter_turn(picture: np.ndarray, boxes: Boxes, turns: int) -> tuple[np.ndarray, Boxes]:
    """Turn a picture and its boxes by ``turns`` × 90° counter-clockwise."""
    height, width = picture.shape[:2]
    for _ in range(turns % 4):
        boxes = np.stack([boxes[:, 1], width - boxes[:, 2], boxes[:, 3], width - boxes[:, 0]], 1)
        height, width = width, height
    return np.ascontiguousarray(np.rot90(picture, turns % 4)), boxes


def photo_tile(
    rng: np.random.Generator,
    picture: np.ndarray,
    indices: Boxes,
    bodies: Boxes,
    size: int = 320,
    index_height: tuple[float, float] = (13.0, 64.0),
) -> tuple[np.ndarray, Boxes, Boxes]:
    """A ``size`` square out of a photograph around one of its indices, at any scale and turn."""
    turns = int(rng.integers(4))
    both, count = np.vstack([indices, bodies]), len(indices)
    picture, both = quarter_turn(picture, both, turns)
    long_side = np.median(
        np.maximum(both[:count, 2] - both[:count, 0], both[:count, 3] - both[:count, 1])
    )
    want = float(np.exp(rng.uniform(np.log(index_height[0]), np.log(index_height[1]))))
    scale = min(want / long_side, 1.6)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=interpolation)
    both = both * scale
    focus = both[int(rng.integers(count))]
    centre = np.array([(focus[0] + focus[2]) / 2, (focus[1] + focus[3]) / 2])
    corner = np.round(centre - size * rng.uniform(0.15, 0.85, 2)).astype(int)
    tile = np.empty((size, size, 3), np.uint8)
    tile[:] = rng.integers(0, 200, 3)
    x1, y1 = max(corner[0], 0), max(corner[1], 0)
    x2, y2 = min(corner[0] + size, picture.shape[1]), min(corner[1] + size, picture.shape[0])
    tile[y1 - corner[1] : y2 - corner[1], x1 - corner[0] : x2 - corner[0]] = picture[y1:y2, x1:x2]
    moved = both - np.tile(corner, 2)
    clipped = np.clip(moved, 0, size)
    area = (moved[:, 2] - moved[:, 0]) * (moved[:, 3] - moved[:, 1])
    kept = (clipped[:, 2] - clipped[:, 0]) * (clipped[:, 3] - clipped[:, 1]) / np.maximum(area, 1)
    number = np.arange(len(both))
    return (
        tile,
        clipped[(number < count) & (kept > 0.8)],
        clipped[(number >= count) & (kept > 0.12)],
    )
