"""The camera side of the running kiosk: live reading, and the pictures that people are shown."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import models
from calibration.layout import Layout
from kiosk.config import Settings
from kiosk.errors import ActionError, UserError, user_path
from kiosk.painter import Painter
from kiosk.sightings import Box, FrameReading, TableView
from kiosk.vision.annotate import annotated, cut_out, encode_jpeg
from kiosk.vision.drift import DriftGuard, read_reference
from kiosk.vision.guards import Guard
from kiosk.vision.head import Head
from kiosk.vision.images import Image, decode_photo
from kiosk.vision.live import LiveTable, Seen
from kiosk.vision.merge import Thresholds
from kiosk.vision.namer import Namer
from kiosk.vision.photographs import read_image
from kiosk.vision.pipeline import Pipeline, Timing
from kiosk.vision.reader import Reader, open_reader
from kiosk.vision.sources.capture import CameraState, Capture
from kiosk.vision.sources.grammar import parse_source
from kiosk.vision.zones import Plane

log = logging.getLogger(__name__)

MODEL_LOST = "model-missing"
_VEIL_AFTER_MS = 2000.0
_UPLOAD_WAIT = 1.0
"""Seconds. Whoever waits holds one of the few threads that serve the pages."""


class Sight:
    """Reads the table and keeps the newest picture and view.

    ``on_seen`` is called after each step, from the reading thread. A model that is named by the
    settings and cannot be used is a UserError; a shipped one that is missing is a visible trouble.
    """

    def __init__(self, settings: Settings, layout: Layout, on_seen: Callable[[], None]) -> None:
        self._settings = settings
        self._on_seen = on_seen
        self.source = parse_source(settings.source)
        self.capture = Capture(self.source)
        self.model_failure: str | None = None
        self.model_hash: str | None = None
        """Which weights read the cards; None when there are none."""
        self.drift: DriftGuard | None = None
        """Tells when camera or table were moved; None for recordings."""
        self._live: LiveTable | None = None
        self._pipeline: Pipeline | None = None
        self._uploads: Reader | None = None
        self._head: Head | None = None
        self._shower: Reader | None = None
        self._uploads_lock = threading.Lock()
        self._seen: Seen | None = None
        self._painter = Painter()
        self.steps = 0
        self._began = time.monotonic()
        try:
            reader = open_reader(settings.vision.model, settings.vision.threads)
        except UserError as problem:
            if settings.vision.model is not None:
                raise
            self.model_failure = str(problem)
            log.error("%s", problem)
            return
        own = settings.vision.model
        self.model_hash = models.model_hash() if own is None else models.file_hash(user_path(own))
        self._pipeline = Pipeline(reader, layout)
        if self.source.live:
            # A recording never shows a camera that was bumped while it was watched.
            self.drift = DriftGuard(lambda: self.plane, self._bare)
            self._pipeline.add_guard(self.drift)
        self._live = LiveTable(self.capture, self._pipeline, self._take)

    def start(self) -> None:
        """The camera starts."""
        if self._live is not None:
            self._live.start()

    def stop(self) -> None:
        """The camera is let go."""
        if self._live is not None:
            self._live.stop()

    def use_layout(self, layout: Layout, reference: bytes | None = None) -> None:
        """Read by another layout from the next frame on. ``reference``: the bare felt it was set
        up on, as it was kept."""
        if self._pipeline is not None:
            self._pipeline.use(layout)
        if self.drift is not None:
            self.drift.use(read_reference(reference) if reference is not None else None)

    def newest_image(self) -> Image | None:
        """The newest picture as the camera gave it; not to be written to."""
        frame = self.capture.newest()
        return None if frame is None else frame.image

    def pause(self, paused: bool) -> None:
        """A held hand pauses a recording; a camera goes on."""
        self.capture.pause(paused)

    @property
    def view(self) -> TableView | None:
        """What lies where, as last seen."""
        return self._seen.view if self._seen is not None else None

    @property
    def plane(self) -> Plane | None:
        """The felt as the frames show it."""
        return self._pipeline.plane if self._pipeline is not None else None

    @property
    def camera(self) -> CameraState:
        """State of the camera."""
        return self.capture.state

    @property
    def timing(self) -> Timing | None:
        """How fast the reading was lately."""
        return self._pipeline.timing if self._pipeline is not None else None

    @property
    def age_ms(self) -> float | None:
        """Age of the newest frame in milliseconds; None when there was none."""
        frame = self._seen.frame if self._seen is not None else None
        return None if frame is None else (time.monotonic() - frame.t) * 1000

    @property
    def trouble(self) -> str | None:
        """Why the picture cannot be trusted now."""
        if self.model_failure is not None:
            return MODEL_LOST
        return self.capture.state.trouble or (self.view.trouble if self.view else None)

    def annotated_picture(self) -> tuple[bytes, int, float]:
        """JPEG of the newest frame with what was read, its number and age (ms).

        Before the first frame a grey picture that says so, number 0 and as old as this object.
        """
        seen = self._seen
        if seen is None or seen.frame is None:
            return self._no_picture(), 0, (time.monotonic() - self._began) * 1000
        age = (time.monotonic() - seen.frame.t) * 1000
        veil = self._veil(age) if not self.capture.paused else None
        key = (seen.frame.number, id(seen.view), veil is not None)
        image, view = seen.frame.image, seen.view
        jpeg = self._painter.paint(
            key, lambda: encode_jpeg(annotated(image, view, self.plane, veil=veil))
        )
        return jpeg, seen.frame.number, age

    def _no_picture(self) -> bytes:
        veil = self.trouble or "no picture yet"
        grey = np.full((720, 1280, 3), 64, np.uint8)
        return self._painter.paint(
            veil, lambda: encode_jpeg(annotated(grey, None, None, veil=veil))
        )

    def as_seen(self) -> tuple[TableView, bytes] | None:
        """What lies where and the JPEG of the frame in which it was seen; None before the first."""
        seen = self._seen
        if seen is None or seen.frame is None:
            return None
        return seen.view, encode_jpeg(seen.frame.image)

    def plain_picture(self) -> bytes | None:
        """JPEG of the newest frame as the camera gave it, for the record."""
        seen = self._seen
        return None if seen is None or seen.frame is None else encode_jpeg(seen.frame.image)

    def doubt_picture(self, key: str) -> bytes | None:
        """A close picture of the doubt of that key; None when there is none."""
        seen = self._seen
        box = self._doubt_box(key)
        if seen is None or seen.frame is None or box is None:
            return None
        return encode_jpeg(cut_out(seen.frame.image, box), 90)

    def read_picture(self, data: bytes) -> dict[str, Any]:
        """Reads a photograph (file content) apart from the table, one at a time.

        UserError when it is none, ActionError while another one is being read.
        """
        if not self._uploads_lock.acquire(timeout=_UPLOAD_WAIT):
            raise ActionError("busy", "another photograph is being read; try again", 503)
        try:
            image = decode_photo(data, "the picture")
            return read_image(self._upload_reader(), image, "upload").to_json()
        finally:
            self._uploads_lock.release()

    def read_now(self) -> tuple[Image, FrameReading, Thresholds] | None:
        """The newest picture read as a photograph with the weights that ship, unless something
        moves in it or it is old. For one thread."""
        seen = self._seen
        if seen is None or seen.frame is None or self.capture.state.trouble is not None:
            return None
        if any(zone.occluded for zone in seen.view.zones):
            return None
        if self._shower is None:
            self._shower = open_reader(self._settings.vision.model, self._settings.vision.threads)
        image, reader = seen.frame.image, self._shower
        return image, reader.read(image), reader.thresholds

    def namer_to_fit(self) -> tuple[Namer, float]:
        """A namer of the weights that ship, and the threshold that it names at."""
        reader = open_reader(self._settings.vision.model, 1)
        assert isinstance(reader.namer, Namer)
        return reader.namer, reader.thresholds.name

    def use_head(self, head: Head | None) -> None:
        """Read with a layer fitted to a deck; None: with the one that ships."""
        self._head = head
        if self._uploads is not None:
            self._uploads.use_head(head)
        if self._pipeline is not None:
            self._pipeline.reader.use_head(head)
            # What other weights made of the cards says nothing any more.
            self._pipeline.start_over()

    def add_guard(self, guard: Guard) -> None:
        """Have one more guard say when the table must not be settled."""
        if self._pipeline is not None:
            self._pipeline.add_guard(guard)

    def _upload_reader(self) -> Reader:
        if self._uploads is None:
            self._uploads = open_reader(self._settings.vision.model, self._settings.vision.threads)
            self._uploads.use_head(self._head)
        return self._uploads

    def _bare(self) -> bool:
        """Whether the felt was last seen without a card."""
        view = self.view
        return view is not None and not view.stray and all(zone.empty for zone in view.zones)

    def _doubt_box(self, key: str) -> Box | None:
        view = self.view
        if view is None:
            return None
        doubts = [doubt for zone in view.zones for doubt in zone.doubts] + list(view.stray)
        return next((doubt.box for doubt in doubts if doubt.key == key), None)

    def _veil(self, age: float) -> str | None:
        """What stands on a picture that is no longer live (C6)."""
        if age < _VEIL_AFTER_MS and self.trouble is None:
            return None
        taken = time.strftime("%H:%M:%S", time.localtime(time.time() - age / 1000))
        return f"{self.trouble or 'old picture'}: taken {taken}"

    def _take(self, seen: Seen) -> None:
        self._seen = seen
        self.steps += 1
        self._on_seen()
