"""Draws the pictures that viewers are shown: each once, in one thread, whoever asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor


class Painter:
    """Keeps the newest picture. ``paint`` may be called from any thread.

    Drawing takes several blocks of the size of a frame, and the system's allocator keeps such
    blocks for the thread that freed them. Were pictures drawn by the threads that serve viewers,
    each of those threads would keep 20 to 30 MiB for good.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="painter")
        self._lock = threading.Lock()
        self._key: Hashable = None
        self._picture = b""

    def paint(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """The picture of ``key`` (not None), drawn unless it is the one that was drawn last.

        Raises what ``draw`` raises; the next call then tries again.
        """
        with self._lock:
            if self._key != key:
                self._picture = self._pool.submit(draw).result()
                self._key = key
            return self._picture
