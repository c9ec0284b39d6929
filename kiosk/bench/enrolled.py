"""A simulated table's deck shown to the kiosk before the rounds, as it is in setting up."""

from __future__ import annotations

from typing import Any

from calibration import polygon
from kiosk.cards import DECK
from kiosk.vision.deck_check import DeckFigures, check_deck
from kiosk.vision.enrol import Enrolment, look_at
from kiosk.vision.head import load_head
from kiosk.vision.pipeline import Pipeline

_STEP = 7.4
"""Centimetres from card to card."""


def show_deck(table: Any, pipeline: Pipeline) -> DeckFigures:
    """Lays all cards of the table's deck open, some at a time and each in two places, and has the
    pipeline read with what was fitted to them from now on. Takes a minute.

    ``table``: a SimTable.
    """
    import models

    reader = pipeline.reader
    corners = max((zone.corners for zone in table.layout.zones), key=_width)
    x1, y1, x2, y2 = polygon.bounds(corners)
    room = int((x2 - x1) // _STEP)
    first, y = (x1 + x2) / 2 - (room - 1) / 2 * _STEP, (y1 + y2) / 2
    shown = Enrolment()
    for turn, shift in enumerate((-0.3, 0.3)):
        cards = [*DECK[turn * 7 :], *DECK[: turn * 7]]
        for begin in range(0, len(cards), room):
            some = cards[begin : begin + room]
            spots = [(first + place * _STEP + shift, y + shift) for place in range(len(some))]
            number = turn * len(DECK) + begin
            picture, boxes = table.laid(list(zip(some, spots, strict=True)), number)
            reading = reader.read(picture, closer=False)
            labels = list(zip(some, boxes, strict=True))
            shown = look_at(shown, picture, reading, reader.thresholds, labels)
    base = load_head(models.namer_head_path())
    namer: Any = reader.namer
    limit = reader.thresholds.name
    figures, namer.head = check_deck(namer, base, shown.samples, limit, found=shown.found)
    return figures


def _width(corners: polygon.Polygon) -> float:
    x1, _, x2, _ = polygon.bounds(corners)
    return x2 - x1
