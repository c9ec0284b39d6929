"""A long run in short time: memory, threads, processes and files of a whole kiosk on a fast table,
through every fault and many lost cameras (V12)."""

from __future__ import annotations

import argparse
import logging
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from kiosk.app import Kiosk
from kiosk.bench.figures import Figure
from kiosk.config import PaceSettings, Settings, VisionSettings
from kiosk.errors import ActionError
from kiosk.record.record import Record
from kiosk.table.round import is_untouched
from kiosk.vision.sources.capture import Capture

SIM = "sim:9,boxes=2,size=1280x720,fps=10,speed=4,faults=all"
_WARM_UP, _WARM_STEPS = 0.25, 400
"""Growth counts after this share of the run and so many pictures worked on: caches fill at first,
and a busy machine takes its time to get there."""
_SAMPLE = 1.0
_PACE = PaceSettings(
    settle_after=0.1, doubt_after=0.25, question_after=0.75, clear_after=0.5, linger=1.0
)
"""The usual pace, as much faster as the table."""
_LEAVING = 60.0
"""Seconds that a busy machine may take to end the threads and processes of a kiosk."""
_PATIENCE = 10.0
"""Seconds until somebody comes to a table on which nothing goes on: about a whole round."""


@dataclass(frozen=True, slots=True)
class Left:
    """What a process holds. ``files``: open file descriptors."""

    threads: int
    children: int
    files: int


@dataclass(frozen=True, slots=True)
class Soaked:
    """``growth``, ``camera_growth``: MiB from the end of the warm-up to the end, medians of a
    minute; None when too little was done to tell. ``steps``: pictures worked on. ``rounds``: hands
    begun; ``settled``, ``voids``: those recorded as settled, and as a misdeal. ``before``,
    ``after``: what the process holds when the kiosk is not there."""

    seconds: float
    growth: float | None
    camera_growth: float | None
    steps: int
    resident: float
    restarts: int
    rounds: int
    settled: int
    voids: int
    before: Left
    after: Left


class Attendant:
    """A person who says that the zones fit again after a bump, and calls a misdeal where a hand
    does not go on: without one, the first question would be the last round."""

    def __init__(self, kiosk: Kiosk, clock: Callable[[], float] = time.monotonic) -> None:
        self._kiosk, self._clock = kiosk, clock
        self._seen: object = None
        self._since = self._moved = clock()

    def look(self) -> None:
        """Once a second or so."""
        now, state = self._clock(), self._kiosk.owner.state
        drift = self._kiosk.sight.drift
        moved = drift is not None and drift.drift is not None
        if not moved:
            self._moved = now
        elif now - self._moved > _PATIENCE:
            self._kiosk.still_right()
        seen = (state.id, state.derived.stage, tuple(len(z.hand) for z in state.core.zones))
        if moved or seen != self._seen or is_untouched(state):
            self._seen, self._since = seen, now
        elif now - self._since > _PATIENCE and state.core.voided is None:
            self._since = now
            with suppress(ActionError):
                self._kiosk.owner.act("void", {"reason": "the hand does not go on"}, "soak")


def held() -> Left:
    """What this process holds now."""
    me = psutil.Process()
    children = [c for c in me.children(recursive=True) if "resource_tracker" not in _line(c)]
    return Left(threading.active_count(), len(children), me.num_fds())


def held_in_the_end(before: Left) -> Left:
    """What this process holds once nothing but ``before`` is left, or it has had its time."""
    end = time.monotonic() + _LEAVING
    while True:
        now = held()
        threads, children = now.threads <= before.threads, now.children <= before.children
        if (threads and children and now.files <= before.files) or time.monotonic() > end:
            return now
        time.sleep(0.05)


def _line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def soak(seconds: float, threads: int = 2, sim: str = SIM) -> Soaked:
    """Runs a whole kiosk (record and panel, no pages) in demo mode for so many seconds."""
    before = held()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            source=sim,
            data=Path(folder),
            mode="demo",
            vision=VisionSettings(threads=threads),
            pace=_PACE,
        )
        kiosk = Kiosk(settings)
        kiosk.start()
        attendant = Attendant(kiosk)
        own: list[float] = []
        camera: list[float] = []
        steps: list[int] = []
        began = time.monotonic()
        try:
            while time.monotonic() - began < seconds:
                time.sleep(_SAMPLE)
                attendant.look()
                own.append(psutil.Process().memory_info().rss / 2**20)
                camera.append(_camera_mib())
                steps.append(kiosk.sight.steps)
            restarts = kiosk.sight.camera.restarts
            rounds = int(str(kiosk.owner.state.id).rsplit("-", 1)[-1])
        finally:
            kiosk.stop()
        with Record.open(None, Path(folder), read_only=True) as record:
            ended = Counter(hand.state for hand in record.hands())
    warm = next((n for n, count in enumerate(steps) if count >= _WARM_STEPS), len(own))
    warm = max(warm, int(len(own) * _WARM_UP))
    return Soaked(
        seconds=seconds,
        growth=growth(own[warm:]),
        camera_growth=growth([value for value in camera[warm:] if value > 0]),
        steps=steps[-1] if steps else 0,
        resident=own[-1] if own else 0.0,
        restarts=restarts,
        rounds=rounds,
        settled=ended["settled"],
        voids=ended["void"],
        before=before,
        after=held_in_the_end(before),
    )


def _camera_mib() -> float:
    """Resident memory of the camera's process; 0 while there is none."""
    for child in psutil.Process().children(recursive=True):
        if "spawn_main" in _line(child):
            try:
                return float(child.memory_info().rss) / 2**20
            except psutil.Error:
                return 0.0
    return 0.0


def growth(samples: list[float]) -> float | None:
    """From the first to the last, each the median of its neighbourhood; None: too few."""
    if len(samples) < 8:
        return None
    width = max(1, min(60, len(samples) // 4))
    first, last = sorted(samples[:width]), sorted(samples[-width:])
    return last[width // 2] - first[width // 2]


def lose_cameras(capture: Capture, times: int, patience: float = 60.0) -> int:
    """Kills the reader process of a running capture again and again; how often it came back."""
    back = 0
    for _ in range(times):
        frame = capture.wait(0, patience)
        process = capture._process
        if frame is None or process is None:
            break
        newest = capture.newest()
        number = newest.number if newest is not None else frame.number
        process.kill()
        if capture.wait(number + 5, patience) is None:
            break
        back += 1
    return back


def _grown(name: str, value: float | None) -> Figure:
    if value is None:
        return Figure(name, "too little was done to tell: give it longer")
    return Figure(name, value, "MiB")


def run(args: argparse.Namespace) -> list[Figure]:
    """``kiosk bench soak``."""
    logging.getLogger("kiosk").setLevel(logging.ERROR)
    found = soak(args.seconds, args.threads)
    return [
        Figure("seconds at four times the pace, all faults", found.seconds),
        Figure("resident memory", found.resident, "MiB"),
        _grown("growth of the kiosk's process", found.growth),
        _grown("growth of the camera's process", found.camera_growth),
        Figure("pictures worked on", float(found.steps)),
        Figure("camera restarts", float(found.restarts)),
        Figure("rounds", float(found.rounds)),
        Figure("rounds settled", float(found.settled)),
        Figure("rounds called a misdeal", float(found.voids)),
        Figure("threads left", float(found.after.threads - found.before.threads)),
        Figure("processes left", float(found.after.children - found.before.children)),
        Figure("open files left", float(found.after.files - found.before.files)),
    ]
