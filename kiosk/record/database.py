"""The SQLite file behind the record: connections, settings, migrations, first checks."""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError

from kiosk.record import store
from kiosk.record.errors import RecordError, from_database_error, from_os_error, record_error
from kiosk.record.paths import make_folder

APPLICATION_ID = 0x444B5243
"""Marks the SQLite file as a record of this program."""

BUSY_SECONDS = 10.0
FOLDER_LOCK = "kiosk.lock"
QUICK_CHECK_BYTES = 256 * 1024 * 1024
"""Up to this size the whole file is checked at each start; beyond it only the newest entries."""

_MIGRATIONS = "kiosk.record:migrations"


@dataclass(frozen=True, slots=True)
class Database:
    """The open file. ``writer`` begins writing at once (None when only reading)."""

    path: Path
    writer: Engine | None
    reader: Engine
    file_id: tuple[int, int] | None = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One durable transaction. Raises RecordError; nothing is kept then."""
        if self.writer is None:
            raise record_error("read-only", self.path)
        if self.file_id is not None and self.file_id != _file_id(self.path):
            # SQLite would go on writing into the file that no one can find any more.
            raise record_error("gone", self.path)
        try:
            with self.writer.begin() as connection:
                yield connection
        except DBAPIError as error:
            self.writer.dispose()
            raise from_database_error(error, self.path) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view, not disturbed by writing. Raises RecordError."""
        try:
            with self.reader.connect() as connection:
                yield connection
        except DBAPIError as error:
            raise from_database_error(error, self.path) from error

    def free_bytes(self) -> int | None:
        """Room left on the disk of the file, None when it cannot be told."""
        try:
            return shutil.disk_usage(self.path.parent).free
        except OSError:
            return None

    def now_ms(self, connection: Connection) -> int:
        """Milliseconds of this machine's clock."""
        return time.time_ns() // 1_000_000

    def learn(self) -> None:
        """Lets the database look at its indexes, so that it searches by the one that helps."""
        with self.writing() as connection:
            connection.exec_driver_sql("PRAGMA analysis_limit=1000")
            connection.exec_driver_sql("ANALYZE")

    def close(self) -> None:
        """Closes all connections; the last one folds the write-ahead log into the file."""
        self.reader.dispose()
        if self.writer is not None:
            self.writer.dispose()


def open_database(path: Path, *, read_only: bool) -> Database:
    """Opens the record's file, creating and migrating it unless ``read_only``.

    Raises RecordError: ``missing`` (read-only and not there), ``foreign``, ``newer``, ``older``,
    ``corrupt``, or whatever the disk says.
    """
    try:
        if path.is_dir():
            raise record_error("foreign", path, "a folder")
        empty = not path.exists() or path.stat().st_size == 0
        head = b"" if empty else _first_bytes(path, 16)
    except OSError as error:
        raise from_os_error(error, path) from error
    if empty and read_only:
        raise record_error("missing", path.parent)
    if not empty and head != b"SQLite format 3\0":
        raise record_error("foreign", path, "no SQLite file")
    if not empty:
        _refuse_foreign(path, read_only)
    reader = _engine(path, write=False, immutable=read_only and _is_frozen(path))
    database = Database(path, None if read_only else _engine(path, write=True), reader)
    try:
        _migrate(database)
        if not read_only:
            _quick_check(database)
        database = replace(database, file_id=_file_id(path))
    except BaseException:
        database.close()
        raise
    return database


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _first_bytes(path: Path, count: int) -> bytes:
    with path.open("rb") as file:
        return file.read(count)


def _engine(path: Path, *, write: bool, immutable: bool = False) -> Engine:
    mode = "mode=rwc" if write else "mode=ro&immutable=1" if immutable else "mode=ro"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            f"{path.as_uri()}?{mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )

    pool: dict[str, Any] = {"pool_size": 1, "max_overflow": 0} if write else {"max_overflow": 30}
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, **pool)

    @event.listens_for(engine, "connect")
    def _settings(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cell_size_check=ON")
        if write:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The driver would begin late and only then find that another one writes.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine


def _is_frozen(path: Path) -> bool:
    """Whether the file lies where nothing can be written and holds all there is."""
    wal = path.with_name(path.name + "-wal")
    effective = os.access in os.supports_effective_ids
    return not os.access(path.parent, os.W_OK, effective_ids=effective) and not wal.exists()


def _refuse_foreign(path: Path, read_only: bool) -> None:
    mode = "ro&immutable=1" if read_only and _is_frozen(path) else "ro"
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS)
        try:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise from_database_error(error, path) from error
    if mark != APPLICATION_ID and tables:
        raise record_error("foreign", path, "an SQLite file of another program")


def migrate(connection: Connection) -> None:
    """Brings the tables on this connection to the newest form, in its transaction, and makes what
    is derived from the entries again."""
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    store.rebuild(connection)


def form_of(connection: Connection) -> str:
    """``current``, ``older``, ``newer`` or ``empty``."""
    scripts = ScriptDirectory.from_config(_script_config())
    known = {script.revision for script in scripts.walk_revisions()}
    if not inspect(connection).has_table("alembic_version"):
        return "empty"
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None:
        return "empty"
    if revision not in known:
        return "newer"
    return "current" if revision == scripts.get_current_head() else "older"


def _script_config() -> Config:
    config = Config()
    config.set_main_option("script_location", _MIGRATIONS)
    config.set_main_option("path_separator", "os")
    return config


def _migrate(database: Database) -> None:
    if database.writer is None:
        with database.reading() as connection:
            form = form_of(connection)
        if form == "empty":
            raise record_error("missing", database.path.parent)
        if form != "current":
            raise record_error(form, database.path)
        return
    with database.writing() as connection:
        form = form_of(connection)
        if form == "newer":
            raise record_error("newer", database.path)
        if form != "current":
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
            migrate(connection)


def _quick_check(database: Database) -> None:
    if database.path.stat().st_size > QUICK_CHECK_BYTES:
        return
    with database.reading() as connection:
        result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if result != "ok":
        raise record_error("corrupt", database.path, str(result))


class FileLock:
    """Held by the one process that writes a record; the system frees it when that process dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    def take(self) -> None:
        """Raises RecordError ``busy`` when another process holds it."""
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise from_os_error(error, self._path.parent) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            raise record_error("busy", self._path.parent) from error
        self._handle = handle

    def free(self) -> None:
        """Gives it back; may be called twice."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def lock_folder(data: Path) -> FileLock | None:
    """The data folder for this kiosk alone: two would store each other's waiting entries.

    A folder that cannot be written has no lock, and nothing waits in it. Raises RecordError
    ``busy``.
    """
    lock = FileLock(data / FOLDER_LOCK)
    try:
        make_folder(data)
        lock.take()
    except RecordError as error:
        if error.kind == "busy":
            raise
        return None
    return lock
