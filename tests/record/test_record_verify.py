"""Whatever is changed behind the record's back is found, and named by its entry."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from written_record import Written, check, first, tamper

from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.retention import Retention, apply_retention

Open = Callable[..., Record]
Play = Callable[..., str]


def test_an_untouched_record_holds(written: Written) -> None:
    report = check(written)
    assert report.ok and report.first_bad is None
    assert report.pictures == 6 and report.entries == 1 + 6 * 3 + 1
    assert [head.day for head in report.days] == ["2031-05-17", "2031-05-18", "2031-05-19"]
    assert report.newest[0].seq == report.entries


CHANGES = {
    "kiosk": "'other'",
    "seq": "700",
    "token": "'" + "0" * 32 + "'",
    "time": "'2031-05-17T18:00:00.009999Z'",
    "offset_minutes": "offset_minutes + 1",
    "synchronised": "0",
    "monotonic_us": "monotonic_us + 1",
    "kind": "'voided'",
    "round_id": "'r-000001'",
    "payload": "replace(payload, '400', '500')",
    "previous": "'" + "1" * 64 + "'",
    "hash": "'" + "2" * 64 + "'",
}


@pytest.mark.parametrize("column", sorted(CHANGES))
def test_a_change_of_any_column_is_found(written: Written, column: str) -> None:
    tamper(
        written,
        "PRAGMA foreign_keys=OFF",
        f"UPDATE events SET {column} = {CHANGES[column]} WHERE seq = 6",
    )
    # An entry that has left its place is found to be missing there.
    assert first(written) == ("chain", 6)


@pytest.mark.parametrize("value", ["NULL", "x'00ff'", "'abc'", "-1.5", "1e300"])
@pytest.mark.parametrize("column", ["seq", "monotonic_us", "synchronised", "offset_minutes"])
def test_values_of_a_wrong_type_are_found_too(written: Written, column: str, value: str) -> None:
    if value == "NULL" and column != "synchronised":
        return
    tamper(written, f"UPDATE events SET {column} = {value} WHERE seq = 6")
    before_all_others = column == "seq" and value == "-1.5"
    assert first(written) == ("chain", 1 if before_all_others else 6)


def test_all_columns_are_tried(written: Written) -> None:
    connection = sqlite3.connect(written.path)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(events)")]
    connection.close()
    assert sorted(columns) == sorted(CHANGES)


def test_text_that_cannot_be_decoded_is_found(written: Written) -> None:
    tamper(written, "UPDATE events SET payload = CAST(x'7bff7d' AS TEXT) WHERE seq = 6")
    assert first(written) == ("damaged", 6)


def test_a_deleted_entry_is_found(written: Written) -> None:
    tamper(written, "DELETE FROM events WHERE seq = 5")
    assert first(written) == ("chain", 5)


def test_deleted_first_entries_are_found(written: Written) -> None:
    tamper(written, "DELETE FROM events WHERE seq <= 2")
    assert first(written) == ("chain", 1)


def test_two_exchanged_entries_are_found(written: Written) -> None:
    tamper(
        written,
        "UPDATE events SET seq = 999 WHERE seq = 5",
        "UPDATE events SET seq = 5 WHERE seq = 6",
        "UPDATE events SET seq = 6 WHERE seq = 999",
    )
    assert first(written) == ("chain", 5)


@pytest.mark.parametrize("left", [19, 18, 12, 1])
def test_a_cut_tail_is_found(written: Written, left: int) -> None:
    tamper(written, "PRAGMA foreign_keys=OFF", f"DELETE FROM events WHERE seq > {left}")
    assert first(written) == ("cut", left + 1)


def test_an_emptied_record_is_found(written: Written) -> None:
    tamper(written, "DELETE FROM events")
    assert first(written) == ("cut", 1)


def test_a_cut_tail_stays_noted_when_the_kiosk_went_on(written: Written, open_record: Open) -> None:
    tamper(written, "DELETE FROM events WHERE seq > 18")
    open_record().close()
    report = check(written)
    assert report.first_bad is not None and report.first_bad.seq == 19
    noted = [finding.sentence for finding in report.findings if finding.what == "noted"]
    assert len(noted) == 1 and "entries were missing at its end" in noted[0]


def test_a_cut_tail_with_an_older_head_file_is_found_by_a_head_noted_elsewhere(
    written: Written, open_record: Open, tmp_path: Path
) -> None:
    older = tmp_path / "older"
    shutil.copytree(written.data, older, ignore=shutil.ignore_patterns("older"))
    record = open_record()
    noted = record.append("fault", None, {}).hash
    record.close()
    assert check(written, noted).ok
    for name in ("record.db", "heads"):
        target = written.data / name
        shutil.rmtree(target) if target.is_dir() else target.unlink()
        source = older / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    assert check(written).ok, "nothing inside can show this"
    report = check(written, noted)
    assert not report.ok and noted in report.findings[0].sentence


def test_missing_damaged_and_forged_heads_are_found(written: Written) -> None:
    newest = written.data / "heads" / "kiosk.head"
    content = newest.read_text()
    for change in (
        lambda: newest.unlink(),
        lambda: newest.write_text("{}\n"),
        lambda: newest.write_text(""),
        lambda: newest.write_text(content.replace('"seq":20', '"seq":19')),
    ):
        change()
        assert first(written)[0] == "head"
        newest.write_text(content)
    days = written.data / "heads" / "kiosk.days"
    lines = days.read_text()
    days.write_text(lines.replace("2031-05-18", "2031-05-16"))
    assert first(written)[0] == "head"
    days.write_text(lines)
    assert check(written).ok


def test_lost_head_files_stay_noted_after_a_start(written: Written, open_record: Open) -> None:
    shutil.rmtree(written.data / "heads")
    open_record().close()
    assert first(written)[0] == "noted"


def test_a_lost_or_changed_key_is_found(written: Written, open_record: Open) -> None:
    key = written.data / "keys" / "record.key"
    right = key.read_text()
    key.write_text("ab" * 32 + "\n")
    assert first(written)[0] == "head"
    key.write_text("nonsense")
    assert first(written)[0] == "key"
    key.unlink()
    assert first(written)[0] == "key"
    open_record().close()
    assert "noted" in {finding.what for finding in check(written).findings}
    assert key.read_text() != right


def test_a_removed_day_head_is_found(written: Written) -> None:
    tamper(written, "DELETE FROM day_heads WHERE day = '2031-05-18'")
    assert first(written)[0] == "day-head"


def test_a_deleted_or_changed_picture_is_found(written: Written) -> None:
    paths = sorted(written.picture_folder.glob("*/*.jpg"))
    content = paths[0].read_bytes()
    paths[0].unlink()
    what, seq = first(written)
    assert what == "picture" and seq is not None
    paths[0].write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert first(written)[0] == "picture"
    paths[0].write_bytes(content)
    assert check(written).ok


def test_retention_deletes_old_pictures_and_verify_accepts_it(
    written: Written, open_record: Open, clock: Any
) -> None:
    record = open_record()
    stray = written.picture_folder / "2031-04-01" / "stray.jpg"
    stray.parent.mkdir()
    stray.write_bytes(b"left by a crash")
    clock.move(5 * 24 * 3600)
    assert apply_retention(record, Retention(days=7), clock()) == 2
    assert apply_retention(record, Retention(days=7), clock()) == 0
    assert not stray.exists()
    assert {path.parent.name for path in record.picture_folder.glob("*/*.jpg")} == {
        "2031-05-18",
        "2031-05-19",
    }
    report = record.verify()
    assert report.ok and report.pictures == 4
    detail = record.hand("r-000001")
    assert detail is not None and detail.pictures[0].deleted


def test_pictures_of_a_dispute_stay_until_it_is_released(
    written: Written, open_record: Open, clock: Any
) -> None:
    record = open_record()
    record.append("held", "r-000001", {"reason": "amount"})
    record.append("held", "r-000002", {"reason": "amount"})
    record.append("released", "r-000002", {})
    clock.move(20 * 24 * 3600)
    assert apply_retention(record, Retention(), clock()) == 4
    clock.move(20 * 24 * 3600)
    assert apply_retention(record, Retention(), clock()) == 1
    kept = record.hand("r-000001")
    assert kept is not None and kept.pictures[0].path.exists()
    record.append("released", "r-000001", {})
    assert apply_retention(record, Retention(), clock()) == 1
    assert record.verify().ok


def test_a_picture_shared_by_two_hands_stays_while_one_needs_it(
    open_record: Open, play: Play, picture: Callable[..., Picture], clock: Any
) -> None:
    record = open_record()
    shared = picture()
    play(record, (shared,))
    second = play(record, (shared, shared))
    record.append("held", second, {})
    clock.move(10 * 24 * 3600)
    assert apply_retention(record, Retention(), clock()) == 0
    record.append("released", second, {})
    clock.move(30 * 24 * 3600)
    assert apply_retention(record, Retention(), clock()) == 1
    assert record.verify().ok
    with pytest.raises(ValueError):
        Retention(days=0)


def test_a_crash_between_the_entry_and_the_deletion_is_made_good(
    written: Written, open_record: Open
) -> None:
    record = open_record()
    path = sorted(record.picture_folder.glob("*/*.jpg"))[0]
    file = str(path.relative_to(record.picture_folder))
    record.append("picture-deleted", None, {"files": [file], "why": "retention"})
    record.let_go()
    assert path.exists()
    again = open_record()
    assert not path.exists()
    assert again.verify().ok


def test_an_entry_for_a_file_elsewhere_reads_nothing_there(
    open_record: Open, tmp_path: Path
) -> None:
    record = open_record(tmp_path / "data")
    secret = tmp_path / "secret.jpg"
    secret.write_bytes(b"x")
    record.append("picture-deleted", None, {"files": ["../../secret.jpg"], "why": "?"})
    record.let_go()
    open_record(tmp_path / "data")
    assert secret.exists()


def test_damage_of_the_file_is_reported_where_it_begins(
    open_record: Open, play: Play, tmp_path: Path
) -> None:
    record = open_record()
    for _ in range(40):
        play(record)
    record.close()
    path = tmp_path / "record.db"
    content = bytearray(path.read_bytes())
    needle = b'"table":"Table 4"'
    place = content.rfind(needle)
    page = place // 4096 * 4096
    content[page : page + 4096] = os.urandom(4096)
    path.write_bytes(content)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok"
    connection.close()
    report = check(Written(tmp_path))
    assert not report.ok
    assert "damaged" in {finding.what for finding in report.findings}
