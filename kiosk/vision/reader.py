"""Picture → FrameReading: the finder at fitting scales, then the namer on every cut-out."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kiosk.errors import UserError, user_path
from kiosk.sightings import Body, Box, FrameReading, Sighting
from kiosk.vision.boxes import with_known
from kiosk.vision.closer import FINE_PX, GOOD_PX, second_looks
from kiosk.vision.finder import NO_ROWS, Finder, Found, joined, open_finder
from kiosk.vision.head import Head
from kiosk.vision.images import Image
from kiosk.vision.merge import Thresholds
from kiosk.vision.namer import BOTH_WAYS, UPRIGHT, Named, Namer, Temperatures
from kiosk.vision.pieces import clearest, grown
from kiosk.vision.runtime import Floats

_SAME = 0.6
"""IoU from which on two looks found the same box of an index."""

_PIECE = 0.7
"""Share of a smaller index box inside a larger one from which on it is a piece of it."""


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Longest sides in pixels: ``first`` of the first look at a photograph, ``limit`` of one look
    at a known table, ``tile`` of a tile where a large picture showed nothing. ``tiles``: most
    tiles. ``small``: scale of the last try at a close-up in which nothing was found.
    """

    first: int = 640
    limit: int = 1600
    tile: int = 1024
    tiles: int = 6
    small: float = 0.4


class Names(Protocol):
    """Names the cut-outs round boxes of a picture, in order, looked at in some quarter turns."""

    def name(
        self, image: Image, boxes: list[Box], turns: Sequence[int] = UPRIGHT
    ) -> list[Named]: ...


class Reader:
    """Reads pictures. Not for use by two threads at once."""

    def __init__(
        self,
        finder: Finder,
        namer: Names,
        thresholds: Thresholds | None = None,
        settings: ReaderSettings | None = None,
    ) -> None:
        self.finder = finder
        self.namer = namer
        self.thresholds = thresholds or Thresholds()
        self.settings = settings or ReaderSettings()

    def use_head(self, head: Head | None) -> None:
        """Name with a layer fitted to a deck; None: with the one in the weights."""
        if isinstance(self.namer, Namer):
            self.namer.head = head

    def read(self, image: Image, t: float = 0.0, closer: bool = True) -> FrameReading:
        """Everything in a picture (rows × columns × 3, BGR), seen at ``t``.

        ``closer``: find out the scale that fits, and look at each cut-out both ways up; False
        looks once at the picture as it is.
        """
        if not closer:
            return self.read_part(image, None, t)
        height, width = image.shape[:2]
        scale = min(1.0, self.settings.first / max(width, height))
        found = self.finder.find(image, scale)
        if len(found.indices) == 0 and len(found.bodies) == 0:
            return self._named(image, self._search(image, scale), t, BOTH_WAYS)
        return self._named(image, self._closer(image, scale, found), t, BOTH_WAYS)

    def read_part(
        self,
        image: Image,
        region: tuple[int, int, int, int] | None,
        t: float,
        scale: float = 1.0,
        turn: int = 0,
        known: Sequence[tuple[Box, float]] = (),
        tall: float = 0.0,
    ) -> FrameReading:
        """What lies in ``region`` (x1, y1, x2, y2; None: everywhere), looked at once.

        ``scale``: known from the table's set-up. ``turn``: quarter turns to look at the cut-outs
        in; another one in each look, so that looks do not all err alike. ``known``: places where
        earlier looks at the same cards found an index, with the finder's score; those not found
        now are named all the same. ``tall``: height of an index in pixels, where it is known. Boxes
        are those of the whole picture.
        """
        x1, y1, x2, y2 = region or (0, 0, *image.shape[1::-1])
        part = image[y1:y2, x1:x2]
        scale = min(scale, self.settings.limit / max(part.shape[:2]))
        found = self.finder.find(part, scale).moved(x1, y1)
        indices = with_known(found.indices, _rows(known), _SAME, _PIECE)
        return self._named(image, replace(found, indices=indices), t, (turn % 4,), tall)

    def _closer(self, image: Image, scale: float, found: Found) -> Found:
        """The find at the scale that fits, where the first look had another, with the indices of a
        finer look besides; bodies are counted at the scale that fits."""
        fitting = self._again(image, scale, found, GOOD_PX)
        return joined([fitting, replace(self._again(image, scale, found, FINE_PX), bodies=NO_ROWS)])

    def _again(self, image: Image, scale: float, found: Found, good: float) -> Found:
        """The find where an index is ``good`` pixels high; ``found``, at ``scale``, if it is so."""
        height, width = image.shape[:2]
        indices, bodies = _boxes(found.indices), _boxes(found.bodies)
        looks = second_looks((width, height), scale, indices, bodies, good)
        finds = []
        for look in looks:
            x1, y1, x2, y2 = look.region
            finds.append(self.finder.find(image[y1:y2, x1:x2], look.scale).moved(x1, y1))
        return joined(finds) if finds else found

    def _search(self, image: Image, scale: float) -> Found:
        """Nothing at first sight: a close-up is made small, a large picture is cut in tiles."""
        height, width = image.shape[:2]
        far = self.finder.find(image, scale * self.settings.small)
        if scale >= 1.0 or len(far.indices) or len(far.bodies):
            return far
        finds = [far]
        for x1, y1, x2, y2 in tiles(width, height, self.settings.tile, self.settings.tiles):
            fit = min(1.0, self.settings.tile / max(x2 - x1, y2 - y1))
            finds.append(self.finder.find(image[y1:y2, x1:x2], fit).moved(x1, y1))
        return joined(finds)

    def _named(
        self, image: Image, found: Found, t: float, turns: Sequence[int], tall: float = 0.0
    ) -> FrameReading:
        tries = [(box, *grown(box, tall)) for box in _boxes(found.indices)]
        boxes = [box for each in tries for box in each]
        named = iter(zip(boxes, self.namer.name(image, boxes, turns), strict=True))
        sightings = tuple(
            clearest(
                [
                    Sighting(box, float(score), name.index, name.candidates, name.up)
                    for box, name in itertools.islice(named, len(each))
                ]
            )
            for each, score in zip(tries, found.indices[:, 4], strict=True)
        )
        bodies = tuple(
            Body(box, float(score))
            for box, score in zip(_boxes(found.bodies), found.bodies[:, 4], strict=True)
        )
        height, width = image.shape[:2]
        return FrameReading(t, width, height, sightings, bodies)


def tiles(width: int, height: int, side: int, most: int) -> list[tuple[int, int, int, int]]:
    """Overlapping tiles that cover the picture, at most ``most`` of them."""
    across, down = -(-width // side), -(-height // side)
    while across * down > most:
        if across >= down:
            across -= 1
        else:
            down -= 1
    step_x, step_y = width / across, height / down
    margin = side * 0.08
    return [
        (
            max(0, int(i * step_x - margin)),
            max(0, int(j * step_y - margin)),
            min(width, int((i + 1) * step_x + margin)),
            min(height, int((j + 1) * step_y + margin)),
        )
        for j in range(down)
        for i in range(across)
    ]


def _rows(places: Sequence[tuple[Box, float]]) -> Floats:
    return np.array([(*box, found) for box, found in places], np.float32).reshape(-1, 5)


def _boxes(rows: Floats) -> list[Box]:
    return [(float(r[0]), float(r[1]), float(r[2]), float(r[3])) for r in rows]


def open_reader(
    model: str | Path | None = None, threads: int = 2, folder: Path | None = None
) -> Reader:
    """A reader with the weights that ship, or with a finder of one's own in ``model``.

    ``folder``: where ``finder.onnx``, ``namer.onnx`` and ``models.json`` of another training lie.
    Raises UserError for a missing or wrong model file.
    """
    import models

    try:
        namer_path = models.namer_path(folder)
        finder_path = user_path(model) if model is not None else models.finder_path(folder)
        settings: Mapping[str, Any] = models.settings(folder)
        thresholds = Thresholds.from_settings(settings.get("thresholds", {}))
        temperatures = Temperatures.from_settings(settings.get("temperatures", {}))
    except FileNotFoundError as error:
        raise UserError(str(error)) from None
    except ValueError as error:
        raise UserError(f"models.json: {error}") from None
    finder = open_finder(finder_path, thresholds.find, threads)
    namer = Namer(namer_path, temperatures, threads)
    return Reader(finder, namer, thresholds)
