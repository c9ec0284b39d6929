"""The reader process: opens one source and puts frames into the ring until told to stop."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
import zlib
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import numpy as np

from kiosk.errors import UserError
from kiosk.vision.images import Image
from kiosk.vision.sources.grammar import Source
from kiosk.vision.sources.ring import Head, Ring
from kiosk.vision.sources.streams import Asked, Delivered, Stream, open_stream

MOST_PER_SECOND = 60.0
"""Frames put into the ring; more than this are counted but not copied."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to open and how. ``at``: seconds at which a simulated table goes on."""

    source: Source
    asked: Asked
    known_as: str | None
    loop: bool
    speed: float
    paused: bool
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Opened:
    """Sent once the source gives pictures; the answer is the ring's name."""

    delivered: Delivered


@dataclass(frozen=True, slots=True)
class Failed:
    """Sent before leaving."""

    message: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The recording is over."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Told by the kiosk: hold the recording, or go on."""

    paused: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """Told by the kiosk: leave."""


def start(process: BaseProcess) -> None:
    """Start the reader process so that Ctrl+C, which a terminal sends to it too, never reaches it.

    By itself it could turn that off only after all imports, and would leave with a traceback.
    """
    # Started within ``process.start``, the tracker would let the signal through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def main(connection: Connection, order: Order) -> None:
    """Run until told to stop, the source fails, or the kiosk is gone."""
    _die_with_parent()
    # OpenCV and FFmpeg write to standard error by themselves; the kiosk tells what is wrong.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    stream: Stream | None = None
    ring: Ring | None = None
    try:
        stream = open_stream(
            order.source,
            order.asked,
            known_as=order.known_as,
            loop=order.loop,
            speed=order.speed,
            at=order.at,
        )
        stream.pause(order.paused)
        connection.send(Opened(stream.delivered))
        name = connection.recv()
        ring = Ring(stream.delivered.width, stream.delivered.height, name)
        _pump(connection, stream, ring)
    except UserError as error:
        _tell(connection, Failed(str(error)))
    except (EOFError, BrokenPipeError):
        pass
    except Exception as error:
        _tell(connection, Failed(f"{order.source.shown}: {type(error).__name__}: {error}"))
    finally:
        if stream is not None:
            stream.close()
        if ring is not None:
            ring.close()


def _tell(connection: Connection, message: Failed) -> None:
    with contextlib.suppress(OSError):
        connection.send(message)


def _pump(connection: Connection, stream: Stream, ring: Ring) -> None:
    number, last = 0, 0.0
    while True:
        while connection.poll():
            message = connection.recv()
            if isinstance(message, Stop):
                return
            if isinstance(message, Pause):
                stream.pause(message.paused)
        got = stream.read()
        if got is None:
            connection.send(Ended())
            return
        image, media = got
        now = time.monotonic()
        if image.shape != (ring.height, ring.width, 3):
            raise UserError(
                f"the picture changed its size from {ring.width}×{ring.height} to "
                f"{image.shape[1]}×{image.shape[0]}"
            )
        number += 1
        if now - last < 1 / MOST_PER_SECOND and last and number % 8:
            continue
        last = now
        ring.write(image, Head(number, now, media, *signs_of(image)))


def signs_of(image: Image) -> tuple[int, int]:
    """Checksum of every fourth pixel, and the brightness that one pixel in a hundred exceeds."""
    thin = np.ascontiguousarray(image[::4, ::4])
    few = thin.reshape(-1)[:: max(1, thin.size // 4000)]
    return zlib.crc32(thin.data), int(np.percentile(few, 99))


def _die_with_parent() -> None:
    """Have Linux end this process when the kiosk's dies, even while it is stuck in a read."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL, 0, 0, 0)
        if os.getppid() == 1:
            os._exit(0)
