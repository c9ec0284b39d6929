"""Time as the record keeps it: wall time, its offset, whether the clock is set, and a steady clock.

Wall time can be wrong and can jump; it is stored together with what is known about it. Durations
come from the monotonic clock (acceptance W8).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

STEP_SECONDS = 2.0
"""Wall and monotonic clock may drift apart by this much between two entries before it is a step."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant.

    ``utc`` is aware and in UTC, ``offset_minutes`` what local time is ahead of it,
    ``synchronised`` whether the system says that its clock is set by a time server (None: not
    known), ``monotonic_us`` microseconds of a clock that never jumps while the machine is up.
    """

    utc: datetime
    offset_minutes: int
    synchronised: bool | None
    monotonic_us: int

    @property
    def day(self) -> str:
        """The local date, ``YYYY-MM-DD``."""
        return local_day(self.text, self.offset_minutes)

    @property
    def text(self) -> str:
        """UTC as ``2031-05-17T18:04:09.000123Z``: fixed width, so that text order is time order."""
        return time_text(self.utc)


Clock = Callable[[], Moment]
"""Gives the present moment; injected, so that tests own the time."""


def time_text(when: datetime) -> str:
    """An aware time as the record writes it. Raises ValueError for a naive one."""
    if when.tzinfo is None:
        raise ValueError("a time without an offset cannot be recorded")
    return when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> datetime:
    """The aware time of a text of `time_text`. Raises ValueError for anything else."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)


def local_day(text: str, offset_minutes: int) -> str:
    """The local date of a recorded time. Raises ValueError for a damaged text."""
    return (parse_time(text) + timedelta(minutes=offset_minutes)).date().isoformat()


class _NtpTime(ctypes.Structure):
    """``struct ntptimeval`` of the C library, with room to spare behind it."""

    _fields_ = (("seconds", ctypes.c_long), ("micros", ctypes.c_long), ("rest", ctypes.c_long * 16))


_TIME_ERROR = 5
_CACHE_SECONDS = 10.0


class SystemClock:
    """The machine's clock. Asks the kernel at most every ten seconds whether it is set."""

    def __init__(self) -> None:
        self._asked = float("-inf")
        self._synchronised: bool | None = None

    def __call__(self) -> Moment:
        now = datetime.now(UTC)
        offset = now.astimezone().utcoffset() or timedelta()
        steady = time.monotonic_ns()
        if steady / 1e9 - self._asked > _CACHE_SECONDS:
            self._asked, self._synchronised = steady / 1e9, _kernel_says_synchronised()
        minutes = round(offset.total_seconds() / 60)
        return Moment(now, minutes, self._synchronised, steady // 1000)


def _kernel_says_synchronised() -> bool | None:
    try:
        library = ctypes.CDLL(ctypes.util.find_library("c") or "libc.so.6")
        state = library.ntp_gettime(ctypes.byref(_NtpTime()))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else state != _TIME_ERROR


def clock_step(before: Moment, now: Moment) -> timedelta | None:
    """How far the wall clock jumped between two moments of one run, None when it did not."""
    steady = timedelta(microseconds=now.monotonic_us - before.monotonic_us)
    step = (now.utc - before.utc) - steady
    return step if abs(step.total_seconds()) > STEP_SECONDS else None
