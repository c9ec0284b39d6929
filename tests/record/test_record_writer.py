"""The writer: never makes the table wait, keeps what cannot be stored yet, says how it stands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.record.chain import Entry
from kiosk.record.errors import RecordError, record_error
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.waiting import Limits
from kiosk.record.writer import RecordWriter, WriterState

QUICK = Limits(retry_seconds=0.05)


class Disk:
    """A record whose disk can be taken away: opening and writing fail while ``broken``."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.broken = False
        self.writers: list[RecordWriter] = []

    def open(self) -> Record:
        if self.broken:
            raise record_error("full", self.data)
        record = Record.open(None, self.data)
        append = record.append_drafts

        def append_drafts(drafts: Any) -> tuple[Entry, ...]:
            if self.broken:
                raise record_error("full", self.data)
            return append(drafts)

        record.append_drafts = append_drafts  # type: ignore[method-assign]
        return record

    def writer(self, **options: Any) -> RecordWriter:
        options = {"limits": QUICK} | options
        writer = RecordWriter(self.open, self.data, **options)
        self.writers.append(writer)
        return writer


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path)
    yield disk
    for writer in disk.writers:
        writer.close()


def payloads(record: Record, kind: str = "answer") -> list[Any]:
    entries = record.entries_after(0, 100_000)
    return [entry.payload.get("n") for entry in entries if entry.kind == kind]


def test_entries_are_stored_in_order_and_then_acknowledged(disk: Disk) -> None:
    writer = disk.writer()
    futures = [writer.submit("answer", "r-000001", {"n": n}) for n in range(120)]
    entries = [future.result(200) for future in futures]
    assert [entry.seq for entry in entries] == list(range(2, 122))
    assert writer.state == WriterState("ok")
    assert writer.record is not None
    assert payloads(writer.record) == list(range(120))
    assert writer.append("answer", "r-000001", {"n": 120}).seq == 122
    writer.close()
    with pytest.raises(RuntimeError):
        writer.submit("answer", None, {})


def test_a_refused_payload_is_the_callers_error(disk: Disk) -> None:
    writer = disk.writer()
    with pytest.raises(ValueError):
        writer.submit("answer", None, {"x": object()})
    assert writer.append("answer", None, {"n": 1}).kind == "answer"


def test_while_it_fails_entries_wait_in_the_spool_and_the_state_says_so(
    disk: Disk, picture: Callable[..., Picture]
) -> None:
    told: list[WriterState] = []
    writer = disk.writer(on_change=told.append)
    writer.append("answer", None, {"n": 0})
    disk.broken = True
    shot = picture()
    futures = [writer.submit("answer", None, {"n": n}, (shot,)) for n in range(1, 6)]
    with pytest.raises(TimeoutError):
        writer.append("answer", None, {"n": 6}, timeout=0.2)
    state = writer.wait_until_settled(200)
    assert (state.status, state.waiting, state.lost) == ("failing", 6, 0)
    assert "disk is full" in state.sentence
    assert len(list((disk.data / "spool").glob("*.json"))) == 6
    assert not any(future.done() for future in futures)
    disk.broken = False
    assert [future.result(200).payload["n"] for future in futures] == [1, 2, 3, 4, 5]
    assert writer.wait_until_settled(200) == WriterState("ok")
    assert list((disk.data / "spool").glob("*.json")) == []
    assert [state.status for state in told] == ["ok", "failing", "ok"]
    assert writer.record is not None and payloads(writer.record) == list(range(7))
    assert writer.record.verify().ok


def test_what_waits_survives_a_restart_with_its_own_time(disk: Disk) -> None:
    writer = disk.writer()
    writer.wait_until_settled(200)
    disk.broken = True
    future = writer.submit("round-started", "r-000005", {"table": "T"})
    writer.submit("settled", "r-000005", {"settlement": {"paid": 1}})
    left_open = writer.submit("round-started", "r-000006", {"table": "T"})
    writer.wait_until_settled(200)
    assert writer.close().waiting == 3
    for stopped in (future, left_open):
        with pytest.raises(RecordError) as reason:
            stopped.result(0)
        assert reason.value.kind == "stopped"
    time.sleep(0.01)
    disk.broken = False
    again = disk.writer()
    assert again.wait_until_settled(200).status == "ok"
    record = again.record
    assert record is not None
    events = record.events("r-000005")
    assert [event.kind for event in events] == ["round-started", "settled", "unfinished"]
    assert events[0].time < events[2].time
    opened = [e for e in record.entries_after(0, 100) if e.kind == "opened"][-1]
    assert events[0].time < opened.time and events[0].seq > opened.seq
    states = {hand.id: hand.state for hand in record.hands()}
    assert states == {"r-000005": "settled", "r-000006": "unfinished"}
    assert again.new_round_id() == "r-000007"
    assert record.verify().ok


def test_an_entry_that_was_stored_just_before_a_crash_is_not_stored_twice(disk: Disk) -> None:
    writer = disk.writer()
    writer.wait_until_settled(200)
    disk.broken = True
    writer.submit("answer", None, {"n": 1})
    writer.wait_until_settled(200)
    writer.close()
    spooled = next((disk.data / "spool").glob("*.json"))
    content = spooled.read_bytes()
    disk.broken = False
    disk.writer().wait_until_settled(200)
    disk.writers[-1].close()
    spooled.write_bytes(content)
    again = disk.writer()
    assert again.wait_until_settled(200).status == "ok"
    assert again.record is not None and payloads(again.record) == [1]
    assert not spooled.exists()


def test_a_damaged_file_in_the_spool_is_set_aside_and_said(disk: Disk) -> None:
    folder = disk.data / "spool"
    folder.mkdir(parents=True)
    (folder / "000000000001.json").write_text('{"format": "something else"}')
    writer = disk.writer()
    writer.submit("answer", None, {"n": 1})
    state = writer.wait_until_settled(200)
    assert (state.status, state.lost) == ("ok", 1)
    assert (folder / "refused" / "000000000001.json").exists()
    writer.append("answer", None, {"n": 2})
    assert writer.record is not None
    faults = [e.payload for e in writer.record.entries_after(0, 100) if e.kind == "fault"]
    assert faults == [{"what": "entries-lost", "count": 1}]


def test_memory_is_bounded_when_not_even_the_spool_can_be_written(
    disk: Disk, picture: Callable[..., Picture]
) -> None:
    (disk.data / "spool").write_text("in the way")
    limits = Limits(entries=5, picture_bytes=25_000, retry_seconds=0.05)
    writer = disk.writer(limits=limits)
    writer.append("answer", None, {"n": 0})
    disk.broken = True
    futures = [writer.submit("answer", None, {"n": n}, (picture(size=10_000),)) for n in range(8)]
    # Entries are given up first, then pictures; only then it is said that it fails.
    deadline = time.monotonic() + 200
    while (state := writer.state).status != "failing" or state.lost < 3 or state.pictures_lost < 3:
        assert time.monotonic() < deadline, state
        time.sleep(0.02)
    assert (state.waiting, state.lost, state.pictures_lost) == (5, 3, 3)
    with pytest.raises(RecordError) as reason:
        futures[-1].result(0)
    assert reason.value.kind == "lost"
    disk.broken = False
    entries = [future.result(200) for future in futures[:5]]
    assert [entry.payload.get("pictures_lost") for entry in entries] == [1, 1, 1, None, None]
    assert writer.wait_until_settled(200).status == "ok"
    assert writer.record is not None and writer.record.verify().ok
    faults = [e.payload for e in writer.record.entries_after(0, 100) if e.kind == "fault"]
    assert faults == [{"what": "entries-lost", "count": 3}]


def test_one_entry_that_is_refused_does_not_hold_up_the_others(disk: Disk) -> None:
    writer = disk.writer()
    writer.wait_until_settled(200)
    assert writer.record is not None
    append = writer.record.append_drafts

    def append_drafts(drafts: Any) -> tuple[Entry, ...]:
        if any(draft.payload.get("n") == 3 for draft in drafts):
            raise KeyError("a defect")
        return append(drafts)

    writer.record.append_drafts = append_drafts  # type: ignore[method-assign]
    futures = [writer.submit("answer", None, {"n": n}) for n in range(6)]
    assert [futures[n].result(200).kind for n in (0, 1, 2, 4, 5)] == ["answer"] * 5
    with pytest.raises(RecordError):
        futures[3].result(200)
    assert len(list((disk.data / "spool" / "refused").iterdir())) == 1
    assert writer.state.lost == 1


def test_a_record_that_cannot_be_opened_at_first_is_opened_later(disk: Disk) -> None:
    disk.broken = True
    writer = disk.writer()
    first_id = writer.new_round_id()
    assert first_id.startswith("r-") and len(first_id) > 15
    future = writer.submit("round-started", first_id, {})
    assert writer.wait_until_settled(200).status == "failing"
    assert writer.record is None
    disk.broken = False
    assert future.result(200).round_id == first_id
    assert writer.new_round_id() == "r-000001"
