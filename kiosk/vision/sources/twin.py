"""A simulated camera that misbehaves on demand: the source ``twin:FILE``.

FILE is its control, looked at before every picture. The first line is one word: ``ok``, ``lost``
(reading fails), ``gone`` (cannot be opened either), ``frozen`` (the same picture again and again),
``black``, ``blocked`` (read never returns), ``wild`` (pictures without pause), ``size`` (another
size). An optional second line names a photograph or a video to show instead of a plain test
picture; another photograph may be named at any time.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from kiosk.errors import UserError
from kiosk.vision.images import Image, load_photo
from kiosk.vision.sources.grammar import is_photo

WIDTH, HEIGHT, FPS = 320, 180, 15.0

_NOISES = 5


class TwinStream:
    """Other noise in every picture, like a sensor's, so that only a frozen one repeats."""

    def __init__(self, control: Path) -> None:
        from kiosk.vision.sources.streams import Delivered, VideoStream

        self._control = control
        if self._word() == "gone":
            raise UserError(f"{control}: no such camera; plug it in or choose another")
        self._started = time.monotonic()
        self._frozen: Image | None = None
        self._video: VideoStream | None = None
        self._shown = self._wanted()
        self._base: Image = np.full((HEIGHT, WIDTH, 3), (60, 120, 40), np.uint8)
        if self._shown is not None and is_photo(self._shown):
            self._base = load_photo(self._shown)
        elif self._shown is not None:
            self._video = VideoStream(self._shown)
            size = self._video.delivered
            self._base = np.zeros((size.height, size.width, 3), np.uint8)
        self._noises = _noises(self._base)
        self._count = 0
        self.delivered = Delivered(self._base.shape[1], self._base.shape[0], FPS)

    def read(self) -> tuple[Image, float] | None:
        word = self._word()
        if word in ("lost", "gone"):
            raise UserError(f"{self._control}: the camera stopped giving pictures")
        while word == "blocked":
            time.sleep(3600)
        if word != "wild":
            time.sleep(1 / FPS)
        if word == "frozen":
            if self._frozen is None:
                self._frozen = self._fresh()
            return self._frozen, self._time()
        self._frozen = None
        if word == "black":
            return np.zeros_like(self._base), self._time()
        image = self._fresh()
        return (image[::2, ::2].copy() if word == "size" else image), self._time()

    def pause(self, paused: bool) -> None:
        if self._video is not None:
            self._video.pause(paused)

    def close(self) -> None:
        if self._video is not None:
            self._video.close()

    def _time(self) -> float:
        return time.monotonic() - self._started

    def _fresh(self) -> Image:
        base = self._base
        wanted = self._wanted()
        if self._video is not None:
            frame = self._video.read()
            base = frame[0] if frame is not None else base
        elif wanted is not None and wanted != self._shown:
            self._shown = wanted
            base = self._base = load_photo(wanted)
        self._count += 1
        noise = self._noises[self._count % _NOISES]
        if noise.shape != base.shape:
            return base
        # Half of the pixels darker, so that white cards carry noise too.
        return cv2.subtract(cv2.add(base, noise), noise[::-1]).astype(np.uint8, copy=False)

    def _word(self) -> str:
        lines = self._lines()
        return lines[0].strip() if lines else "ok"

    def _wanted(self) -> Path | None:
        lines = self._lines()
        return Path(lines[1].strip()) if len(lines) > 1 and lines[1].strip() else None

    def _lines(self) -> list[str]:
        try:
            return self._control.read_text("utf-8").splitlines()
        except OSError:
            return ["gone"]


def _noises(base: Image) -> list[Image]:
    random = np.random.default_rng()
    return [random.integers(0, 4, base.shape, np.uint8) for _ in range(_NOISES)]
