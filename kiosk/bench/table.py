"""From frame to settlement: one look at a table picture, and the whole kiosk on its recording."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import psutil

from kiosk.app import Kiosk
from kiosk.bench.figures import Figure, reference, spread, timed
from kiosk.config import Settings, VisionSettings
from kiosk.sample import recording_path
from kiosk.table.events import Event, ViewSeen
from kiosk.table.outputs import BoxSettled, Output
from kiosk.table.round import RoundState
from kiosk.vision.reader import open_reader

_LOOKS = 25


def busiest_frame() -> Any:
    """The picture of the bundled recording, of one a second, in which most cards are read."""
    film = cv2.VideoCapture(str(recording_path()))
    reader = open_reader()
    best, most = None, -1
    try:
        rate = film.get(cv2.CAP_PROP_FPS) or 10
        for number in range(0, int(film.get(cv2.CAP_PROP_FRAME_COUNT)), int(rate * 3)):
            film.set(cv2.CAP_PROP_POS_FRAMES, number)
            good, raw = film.read()
            picture = np.asarray(raw, np.uint8)
            if good and (seen := len(reader.read(picture, closer=False).sightings)) > most:
                best, most = picture, seen
    finally:
        film.release()
    return best


def look(args: argparse.Namespace) -> list[Figure]:
    """One whole look at a 1280×720 table picture, naming included."""
    picture = busiest_frame()
    reader = open_reader(threads=args.threads)
    beside, times = reference(), []
    base = []
    for _ in range(_LOOKS):
        base.append(beside())
        times.append(timed(lambda: reader.read(picture, closer=False)))
    seen = len(reader.read(picture, closer=False).sightings)
    height, width = picture.shape[:2]
    return [
        Figure("picture", f"{width}×{height} with {seen} indices, {args.threads} threads"),
        *spread("whole look", times, base),
        Figure("frames read per second", 1000 / statistics.median(times)),
    ]


class _Watch:
    """Notes when boxes are settled, and how long after the frame that settled them."""

    def __init__(self) -> None:
        self.settled_ms: list[float] = []
        self.rounds: set[str] = set()
        self.lock = threading.Lock()

    def stepped(self, after: RoundState, event: Event, outputs: tuple[Output, ...]) -> None:
        now = time.monotonic()
        for output in outputs:
            if isinstance(output, BoxSettled) and isinstance(event, ViewSeen):
                with self.lock:
                    self.settled_ms.append((now - event.view.t) * 1000)
                    self.rounds.add(after.id)


class _WatchedKiosk(Kiosk):
    """A kiosk whose steps are watched."""

    watch: _Watch

    def _stepped(
        self, before: RoundState, after: RoundState, event: Event, outputs: tuple[Output, ...]
    ) -> None:
        super()._stepped(before, after, event, outputs)
        self.watch.stepped(after, event, outputs)


def settlement(args: argparse.Namespace) -> list[Figure]:
    """The whole kiosk (record and all, without pages) on the bundled recording."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            panel="none", data=Path(folder), vision=VisionSettings(threads=args.threads)
        )
        kiosk = _WatchedKiosk(settings)
        kiosk.watch = _Watch()
        process = psutil.Process()
        kiosk.start()
        try:
            time.sleep(args.seconds)
            timing, steps = kiosk.sight.timing, kiosk.sight.steps
            resident = process.memory_info().rss
            camera = sum(child.memory_info().rss for child in process.children(recursive=True))
        finally:
            kiosk.stop()
    figures = [
        Figure("boxes settled", float(len(kiosk.watch.settled_ms))),
        Figure("rounds with a settlement", float(len(kiosk.watch.rounds))),
        *spread("frame to settlement", kiosk.watch.settled_ms),
        Figure("frames worked on per second", steps / args.seconds),
        Figure("resident memory", resident / 2**20, "MiB"),
        Figure("resident memory of the camera process", camera / 2**20, "MiB"),
    ]
    if timing is not None:
        figures[4:4] = [
            Figure("frame to view when read, median", timing.median_ms, "ms"),
            Figure("frame to view when read, 95th percentile", timing.p95_ms, "ms"),
        ]
    return figures
