"""A thread that tells of health and panel when they change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

log = logging.getLogger(__name__)

EVERY = 0.25
"""Seconds between two looks."""


class HealthWatch:
    """Asks each of ``reads`` again and again and calls ``tell`` with name and data at a change.

    ``after``: called after each look with what was told last; it must not raise.
    """

    def __init__(
        self,
        reads: Mapping[str, Callable[[], dict[str, Any]]],
        tell: Callable[[str, dict[str, Any]], None],
        after: Callable[[Mapping[str, dict[str, Any]]], None],
    ) -> None:
        self._reads, self._tell, self._after = reads, tell, after
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watch", daemon=True)

    def start(self) -> None:
        """Begins to look."""
        self._thread.start()

    def stop(self) -> None:
        """No more looks; returns within three seconds."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(3.0)

    def _watch(self) -> None:
        told: dict[str, dict[str, Any]] = {}
        while not self._stop.wait(EVERY):
            for name, read in self._reads.items():
                try:
                    now = read()
                except Exception:
                    log.exception("the state of %s cannot be told", name)
                    continue
                if told.get(name) != now:
                    told[name] = now
                    self._tell(name, now)
            self._after(told)
