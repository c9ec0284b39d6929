"""A simulated camera that misbehaves on demand.

Its control file holds one word, read before every picture: ``ok``, ``lost`` (reading fails),
``gone`` (cannot be opened either), ``frozen`` (the same picture again and again), ``black``,
``blocked`` (read never returns), ``wild`` (pictures without pause), ``size`` (another size). An
optional second line names a photograph or video to show instead of the moving test picture; while
a photograph is shown it may be changed for another of the same size.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from kiosk.errors import UserError
from kiosk.vision.images import Image, load_photo
from kiosk.vision.sources.grammar import is_photo

WIDTH, HEIGHT, FPS = 320, 180, 30.0


class TwinStream:
    """Fresh noise in every picture, like a sensor's, so that only a frozen one repeats."""

    def __init__(self, control: Path) -> None:
        from kiosk.vision.sources.streams import Delivered, VideoStream

        self._control = control
        if self._word() == "gone":
            raise UserError(f"{control}: no such camera; plug it in or choose another")
        self._started = time.monotonic()
        self._random = np.random.default_rng()
        self._frozen: Image | None = None
        self._video: VideoStream | None = None
        shown = self._shown()
        self._picture = shown
        self._base: Image = np.full((HEIGHT, WIDTH, 3), (60, 120, 40), np.uint8)
        if shown is not None and is_photo(shown):
            self._base = load_photo(shown)
        elif shown is not None:
            self._video = VideoStream(shown)
            self._base = np.zeros(
                (self._video.delivered.height, self._video.delivered.width, 3), np.uint8
            )
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
        if self._video is not None:
            frame = self._video.read()
            base = frame[0] if frame is not None else base
        elif (shown := self._shown()) != self._picture and shown is not None:
            self._picture, self._base = shown, load_photo(shown)
            base = self._base
        image = base.copy()
        rows = self._random.integers(0, 4, (image.shape[0], 1, 1), np.uint8)
        return np.where(image < 250, image + rows, image).astype(np.uint8)

    def _word(self) -> str:
        lines = self._lines()
        return lines[0].strip() if lines else "ok"

    def _shown(self) -> Path | None:
        lines = self._lines()
        return Path(lines[1].strip()) if len(lines) > 1 and lines[1].strip() else None

    def _lines(self) -> list[str]:
        try:
            return self._control.read_text("utf-8").splitlines()
        except OSError:
            return ["gone"]
