"""What can go wrong with the record, in words for people, and how low-level errors map to it."""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from pathlib import Path

from sqlalchemy.exc import DBAPIError


class RecordError(Exception):
    """The record cannot be opened, read or written now.

    ``kind`` is a stable word for programs; ``sentence`` says what is wrong and where, ``advice``
    what to do. ``msgid`` and ``advice_msgid`` with ``values`` are the same before the values went
    in, for translation.
    """

    def __init__(self, kind: str, msgid: str, advice_msgid: str, **values: object) -> None:
        self.kind = kind
        self.msgid, self.advice_msgid, self.values = msgid, advice_msgid, values
        self.sentence = msgid % values if values else msgid
        self.advice = advice_msgid % values if values else advice_msgid
        super().__init__(f"{self.sentence}; {self.advice}")


_TEXTS: dict[str, tuple[str, str]] = {
    "full": (
        "The disk is full: the record in %(path)s cannot be written",
        "make room on that disk; what waits is stored by itself then",
    ),
    "read-only": (
        "The record in %(path)s cannot be written: the disk or folder is read-only",
        "make it writable for the user who runs the kiosk",
    ),
    "locked": (
        "The record in %(path)s is locked by another program",
        "close the program that holds it open",
    ),
    "corrupt": (
        "The record in %(path)s is damaged (%(detail)s)",
        "keep the file as it is, move it away and restart; 'kiosk audit verify' says what is left",
    ),
    "foreign": (
        "%(path)s is not a record of this program (%(detail)s)",
        "choose another file for the record",
    ),
    "newer": (
        "The record in %(path)s was written by a newer version of this program",
        "update the program",
    ),
    "older": (
        "The record in %(path)s has the form of an older version and cannot be changed here",
        "start the kiosk once with it: that brings it up to date",
    ),
    "missing": (
        "There is no record in %(path)s yet",
        "start the kiosk with this data folder first, or name another one with --data",
    ),
    "gone": (
        "The record %(path)s was moved or deleted while the kiosk runs",
        "put it back, or restart the kiosk to begin a new one",
    ),
    "lost": (
        "An entry could not be kept: neither %(path)s nor memory had room for it",
        "make room on the disk",
    ),
    "stopped": (
        "The kiosk stopped before an entry was stored",
        "it waits in %(path)s and is stored at the next start",
    ),
    "busy": (
        "Another kiosk is using the record in %(path)s",
        "stop it, or give this one its own data folder with --data",
    ),
    "server": (
        "The record server %(path)s does not take entries (%(detail)s)",
        "they wait on this kiosk and are sent once it does; check the network and the server",
    ),
    "diverged": (
        "The record server %(path)s holds other entries under this kiosk's name (%(detail)s)",
        "give this kiosk a name of its own",
    ),
    "no-driver": (
        "The record server %(path)s cannot be used: the package psycopg is not installed",
        "install it: pip install 'psycopg[binary]'",
    ),
    "bad-folder": (
        "The folder %(path)s cannot be used (%(detail)s)",
        "name a folder with --data that can be written",
    ),
    "bad-target": (
        "%(path)s does not name a record (%(detail)s)",
        "give a file or postgresql://USER@HOST/DATABASE",
    ),
    "failed": (
        "The record in %(path)s cannot be used (%(detail)s)",
        "check the disk that holds it",
    ),
}


def record_error(kind: str, path: object, detail: str = "") -> RecordError:
    """The error of this kind with its standard words."""
    sentence, advice = _TEXTS[kind]
    return RecordError(kind, sentence, advice, path=str(path), detail=detail)


_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EROFS: "read-only",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.ENOTDIR: "bad-folder",
    errno.EISDIR: "bad-folder",
    errno.EEXIST: "bad-folder",
    errno.ENAMETOOLONG: "bad-folder",
}

_SQLITE = {
    "SQLITE_FULL": "full",
    "SQLITE_READONLY": "read-only",
    "SQLITE_PERM": "read-only",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_NOTADB": "corrupt",
}


def from_os_error(error: OSError, path: Path) -> RecordError:
    """The speaking form of an error of the file system."""
    kind = _ERRNO.get(error.errno or 0, "failed")
    return record_error(kind, path, error.strerror or str(error))


def from_database_error(error: DBAPIError | sqlite3.Error, path: Path) -> RecordError:
    """The speaking form of an error of SQLite."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    name = str(getattr(cause, "sqlite_errorname", "") or "")
    kind = next((kind for start, kind in _SQLITE.items() if name.startswith(start)), None)
    if kind is None:
        # A refused write or open says only "I/O error": the folder itself tells more.
        kind = _why_not_writable(path) if name else "failed"
    return record_error(kind, path, f"{cause} {name}".strip())


def _why_not_writable(path: Path) -> str:
    probe = path.parent / f".{path.name}.probe"
    try:
        files = (path, path.with_name(path.name + "-wal"))
        size = max((file.stat().st_size for file in files if file.exists()), default=0)
        with probe.open("wb") as file:
            # Behind the end that the record has: files may be limited in size, too.
            file.seek(size)
            file.write(b"\0" * 65536)
    except OSError as error:
        return _ERRNO.get(error.errno or 0, "failed")
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
    return "failed"
