"""The simulated table as a camera: the source ``sim:SEED[,name=value …]``.

The table and its drawing are in ``models.training.simtable``; here it gets a camera's pace, and
the camera's faults that were switched on. The table goes on while the camera fails, as a real one
would.
"""

from __future__ import annotations

import importlib
import time
from typing import Any, Protocol, cast

import numpy as np

from kiosk.errors import UserError
from kiosk.vision.images import Image

_ROOM = "models.training.simtable"


class SimTable(Protocol):
    """What a camera needs of the table; ``spec`` says rate and seed."""

    spec: Any
    size: tuple[int, int]

    def frame(self, t: float, number: int) -> Image: ...

    def camera_fault(self, t: float) -> str | None: ...


def open_table(target: str) -> SimTable:
    """The simulated table. UserError: a bad description, or a part of the renderer is missing."""
    return cast(SimTable, _part("table").open_table(target))


def check_description(target: str) -> None:
    """UserError when ``target`` does not describe a table. Draws nothing."""
    _part("deals").layout_for(_part("spec").parse_spec(target))


def house_and_layout(target: str) -> tuple[str, str]:
    """The house that the simulated table is played by, and the name of its felt."""
    spec = _part("spec").parse_spec(target)
    return spec.house, spec.layout or _part("deals").layout_for(spec).name


def _part(name: str) -> Any:
    """A module of the renderer, which an installation may lack in part."""
    try:
        return importlib.import_module(f"{_ROOM}.{name}")
    except ModuleNotFoundError as missing:
        raise UserError(
            f"source sim: the simulated table needs the package {missing.name}: install the "
            "program with its training extra (make train-setup)"
        ) from None


class SimStream:
    """A camera over the simulated table. ``at``: seconds at which to go on; ``speed``: of time."""

    def __init__(self, target: str, at: float = 0.0, speed: float = 1.0) -> None:
        from kiosk.vision.sources.streams import Delivered

        self._table = open_table(target)
        spec = self._table.spec
        self._fps = spec.fps
        self._speed = spec.speed * (speed if speed > 0 else 1.0)
        self._media = at
        self._last = time.monotonic()
        self._due = self._last
        self._number = round(at * spec.fps)
        self._paused = False
        self._held: Image | None = None
        self._burst = 0
        self.delivered = Delivered(*self._table.size, spec.fps, known_as=f"sim:{spec.seed}")

    def read(self) -> tuple[Image, float] | None:
        """The next picture at the camera's rate, and the table's time."""
        self._wait()
        fault = self._table.camera_fault(self._media)
        if fault == "lost":
            raise UserError("the simulated camera stopped giving pictures")
        while fault == "blocked":
            time.sleep(3600)
        if fault == "wild":
            return self._rushed(), self._media
        self._burst = 0
        if fault == "frozen" and self._held is not None:
            return self._held, self._media
        image = self._fresh()
        self._held = image
        if fault == "black":
            return np.zeros_like(image), self._media
        return (image[::2, ::2].copy() if fault == "size" else image), self._media

    def pause(self, paused: bool) -> None:
        """The table waits; the camera goes on filming it."""
        self._paused = paused

    def close(self) -> None:
        """Nothing to let go."""

    def _wait(self) -> None:
        now = time.monotonic()
        if self._due > now and not self._burst:
            time.sleep(self._due - now)
            now = time.monotonic()
        # A camera that fell behind drops pictures instead of rushing after the clock.
        self._due = max(self._due + 1 / self._fps, now)
        if not self._paused:
            self._media += (now - self._last) * self._speed
        self._last = now

    def _fresh(self) -> Image:
        self._number += 1
        return self._table.frame(self._media, self._number)

    def _rushed(self) -> Image:
        """Pictures without pause, other noise in each."""
        self._burst = (self._burst + 1) % 400
        if self._held is None or self._burst == 1:
            self._held = self._fresh()
        return np.roll(self._held, self._burst, axis=0)
