"""The synthetic record of the benchmark is a real one: its chain holds, its lists are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import event

from kiosk.bench.bulk import KIOSK, fill
from kiosk.bench.records import searches
from kiosk.record.database import open_database
from kiosk.record.reading import RecordReader
from kiosk.record.verify import verify


def test_p13_the_bulk_record_verifies_and_is_searched(tmp_path: Path) -> None:
    database = open_database(tmp_path / "record.db", read_only=False)
    fill(database.writing, 300)
    database.learn()
    # Heads are kept by a kiosk; a bulk record never had one.
    bad = [f for f in verify(database, tmp_path).findings if f.what not in ("head", "day-head")]
    assert [f.sentence for f in bad if f.what != "key"] == []
    reader = RecordReader(database, tmp_path, KIOSK)
    assert len(list(reader.hands())) == 300
    found = {name: len(list(reader.hands(wanted))) for name, wanted in searches(300).items()}
    assert found["newest"] == 300 and found["amount that never was"] == 0
    assert 0 < found["any mistake of a person"] <= found["person"] < 50
    assert found["an hour"] in range(100, 200)
    newest = list(reader.hands(limit=3))
    assert all(payload and payload["settlement"] for payload in reader.settled_of(newest))
    database.close()


STEPS = 1000


def test_p13_no_search_walks_through_the_whole_record(tmp_path: Path) -> None:
    """Counted in steps of the database's machine, which are the same on a busy computer."""
    count, spent = 3000, [0]
    database = open_database(tmp_path / "record.db", read_only=False)
    fill(database.writing, count)
    database.learn()

    def step() -> int:
        spent[0] += STEPS
        return 0

    @event.listens_for(database.reader, "connect")
    def _counted(connection: Any, _record: object) -> None:
        connection.set_progress_handler(step, STEPS)

    database.reader.dispose()
    reader = RecordReader(database, tmp_path, KIOSK)
    taken = {}
    for name, wanted in searches(count).items():
        spent[0] = 0
        reader.settled_of(list(reader.hands(wanted, limit=50)))
        taken[name] = spent[0]
    print(taken)
    database.close()
    assert taken["newest"] > 0
