"""The drills' SQLite file: connections, settings, migrations. Opened at the first use."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, StaticPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from kiosk.errors import ActionError

FILE = "drills.db"
_BUSY_SECONDS = 10.0


class DrillStorageError(ActionError):
    """The file cannot be read or written; one line that names it. Drilling goes on without it."""


class Database:
    """The open file; ``path`` None keeps all in memory. Every method from any thread, one
    transaction at a time. After a failure the next use opens the file again."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._engine: Engine | None = None
        self._lock = threading.RLock()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction. Raises DrillStorageError; nothing is kept then."""
        with self._lock:
            try:
                if self._engine is None:
                    self._engine = _opened(self.path)
                with self._engine.begin() as connection:
                    yield connection
            except (DBAPIError, CommandError, OSError) as error:
                self.close()
                raise _storage(self.path, error) from None

    def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None


def _storage(path: Path | None, error: Exception) -> DrillStorageError:
    why: object = error
    if isinstance(error, DBAPIError):
        why = error.orig
    elif isinstance(error, CommandError):
        why = "written by a newer version of the program"
    elif isinstance(error, OSError):
        why = error.strerror or error
    return DrillStorageError(
        "storage", f"progress cannot be read or written: {path or 'memory'}: {why}", 503
    )


def _opened(path: Path | None) -> Engine:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    where = ":memory:" if path is None else str(path)

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            where, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        for setting in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
            connection.execute(f"PRAGMA {setting}")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The driver would begin late, and only then find that another one writes.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as connection:
            _migrate(connection)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option(
        "script_location", str(resources.files("kiosk.teach").joinpath("migrations"))
    )
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
