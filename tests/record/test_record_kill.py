"""W7: ``kill -9`` at any moment loses no acknowledged entry; unfinished rounds are marked."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kiosk.record.record import Record

PROGRAM = Path(__file__).with_name("writing_process.py")


def kill_once(data: Path, way: str, chance: random.Random) -> list[list[str]]:
    """Starts the program, kills it at a random moment, gives the lines it got out."""
    process = subprocess.Popen([sys.executable, PROGRAM, data, way], stdout=subprocess.PIPE)
    assert process.stdout is not None
    lines = []
    if chance.random() < 0.8:
        # Else it is killed while it starts.
        lines += [process.stdout.readline() for _ in range(chance.randint(2, 12))]
        time.sleep(chance.uniform(0, 0.03))
    else:
        time.sleep(chance.uniform(0.2, 1.5))
    process.send_signal(signal.SIGKILL)
    lines += process.stdout.readlines()
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL, "the writing program failed by itself"
    # The last line may be cut by the kill: then it was not acknowledged.
    return [line.decode().split() for line in lines if line.endswith(b"\n")]


def kill_many(data: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    acknowledged: list[list[str]] = []
    for number in range(count):
        way = "writer" if number % 2 else "record"
        acknowledged += kill_once(data, way, chance)
        if number % 5 == 4 or number == count - 1:
            check(data, acknowledged)
    assert len(acknowledged) > count, "too little was written for the kills to mean anything"


def check(data: Path, acknowledged: list[list[str]]) -> None:
    with Record.open(None, data) as record:
        for round_id, kind, seq, entry_hash in acknowledged:
            entry = record.entry(int(seq))
            assert entry is not None, f"acknowledged entry {seq} is gone"
            assert [entry.round_id, entry.kind, entry.hash] == [round_id, kind, entry_hash]
        finished = {line[0] for line in acknowledged if line[1] == "round-finished"}
        for hand in record.hands():
            assert hand.finished, f"{hand.id} is neither finished nor marked"
            if hand.state == "unfinished":
                assert hand.id not in finished
                assert record.events(hand.id)[-1].kind == "unfinished"
        assert len(list(record.hands())) >= len({line[0] for line in acknowledged})
        report = record.verify()
        assert report.findings == ()


def test_w7_kill_at_random_moments(tmp_path: Path) -> None:
    kill_many(tmp_path, 8, seed=20310517)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_w7_kill_200_times(tmp_path: Path) -> None:
    kill_many(tmp_path, 200, seed=7)
