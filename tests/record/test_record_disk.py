"""A disk that is full, read-only or gone: said plainly, nothing stored is harmed, work goes on."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kiosk.record.errors import RecordError
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.writer import RecordWriter

Play = Callable[..., str]
NOBODY = 65534


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of three mebibytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs root; the file size limit is tested instead")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Takes all room that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (4096, 512):
            try:
                while True:
                    file.write(b"\0" * size)
            except OSError:
                continue
    return filler


def test_a_full_disk_is_said_and_what_was_stored_stays(
    small_disk: Path, play: Play, picture: Callable[..., Picture]
) -> None:
    with Record.open(None, small_disk) as record:
        rounds = [play(record, (picture(),)) for _ in range(3)]
        filler = fill(small_disk)
        with pytest.raises(RecordError) as refusal:
            for _ in range(200):
                record.append("fault", None, {"text": "x" * 3000}, (picture(),))
        assert refusal.value.kind == "full"
        assert "disk is full" in refusal.value.sentence and "make room" in refusal.value.advice
        assert {hand.id for hand in record.hands()} == set(rounds)
        filler.unlink()
        rounds.append(play(record, (picture(),)))
        assert record.verify().findings == ()
    with Record.open(None, small_disk, read_only=True) as reader:
        assert {hand.id for hand in reader.hands()} == set(rounds)
        assert reader.verify().findings == ()


def test_the_table_goes_on_while_the_disk_is_full_and_all_is_stored_afterwards(
    small_disk: Path, picture: Callable[..., Picture]
) -> None:
    writer = RecordWriter(lambda: Record.open(None, small_disk), small_disk)
    assert writer.wait_until_settled(200).status == "ok"
    filler = fill(small_disk)
    futures = [
        writer.submit("fault", None, {"n": n, "text": "x" * 3000}, (picture(),)) for n in range(40)
    ]
    state = writer.wait_until_settled(1)
    while state.status == "ok" and state.waiting:
        state = writer.wait_until_settled(1)
    assert state.status == "failing" and "disk is full" in state.sentence
    assert 0 < state.waiting <= 40 and state.lost == 0
    assert not all(future.done() for future in futures), "an entry was acknowledged too early"
    filler.unlink()
    entries = [future.result(200) for future in futures]
    assert [entry.payload["n"] for entry in entries] == list(range(40))
    assert writer.wait_until_settled(200).status == "ok"
    assert writer.record is not None and writer.record.verify().findings == ()
    writer.close(90)


SIZE_LIMIT_PROGRAM = """
import resource, signal, sys
from kiosk.record.record import Record
from kiosk.record.errors import RecordError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
record = Record.open(None, sys.argv[1])
count = 0
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
try:
    while count < 500:
        record.append("fault", None, {"text": "x" * 3000})
        count += 1
except RecordError as error:
    print(count, error.kind)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
record.append("fault", None, {"after": True})
assert record.verify().findings == (), record.verify()
"""


def test_files_that_may_not_grow_count_as_a_full_disk(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    done = subprocess.run(
        [sys.executable, "-c", SIZE_LIMIT_PROGRAM, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    count, kind = done.stdout.split()
    assert kind == "full" and 3 < int(count) < 500
    with Record.open(None, tmp_path, read_only=True) as reader:
        kinds = [entry.kind for entry in reader.entries_after(0, 1000)]
        assert kinds == ["opened"] + ["fault"] * (int(count) + 1)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder that others may read and nobody but its owner may write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for place in (folder, *folder.rglob("*")):
        if place.is_dir():
            place.chmod(0o755)
    shutil.rmtree(folder)


def lock_up(folder: Path) -> None:
    for place in (*folder.rglob("*"), folder):
        place.chmod(0o555 if place.is_dir() else 0o444)


def test_a_folder_that_cannot_be_written_is_named(closed_folder: Path) -> None:
    lock_up(closed_folder)
    with as_nobody(), pytest.raises(RecordError) as refusal:
        Record.open(None, closed_folder / "data")
    assert refusal.value.kind == "read-only"
    assert str(closed_folder) in refusal.value.sentence
    with as_nobody(), pytest.raises(RecordError) as refusal:
        Record.open(None, closed_folder)
    assert refusal.value.kind == "read-only"


def test_a_record_in_a_folder_that_cannot_be_written_is_still_read(
    closed_folder: Path, play: Play
) -> None:
    with Record.open(None, closed_folder) as record:
        play(record)
    lock_up(closed_folder)
    (closed_folder / "keys").chmod(0o755)
    with as_nobody(), Record.open(None, closed_folder, read_only=True) as reader:
        assert [hand.state for hand in reader.hands()] == ["settled"]
    with as_nobody(), pytest.raises(RecordError) as refusal:
        Record.open(None, closed_folder)
    assert refusal.value.kind == "read-only"


def test_a_read_only_disk_is_said_and_the_record_on_it_read(small_disk: Path, play: Play) -> None:
    with Record.open(None, small_disk) as record:
        play(record)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(RecordError) as refusal:
        Record.open(None, small_disk)
    assert refusal.value.kind == "read-only"
    with Record.open(None, small_disk, read_only=True) as reader:
        assert len(list(reader.hands())) == 1
        assert reader.verify().findings == ()


def test_another_program_that_holds_the_file_is_named(
    tmp_path: Path, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    monkeypatch.setattr("kiosk.record.database.BUSY_SECONDS", 0.2)
    with Record.open(None, tmp_path) as record:
        play(record)
        other: Any = sqlite3.connect(tmp_path / "record.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError) as refusal:
            play(record)
        assert refusal.value.kind == "locked"
        other.execute("ROLLBACK")
        other.close()
        play(record)
        assert record.verify().findings == ()
