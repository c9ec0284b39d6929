"""What moves and what changed, per zone, on a small picture; and where bare felt shows (V7).

The picture is reduced to a quarter, so one look costs about a millisecond. Three questions are
answered for every zone: does something move over it now, does it differ from when it was last
read, and does a place in it look as it did when the zone was empty.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.sightings import Box
from kiosk.vision.images import Image
from kiosk.vision.zones import OUTSIDE, Plane

Mask = Image
"""Rows × columns, 255 inside."""

Light = NDArray[np.float64]
"""A level above 0 for each colour."""


@dataclass(frozen=True, slots=True)
class MotionSettings:
    """``step``: colour levels (0 … 255) by which a small pixel must differ. ``moving``,
    ``changed``: how many must. ``still``: seconds without motion before a zone is read.
    ``bare``: largest mean difference from the empty felt, colour levels. ``light``: by how much
    the light may have changed since the felt was seen empty, as a factor either way.
    """

    reduce: int = 4
    step: float = 14.0
    moving: int = 8
    changed: int = 6
    still: float = 0.25
    bare: float = 12.0
    light: float = 4.0


class ZoneWatch:
    """Motion and change of all zones of one plane. Feed it every frame in order."""

    def __init__(self, plane: Plane, settings: MotionSettings | None = None) -> None:
        self.settings = settings or MotionSettings()
        self.plane = plane
        self._size = (
            max(1, plane.width // self.settings.reduce),
            max(1, plane.height // self.settings.reduce),
        )
        self._places = {name: _place(mask) for name, mask in _masks(plane, self._size).items()}
        self._last: Image | None = None
        self._now: Image | None = None
        self._t = 0.0
        self._moved: dict[str, float] = {}
        self._read: dict[str, tuple[float, Image]] = {}
        self._felt: dict[str, tuple[Image, Light]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """All places watched: the zones, then OUTSIDE."""
        return tuple(self._places)

    @property
    def small(self) -> Image | None:
        """The newest frame, reduced."""
        return self._now

    def feed(self, image: Image, t: float) -> None:
        """Take the next frame, seen at ``t`` (monotonic seconds)."""
        self._t = t
        self._last, self._now = self._now, reduced(image, self._size)
        if self._last is None:
            self._moved = dict.fromkeys(self._places, t)
            return
        difference = _difference(self._now, self._last)
        for name, (area, mask) in self._places.items():
            if self._count(difference[area], mask) >= self.settings.moving:
                self._moved[name] = t

    def moving(self, name: str, t: float) -> bool:
        """Whether something moved there within the last moments."""
        return t - self._moved.get(name, t) < self.settings.still

    def changed(self, name: str) -> bool:
        """Whether something moved there since it was last read, or it looks other than then."""
        read = self._read.get(name)
        if read is None or self._now is None or self._moved.get(name, self._t) > read[0]:
            return True
        area, mask = self._places[name]
        difference = _difference(self._now[area], read[1][area])
        return self._count(difference, mask) >= self.settings.changed

    def mark_read(self, name: str) -> None:
        """The zone was read as it looks now."""
        if self._now is not None:
            self._read[name] = (self._t, self._now)

    def mark_empty(self, name: str) -> None:
        """The zone was read and nothing lies in it: remember its felt."""
        if self._now is not None:
            self._felt[name] = (self._now, self._light(self._now))

    def bare(self, name: str, boxes: tuple[Box, ...]) -> bool:
        """Whether the places of all boxes look as when the zone was empty; False if unknown.

        Brighter or darker as the whole table has become since then, or just as it was.
        """
        if name not in self._felt or self._now is None or not boxes:
            return False
        felt, then = self._felt[name]
        gain = self._light(self._now) / then
        lit = bool(np.all((gain < self.settings.light) & (gain > 1 / self.settings.light)))
        gains = [np.ones(3), gain] if lit else [np.ones(3)]
        places = [place for box in boxes if (place := self._patch(box)) is not None]
        if len(places) < len(boxes):
            return False
        return any(all(self._alike(felt[p], self._now[p], g) for p in places) for g in gains)

    def _light(self, small: Image) -> Light:
        """The level of the felt beside all zones, which cards and arms hardly change."""
        area, mask = self._places[OUTSIDE]
        cloth = small[area][::3, ::3][mask[::3, ::3] > 0]
        return 1.0 + np.median(cloth, axis=0) if len(cloth) else np.ones(3)

    def _patch(self, box: Box) -> tuple[slice, slice] | None:
        """The pixels of the small picture that a box of the large one covers; None: it has none."""
        shrink = self.settings.reduce
        x1, y1 = max(0, int(box[0] / shrink)), max(0, int(box[1] / shrink))
        x2, y2 = int(box[2] / shrink) + 1, int(box[3] / shrink) + 1
        width, height = self._size
        return (
            (slice(y1, y2), slice(x1, x2)) if x1 < min(x2, width) and y1 < min(y2, height) else None
        )

    def _alike(self, felt: Image, now: Image, gain: Light) -> bool:
        """Held against each other in the brighter light, where cloth and card differ most;
        smoothed, because what makes the darker one as bright raises its noise too."""
        up, down = np.maximum(gain, 1.0), np.maximum(1 / gain, 1.0)
        difference = cv2.blur(felt * up - now * down, (3, 3))
        return float(np.mean(np.abs(difference))) < self.settings.bare

    def _count(self, difference: Image, mask: Mask) -> int:
        """Pixels of the zone that differ by more than the zone as a whole does.

        A change of light moves all pixels alike, so the zone's median is taken off.
        """
        bins = cv2.calcHist([difference], [0], mask, [256], [0, 256]).ravel()
        below = np.cumsum(bins)
        if below[-1] == 0:
            return 0
        middle = int(np.searchsorted(below, below[-1] / 2))
        low, high = middle - int(self.settings.step), middle + int(self.settings.step)
        return int(bins[: max(0, low)].sum() + bins[high + 1 :].sum())


def reduced(image: Image, size: tuple[int, int]) -> Image:
    """The picture made small, each small pixel the mean of those it stands for.

    By halves where that fits: the same to a level, at a third of the cost.
    """
    while (image.shape[1] // 2, image.shape[0] // 2) >= size and not (
        image.shape[0] % 2 or image.shape[1] % 2
    ):
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = cv2.resize(image, half, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    if image.shape[1::-1] == size:
        return image
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _place(mask: Mask) -> tuple[tuple[slice, slice], Mask]:
    """The part of the small picture that holds the zone, and the zone's mask in it."""
    x, y, width, height = cv2.boundingRect(mask)
    area = (slice(y, y + height), slice(x, x + width))
    return area, np.ascontiguousarray(mask[area])


def _difference(one: Image, other: Image) -> Image:
    """How much each pixel differs in the channel that differs most."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return cv2.max(cv2.max(blue, green), red).astype(np.uint8, copy=False)


def _masks(plane: Plane, size: tuple[int, int]) -> dict[str, Mask]:
    width, height = size
    sx, sy = width / plane.width, height / plane.height
    masks: dict[str, Mask] = {}
    rest = np.full((height, width), 255, np.uint8)
    for name in plane.zone_ids:
        corners = np.array([(x * sx, y * sy) for x, y in plane.outline(name)])
        canvas = np.zeros((height, width), np.uint8)
        cv2.fillPoly(canvas, [np.round(corners).astype(np.int32)], (255,))
        masks[name] = canvas
        rest[canvas > 0] = 0
    masks[OUTSIDE] = rest
    return masks
