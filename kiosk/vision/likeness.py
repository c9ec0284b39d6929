"""Whether a place still shows the picture that it showed before: light may change, a card not."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from kiosk.sightings import Box
from kiosk.vision.images import Image
from kiosk.vision.tracks import DoubtTrack, Look, TableState
from kiosk.vision.zones import nearest

ALIKE = 0.95
"""Correlation from which on two pictures of an index are taken for the same one."""

_SHIFT = 0.35
"""How far the picture may have moved, in widths of its box."""


def picture_of(image: Image, box: Box) -> Image:
    """What lies in the box (pixels of ``image``), grey. Empty where the box holds nothing."""
    return _grey(image, box, 0.0)


def still_shows(image: Image, box: Box, before: Image) -> bool:
    """Whether round the box is what ``before`` shows, moved by little at most."""
    room = _SHIFT * min(box[2] - box[0], box[3] - box[1])
    now = _grey(image, box, room)
    fits = now.shape[0] >= before.shape[0] and now.shape[1] >= before.shape[1]
    if before.size == 0 or not fits:
        return False
    found = cv2.matchTemplate(now, before, cv2.TM_CCOEFF_NORMED)
    return bool(np.nanmax(found) >= ALIKE)


def _grey(image: Image, box: Box, room: float) -> Image:
    x1, y1 = max(0, round(box[0] - room)), max(0, round(box[1] - room))
    part = image[y1 : max(0, round(box[3] + room)), x1 : max(0, round(box[2] + room))]
    if part.size == 0:
        return np.zeros((0, 0), np.uint8)
    return cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)


class Pictures:
    """What doubtful places looked like when they were last seen."""

    def __init__(self) -> None:
        self._kept: dict[str, Image] = {}

    def exchanged(
        self, look: Look, doubts: Sequence[DoubtTrack], image: Image, same_place: float
    ) -> frozenset[str]:
        """Keys of doubts over which something moved and where another picture is seen now."""
        return frozenset(
            old.key
            for old in doubts
            if old.moved
            and old.key in self._kept
            and any(nearest((seen.at,), (old.at,)) <= same_place for seen in look.doubts)
            and not still_shows(image, old.box, self._kept[old.key])
        )

    def keep(self, state: TableState, zone: str, image: Image) -> None:
        """Remembers the doubtful places of a zone that was looked at, and forgets those gone."""
        for track in state.zone(zone).doubts:
            if track.scores[-1] > 0:
                self._kept[track.key] = picture_of(image, track.box)
        there = {track.key for place in state.zones for track in place.doubts}
        self._kept = {key: kept for key, kept in self._kept.items() if key in there}
