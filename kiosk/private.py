"""A data folder that is its own user's alone: names, hands and pictures of people lie in it."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MARKS = ("record.db", "people.db", "drills.db", "kiosk.lock", "decks")
"""What only a kiosk's folder holds."""

_OTHERS = 0o077


@contextmanager
def kept_private(data: Path) -> Iterator[None]:
    """What is made within can be read by this user alone, a data folder that is not there yet as
    well. One that others can enter is closed to them, or standard error names it."""
    before = os.umask(_OTHERS)
    try:
        _close(data)
        yield
    finally:
        os.umask(before)


def _close(data: Path) -> None:
    try:
        found = data.stat()
        if not stat.S_ISDIR(found.st_mode) or not found.st_mode & _OTHERS:
            return
        if _is_own(data, found):
            data.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)
            _say(f"{data} was open to other users of this computer and is closed to them now")
            return
    except FileNotFoundError:
        return
    except OSError:
        pass
    _say(f"{data} is open to other users of this computer: chmod 700 closes it")


def _is_own(data: Path, found: os.stat_result) -> bool:
    """A folder of other things too, such as /tmp or a home, is not closed unasked."""
    if found.st_uid != os.geteuid() or found.st_mode & stat.S_ISVTX:
        return False
    return any((data / mark).exists() for mark in _MARKS) or not any(data.iterdir())


def _say(text: str) -> None:
    print(f"kiosk: data folder {text}", file=sys.stderr)
