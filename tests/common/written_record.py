"""A whole record that a test may tamper with, and what the check says of it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kiosk.record.findings import VerifyReport
from kiosk.record.record import Record


@dataclass(frozen=True)
class Written:
    """A closed record of three days; each of its six rounds has a picture."""

    data: Path

    @property
    def path(self) -> Path:
        return self.data / "record.db"

    @property
    def picture_folder(self) -> Path:
        return self.data / "pictures"


def tamper(record: Written, *statements: str) -> None:
    """What someone with a database tool would do."""
    connection = sqlite3.connect(record.path)
    connection.execute("DROP TRIGGER IF EXISTS events_no_update")
    connection.execute("DROP TRIGGER IF EXISTS events_no_delete")
    for statement in statements:
        assert connection.execute(statement).rowcount != 0, f"nothing changed: {statement}"
    connection.commit()
    connection.close()


def check(record: Written, *known: str) -> VerifyReport:
    with Record.open(None, record.data, read_only=True) as reader:
        return reader.verify(known)


def first(record: Written) -> tuple[str, int | None]:
    finding = check(record).first_bad
    assert finding is not None, "nothing was found"
    return finding.what, finding.seq
