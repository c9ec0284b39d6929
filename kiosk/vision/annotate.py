"""The picture for people: zones, boxes, names, questions. Never combinations or amounts."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from kiosk.sightings import Box, TableView
from kiosk.vision.images import Image
from kiosk.vision.zones import Plane

Colour = tuple[int, int, int]

ZONE: Colour = (190, 190, 190)
CARD: Colour = (90, 220, 90)
DOUBT: Colour = (40, 170, 255)
CONFLICT: Colour = (60, 60, 255)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotated(
    image: Image,
    view: TableView | None,
    plane: Plane | None,
    *,
    names: bool = True,
    veil: str | None = None,
) -> Image:
    """A copy of the picture with what was read drawn on it.

    ``names``: False draws the boxes only. ``veil``: the picture is no longer live; it is greyed
    and this text (such as the time it was taken) stands on it (C6).
    """
    canvas = image.copy()
    if veil is not None:
        grey = cv2.cvtColor(canvas, cv2.COLOR_BGR2GRAY)
        canvas = (cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) // 2 + 50).astype(np.uint8)
    if plane is not None:
        for zone in plane.zone_ids:
            corners = np.array([plane.outline(zone)]).round().astype(np.int32)
            cv2.polylines(canvas, [corners], True, ZONE, 1, cv2.LINE_AA)
    if view is not None:
        _draw_view(canvas, view, names)
    if veil is not None:
        _label(canvas, veil, (12, 34), CONFLICT, 0.9)
    return canvas


def encode_jpeg(image: Image, quality: int = 80) -> bytes:
    """JPEG bytes of a picture."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError("the picture cannot be encoded")
    return bytes(data)


def cut_out(image: Image, box: Box, around: float = 1.5, side: int = 240) -> Image:
    """A close picture of a doubtful place with some surroundings, ``side`` pixels wide."""
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    half = max(box[2] - box[0], box[3] - box[1], 8.0) * (0.5 + around)
    scale = side / (2 * half)
    matrix = np.array([[scale, 0, side / 2 - cx * scale], [0, scale, side / 2 - cy * scale]])
    out = cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_LINEAR)
    return out.astype(np.uint8, copy=False)


def _draw_view(canvas: Image, view: TableView, names: bool) -> None:
    for zone in view.zones:
        for card in zone.cards:
            for box in card.boxes:
                _rectangle(canvas, box, CARD)
            if names and card.boxes:
                _label(canvas, str(card.card), _above(card.boxes[0]), CARD)
        for doubt in zone.doubts:
            _doubt(canvas, doubt.box, doubt.why, names)
    for doubt in view.stray:
        _doubt(canvas, doubt.box, doubt.why, names)


def _doubt(canvas: Image, box: Box, why: str, names: bool) -> None:
    colour = CONFLICT if why == "conflict" else DOUBT
    _rectangle(canvas, box, colour)
    if names:
        _label(canvas, "?", _above(box), colour)


def _rectangle(canvas: Image, box: Box, colour: Colour) -> None:
    x1, y1, x2, y2 = (round(v) for v in box)
    cv2.rectangle(canvas, (x1, y1), (x2, y2), colour, 2, cv2.LINE_AA)


def _above(box: Box) -> tuple[int, int]:
    return round(box[0]), max(14, round(box[1]) - 5)


def _label(
    canvas: Image, text: str, at: tuple[int, int], colour: Colour, size: float = 0.6
) -> None:
    plain: Sequence[tuple[Colour, int]] = (((0, 0, 0), 4), (colour, 2))
    for shade, width in plain:
        cv2.putText(canvas, text, at, _FONT, size, shade, width, cv2.LINE_AA)
