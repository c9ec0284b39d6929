"""The wheel, installed into an empty environment elsewhere, reads cards and runs the kiosk."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from kiosk.bench.ports import free_port

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.timeout(900)


def _clean_environment() -> dict[str, str]:
    """The caller's environment without anything that points at this checkout."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of an empty environment in which only the wheel was installed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True, cwd=folder
    )
    (wheel,) = folder.glob("dealer_kiosk-*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    subprocess.run(
        [
            str(folder / "venv/bin/python"),
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--quiet",
            "install",
            "--constraint",
            str(ROOT / "constraints.txt"),
            str(wheel),
        ],
        check=True,
        cwd=folder,
        env=_clean_environment(),
    )
    return folder


def test_wheel_reads_cards(elsewhere: Path) -> None:
    program = str(elsewhere / "venv/bin/kiosk")
    script = (
        "import cv2; from kiosk.sample import recording_path; "
        "film = cv2.VideoCapture(str(recording_path())); "
        "film.set(cv2.CAP_PROP_POS_FRAMES, int(film.get(cv2.CAP_PROP_FRAME_COUNT) * 0.2)); "
        "cv2.imwrite('a.png', film.read()[1])"
    )
    subprocess.run([str(elsewhere / "venv/bin/python"), "-c", script], check=True, cwd=elsewhere)
    (elsewhere / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 cut off")
    done = subprocess.run(
        [program, "read", "--json", "a.png", "broken.jpg"],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        check=False,
        env=_clean_environment(),
    )
    assert done.returncode == 1, done.stderr
    read, broken = (json.loads(line) for line in done.stdout.splitlines())
    assert read["width"] == 1280 and read["cards"], read
    assert all(re.fullmatch("[2-9TJQKA][cdhs]", card["card"]) for card in read["cards"])
    assert "error" in broken and "Traceback" not in done.stderr


def test_wheel_runs_the_kiosk(elsewhere: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        [str(elsewhere / "venv/bin/kiosk"), "run", "--port", str(port), "--data", "data"],
        cwd=elsewhere,
        env=_clean_environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 600
        seen: dict[str, object] = {}
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/round") as answer:
                    seen = json.load(answer)
            except OSError:
                time.sleep(0.3)
                continue
            if any(box["cards"] for box in seen["boxes"]):  # type: ignore[attr-defined]
                break
            time.sleep(0.3)
        assert seen and any(box["cards"] for box in seen["boxes"]), seen  # type: ignore[attr-defined]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert b"<html" in page.read().lower()
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert "Traceback" not in errors
    assert (elsewhere / "data/record.db").exists()
