"""The camera that is being set up: the running one, or another opened beside it for a while."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kiosk.errors import ActionError, UserError
from kiosk.vision.images import Image
from kiosk.vision.sources.capture import CameraState, Capture
from kiosk.vision.sources.grammar import Kind, Source, parse_source
from kiosk.vision.sources.identity import lasting_name
from kiosk.vision.sources.streams import Asked

BY_ID = Path("/dev/v4l/by-id")
DEVICES = Path("/dev")

IDLE = 60.0
"""Seconds without a question after which another camera is let go."""

ASKED = Asked(width=1920, height=1080)


@dataclass(frozen=True, slots=True)
class Offer:
    """A camera that can be chosen. ``source``: as ``--source`` takes it; ``name`` for people;
    ``running``: the kiosk reads the table with it now."""

    source: str
    name: str
    running: bool


def cameras(running: str, shown: str, by_id: Path = BY_ID, devices: Path = DEVICES) -> list[Offer]:
    """The running source, then every camera plugged in by its lasting name, then those that have
    none by number."""
    offers = [Offer(running, shown, True)]
    known: set[Path] = set()
    links = sorted(by_id.iterdir()) if by_id.is_dir() else []
    for link in links:
        if link.name.endswith("-video-index0"):
            known.add(link.resolve())
            offers.append(Offer(f"camera:{link}", _name(link.name), False))
    numbers = (re.fullmatch(r"video(\d{1,3})", path.name) for path in devices.glob("video*"))
    for number in sorted(int(found[1]) for found in numbers if found):
        path = (devices / f"video{number}").resolve()
        if path not in known and lasting_name(str(path), by_id) is None:
            offers.append(Offer(f"camera:{number}", f"camera {number}", False))
    own = running.removeprefix("camera:")
    return [offer for offer in offers if offer.running or not _same(offer.source, own)]


def _same(source: str, own: str) -> bool:
    return source.removeprefix("camera:") in (own, lasting_name(own) or own)


def _name(link: str) -> str:
    """``usb-046d_HD_Pro_Webcam_C920_5A7B-video-index0`` → ``HD Pro Webcam C920 5A7B``."""
    bare = link.removeprefix("usb-").removesuffix("-video-index0")
    return re.sub(r"^[0-9a-f]{4}_", "", bare).replace("_", " ")


class SetupCamera:
    """Pictures of the camera being set up. Methods may be called from any thread."""

    def __init__(
        self,
        running: str,
        source: Source,
        frame: Callable[[], Image | None],
        state: Callable[[], CameraState],
    ) -> None:
        """``running``: how the running source is named; ``frame``, ``state``: of it."""
        self.running, self._shown = running, source.shown
        self._frame, self._state = frame, state
        self.chosen = running
        self._lock = threading.Lock()
        self._other: Capture | None = None
        self._used = time.monotonic()
        self._timer: threading.Timer | None = None

    def offers(self) -> list[Offer]:
        """What can be chosen."""
        return cameras(self.running, self._shown)

    def choose(self, text: str) -> None:
        """Look through this camera. UserError when there is no such source."""
        if text != self.running:
            source = parse_source(text)
            if source.kind not in (Kind.CAMERA, Kind.STREAM):
                raise UserError(f"source {source.shown[:80]!r}: expected camera:… or rtsp://…")
        with self._lock:
            if text == self.chosen:
                return
            self._let_go()
            self.chosen = text
            if text != self.running:
                self._other = Capture(source, ASKED)
                self._other.start()
                self._watch_idle()

    def picture(self) -> Image:
        """The newest picture. ActionError while there is none."""
        with self._lock:
            self._used = time.monotonic()
            other = self._other
        if other is None:
            image = self._frame()
        else:
            frame = other.newest()
            image = None if frame is None else frame.image
        if image is None:
            raise ActionError("no-picture", "the camera has given no picture yet", 503)
        return image

    def state(self) -> CameraState:
        """Health of the camera being set up, and what it delivers otherwise than asked."""
        with self._lock:
            other = self._other
        return self._state() if other is None else other.state

    def close(self) -> None:
        """Lets another camera go."""
        with self._lock:
            self._let_go()
            self.chosen = self.running

    def _let_go(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._other is not None:
            self._other.stop()
            self._other = None

    def _watch_idle(self) -> None:
        self._timer = threading.Timer(IDLE / 4, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _idle(self) -> None:
        with self._lock:
            if self._other is None:
                return
            if time.monotonic() - self._used > IDLE:
                self._let_go()
                self.chosen = self.running
            else:
                self._watch_idle()
