"""Seconds that mean something: whether the machine gave a test its processors meanwhile.

A bound on time is judged where nothing else wants the processors. On a busy machine a passing test
must not fail for what others do; ``kiosk bench`` measures the speeds.
"""

from __future__ import annotations

import time
from pathlib import Path

PRESSURE = Path("/proc/pressure/cpu")
"""Linux: how long anything that could run had to wait for a processor."""

STATISTICS = Path("/proc/stat")
"""Linux: its first line tells, eighth, how long a virtual machine was not run by its host."""

TOLERATED = 0.1
"""Share of the time that may have been lost to others."""


def lost_seconds() -> float | None:
    """Seconds since the start of the machine in which something waited for a processor; None where
    the system does not tell."""
    try:
        waited = int(PRESSURE.read_text().split("total=", 1)[1].split()[0]) / 1e6
        stolen = int(STATISTICS.read_text().split("\n", 1)[0].split()[8]) / 100
    except (OSError, IndexError, ValueError):
        return None
    return waited + stolen


class Pace:
    """Begins to count when it is made."""

    def __init__(self) -> None:
        self._began, self._lost = time.monotonic(), lost_seconds()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    @property
    def disturbed(self) -> bool:
        """Whether others had the processors for a part of the time; also where nobody can tell."""
        lost = lost_seconds()
        if lost is None or self._lost is None:
            return True
        return lost - self._lost > TOLERATED * self.seconds

    def within(self, seconds: float) -> bool:
        """Whether no more than this has passed, as far as the machine allows to say."""
        return self.seconds <= seconds or self.disturbed
