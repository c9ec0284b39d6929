"""The upkeep of the record: faults over a restart, old pictures, and what the pit is told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kiosk.config import RetentionSettings
from kiosk.record.clock import Moment
from kiosk.record.draft import Draft
from kiosk.record.pictures import Picture
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.upkeep import TIDY_EVERY, Upkeep


class Watch:
    """An upkeep with a clock of its own."""

    def __init__(self, writer: RecordWriter) -> None:
        self.now = 0.0
        self.writer = writer
        self.upkeep = Upkeep(writer, RetentionSettings, lambda: {"table": "T"}, lambda: self.now)

    def look(self, seconds: float, **parts: bool) -> None:
        health = {"parts": {name: {"ok": ok, "text": name} for name, ok in parts.items()}}
        for _ in range(round(seconds / 0.25)):
            self.now += 0.25
            self.upkeep.look(health)
        assert self.writer.wait_until_settled(200).status == "ok"

    @property
    def faults(self) -> list[tuple[str, str]]:
        assert self.writer.record is not None
        return [
            (str(e.payload["what"]), str(e.payload["part"]))
            for e in reversed(self.writer.record.faults())
            if e.kind == "fault"
        ]


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[RecordWriter]:
    opened = start_writer(None, tmp_path)
    assert opened.wait_until_settled(200).status == "ok"
    yield opened
    opened.close()


def test_a_fault_stands_over_a_restart_and_its_end_is_noted(
    writer: RecordWriter, tmp_path: Path
) -> None:
    before = Watch(writer)
    before.look(30, camera=False, panel=True)
    assert before.faults == [("part-fault", "camera")]
    writer.close()
    again = start_writer(None, tmp_path)
    assert again.wait_until_settled(200).status == "ok"
    after = Watch(again)
    after.look(20, camera=False, panel=True)
    assert after.faults == [("part-fault", "camera")]
    after.look(10, camera=True, panel=True)
    assert after.faults == [("part-fault", "camera"), ("part-good", "camera")]
    assert again.record is not None and again.record.standing_faults() == {}
    again.close()


def test_old_pictures_go_by_themselves(writer: RecordWriter) -> None:
    record = writer.record
    assert record is not None
    old = datetime.now(UTC) - timedelta(days=9)
    moment = Moment(old, 0, True, 1)
    shot = (Picture("after", b"\xff\xd8old"),)
    record.append_drafts([Draft("round-started", "r-1", {}, moment, shot, this_run=False)])
    watch = Watch(writer)
    watch.look(1, camera=True)
    found = record.hand("r-1")
    assert found is not None and [picture.deleted for picture in found.pictures] == [True]
    assert record.verify().findings == ()
    watch.now += TIDY_EVERY
    watch.look(1, camera=True)
    assert len([e for e in record.faults() if e.kind == "picture-deleted"]) == 1


def test_what_fails_in_the_upkeep_stops_nothing(writer: RecordWriter) -> None:
    def broken() -> dict[str, Any]:
        raise RuntimeError("defect")

    upkeep = Upkeep(writer, RetentionSettings, broken)
    upkeep.look({"parts": {}})
    upkeep.look({})
