"""W6: pages and recorder use the database together, and nobody ever meets a lock."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kiosk.hands import RecordedHands
from kiosk.record.clock import SystemClock
from kiosk.record.pictures import Picture
from kiosk.record.retention import Retention, apply_retention
from kiosk.record.search import ANY, HandFilter
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.rules import load_house_file


class Load:
    """Threads that write, read, search, export, tidy and check at once, until told to end."""

    def __init__(self, data: Path, place: Any, settled: Callable[..., Any]) -> None:
        self.writer: RecordWriter = start_writer(None, data)
        assert self.writer.wait_until_settled(200).status == "ok"
        self.hands = RecordedHands(self.writer, lambda: None, load_house_file("russian-a"))
        self.place, self.settled = place.as_json(), settled().to_payload()
        self.end = threading.Event()
        self.errors: list[BaseException] = []
        self.counts: dict[str, int] = {}

    def run(self, seconds: float) -> None:
        jobs = {
            "write": self.write, "list": self.read_list, "hand": self.read_hand,
            "search": self.search, "export": self.export, "tidy": self.tidy, "check": self.check,
        }  # fmt: skip
        threads = [
            threading.Thread(target=self._again, args=(name, job), daemon=True)
            for name, job in jobs.items()
        ]
        for thread in threads:
            thread.start()
        self.end.wait(seconds)
        self.end.set()
        for thread in threads:
            thread.join(300)
            assert not thread.is_alive()

    def _again(self, name: str, job: Callable[[], None]) -> None:
        try:
            while not self.end.is_set():
                job()
                self.counts[name] = self.counts.get(name, 0) + 1
        except BaseException as error:
            self.errors.append(error)
            self.end.set()

    def write(self) -> None:
        round_id = self.writer.new_round_id()
        self.writer.submit("round-started", round_id, self.place)
        shot = Picture("after", b"\xff\xd8" + random.randbytes(20_000))
        self.writer.submit("settled", round_id, self.settled, (shot,))
        self.writer.append("round-finished", round_id, {}, timeout=60)

    def read_list(self) -> None:
        found, after = self.hands.search(HandFilter(), limit=50)
        assert after is None or len(found) == 50

    def read_hand(self) -> None:
        found, _ = self.hands.search(HandFilter(state="settled"), limit=20)
        if found:
            told = self.hands.one(random.choice(found)["id"])
            assert told is not None and told["settlement"]["paid"] == 400

    def search(self) -> None:
        for wanted in (HandFilter(combination="pair", box=1), HandFilter(mistake=ANY)):
            self.hands.search(wanted, limit=50)
        self.hands.names()
        self.hands.standing_faults()

    def export(self) -> None:
        for count, _ in enumerate(self.hands.every(HandFilter(table="Table 4"))):
            if count > 200:
                return

    def tidy(self) -> None:
        record = self.writer.record
        assert record is not None
        apply_retention(record, Retention(), SystemClock()())
        record.learn()
        time.sleep(0.2)

    def check(self) -> None:
        record = self.writer.record
        assert record is not None
        assert record.verify().findings == ()
        time.sleep(0.5)


def mixed(data: Path, place: Any, settled: Callable[..., Any], seconds: float) -> None:
    load = Load(data, place, settled)
    load.run(seconds)
    assert load.errors == []
    state = load.writer.state
    assert (state.status, state.lost, state.pictures_lost) == ("ok", 0, 0)
    assert min(load.counts.values()) >= 1 and load.counts["write"] >= seconds / 10
    assert len(load.counts) == 7
    load.check()
    load.hands.close()
    load.writer.close()


def test_w6_page_and_recorder_share_the_database(
    tmp_path: Path, place: Any, settled: Callable[..., Any]
) -> None:
    mixed(tmp_path, place, settled, 4)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_w6_ten_minutes_of_mixed_load(
    tmp_path: Path, place: Any, settled: Callable[..., Any]
) -> None:
    mixed(tmp_path, place, settled, 600)
