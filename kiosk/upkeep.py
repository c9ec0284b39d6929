"""What the record needs beside the table: old pictures go, faults are noted, the pit is told."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from kiosk.config import RetentionSettings
from kiosk.faults import FaultLog
from kiosk.record.clock import SystemClock
from kiosk.record.errors import RecordError
from kiosk.record.retention import Retention, apply_retention
from kiosk.record.writer import RecordWriter

log = logging.getLogger(__name__)

TIDY_EVERY = 3600.0
TELL_EVERY = 1.0


class Upkeep:
    """Called again and again from one thread with the health of the parts.

    ``retention``: how long pictures are kept. ``note``: what the pit's page is to know of the
    table (plain data).
    """

    def __init__(
        self,
        writer: RecordWriter,
        retention: Callable[[], RetentionSettings],
        note: Callable[[], dict[str, Any]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._writer = writer
        self._retention = retention
        self._note = note
        self._clock = clock
        self._tidied = self._told = float("-inf")
        self._faults: FaultLog | None = None
        self._began = clock()

    def look(self, health: Mapping[str, Any]) -> None:
        """``health`` as `kiosk.status.Status.health` gives it. Never raises."""
        try:
            self._note_faults(health)
            self._tidy()
            self._tell()
        except Exception:
            # It is called again at once: what failed now may work then, the table goes on.
            log.exception("the upkeep of the record failed")

    def _note_faults(self, health: Mapping[str, Any]) -> None:
        faults = self._faults or self._start_faults()
        if faults is not None:
            faults.see(health["parts"])

    def _start_faults(self) -> FaultLog | None:
        """Waits for the record, which knows what an earlier run left; not for ever, because that
        it cannot be opened is a fault as well."""
        record = self._writer.record
        standing: list[str] = []
        if record is not None:
            standing = list(record.standing_faults())
        elif self._clock() - self._began < 30:
            return None
        self._faults = FaultLog(
            lambda payload: self._writer.submit("fault", None, payload), self._clock
        )
        for part in standing:
            self._faults.stands(part)
        return self._faults

    def _tidy(self) -> None:
        now = self._clock()
        record = self._writer.record
        if record is None or now - self._tidied < TIDY_EVERY:
            return
        self._tidied = now
        kept = self._retention()
        try:
            apply_retention(record, Retention(kept.days, kept.disputed_days), SystemClock()())
            record.learn()
        except (RecordError, OSError) as problem:
            log.warning("old pictures could not be deleted: %s", problem)

    def _tell(self) -> None:
        now = self._clock()
        if now - self._told >= TELL_EVERY:
            self._told = now
            self._writer.tell_pit(self._note())
