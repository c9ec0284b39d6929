"""Long connections: counted, so that streams can never use up every thread of the server."""

from __future__ import annotations

import threading

from kiosk.errors import ActionError


class Slots:
    """A count of long connections with an upper limit. ``closing`` is set when the server ends."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._used = 0

    @property
    def used(self) -> int:
        """Long connections open now."""
        with self._lock:
            return self._used

    def take(self) -> Slot:
        """A place for one connection. ActionError (503) when there is none left."""
        with self._lock:
            if self._used >= self.limit:
                raise ActionError(
                    "busy", f"all {self.limit} places for live connections are taken", 503
                )
            self._used += 1
        return Slot(self)

    def _give_back(self) -> None:
        with self._lock:
            self._used -= 1


class Slot:
    """One taken place; ``leave`` gives it back and may be called more than once."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots
        self._taken = True

    def leave(self) -> None:
        if self._taken:
            self._taken = False
            self._slots._give_back()
