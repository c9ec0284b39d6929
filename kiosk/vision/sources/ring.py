"""Newest frame through shared memory: one writer, one reader, nobody waits.

Three slots in turn. Each starts with a head of its own; the writer clears a slot's number before
it writes and sets it after, so a reader that was overtaken notices and tries the newer one.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from multiprocessing import shared_memory

import numpy as np

from kiosk.vision.images import Image

SLOTS = 3
_HEAD = struct.Struct("<qddIi")
_MAIN = struct.Struct("<q")
_HEAD_ROOM = 64


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of the newest frame without its pixels.

    ``number``: counts from 1 in each reader process. ``taken``: monotonic seconds.
    ``media``: seconds in the recording.
    """

    number: int
    taken: float
    media: float
    print: int
    brightest: int


class Ring:
    """The shared memory for frames of one size."""

    def __init__(self, width: int, height: int, name: str | None = None) -> None:
        """Make the memory, or attach to the one called ``name``."""
        self.width, self.height = width, height
        self._frame = width * height * 3
        self._slot = _HEAD_ROOM + self._frame
        size = _HEAD_ROOM + SLOTS * self._slot
        self._memory = shared_memory.SharedMemory(name, create=name is None, size=size)
        self._owner = name is None

    @property
    def name(self) -> str:
        """What the other process attaches to."""
        return self._memory.name

    @property
    def _buffer(self) -> memoryview:
        buffer = self._memory.buf
        if buffer is None:
            raise ValueError("the ring is closed")
        return buffer

    def write(self, image: Image, head: Head) -> None:
        """Put a frame in; it is the newest from then on. ``image`` has the ring's size."""
        buffer = self._buffer
        start = _HEAD_ROOM + head.number % SLOTS * self._slot
        _MAIN.pack_into(buffer, start, 0)
        self._pixels(start)[:] = image
        _HEAD.pack_into(
            buffer, start, head.number, head.taken, head.media, head.print, head.brightest
        )
        _MAIN.pack_into(buffer, 0, head.number)

    def head(self) -> Head | None:
        """The newest frame's head; None before the first."""
        buffer = self._buffer
        (number,) = _MAIN.unpack_from(buffer, 0)
        if number == 0:
            return None
        return Head(*_HEAD.unpack_from(buffer, _HEAD_ROOM + number % SLOTS * self._slot))

    def read(self) -> tuple[Head, Image] | None:
        """A copy of the newest frame; None before the first."""
        for _ in range(5):
            head = self.head()
            if head is None:
                return None
            start = _HEAD_ROOM + head.number % SLOTS * self._slot
            image = self._pixels(start).copy()
            (after,) = _MAIN.unpack_from(self._buffer, start)
            if head.number and after == head.number:
                return head, image
        return None

    def close(self) -> None:
        """Let go; the one who made it also removes it."""
        self._memory.close()
        if self._owner:
            self._memory.unlink()

    def _pixels(self, start: int) -> Image:
        return np.ndarray((self.height, self.width, 3), np.uint8, self._buffer, start + _HEAD_ROOM)
