"""Files that are no record, of a newer version, damaged or moved away: said, and left alone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kiosk.record.errors import RecordError
from kiosk.record.record import Record
from kiosk.record.search import HandFilter

Open = Callable[..., Record]


def refusal_of(data: Path, target: str | None = None, **options: Any) -> RecordError:
    with pytest.raises(RecordError) as refusal:
        Record.open(target, data, **options)
    assert refusal.value.sentence and refusal.value.advice
    return refusal.value


def test_files_that_are_no_record_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("these are not the bytes you look for")
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE songs (name)")
    connection.commit()
    connection.close()
    before = text.read_bytes(), other.read_bytes()
    assert refusal_of(tmp_path, str(text)).kind == "foreign"
    assert refusal_of(tmp_path, str(other)).kind == "foreign"
    assert refusal_of(tmp_path, str(other), read_only=True).kind == "foreign"
    assert refusal_of(tmp_path, str(tmp_path)).kind == "foreign"
    assert refusal_of(tmp_path, "mysql://host/db").kind == "bad-target"
    assert refusal_of(text / "data").kind == "bad-folder"
    assert refusal_of(tmp_path / "none", read_only=True).kind == "missing"
    assert (text.read_bytes(), other.read_bytes()) == before


def test_a_record_of_a_newer_version_is_refused(open_record: Open, tmp_path: Path) -> None:
    open_record().close()
    connection = sqlite3.connect(tmp_path / "record.db")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    assert refusal_of(tmp_path).kind == "newer"
    assert refusal_of(tmp_path, read_only=True).kind == "newer"


def test_lists_of_an_older_version_are_made_again(open_record: Open, tmp_path: Path) -> None:
    """An overrule that was taken back stood in them."""
    record = open_record()
    record.append("round-started", "r-000001", {"table": "T"})
    record.append("overruled", "r-000001", {"box": 1, "reason": "agreed"})
    record.append("undone", "r-000001", {"what": "overruled"})
    record.close()
    connection = sqlite3.connect(tmp_path / "record.db")
    connection.execute("UPDATE alembic_version SET version_num = '0002'")
    connection.execute("UPDATE hands SET overruled = 1")
    connection.commit()
    connection.close()
    assert refusal_of(tmp_path, read_only=True).kind == "older"
    again = open_record()
    assert again.verify().ok
    assert [hand.overruled for hand in again.hands()] == [False]


def test_p13_boxes_of_hands_listed_by_an_older_version_are_found(
    open_record: Open, play: Callable[..., str], tmp_path: Path
) -> None:
    """Its lists had no term bound to a box, and none for a box that was not settled."""
    record = open_record()
    settled = play(record)
    record.append("round-started", "r-000009", {"table": "T"})
    record.append("overruled", "r-000009", {"box": 2, "reason": "torn"})
    record.append("round-finished", "r-000009", {"complete": True})
    record.close()
    connection = sqlite3.connect(tmp_path / "record.db")
    connection.execute("UPDATE alembic_version SET version_num = '0004'")
    connection.execute("DELETE FROM hand_terms WHERE term LIKE '%@%' OR hand_id = 'r-000009'")
    connection.execute("UPDATE hands SET state = 'open' WHERE id = 'r-000009'")
    connection.commit()
    connection.close()
    assert refusal_of(tmp_path, read_only=True).kind == "older"
    again = open_record()
    assert again.verify().ok
    by_seat = HandFilter(box=1, combination="two-pair")
    assert [hand.id for hand in again.hands(by_seat)] == [settled]
    found = list(again.hands(HandFilter(box=2)))
    assert [(hand.id, hand.state) for hand in found] == [("r-000009", "by-hand")]


def test_a_damaged_file_is_named_and_kept(
    open_record: Open, play: Callable[..., str], tmp_path: Path
) -> None:
    record = open_record()
    for _ in range(30):
        play(record)
    record.close()
    path = tmp_path / "record.db"
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 400] = os.urandom(400)
    path.write_bytes(content)
    assert refusal_of(tmp_path).kind == "corrupt"
    assert path.read_bytes() == bytes(content)


def test_health_says_what_is_wrong(open_record: Open, tmp_path: Path) -> None:
    record = open_record()
    health = record.health()
    assert health.ok and health.entries == 1 and health.newest_time is not None
    heads = tmp_path / "heads"
    heads.rename(tmp_path / "away")
    heads.write_text("in the way")
    stored = record.append("fault", None, {})
    assert record.entry(stored.seq) == stored
    assert not record.health().ok and "heads" in record.health().sentence
    heads.unlink()
    (tmp_path / "away").rename(heads)
    record.append("fault", None, {})
    assert record.health().ok


def test_a_record_that_was_moved_away_is_noticed(open_record: Open, tmp_path: Path) -> None:
    record = open_record()
    (tmp_path / "record.db").rename(tmp_path / "elsewhere.db")
    with pytest.raises(RecordError) as refusal:
        record.append("fault", None, {})
    assert refusal.value.kind == "gone"
    (tmp_path / "elsewhere.db").rename(tmp_path / "record.db")
    record.append("fault", None, {})
    assert record.verify().ok
