"""The names behind the ids of a record, for commands that only read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from kiosk.people.database import FILE

_BUSY_SECONDS = 5.0


def names_in(data: Path) -> dict[str, str]:
    """Person id → name of all in the data folder who are not erased. Nothing is made or migrated;
    empty where there are no accounts, or where they cannot be read."""
    path = (data / FILE).absolute()
    try:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        try:
            rows = connection.execute("SELECT id, name FROM people WHERE erased IS NULL").fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return {}
    return {person: name for person, name in rows if name}
