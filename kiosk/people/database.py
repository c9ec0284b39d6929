"""The SQLite file with the people: connections, settings, migrations."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event
from sqlalchemy.exc import DBAPIError

from kiosk.errors import ActionError

FILE = "people.db"
_BUSY_SECONDS = 10.0


class PeopleError(ActionError):
    """What cannot be done with accounts, in one clear line. ``kind`` is for programs.

    ``text`` with ``{places}`` is what catalogues translate, ``values`` fills the places.
    """

    def __init__(self, kind: str, text: str, status: int = 409, /, **values: object) -> None:
        super().__init__(kind, text.format(**values) if values else text, status)
        self.text, self.values = text, values


class Database:
    """The open file. It is opened at the first use, and again after a failure, so that a disk
    that fails stops signing in and nothing else. All methods from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engines: tuple[Engine, Engine] | None = None
        self._lock = threading.Lock()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction. Raises PeopleError ``storage``; nothing is kept then."""
        engine, _ = self._opened()
        try:
            with engine.begin() as connection:
                yield connection
        except DBAPIError as error:
            raise _storage(self.path, str(error.orig)) from None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view. Raises PeopleError ``storage``."""
        _, engine = self._opened()
        try:
            with engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise _storage(self.path, str(error.orig)) from None

    def scrub(self) -> None:
        """Leaves nothing of what was erased in the write-ahead log."""
        _, engine = self._opened()
        raw = engine.raw_connection()
        try:
            with suppress(sqlite3.Error):
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            raw.close()

    def close(self) -> None:
        """Lets go of the file; the next use opens it again."""
        with self._lock:
            for engine in self._engines or ():
                engine.dispose()
            self._engines = None

    def _opened(self) -> tuple[Engine, Engine]:
        """For writing and for reading."""
        with self._lock:
            if self._engines is None:
                self._engines = _open(self.path)
            return self._engines


def _storage(path: Path, why: str) -> PeopleError:
    return PeopleError(
        "storage",
        "The accounts cannot be read or written: {place}: {why}.",
        503,
        place=path,
        why=why,
    )


def _open(path: Path) -> tuple[Engine, Engine]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Hashes are for the kiosk's own user only; the log beside it takes the file's rights.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        path.chmod(0o600)
    except OSError as error:
        raise _storage(path, error.strerror or str(error)) from None
    writer, reader = _engine(path, "BEGIN IMMEDIATE"), _engine(path, "BEGIN")
    try:
        with writer.begin() as connection:
            _migrate(connection)
    except (DBAPIError, CommandError) as error:
        writer.dispose()
        foreign = "written by a newer version of the program"
        raise _storage(
            path, str(error.orig) if isinstance(error, DBAPIError) else foreign
        ) from None
    return writer, reader


def _engine(path: Path, begin: str) -> Engine:
    engine = create_engine("sqlite://", creator=lambda: _connect(path), poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The driver would begin late, and only then find that another one writes.
        connection.exec_driver_sql(begin)

    return engine


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    for setting in ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "kiosk.people:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    head = ScriptDirectory.from_config(config).get_current_head()
    assert head is not None
    command.upgrade(config, head)
