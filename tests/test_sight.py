"""Photographs that visitors upload: whatever they claim, the kiosk goes on."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

import models
from calibration.layout import load_layout
from kiosk.config import Settings, VisionSettings
from kiosk.errors import ActionError, UserError
from kiosk.sight import Sight


def png(width: int, height: int, rows: int) -> bytes:
    """A PNG of black rows that claims ``width`` × ``height``."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows_of_black = zlib.compress(bytes(width * 3 + 1) * rows)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (chunk(b"IHDR", head), chunk(b"IDAT", rows_of_black), chunk(b"IEND", b""))
    )


@pytest.fixture
def sight() -> Sight:
    return Sight(Settings(), load_layout("russian-4"), lambda: None)


def test_a_small_file_cannot_claim_the_whole_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(png(30_000, 30_000, 4))
    program = (
        "import resource, sys; from pathlib import Path; import kiosk;"
        "from kiosk.vision.images import load_photo; from kiosk.errors import UserError\n"
        "try: load_photo(Path(sys.argv[1])); print('read')\n"
        "except UserError as problem: print('refused', problem)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(bomb)], capture_output=True, text=True, check=True
    )
    said, megabytes = done.stdout.splitlines()
    assert said.startswith("refused")
    assert int(megabytes) < 1000


@pytest.mark.parametrize("start", ["~/", "~nobody-here/"])
def test_a_finder_of_ones_own_may_lie_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    shutil.copy(models.finder_path(), tmp_path / "own.onnx")
    settings = Settings(vision=VisionSettings(model=Path(f"{start}own.onnx")))
    if start != "~/":
        with pytest.raises(UserError, match="no user of that name"):
            Sight(settings, load_layout("russian-4"), lambda: None)
        return
    found = Sight(settings, load_layout("russian-4"), lambda: None)
    assert found.model_hash == models.file_hash(models.finder_path())
    assert found.model_failure is None


def test_one_photograph_is_read_at_a_time_and_others_are_told(sight: Sight) -> None:
    with sight._uploads_lock:
        with pytest.raises(ActionError, match="another photograph") as refusal:
            sight.read_picture(png(8, 8, 8))
        assert refusal.value.status == 503
    with pytest.raises(UserError):
        sight.read_picture(b"no picture")
    # A refused one must not keep the others out.
    free = threading.Event()

    def read() -> None:
        assert sight.read_picture(png(8, 8, 8))["width"] == 8
        free.set()

    threading.Thread(target=read, daemon=True).start()
    assert free.wait(200)


def test_a_felt_taken_back_while_no_picture_comes_is_not_read_by(sight: Sight) -> None:
    """While the camera is lost, another felt is chosen and then the first one again."""
    pipeline = sight._pipeline
    assert pipeline is not None
    first = pipeline.layout
    sight.use_layout(first.model_copy(update={"name": "other"}))
    sight.use_layout(first)
    pipeline.step(np.full((720, 1280, 3), (52, 96, 24), np.uint8), 1.0)
    assert pipeline.layout is first
