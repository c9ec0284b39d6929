"""Who deals now: a person's id, until they leave or nothing was entered for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from kiosk.people.sessions import KINDS


class Dealing:
    """Who deals at this table. It is kept in no file: after a start nobody deals."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._person: str | None = None
        self._used = 0.0

    @property
    def person(self) -> str | None:
        """The id of who deals, None when nobody said or it is too long ago."""
        with self._lock:
            if self._clock() - self._used > KINDS["deal"].idle:
                self._person = None
            return self._person

    def begin(self, person: str | None) -> None:
        """This person deals from the next hand on; None: nobody is known to."""
        with self._lock:
            self._person, self._used = person, self._clock()

    def used(self) -> None:
        """Something was entered at the table."""
        with self._lock:
            self._used = self._clock()
