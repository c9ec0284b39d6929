"""The kiosk's end of the camera: starts the reader process, watches it, hands out new frames."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection

from kiosk.vision.sources import child
from kiosk.vision.sources.frames import CameraState, Frame
from kiosk.vision.sources.grammar import Source
from kiosk.vision.sources.ring import Ring
from kiosk.vision.sources.streams import Asked, Delivered, mismatches
from kiosk.vision.sources.waiting import processor_wait
from kiosk.vision.sources.watch import (
    Health,
    Signs,
    Watch,
    WatchSettings,
    begin,
    judge,
    must_restart,
    pause_before_restart,
)

__all__ = ["CameraState", "Capture", "Frame"]

log = logging.getLogger(__name__)

_TICK = 0.05
_BLACK_RESTART = 20.0
_PAUSE = 0.3
"""Seconds without a picture after which it is looked at whether the reader process starves."""


class Capture:
    """A source that heals itself.

    ``newest`` and ``state`` may be called from any thread and never block on the camera.
    ``on_change`` is called from the watching thread at each change of health.
    """

    def __init__(
        self,
        source: Source,
        asked: Asked | None = None,
        *,
        loop: bool = True,
        speed: float = 1.0,
        settings: WatchSettings | None = None,
        on_change: Callable[[CameraState], None] | None = None,
    ) -> None:
        self.source = source
        self._asked = asked or Asked()
        self._loop, self._speed = loop, speed
        self._settings = settings or WatchSettings()
        self._on_change = on_change
        self._context = multiprocessing.get_context("spawn")
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self._ring: Ring | None = None
        self._base = 0
        self._reached = (0.0, 0.0)
        self._waited: float | None = None
        self._delivered: Delivered | None = None
        self._known_as: str | None = None
        self._error = ""
        self._ended = False
        self._paused = False
        self._told_paused = False
        self._restarts = 0
        self._reminded = 0.0
        self._watch = Watch(since=time.monotonic())

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread = threading.Thread(target=self._run, name="camera-watch", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """End the reader process and the watching thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None

    def newest(self, after: int = 0) -> Frame | None:
        """The newest frame if its number is larger than ``after``; None otherwise."""
        with self._lock:
            if self._ring is None:
                return None
            head = self._ring.head()
            if head is None or self._base + head.number <= after:
                return None
            got = self._ring.read()
            if got is None:
                return None
            head, image = got
            return Frame(self._base + head.number, head.taken, head.media, image)

    def wait(self, after: int, timeout: float) -> Frame | None:
        """Like ``newest``, waiting up to ``timeout`` seconds for one."""
        limit = time.monotonic() + timeout
        while not self._stop.is_set():
            frame = self.newest(after)
            if frame is not None:
                return frame
            left = limit - time.monotonic()
            if left <= 0:
                return None
            time.sleep(min(0.005, left))
        return None

    def pause(self, paused: bool) -> None:
        """Hold a recording where it is; a camera goes on."""
        self._paused = paused

    @property
    def paused(self) -> bool:
        """Whether a recording is held."""
        return self._paused

    @property
    def state(self) -> CameraState:
        """The camera's state now."""
        with self._lock:
            head = self._ring.head() if self._ring is not None else None
        delivered, watch = self._delivered, self._watch
        camera = self.source.kind.value == "camera" and delivered is not None
        return CameraState(
            health=watch.health,
            since=watch.since,
            message=watch.message,
            age=None if head is None else max(0.0, time.monotonic() - head.taken),
            delivered=delivered,
            mismatches=tuple(mismatches(self._asked, delivered)) if camera and delivered else (),
            restarts=self._restarts,
        )

    # The watching thread only below.

    def _run(self) -> None:
        self._launch()
        try:
            while not self._stop.wait(_TICK):
                self._look()
        finally:
            self._end_process(polite=True)
            self._drop_ring()

    def _look(self) -> None:
        self._receive()
        if self._told_paused != self._paused:
            self._told_paused = self._paused
            self._send(child.Pause(self._told_paused))
        now = time.monotonic()
        before = self._watch.health
        self._watch = judge(self._watch, self._signs(), now, self.source.live, self._settings)
        self._report(before, now)
        dark = self._watch.health == Health.BLACK and now - self._watch.since > _BLACK_RESTART
        if must_restart(self._watch):
            self._restart()
        elif dark:
            self._watch = replace(self._watch, since=now)
            self._restart()

    def _signs(self) -> Signs:
        head = self._ring.head() if self._ring is not None else None
        alive = self._process is not None and self._process.is_alive()
        starved = self._starved(head.taken if head is not None else None)
        if head is None:
            return Signs(
                alive,
                self._ring is not None,
                error=self._error,
                ended=self._ended,
                starved=starved,
            )
        return Signs(
            alive,
            True,
            head.number,
            head.taken,
            head.print,
            head.brightest,
            self._error,
            self._ended,
            starved,
        )

    def _starved(self, taken: float | None) -> float:
        """How long the reader process waited for a processor since its last picture."""
        pid = self._process.pid if self._process is not None else None
        if pid is None:
            return 0.0
        if taken is None:
            return processor_wait(pid)
        if time.monotonic() - taken < _PAUSE:
            self._waited = None
            return 0.0
        waited = processor_wait(pid)
        if self._waited is None:
            self._waited = waited
        return max(0.0, waited - self._waited)

    def _report(self, before: Health, now: float) -> None:
        watch = self._watch
        changed = watch.health != before
        if changed or (watch.health not in (Health.LIVE, Health.ENDED) and self._due(now)):
            self._reminded = now
            level = logging.INFO if watch.health == Health.LIVE else logging.WARNING
            log.log(
                level,
                "camera %s: %s%s",
                self.source.shown,
                watch.health.value,
                f" ({watch.message})" if watch.message else "",
            )
        if changed and self._on_change is not None:
            self._on_change(self.state)

    def _due(self, now: float) -> bool:
        return now - max(self._reminded, self._watch.since) >= self._settings.remind

    def _restart(self) -> None:
        self._end_process(polite=False)
        self._drop_ring()
        if self._stop.wait(pause_before_restart(self._watch, self._settings)):
            return
        self._watch = replace(self._watch, failures=self._watch.failures + 1)
        self._restarts += 1
        self._launch()

    def _launch(self) -> None:
        ours, theirs = self._context.Pipe()
        self._told_paused = self._paused
        order = child.Order(
            self.source,
            self._asked,
            self._known_as,
            self._loop,
            self._speed,
            self._told_paused,
            self._goes_on_at(),
        )
        self._error, self._ended = "", False
        self._waited = None
        process = self._context.Process(
            target=child.main, args=(theirs, order), name="camera-reader", daemon=True
        )
        child.start(process)
        theirs.close()
        self._process, self._connection = process, ours
        self._watch = begin(self._watch, time.monotonic())

    def _goes_on_at(self) -> float:
        """Where the recording would be now, had its reader process not ended."""
        media, taken = self._reached
        passed = time.monotonic() - taken if taken and not self._paused else 0.0
        return media + passed * self._speed

    def _receive(self) -> None:
        connection = self._connection
        if connection is None:
            return
        try:
            while connection.poll():
                self._take(connection.recv())
        except (EOFError, OSError):
            self._connection = None
            if not self._error and not self._ended:
                self._error = f"{self.source.shown}: the camera's reader process ended"

    def _take(self, message: object) -> None:
        if isinstance(message, child.Opened):
            self._delivered = message.delivered
            self._known_as = message.delivered.known_as or self._known_as
            ring = Ring(message.delivered.width, message.delivered.height)
            with self._lock:
                self._ring = ring
            self._send(ring.name)
        elif isinstance(message, child.Failed):
            self._error = message.message
        elif isinstance(message, child.Ended):
            self._ended = True

    def _send(self, message: object) -> None:
        connection = self._connection
        if connection is not None:
            with contextlib.suppress(OSError, ValueError):
                connection.send(message)

    def _end_process(self, *, polite: bool) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if polite:
            self._send(child.Stop())
            process.join(0.5)
        if process.is_alive():
            process.kill()
        process.join(2.0)
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if not process.is_alive():
            process.close()

    def _drop_ring(self) -> None:
        with self._lock:
            ring, self._ring = self._ring, None
            if ring is not None:
                head = ring.head()
                if head is not None:
                    self._base += head.number
                    self._reached = (head.media, head.taken)
                ring.close()
