"""``kiosk calibrate``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from calibration.commands import add_commands
from calibration.layout import load_layout
from kiosk.errors import UserError


def _run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["calibrate", *words])
    status: int = args.run(args)
    return status


def test_v10_report_passes_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("report") == 0
    assert "pass" in capsys.readouterr().out
    assert _run("report", "--size", "640x360") == 1
    assert "move the camera closer or raise the resolution" in capsys.readouterr().out
    assert _run("report", "--size", "640x360", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert {zone["verdict"] for zone in report["zones"]} == {"too small"}


def test_corners_make_a_layout_that_loads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "pit-3.toml"
    words = ("corners", "40,30", "1890,35", "1900,1060", "30,1055", "--size", "1920x1080")
    assert _run(*words, "--out", str(out)) == 0
    layout = load_layout(str(out))
    assert layout.name == "pit-3"
    assert layout.camera.corners[1] == (1890, 35)
    with pytest.raises(UserError, match="--force"):
        _run(*words, "--out", str(out))
    assert _run(*words, "--out", str(out), "--force") == 0
    capsys.readouterr()


def test_crossed_corners_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="corners must go round"):
        _run(
            "corners", "0,0", "9,9", "9,0", "0,9", "--size", "10x10",
            "--out", str(tmp_path / "x.toml"),
        )  # fmt: skip
    assert not (tmp_path / "x.toml").exists()


def test_nonsense_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        _run("report", "--size", "big")
    assert caught.value.code == 2
    assert "1280x720" in capsys.readouterr().err


def test_layouts_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("layouts") == 0
    assert "russian-4" in capsys.readouterr().out
