"""Indices of one drawn deck on a sheet of felt: for figures of the namer alone.

Each index is named from its true box, so that nothing hangs on what the finder finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from kiosk.cards import Card
from kiosk.sightings import Box
from kiosk.vision.namer import BOTH_WAYS, Namer
from models.training.faces import FACE_H, FACE_W, DeckStyle
from models.training.photos import quarter_turn
from models.training.recording.deck import draw_face, first_index

_FELT = (60, 95, 30)
_CORNER = (round(0.5 * FACE_H), round(0.5 * FACE_W))
"""Rows and columns of a face that its first index lies in."""
_ROOM = 24
_ACROSS = 13


@dataclass(frozen=True)
class Sheet:
    """A picture (BGR uint8) of one index of each card, and their boxes in pixels."""

    picture: np.ndarray
    cards: tuple[Card, ...]
    boxes: np.ndarray

    def turned(self, turns: int) -> Sheet:
        """The sheet after so many quarter turns to the left."""
        picture, boxes = quarter_turn(self.picture, self.boxes, turns)
        return Sheet(picture, self.cards, boxes)


@dataclass
class Named:
    """What the namer made of sheets: indices shown, named for certain and rightly, by card; and
    (card, name it got for certain) → how often."""

    shown: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    taken_for: Counter[tuple[str, str]] = field(default_factory=Counter)


def drawn_sheet(style: DeckStyle, cards: Sequence[Card], tall: float) -> Sheet:
    """The first index of each card on felt, as drawn. ``tall``: height of an index in pixels."""
    rows, columns = _CORNER
    high, wide = rows + _ROOM, columns + _ROOM
    lines = -(-len(cards) // _ACROSS)
    sheet = np.empty((high * lines + _ROOM, wide * _ACROSS + _ROOM, 3), np.uint8)
    sheet[:] = _FELT
    boxes = []
    for number, card in enumerate(cards):
        y, x = _ROOM + high * (number // _ACROSS), _ROOM + wide * (number % _ACROSS)
        sheet[y : y + rows, x : x + columns] = draw_face(style, card)[:rows, :columns]
        boxes.append(np.array(first_index(style, card)) + (x, y, x, y))
    found = np.array(boxes, np.float32)
    scale = tall / float(np.median(found[:, 3] - found[:, 1]))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(sheet, None, fx=scale, fy=scale, interpolation=way)
    return Sheet(picture, tuple(cards), found * scale)


def worn(rng: np.random.Generator, sheet: Sheet, much: float) -> Sheet:
    """The sheet as a camera may see it: light, cast, blur, noise and JPEG; ``much``: 0 (not at all)
    to 1 (as in a dim room with a cheap camera)."""
    if not much:
        return sheet
    cast = 1 + rng.normal(0, 0.04, 3) * much
    out = sheet.picture.astype(np.float32) * cast * 2 ** (-rng.uniform(0, 0.9) * much)
    out = cv2.GaussianBlur(out, (0, 0), 0.3 + rng.uniform(0, 0.7) * much)
    out = np.clip(out + rng.normal(0, 6 * much, out.shape), 0, 255).astype(np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, round(95 - 40 * much)]
    picture = cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR)
    return Sheet(picture, sheet.cards, sheet.boxes)


def name_sheet(namer: Namer, sheet: Sheet, least: float, found: Named) -> None:
    """Adds to ``found`` what the namer makes of a sheet at one look both ways up. ``least``: chance
    from which on a name is certain."""
    boxes: list[Box] = [(x1, y1, x2, y2) for x1, y1, x2, y2 in sheet.boxes.tolist()]
    for card, named in zip(sheet.cards, namer.name(sheet.picture, boxes, BOTH_WAYS), strict=True):
        name, chance = named.candidates[0]
        found.shown[str(card)] += 1
        if chance * named.index < least:
            continue
        if name == card:
            found.right[str(card)] += 1
        else:
            found.taken_for[str(card), str(name)] += 1
