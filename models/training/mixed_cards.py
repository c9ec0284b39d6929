"""Real indices with another suit: the rank of one cut card over the suit of another.

The real photographs hold few names of each deck, and a namer that has only ever seen the king of
diamonds of a deck takes that deck's king of hearts for it. Mixing suits of one colour within a deck
takes the rank from the suit.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from models.training.cut_cards import CARD_H, CutCard

SAME_COLOUR = {"c": "s", "s": "c", "d": "h", "h": "d"}
_GAP = (0.42, 0.72)
"""Where in an index the gap between rank and suit is looked for, in parts of its height."""


_BARE = 0.9
"""Ink of a bare row, as a share of the mean row's."""


def _region(picture: np.ndarray, box: np.ndarray) -> tuple[slice, slice, bool]:
    """Rows and columns of an index box, and whether it stands upside down on the card."""
    x1, y1, x2, y2 = (round(float(v)) for v in box)
    return slice(max(y1, 0), y2), slice(max(x1, 0), x2), (y1 + y2) / 2 > CARD_H / 2


def _upright(picture: np.ndarray, box: np.ndarray) -> np.ndarray:
    rows, columns, turned = _region(picture, box)
    part = picture[rows, columns]
    return part[::-1, ::-1] if turned else part


def _gap(part: np.ndarray) -> int | None:
    """The row between rank and suit: where the least ink is. None where no row is nearly bare."""
    ink = part.max() - part.min(axis=2).astype(np.float32)
    profile = cv2.GaussianBlur(ink.mean(1).reshape(-1, 1), (1, 3), 0).ravel()
    low, high = (round(len(profile) * share) for share in _GAP)
    row = low + int(np.argmin(profile[low : max(high, low + 1)]))
    return row if profile[row] < _BARE * profile.mean() else None


def _paper(part: np.ndarray) -> np.ndarray:
    """Colour of the paper: the bright end of each channel."""
    return np.percentile(part.reshape(-1, 3), 85, axis=0)


def with_suit_of(card: CutCard, other: CutCard) -> CutCard | None:
    """The card with the other's suit in each of its indices; sizes and paper are matched.

    None where rank and suit cannot be told apart plainly.
    """
    picture = card.picture.copy()
    sources = [_upright(other.picture, box) for box in other.indices]
    for number, box in enumerate(card.indices):
        rows, columns, turned = _region(picture, box)
        target = picture[rows, columns]
        target = target[::-1, ::-1] if turned else target
        source = sources[number % len(sources)]
        if min(target.shape[:2]) < 8 or min(source.shape[:2]) < 8:
            return None
        cut, start = _gap(target), _gap(source)
        if cut is None or start is None:
            return None
        taken = source[start:]
        gain = _paper(target) / np.maximum(_paper(source), 1)
        suit = np.clip(taken * gain, 0, 255).astype(np.uint8)
        size = (target.shape[1], target.shape[0] - cut)
        target[cut:] = cv2.resize(suit, size, interpolation=cv2.INTER_AREA)
    return replace(card, card=card.card[0] + other.card[1], picture=picture)


def mixed(cuts: list[CutCard], rng: np.random.Generator, count: int = 60) -> list[CutCard]:
    """``count`` cards of one source with suits mixed within their colour."""
    found = []
    for _ in range(count * 4):
        card = cuts[int(rng.integers(len(cuts)))]
        fitting = [c for c in cuts if c.card[1] == SAME_COLOUR[card.card[1]]]
        if not fitting:
            continue
        made = with_suit_of(card, fitting[int(rng.integers(len(fitting)))])
        if made is not None:
            found.append(made)
        if len(found) >= count:
            break
    return found
