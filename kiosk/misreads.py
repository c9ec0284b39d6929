"""Misread cards that people reported: the picture and the right value (V16).

Kept for the next training and as a regression set; ``models.training.evaluate`` reads the folder.
Only the card that a person vouched for is labelled, with its indices, or the place where something
that is no card was named (kind ``none``); ``meta.json`` says that the picture shows others
(``partial``).
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kiosk.cards import Card
from kiosk.errors import ActionError, UserError
from kiosk.sightings import Box, ReadCard, TableView
from kiosk.vision.rectangles import centre_of, holds

MOST = 1000
"""Pictures kept; more are refused, so that a stuck key cannot fill the disk."""

HELD = 8
"""Pictures held for people who look at a card; the oldest gives way."""

HELD_S = 600.0
"""How long such a picture is held."""

NONE = "none"
"""Kind of a mark where no card lies."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A picture, a card in it that was misread, and boxes of its indices (or of the card). ``card``
    None: no card lies there."""

    picture: Path
    card: Card | None
    boxes: tuple[Box, ...]


Seen = tuple[TableView, bytes]
"""What is read in a picture, and the picture (JPEG)."""


@dataclass(frozen=True, slots=True)
class _Held:
    """``since``: on the steady clock."""

    boxes: tuple[Box, ...]
    jpeg: bytes
    since: float


def told_of(kept: Kept, cards: Sequence[ReadCard]) -> str:
    """What a reading makes of what was misread: ``read``, ``doubtful``, or the other name that it
    is given for certain; ``unnamed`` where no card lies and none is named."""
    there = [
        read.card
        for read in cards
        if any(holds(box, centre_of(one)) for one in read.boxes for box in kept.boxes)
    ]
    other = next((str(card) for card in there if card != kept.card), None)
    if kept.card is None:
        return other or "unnamed"
    return other or ("read" if there else "doubtful")


class Misreads:
    """``folder`` with ``labels.json``, ``meta.json`` and the pictures they name. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._held: dict[tuple[str | None, str | None], _Held] = {}

    def count(self) -> int:
        """How many are kept. Unreadable lists count as none."""
        try:
            return len(self._labels())
        except ActionError:
            return 0

    def kept(self) -> list[Kept]:
        """What was kept, by name of the picture. UserError for a list that cannot be read."""
        try:
            return [
                Kept(self.folder / name, Card.parse(card) if card else None, _boxes(marks, card))
                for name, marks in sorted(self._labels().items())
                for card in dict.fromkeys(mark["card"] for mark in marks)
            ]
        except ActionError as problem:
            raise UserError(str(problem)) from None
        except (KeyError, TypeError, ValueError) as problem:
            path = self.folder / "labels.json"
            raise UserError(f"{path}: expected cards with their boxes ({problem})") from None

    def hold(self, seen: Seen | None, was: str | None, doubt: str | None) -> bool:
        """Holds the picture of a card that somebody begins to look at, so that it can be kept when
        the card has gone meanwhile; in place of an earlier one. False: it is not in the picture."""
        boxes = None if seen is None else _place_of(seen[0], was, doubt)
        with self._lock:
            self._held.pop((was, doubt), None)
            if seen is None or boxes is None:
                return False
            self._held[was, doubt] = _Held(boxes, seen[1], time.monotonic())
            for key in list(self._held)[:-HELD]:
                del self._held[key]
        return True

    def report(
        self, seen: Seen | None, was: str | None, doubt: str | None, right: Card | None
    ) -> str:
        """Keeps the picture with the misread card as it really is; None: no card lies there.

        ``was``: the card it was read as; ``doubt``: or the key of the doubtful place. The picture
        of now, else the one held. Returns its name. ActionError when there is neither or nothing
        can be written.
        """
        boxes = None if seen is None else _place_of(seen[0], was, doubt)
        if seen is not None and boxes is not None:
            return self._keep(_labels_of(right, boxes), seen[1])
        with self._lock:
            held = self._held.get((was, doubt))
        if held is None or time.monotonic() - held.since > HELD_S:
            raise ActionError("not-found", "that card is no longer in the picture", 409)
        return self._keep(_labels_of(right, held.boxes), held.jpeg)

    def _keep(self, labels: list[dict[str, Any]], jpeg: bytes) -> str:
        with self._lock:
            known = self._labels()
            if len(known) >= MOST:
                raise ActionError(
                    "full", f"{MOST} misread pictures are kept already: {self.folder}", 409
                )
            stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
            name = next(
                name
                for name in (f"{stamp}-{number}.jpg" for number in range(MOST + 1))
                if name not in known
            )
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                (self.folder / name).write_bytes(jpeg)
                self._write("meta.json", {key: {"partial": True} for key in (*known, name)})
                self._write("labels.json", known | {name: labels})
            except OSError as error:
                raise ActionError(
                    "storage", f"{self.folder}: cannot be written: {error.strerror}", 503
                ) from None
            return name

    def _write(self, name: str, data: object) -> None:
        fresh = self.folder / f"{name}.new"
        fresh.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
        os.replace(fresh, self.folder / name)

    def _labels(self) -> dict[str, Any]:
        path = self.folder / "labels.json"
        try:
            found = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ActionError("storage", f"{path}: cannot be read ({error})", 503) from None
        return found if isinstance(found, dict) else {}


def _place_of(view: TableView, was: str | None, doubt: str | None) -> tuple[Box, ...] | None:
    """Where that card or doubtful place lies; None: not in this picture."""
    named = (read.boxes for zone in view.zones for read in zone.cards if str(read.card) == was)
    doubts = (*(place for zone in view.zones for place in zone.doubts), *view.stray)
    doubtful = ((place.box,) for place in doubts if place.key == doubt)
    return next((boxes for boxes in (*named, *doubtful) if boxes), None)


def _labels_of(card: Card | None, boxes: tuple[Box, ...]) -> list[dict[str, Any]]:
    """A card's labels: the box round its indices, grown by half an index, and the indices. Where no
    card lies, what was taken for its indices."""
    if card is None:
        rounded = [[round(v, 1) for v in box] for box in boxes]
        return [{"card": None, "kind": NONE, "box": box} for box in rounded]
    x1, y1 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x2, y2 = max(b[2] for b in boxes), max(b[3] for b in boxes)
    half = max(boxes[0][2] - boxes[0][0], boxes[0][3] - boxes[0][1]) / 2
    grown = [round(v, 1) for v in (x1 - half, y1 - half, x2 + half, y2 + half)]
    found = [("card", grown), *(("index", [round(v, 1) for v in box]) for box in boxes)]
    return [{"card": str(card), "kind": kind, "box": box} for kind, box in found]


def _boxes(marks: Sequence[Mapping[str, Any]], card: str | None) -> tuple[Box, ...]:
    """Boxes of the card's indices; where none is labelled, that of the card or of what is none."""
    own = [mark for mark in marks if mark["card"] == card]
    indices = [mark for mark in own if mark["kind"] == "index"]
    return tuple((a, b, c, d) for a, b, c, d in (mark["box"] for mark in indices or own))
