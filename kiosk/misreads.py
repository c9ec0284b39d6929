"""Misread cards that people reported: the picture and the right value (V16).

Kept for the next training and as a regression set; ``models.training.evaluate`` reads the folder.
"""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.sightings import Box, TableView

MOST = 1000
"""Pictures kept; more are refused, so that a stuck key cannot fill the disk."""


class Misreads:
    """``folder`` with ``labels.json`` and the pictures it names. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()

    def count(self) -> int:
        """How many are kept. Unreadable lists count as none."""
        try:
            return len(self._labels())
        except ActionError:
            return 0

    def report(
        self, view: TableView, jpeg: bytes, was: str | None, doubt: str | None, right: Card
    ) -> str:
        """Keeps the picture with all cards as read, and the misread one as it really is.

        ``was``: the card it was read as; ``doubt``: or the key of the doubtful place. Returns the
        picture's name. ActionError when no such card lies there now or nothing can be written.
        """
        labels: list[dict[str, Any]] = []
        found = False
        for zone in view.zones:
            for read in zone.cards:
                wrong = str(read.card) == was
                found = found or wrong
                labels.append(_label(right if wrong else read.card, read.boxes))
            for place in zone.doubts:
                if place.key == doubt:
                    found = True
                    labels.append(_label(right, (place.box,)))
        for place in view.stray:
            if place.key == doubt:
                found = True
                labels.append(_label(right, (place.box,)))
        if not found:
            raise ActionError("not-found", "that card is no longer in the picture", 409)
        return self._keep(labels, jpeg)

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
                fresh = self.folder / "labels.json.new"
                fresh.write_text(json.dumps(known | {name: labels}, indent=1) + "\n", "utf-8")
                os.replace(fresh, self.folder / "labels.json")
            except OSError as error:
                raise ActionError(
                    "storage", f"{self.folder}: cannot be written: {error.strerror}", 503
                ) from None
            return name

    def _labels(self) -> dict[str, Any]:
        path = self.folder / "labels.json"
        try:
            found = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise ActionError("storage", f"{path}: cannot be read ({error})", 503) from None
        return found if isinstance(found, dict) else {}


def _label(card: Card, boxes: tuple[Box, ...]) -> dict[str, Any]:
    """A card's label: the box round its indices, grown by half an index."""
    x1, y1 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x2, y2 = max(b[2] for b in boxes), max(b[3] for b in boxes)
    half = max(boxes[0][2] - boxes[0][0], boxes[0][3] - boxes[0][1]) / 2
    grown = [round(v, 1) for v in (x1 - half, y1 - half, x2 + half, y2 + half)]
    return {"card": str(card), "kind": "card", "box": grown}
