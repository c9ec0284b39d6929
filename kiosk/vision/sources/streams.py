"""Opened sources: one ``read`` after another, in the process that may be killed."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from kiosk.errors import UserError
from kiosk.vision.images import Image, load_photo
from kiosk.vision.sources.grammar import Kind, Source, photos_in
from kiosk.vision.sources.identity import device_of, lasting_name

FOLDER_SECONDS = 4.0
"""How long each photograph of a folder is shown."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a camera is asked for; None leaves the camera's own setting."""

    width: int = 1280
    height: int = 720
    fps: float = 15.0
    fourcc: str = "MJPG"
    exposure: float | None = None
    focus: float | None = None


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came: size of the picture, rate it claims, format, and the camera's lasting name."""

    width: int
    height: int
    fps: float
    fourcc: str = ""
    exposure: float | None = None
    focus: float | None = None
    known_as: str | None = None


class Stream(Protocol):
    """An opened source."""

    delivered: Delivered

    def read(self) -> tuple[Image, float] | None:
        """The next picture and its time in the recording, seconds; None when it is over.

        Blocks until the picture is due. Raises UserError when the source fails.
        """

    def pause(self, paused: bool) -> None:
        """Hold a recording where it is; cameras go on."""

    def close(self) -> None:
        """Let go of the device or file."""


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """OpenCV and FFmpeg print to the process's standard error; keep that off the terminal."""
    sys.stderr.flush()
    saved = os.dup(2)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


class VideoStream:
    """A video file at its own rate, over and over if ``loop``; ``speed`` 0 does not wait."""

    def __init__(self, path: Path, loop: bool = True, speed: float = 1.0) -> None:
        self._path, self._loop, self._speed = path, loop, speed
        self._capture = _open_video(path)
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = fps if 1.0 <= fps <= 240.0 else 25.0
        self._number = 0
        self._rounds = 0
        self._due = time.monotonic()
        self._paused = False
        self._held: Image | None = None
        first = self._next()
        if first is None:
            raise UserError(f"{path}: not a video that can be played, or it holds no picture")
        self._ready: Image | None = first
        self.delivered = Delivered(first.shape[1], first.shape[0], self._fps)

    def read(self) -> tuple[Image, float] | None:
        """The next frame when it is due; while paused, the same one again."""
        self._wait()
        if self._paused and self._held is not None:
            return self._held, self._time()
        image = self._ready if self._ready is not None else self._next()
        self._ready = None
        if image is None:
            if not self._loop:
                return None
            self._rewind()
            image = self._next()
            if image is None:
                raise UserError(f"{self._path}: the video cannot be played again")
        self._held = image
        self._number += 1
        return image, self._time()

    def pause(self, paused: bool) -> None:
        self._paused = paused

    def close(self) -> None:
        self._capture.release()

    def _time(self) -> float:
        return max(0, self._number - 1) / self._fps

    def _wait(self) -> None:
        if self._speed <= 0:
            return
        now = time.monotonic()
        if self._due > now:
            time.sleep(self._due - now)
        # A player that fell behind goes on from now instead of rushing after the clock.
        self._due = max(self._due, now - 0.5) + 1 / (self._fps * self._speed)

    def _next(self) -> Image | None:
        ok, image = self._capture.read()
        return image.astype(np.uint8, copy=False) if ok and image is not None else None

    def _rewind(self) -> None:
        self._capture.release()
        self._capture = _open_video(self._path)
        self._number = 0
        self._rounds += 1


def _open_video(path: Path) -> cv2.VideoCapture:
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    with quiet_stderr():
        capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not capture.isOpened():
        raise UserError(f"{path}: not a video that can be played")
    return capture


class PhotoStream:
    """Photographs shown one after the other, each for a while; one photograph for ever."""

    def __init__(self, paths: list[Path], seconds: float = FOLDER_SECONDS, fps: float = 5.0):
        if not paths:
            raise UserError("the folder holds no photographs")
        self._paths, self._seconds, self._fps = paths, seconds, fps
        self._image = load_photo(paths[0])
        self._shown = 0
        self._number = 0
        self._due = time.monotonic()
        self._paused = False
        self.delivered = Delivered(self._image.shape[1], self._image.shape[0], fps)

    def read(self) -> tuple[Image, float] | None:
        now = time.monotonic()
        if self._due > now:
            time.sleep(self._due - now)
        self._due = max(self._due, now) + 1 / self._fps
        which = int(self._number / (self._fps * self._seconds)) % len(self._paths)
        if which != self._shown:
            self._image = self._fitted(load_photo(self._paths[which]))
            self._shown = which
        if not self._paused:
            self._number += 1
        return self._image, self._number / self._fps

    def pause(self, paused: bool) -> None:
        self._paused = paused

    def close(self) -> None:
        self._image = self._image[:0]

    def _fitted(self, image: Image) -> Image:
        """The photograph on the first one's size, whole, with black round it."""
        width, height = self.delivered.width, self.delivered.height
        scale = min(width / image.shape[1], height / image.shape[0])
        size = max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))
        canvas = np.zeros((height, width, 3), np.uint8)
        canvas[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return canvas


class CameraStream:
    """A USB camera or a network stream through OpenCV."""

    def __init__(self, source: Source, asked: Asked, known_as: str | None = None) -> None:
        self._source = source
        self._started = time.monotonic()
        with quiet_stderr():
            if source.kind == Kind.STREAM:
                self._capture = cv2.VideoCapture(source.target, cv2.CAP_FFMPEG)
                known_as = None
            else:
                device, known_as = _device(source, known_as)
                self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise UserError(f"{source.shown}: no picture; is it plugged in and free?")
        if source.kind == Kind.CAMERA:
            self._ask(asked)
        first = self._read()
        if first is None:
            self._capture.release()
            raise UserError(f"{source.shown}: opened, but it gives no picture")
        self._first: Image | None = first
        self.delivered = self._delivered(first, known_as)

    def read(self) -> tuple[Image, float] | None:
        image, self._first = self._first, None
        if image is None:
            image = self._read()
        if image is None:
            raise UserError(f"{self._source.shown}: the camera stopped giving pictures")
        return image, time.monotonic() - self._started

    def pause(self, paused: bool) -> None:
        pass

    def close(self) -> None:
        self._capture.release()

    def _read(self) -> Image | None:
        ok, image = self._capture.read()
        return image.astype(np.uint8, copy=False) if ok and image is not None else None

    def _ask(self, asked: Asked) -> None:
        code = cv2.VideoWriter.fourcc(*asked.fourcc)
        wishes: list[tuple[int, float | None]] = [
            (cv2.CAP_PROP_FOURCC, code),
            (cv2.CAP_PROP_FRAME_WIDTH, asked.width),
            (cv2.CAP_PROP_FRAME_HEIGHT, asked.height),
            (cv2.CAP_PROP_FPS, asked.fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1),
            (cv2.CAP_PROP_EXPOSURE, asked.exposure),
            (cv2.CAP_PROP_FOCUS, asked.focus),
        ]
        for key, value in wishes:
            if value is not None:
                self._capture.set(key, value)

    def _delivered(self, image: Image, known_as: str | None) -> Delivered:
        code = int(self._capture.get(cv2.CAP_PROP_FOURCC))
        letters = "".join(chr(code >> shift & 0xFF) for shift in (0, 8, 16, 24))
        return Delivered(
            width=image.shape[1],
            height=image.shape[0],
            fps=float(self._capture.get(cv2.CAP_PROP_FPS)),
            fourcc=letters if letters.isprintable() else "",
            exposure=float(self._capture.get(cv2.CAP_PROP_EXPOSURE)),
            focus=float(self._capture.get(cv2.CAP_PROP_FOCUS)),
            known_as=known_as,
        )


def _device(source: Source, known_as: str | None) -> tuple[str, str | None]:
    device = device_of(source.target, known_as)
    if device is None:
        raise UserError(f"{source.shown}: no such camera; plug it in or choose another")
    return device, known_as or lasting_name(source.target)


def mismatches(asked: Asked, delivered: Delivered) -> list[str]:
    """What a camera delivers otherwise than asked, one line each (C5)."""
    lines = []
    if (asked.width, asked.height) != (delivered.width, delivered.height):
        lines.append(
            f"size: asked {asked.width}×{asked.height}, got {delivered.width}×{delivered.height}"
        )
    if delivered.fps > 0 and abs(asked.fps - delivered.fps) > 0.5:
        lines.append(f"rate: asked {asked.fps:g}, got {delivered.fps:g} per second")
    if delivered.fourcc and delivered.fourcc != asked.fourcc:
        lines.append(f"format: asked {asked.fourcc}, got {delivered.fourcc}")
    for name in ("exposure", "focus"):
        wish, got = getattr(asked, name), getattr(delivered, name)
        if wish is not None and got is not None and abs(wish - got) > 0.01 * max(1, abs(wish)):
            lines.append(f"{name}: asked {wish:g}, got {got:g}")
    return lines


def open_stream(
    source: Source,
    asked: Asked | None = None,
    *,
    known_as: str | None = None,
    loop: bool = True,
    speed: float = 1.0,
    at: float = 0.0,
) -> Stream:
    """Open a source. Raises UserError with the reason and what to do.

    ``at``: seconds at which a simulated table goes on.
    """
    from kiosk.vision.sources.simulated import SimStream
    from kiosk.vision.sources.twin import TwinStream

    if source.kind in (Kind.SAMPLE, Kind.VIDEO):
        return VideoStream(Path(source.target), loop, speed)
    if source.kind == Kind.PHOTO:
        return PhotoStream([Path(source.target)])
    if source.kind == Kind.FOLDER:
        return PhotoStream(photos_in(Path(source.target)))
    if source.kind == Kind.SIM:
        return SimStream(source.target, at, speed)
    if source.kind == Kind.TWIN:
        return TwinStream(Path(source.target))
    return CameraStream(source, asked or Asked(), known_as)
