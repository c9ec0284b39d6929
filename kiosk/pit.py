"""The pit's database, read for the supervisor's pages; opened when first asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiosk.config import Settings
from kiosk.errors import ActionError
from kiosk.record.errors import RecordError
from kiosk.record.paths import parse_target
from kiosk.record.reading import RecordReader
from kiosk.record.server import ServerDatabase, open_server


class Pit:
    """The server that all tables of a pit send their entries to. Any thread may call."""

    def __init__(self, address: str, data: Path, kiosk: str) -> None:
        self._address, self._data, self._kiosk = address, data, kiosk
        self._server: ServerDatabase | None = None
        self._lock = threading.Lock()

    @contextmanager
    def reader(self) -> Iterator[RecordReader]:
        """The record of all tables. ActionError (503) while the server cannot be reached."""
        try:
            yield RecordReader(self._opened(), self._data, self._kiosk)
        except RecordError as problem:
            self.close()
            raise ActionError("pit", f"{problem.sentence}; {problem.advice}", 503) from None

    def close(self) -> None:
        """Lets go of the server; the next reader connects again."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.close()

    def _opened(self) -> ServerDatabase:
        with self._lock:
            if self._server is None:
                self._server = open_server(self._address, read_only=True)
            return self._server


def pit_of(settings: Settings, data: Path) -> Pit | None:
    """The pit's server that ``settings.record`` names; None where the record is kept here alone."""
    address = parse_target(settings.record, data).server
    return None if address is None else Pit(address, data, settings.kiosk_id)
