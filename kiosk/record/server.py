"""The PostgreSQL server of a pit: the same tables, filled by the kiosks' outboxes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from kiosk.record.database import APPLICATION_ID, form_of, migrate
from kiosk.record.errors import RecordError, record_error

_CONNECT = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    # A peer that is gone without a word must not hold the sender for the system's quarter hour.
    "tcp_user_timeout": 15_000,
    "application_name": "dealer-kiosk",
}


_NOW = text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
_PRESENT = text(
    "INSERT INTO presence (kiosk, seen_ms, waiting, note) VALUES "
    "(:kiosk, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, :waiting, :note) "
    "ON CONFLICT (kiosk) DO UPDATE SET seen_ms = excluded.seen_ms, "
    "waiting = excluded.waiting, note = excluded.note"
)


@dataclass(frozen=True, slots=True)
class ServerDatabase:
    """A connected server. ``name`` is its address without the password."""

    name: str
    engine: Engine

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction. Raises RecordError ``server``; nothing is kept then."""
        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise _server_error(self.name, error) from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One consistent view. Raises RecordError ``server``."""
        try:
            with self.engine.connect() as connection:
                yield connection.execution_options(isolation_level="REPEATABLE READ")
        except SQLAlchemyError as error:
            raise _server_error(self.name, error) from error

    def free_bytes(self) -> int | None:
        """Not known of a server."""
        return None

    def now_ms(self, connection: Connection) -> int:
        """Milliseconds of the server's clock."""
        return int(connection.execute(_NOW).scalar_one())

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def open_server(address: str, *, read_only: bool = False) -> ServerDatabase:
    """Connects to ``postgresql://…`` and, unless ``read_only``, brings its tables to this version's
    form. Raises RecordError: ``server``, ``newer``, ``older``, ``missing``, ``no-driver``.
    """
    url = make_url(address).set(drivername="postgresql+psycopg")
    name = url.set(drivername="postgresql").render_as_string(hide_password=True)
    try:
        engine = create_engine(url, connect_args=_CONNECT, pool_pre_ping=True)
    except ImportError:
        raise record_error("no-driver", name) from None
    server = ServerDatabase(name, engine)
    try:
        if read_only:
            with server.reading() as connection:
                form = form_of(connection)
            if form != "current":
                raise record_error("missing" if form == "empty" else form, name)
        else:
            _bring_up_to_date(server)
    except BaseException:
        server.close()
        raise
    return server


def _bring_up_to_date(server: ServerDatabase) -> None:
    with server.writing() as connection:
        # Many kiosks may start at once, and one of them has to make the tables.
        lock(connection, APPLICATION_ID)
        form = form_of(connection)
        if form == "newer":
            raise record_error("newer", server.name)
        if form != "current":
            migrate(connection)


def be_present(connection: Connection, kiosk: str, waiting: int, note: str) -> None:
    """Says that the kiosk is there now, how many entries wait on it, and its note (JSON)."""
    connection.execute(_PRESENT, {"kiosk": kiosk, "waiting": waiting, "note": note})


def lock(connection: Connection, number: int) -> None:
    """Waits until no other transaction holds this number, and holds it to the end of this one."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})


def _server_error(name: str, error: SQLAlchemyError) -> RecordError:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return record_error("server", name, lines[0])
