"""``kiosk read``: photographs, folders and videos → what the kiosk would settle on. No printing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration import polygon
from calibration.homography import IDENTITY
from calibration.view import make_view
from kiosk.errors import UserError
from kiosk.sightings import Candidate
from kiosk.vision.images import Image, load_photo
from kiosk.vision.merge import Merged, merge
from kiosk.vision.motion import ZoneWatch
from kiosk.vision.reader import Reader
from kiosk.vision.sources.grammar import is_photo, photos_in
from kiosk.vision.sources.streams import VideoStream
from kiosk.vision.zones import Plane, Zone

LONGEST_PAUSE = 2.0
"""Seconds of a video after which a moment is judged though nothing stands still."""

WHOLE = "picture"
"""The one zone of a whole picture."""

NOTHING = Merged()
"""A picture without cards."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one picture shows, or why it could not be read. ``t``: seconds in a video."""

    image: str
    width: int = 0
    height: int = 0
    ms: float = 0.0
    merged: Merged = NOTHING
    t: float | None = None
    error: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The object of ``kiosk read --json``."""
        if self.error is not None:
            return {"image": self.image, "error": self.error}
        found: dict[str, Any] = {"image": self.image}
        if self.t is not None:
            found["t"] = round(self.t, 3)
        return found | {
            "width": self.width,
            "height": self.height,
            "ms": round(self.ms, 1),
            "cards": [
                {
                    "card": str(card.card),
                    "confidence": round(card.confidence, 4),
                    "boxes": [[round(v, 1) for v in box] for box in card.boxes],
                }
                for card in self.merged.cards
            ],
            "doubtful": [
                {
                    "candidates": [_candidate(pair) for pair in doubt.candidates],
                    "box": [round(v, 1) for v in doubt.box],
                    "why": doubt.why.replace("-", " "),
                }
                for doubt in self.merged.doubts
            ],
        }


def _candidate(pair: Candidate) -> list[object]:
    return [str(pair[0]), round(pair[1], 3)]


def read_image(reader: Reader, image: Image, name: str, t: float | None = None) -> Answer:
    """Read one upright picture as a single photograph."""
    began = time.perf_counter()
    reading = reader.read(image)
    merged = merge(reading.sightings, reading.bodies, reader.thresholds)
    ms = (time.perf_counter() - began) * 1000
    return Answer(name, image.shape[1], image.shape[0], ms, merged, t)


def read_files(reader: Reader, files: list[str]) -> Iterator[Answer]:
    """All pictures in the order given; what cannot be read gives an answer with its error."""
    for name in files:
        try:
            yield from _read_path(reader, Path(name))
        except UserError as error:
            yield Answer(name, error=str(error))


def _read_path(reader: Reader, path: Path) -> Iterator[Answer]:
    if path.is_dir():
        photos = photos_in(path)
        if not photos:
            raise UserError(f"{path}: the folder holds no photographs")
        for photo in photos:
            yield _read_photo(reader, photo)
    elif not path.exists():
        raise UserError(f"{path}: no such file or folder")
    elif is_photo(path):
        yield _read_photo(reader, path)
    else:
        yield from _read_video(reader, path)


def _read_photo(reader: Reader, path: Path) -> Answer:
    try:
        return read_image(reader, load_photo(path), str(path))
    except UserError as error:
        return Answer(str(path), error=str(error))


def _read_video(reader: Reader, path: Path) -> Iterator[Answer]:
    for image, t in still_moments(path):
        yield read_image(reader, image, str(path), t)


def still_moments(path: Path) -> Iterator[tuple[Image, float]]:
    """Moments of a video worth judging, with their time in seconds: where the picture came to rest
    after a change, or after a while."""
    stream = VideoStream(path, loop=False, speed=0)
    try:
        plane = whole_picture(stream.delivered.width, stream.delivered.height)
        watch = ZoneWatch(plane)
        last: float | None = None
        while (got := stream.read()) is not None:
            image, t = got
            watch.feed(image, t)
            rest = not watch.moving(WHOLE, t) and watch.changed(WHOLE)
            if last is None or rest or t - last >= LONGEST_PAUSE:
                last = t
                watch.mark_read(WHOLE)
                yield image, t
    finally:
        stream.close()


def whole_picture(width: int, height: int) -> Plane:
    """A picture of that size in pixels as a plane of one zone."""
    corners = polygon.rectangle(0, 0, width, height)
    view = make_view(IDENTITY)
    return Plane(width, height, width, height, view, (Zone(WHOLE, corners),), 0.0, 0.0)
