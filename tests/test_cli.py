"""The command line: exit statuses, one clear line for bad input, never a traceback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=300,
    )


COMMANDS = (
    "run",
    "read",
    "settle",
    "houses",
    "calibrate",
    "audit",
    "people",
    "panel",
    "doctor",
    "bench",
)


def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(command in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_manual(command: str) -> None:
    done = run(command, "--help")
    assert done.returncode == 0 and "usage: kiosk" in done.stdout


BAD = {
    "no-command": (),
    "unknown-command": ("dance",),
    "camera-word": ("run", "--source", "camera:front"),
    "no-such-file": ("run", "--source", "nowhere.mp4"),
    "web-address": ("run", "--source", "http://example.org/x"),
    "unknown-house": ("run", "--house", "russian-z"),
    "bad-house-file": ("run", "--house", "bad.toml"),
    "unknown-layout": ("run", "--layout", "round"),
    "missing-model": ("run", "--model", "none.onnx"),
    "wrong-model": ("run", "--model", "not-a-model.onnx"),
    "photo-broken": ("run", "--source", "broken.jpg"),
    "video-broken": ("run", "--source", "bad.toml"),
    "data-is-a-file": ("people", "list", "--data", "bad.toml"),
    "data-under-a-file": ("audit", "list", "--data", "bad.toml/data"),
    "house-folder": ("houses", "check", "."),
    "camera-gone": ("calibrate", "check", "--source", "camera:99"),
    "head-mistyped": ("audit", "verify", "--head", "541283", "--data", "."),
    "port-number": ("run", "--port", "99999"),
    "port-word": ("run", "--port", "http"),
    "record-address": ("run", "--record", "mysql://x/y"),
    "config-missing": ("run", "--config", "none.toml"),
    "read-nothing": ("read",),
    "read-missing": ("read", "none.jpg"),
    "read-threads": ("read", "--threads", "0", "none.jpg"),
    "settle-missing": ("settle", "none.json"),
    "settle-broken": ("settle", "bad.toml"),
    "bench-unknown": ("bench", "speed"),
    "panel-grammar": ("run", "--panel", ""),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bad-input")
    (path / "bad.toml").write_text("pay = {", "utf-8")
    (path / "broken.jpg").write_text("no picture", "utf-8")
    (path / "not-a-model.onnx").write_bytes(b"not a model at all")
    return path


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_status_2(folder: Path, name: str) -> None:
    arguments = BAD[name]
    extra = ("--data", str(folder / "data")) if arguments[:1] == ("run",) else ()
    done = run(*arguments, *extra, cwd=folder)
    wanted = {1, 2} if name == "read-missing" else {2}
    assert done.returncode in wanted, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr


def test_a_file_in_place_of_the_data_folder_is_named(folder: Path) -> None:
    done = run("run", "--data", "bad.toml", cwd=folder)
    assert done.returncode == 2
    told = f"data folder {folder / 'bad.toml'}: it is a file; name a folder with --data"
    assert done.stderr == f"kiosk: {told}\n"


def test_occupied_port_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = str(taken.getsockname()[1])
        done = run("run", "--port", port, "--panel", "none", "--data", str(tmp_path / "data"))
    assert done.returncode == 2
    assert "in use" in done.stderr and "Traceback" not in done.stderr


def test_read_goes_on_after_a_broken_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((480, 640, 3), (40, 90, 30), np.uint8))
    (tmp_path / "cut.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF")
    done = run("read", "--json", "cut.jpg", "felt.png", cwd=tmp_path)
    assert done.returncode == 1
    broken, felt = (json.loads(line) for line in done.stdout.splitlines())
    assert "error" in broken and felt["cards"] == [] and felt["width"] == 640


def test_doctor_finds_everything_in_order_with_the_sample(tmp_path: Path) -> None:
    done = run("doctor", "--json", "--data", str(tmp_path))
    checks = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert set(checks) == {"model", "camera", "panel", "storage", "people", "clock"}
    assert all(check["good"] for check in checks.values()), done.stdout
    assert done.returncode == 0


def test_doctor_names_what_fails(tmp_path: Path) -> None:
    done = run("doctor", "--source", "nowhere.mp4", "--panel", "/dev/none", "--data", str(tmp_path))
    assert done.returncode == 1
    failing = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert any("camera" in line for line in failing) and any("panel" in line for line in failing)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("houses",), ("calibrate", "layouts"), ("--version",)])
def test_output_on_a_full_disk_is_one_clear_line(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kiosk.cli", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=300,
        )
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    if arguments != ("--version",):  # argparse itself says nothing of it
        assert done.returncode == 2
        assert done.stderr == "kiosk: the output: No space left on device\n"


def test_closed_streams_are_no_fault_and_their_numbers_stay_unused() -> None:
    program = (
        "import os, sys; from kiosk.cli import main;"
        "status = main(['houses']);"
        "led = {os.readlink(f'/proc/self/fd/{n}') for n in (0, 1, 2)};"
        "sys.exit(status or led != {'/dev/null'})"
    )
    shell = ["sh", "-c", f'exec "{sys.executable}" -c "{program}" 0<&- 1>&- 2>&-']
    assert subprocess.run(shell, check=False, timeout=300).returncode == 0


def test_ctrl_c_while_it_still_starts_is_no_traceback() -> None:
    program = (
        "import importlib, sys\n"
        "def interrupted(name): raise KeyboardInterrupt\n"
        "from kiosk.cli import main\n"
        "importlib.import_module = interrupted\n"
        "sys.exit(main(['houses']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stderr) == (130, "")
