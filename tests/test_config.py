"""Settings: typed, bounded, unknown keys refused with file and field."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from kiosk.config import load_settings
from kiosk.errors import UserError


def _file(folder: Path, text: str) -> Path:
    path = folder / "kiosk.toml"
    path.write_text(text, "utf-8")
    return path


def test_defaults_are_the_sample_in_demo_mode() -> None:
    settings = load_settings(None, {})
    assert settings.source == "sample" and settings.play_mode == "demo"
    assert settings.host == "127.0.0.1" and settings.port == 8000


def test_another_source_is_training_unless_told() -> None:
    assert load_settings(None, {"source": "camera:0"}).play_mode == "training"
    assert load_settings(None, {"source": "camera:0", "mode": "demo"}).play_mode == "demo"


def test_command_line_wins_over_the_file(tmp_path: Path) -> None:
    path = _file(tmp_path, 'port = 9000\nhouse = "russian-b"\n[table]\nante_min = 50\n')
    settings = load_settings(path, {"port": 9001, "house": None})
    assert settings.port == 9001 and settings.house == "russian-b"
    assert settings.table.ante_min == Decimal(50)


def test_own_model_goes_to_the_vision_settings(tmp_path: Path) -> None:
    settings = load_settings(None, {"model": tmp_path / "own.onnx"})
    assert settings.vision.model == tmp_path / "own.onnx"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour = 1", "colour"),
        ("port = 70000", "port"),
        ("port = 'x'", "port"),
        ('mode = "watch"', "mode"),
        ("[table]\nante_min = 500\nante_max = 100", "table"),
        ("[table]\nante_min = 0", "table.ante_min"),
        ("[table]\nante_min = 1.005", "table.ante_min"),
        ("[table]\nchips = []", "table.chips"),
        ("[pace]\nclear_after = 0", "pace.clear_after"),
        ("[vision]\nthreads = 0", "vision.threads"),
        ('kiosk_id = "a b"', "kiosk_id"),
        ("port = ", "TOML"),
    ],
)
def test_bad_file_is_one_line_that_names_file_and_field(
    tmp_path: Path, text: str, named: str
) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(UserError) as caught:
        load_settings(path, {})
    line = str(caught.value)
    assert str(path) in line and named in line and "\n" not in line.strip()


def test_a_model_beside_settings_that_are_no_table_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="vision"):
        load_settings(_file(tmp_path, "vision = 3"), {"model": tmp_path / "own.onnx"})


def test_missing_and_binary_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load_settings(tmp_path / "none.toml", {})
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="no TOML"):
        load_settings(path, {})


def test_an_unknown_setting_names_those_of_its_section(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"table\.antemin: .*\(table has: name, ante_min,"):
        load_settings(_file(tmp_path, "[table]\nantemin = 3"), {})
    with pytest.raises(UserError, match=r"tabel: .*top-level settings are: source, house"):
        load_settings(_file(tmp_path, "[tabel]\nante_min = 3"), {})
