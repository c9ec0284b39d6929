"""The camera side of a running kiosk: one thread from the newest frame to the table's view."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from kiosk.sightings import TableView
from kiosk.vision.pipeline import Pipeline
from kiosk.vision.sources.capture import CameraState, Capture, Frame
from kiosk.vision.sources.watch import Health

log = logging.getLogger(__name__)

STALE = 2.0
"""Seconds after which the newest frame says nothing about the table now."""

READING_FAILED = "reading-failed"
"""Trouble word while pictures come but cannot be worked on."""

_TROUBLE_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class Seen:
    """What one step gave. ``frame``: the newest picture there is, possibly an old one;
    ``view.trouble`` says when it cannot be trusted. ``ms``: from the frame being taken to now.
    """

    view: TableView
    frame: Frame | None
    camera: CameraState
    ms: float | None


class LiveTable:
    """Feeds a pipeline from a capture and hands each result to ``on_seen``.

    ``on_seen`` is called from this object's thread, in order; a slow one only lowers the rate.
    """

    def __init__(
        self, capture: Capture, pipeline: Pipeline, on_seen: Callable[[Seen], None]
    ) -> None:
        self.capture = capture
        self.pipeline = pipeline
        self._on_seen = on_seen
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._frame: Frame | None = None
        self._told = ("", 0.0)
        self._failing = False

    def start(self) -> None:
        """Start the camera and the thread."""
        self.capture.start()
        self._thread = threading.Thread(target=self._run, name="vision", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End both; returns within a few seconds whatever the camera does."""
        self._stop.set()
        self.capture.stop()
        if self._thread is not None:
            self._thread.join(3.0)
            self._thread = None

    @property
    def frame(self) -> Frame | None:
        """The newest frame that was worked on."""
        return self._frame

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._once()
            except Exception:
                # A picture that upsets the reader must not end the kiosk's sight for good.
                self._tell_failure()
                self._stop.wait(0.5)

    def _tell_failure(self) -> None:
        """Called while an exception is handled: logged once, told each time."""
        if not self._failing:
            log.exception("reading a picture failed")
        self._failing = True
        view = self.pipeline.trouble(time.monotonic(), READING_FAILED)
        try:
            self._on_seen(Seen(view, self._frame, self.capture.state, None))
        except Exception:
            log.exception("the failure could not be told")

    def _once(self) -> None:
        frame = self.capture.wait(self._frame.number if self._frame else 0, 0.2)
        camera = self.capture.state
        now = time.monotonic()
        word = camera.trouble
        if word is None and (frame is None or now - frame.t > STALE):
            late = self._frame is None or now - self._frame.t > STALE
            word = "stale" if late else None
        if word is not None:
            self._tell_trouble(camera, word, now)
            return
        if frame is None:
            return
        self._frame = frame
        self._told = ("", 0.0)
        view = self.pipeline.step(frame.image, frame.t, taken=frame.t)
        ms = (time.monotonic() - frame.t) * 1000
        self._on_seen(Seen(view, frame, camera, ms))
        self._failing = False

    def _tell_trouble(self, camera: CameraState, word: str, now: float) -> None:
        told, when = self._told
        if told == word and now - when < _TROUBLE_EVERY:
            if camera.health != Health.LIVE:
                self._stop.wait(0.02)
            return
        self._told = (word, now)
        self._on_seen(Seen(self.pipeline.trouble(now, word), self._frame, camera, None))
