"""W7 on the serving process itself: killed at random moments, its disk full or read-only, its
data folder taken. Hands are entered over the API, so that many pass in a short time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from running import PATIENCE, RunningKiosk, audit, verify

pytestmark = pytest.mark.timeout(900)

DEALER, BOX = "9h 9c Kd 7s 3d", "Jh Jd 4c 4s 8h"


@pytest.fixture
def felt(tmp_path: Path) -> list[str]:
    """The options of a kiosk that looks at a bare felt."""
    grain = np.random.default_rng(1).normal(0, 3, (720, 1280, 3))
    picture = np.clip(np.array((52, 96, 24)) + grain, 0, 255).astype(np.uint8)
    path = tmp_path / "felt.png"
    assert cv2.imwrite(str(path), picture)
    return ["--panel", "none", "--mode", "training", "--source", str(path)]


def deal(kiosk: RunningKiosk) -> str:
    """Enters a hand up to its settlement; its id."""
    round_id = str(kiosk.round()["id"])
    kiosk.post("bets", {"box": 1, "in_play": True, "bets": {"ante": 100}})
    for zone, cards in (("dealer", DEALER), ("box1", BOX)):
        for card in cards.split():
            kiosk.post("cards", {"zone": zone, "card": card})
    kiosk.post("confirm", {"box": 1})
    # Right after the start the felt has not been seen bare for long enough.
    kiosk.until(lambda: kiosk.round()["boxes"][0]["settled"], 60, "the hand is settled")
    kiosk.post("reveal", {})
    owed = kiosk.round()["boxes"][0]["result"]["bets"]
    kiosk.post("answer", {"box": 1, "bets": owed})
    return round_id


def play(kiosk: RunningKiosk) -> str:
    """One whole hand, acknowledged."""
    round_id = deal(kiosk)
    kiosk.until(lambda: kiosk.round()["recorded"], 60, "the hand is recorded")
    kiosk.post("next", {})
    return round_id


def play_until_killed(kiosk: RunningKiosk, seconds: float, acknowledged: set[str]) -> None:
    """Plays hands; after ``seconds`` the process is killed, wherever it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        round_id = deal(kiosk)
        while time.monotonic() < end and round_id not in acknowledged:
            if kiosk.round()["recorded"]:
                acknowledged.add(round_id)
        kiosk.post("next", {})
    kiosk.kill()


def check(data: Path, acknowledged: set[str]) -> None:
    """Every acknowledged hand is there, every other one is marked, the chain holds."""
    hands = {hand["id"]: hand for hand in audit(data)}
    assert acknowledged <= hands.keys()
    for name in acknowledged:
        assert hands[name]["settlement"]["paid"] == 400, name
        assert len(hands[name]["cards"]["box1"]) == 5
    verify(data)


def kill_many(folder: Path, felt: list[str], count: int, seed: int) -> None:
    chance = random.Random(seed)
    data = folder / "data"
    acknowledged: set[str] = set()
    for number in range(count):
        with RunningKiosk(data, *felt) as kiosk:
            # After a crash the kiosk must not give an id a second time.
            assert kiosk.round()["id"] not in acknowledged
            play_until_killed(kiosk, chance.uniform(0, 4), acknowledged)
        if number % 10 == 9 or number == count - 1:
            check(data, acknowledged)
    assert len(acknowledged) >= count // 4, "too little was acknowledged for the kills to matter"
    with RunningKiosk(data, *felt) as kiosk:
        now = kiosk.round()["id"]
    left = [hand for hand in audit(data) if hand["state"] == "open" and hand["id"] != now]
    assert left == [], "a hand that nothing ended is marked"
    check(data, acknowledged)


def test_w7_the_serving_process_is_killed_at_random_moments(
    tmp_path: Path, felt: list[str]
) -> None:
    kill_many(tmp_path, felt, 2, seed=11)


@pytest.mark.long
@pytest.mark.timeout(14_400)
def test_w7_the_serving_process_is_killed_200_times(tmp_path: Path, felt: list[str]) -> None:
    kill_many(tmp_path, felt, 200, seed=12)


def test_all_that_a_kiosk_makes_is_its_users_alone(tmp_path: Path, felt: list[str]) -> None:
    data = tmp_path / "data"
    before = os.umask(0o022)
    try:
        with RunningKiosk(data, *felt) as kiosk:
            kiosk.until(lambda: kiosk.get("/api/v1/table")["width"], 300, "the first picture")
            play(kiosk)
            running = [path for path in (data, *data.rglob("*")) if path.exists()]
            wide = [path for path in running if path.stat().st_mode & 0o077]
    finally:
        os.umask(before)
    assert {path.name for path in running} >= {"record.db", "people.db", "pictures", "keys"}
    assert wide == []
    assert [path for path in data.rglob("*") if path.stat().st_mode & 0o077] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 24 mebibytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs root; the file size limit is tested instead")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def storage(kiosk: RunningKiosk) -> dict[str, Any]:
    """What the kiosk says of its storage; ``/healthz`` names it while it fails."""
    found: dict[str, Any] = kiosk.health()
    part: dict[str, Any] = found["parts"]["storage"]
    assert ("storage" in found["failing"]) is not part["ok"]
    return part


def test_the_table_goes_on_with_a_full_disk_and_nothing_is_lost(
    small_disk: Path, felt: list[str]
) -> None:
    data = small_disk / "data"
    with RunningKiosk(data, *felt) as kiosk:
        first = play(kiosk)
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass
        second = deal(kiosk)
        kiosk.until(lambda: not storage(kiosk)["ok"], 30, "the full disk is said")
        said = storage(kiosk)["text"]
        assert "disk is full" in said and "entries wait" in said
        assert kiosk.round()["stage"] == "done" and not kiosk.round()["recorded"]
        kiosk.post("next", {})
        third = deal(kiosk)
        filler.unlink()
        kiosk.until(lambda: kiosk.round()["recorded"], 60, "what waited is stored")
        kiosk.until(lambda: storage(kiosk)["ok"], 10, "the storage works again")
    found = {hand["id"]: hand["settlement"]["paid"] for hand in audit(data)}
    assert [found[name] for name in (first, second, third)] == [400, 400, 400]
    verify(data)


def make_read_only(disk: Path) -> None:
    """Refused as busy while a process that has just been ended still holds a file open there."""
    end = time.monotonic() + PATIENCE
    while subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=False).returncode:
        assert time.monotonic() < end, "the disk stays busy"
        time.sleep(0.2)


def test_the_table_goes_on_on_a_read_only_disk(small_disk: Path, felt: list[str]) -> None:
    data = small_disk / "data"
    with RunningKiosk(data, *felt) as kiosk:
        first = play(kiosk)
    make_read_only(small_disk)
    try:
        # Its log lies beside the folder, on a disk that takes no file any more.
        with RunningKiosk(data, *felt, log=small_disk.parent / "ro.log") as kiosk:
            deal(kiosk)
            kiosk.until(lambda: not storage(kiosk)["ok"], 30, "the read-only disk is said")
            assert "read-only" in storage(kiosk)["text"]
            now = kiosk.round()
            assert now["stage"] == "done" and not now["recorded"]
            kiosk.until(
                lambda: kiosk.get("/api/v1/table")["zones"], 30, "the camera goes on reading"
            )
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert [hand["id"] for hand in audit(data)] == [first]
    verify(data)


def test_a_second_kiosk_on_the_same_folder_is_refused(tmp_path: Path, felt: list[str]) -> None:
    data = tmp_path / "data"
    with RunningKiosk(data, *felt) as kiosk:
        play(kiosk)
        for record in ([], ["--record", str(tmp_path / "other.db")]):
            second = subprocess.run(
                [sys.executable, "-m", "kiosk.cli", "run", "--data", str(data), *felt, *record],
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            assert second.returncode == 2
            line = second.stderr.strip().splitlines()[-1]
            assert "Another kiosk is using" in line and "--data" in line
            assert "Traceback" not in second.stderr
        play(kiosk)
    assert len(audit(data)) >= 2
    verify(data)


@pytest.mark.long
def test_a_fault_outlives_a_power_cut_until_it_is_over(tmp_path: Path, felt: list[str]) -> None:
    data, word = tmp_path / "data", tmp_path / "twin"
    picture = felt[-1]
    word.write_text(f"ok\n{picture}\n")
    options = [*felt[:-1], f"twin:{word}"]

    def faults() -> list[tuple[str, str]]:
        text = subprocess.run(
            [sys.executable, "-c", FAULTS, data], capture_output=True, text=True, check=True
        ).stdout
        return [(line.split()[0], line.split()[1]) for line in text.splitlines()]

    with RunningKiosk(data, *options) as kiosk:
        kiosk.until(lambda: kiosk.health()["parts"]["camera"]["ok"], 60, "the camera works")
        word.write_text(f"lost\n{picture}\n")
        kiosk.until(lambda: ("part-fault", "camera") in faults(), 90, "the fault is recorded")
        kiosk.kill()
    with RunningKiosk(data, *options) as kiosk:
        time.sleep(20)
        assert faults().count(("part-fault", "camera")) == 1, "it stands, and is noted once"
        word.write_text(f"ok\n{picture}\n")
        kiosk.until(lambda: ("part-good", "camera") in faults(), 90, "that it is over is recorded")
    verify(data)


FAULTS = """
import sys
from kiosk.record.record import Record
with Record.open(None, sys.argv[1], read_only=True) as record:
    for entry in record.faults(limit=1000):
        if entry.kind == "fault":
            print(entry.payload.get("what"), entry.payload.get("part"))
"""
