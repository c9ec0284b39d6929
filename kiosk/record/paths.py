"""Where a kiosk keeps what it writes."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_dir
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from kiosk.errors import UserError, user_path
from kiosk.record.errors import from_os_error, record_error

APP = "dealer-kiosk"
RECORD_FILE = "record.db"


def data_dir(argument: str | os.PathLike[str] | None = None) -> Path:
    """The data folder: the one given, else the user's data folder. Nothing is created.

    UserError when a file stands where a folder is needed.
    """
    if argument is None:
        folder = Path(user_data_dir(APP, appauthor=False))
    else:
        folder = user_path(argument).absolute()
    place = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    if os.path.isfile(place):
        what = "it" if place == folder else place
        raise UserError(f"data folder {folder}: {what} is a file; name a folder with --data")
    return folder


@dataclass(frozen=True, slots=True)
class Target:
    """Where entries go: the local file, and the server that is sent copies (None: no server)."""

    path: Path
    server: str | None


def parse_target(target: str | os.PathLike[str] | None, data: Path) -> Target:
    """What ``--record`` names: nothing (the data folder's own), a file, ``sqlite:///FILE``, or
    ``postgresql://…`` (then the local file is the data folder's own).

    Raises RecordError ``bad-target`` for other URLs.
    """
    if target is None:
        return Target(data / RECORD_FILE, None)
    text = os.fspath(target)
    if "://" not in text:
        return Target(user_path(text).absolute(), None)
    try:
        url = make_url(text)
    except ArgumentError:
        raise record_error("bad-target", text, "not a valid address") from None
    backend = url.get_backend_name()
    if backend == "sqlite" and url.database:
        return Target(user_path(url.database).absolute(), None)
    if backend in ("postgresql", "postgres"):
        return Target(data / RECORD_FILE, text)
    raise record_error("bad-target", text, "neither a file nor postgresql")


def make_folder(folder: Path) -> None:
    """Creates the folder durably. Raises RecordError when that cannot be done."""
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for place in missing:
            sync_folder(place.parent)
    except OSError as error:
        raise from_os_error(error, folder) from error


def sync_folder(folder: Path) -> None:
    """Makes the folder's entries durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_durably(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Replaces the file in one step: after a power cut it is the old one or the new one.

    Raises OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
