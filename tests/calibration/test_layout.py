"""Layouts as data."""

from __future__ import annotations

import copy
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from calibration.layout import list_layouts, load_layout, parse_layout
from calibration.report import zone_sizes
from kiosk.errors import UserError


def _data() -> dict[str, Any]:
    path = resources.files("calibration") / "layouts" / "russian-4.toml"
    return tomllib.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("name", list_layouts())
def test_v10_shipped_layouts_are_sound_and_large_enough(name: str) -> None:
    layout = load_layout(name)
    assert layout.name == name
    assert {size.verdict for size in zone_sizes(layout)} == {"good"}
    assert parse_layout(tomllib.loads(layout.to_toml()), "again") == layout


def test_russian_four_has_the_dealer_and_four_boxes() -> None:
    layout = load_layout("russian-4")
    assert layout.zone_ids == ("dealer", "box1", "box2", "box3", "box4")
    centres = {z.id: sum(x for x, _ in z.corners) / 4 for z in layout.zones}
    assert centres["box1"] > centres["box2"] > centres["box3"] > centres["box4"]


def _change(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    data = copy.deepcopy(data)
    place: Any = data
    *way, last = path.split(".")
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    place[int(last) if isinstance(place, list) else last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("colour", "green", "unknown key colour"),
        ("felt.depth", 3, "unknown key felt.depth"),
        ("format", 3, "newer"),
        ("format", 0, "format"),
        ("felt.width", -1, "felt.width"),
        ("felt.width", 50, "leaves the felt"),
        ("camera.corners", [[0, 0], [9, 9], [9, 0], [0, 9]], "corners"),
        ("camera.width", "wide", "camera.width"),
        ("zones.1.id", "dealer", "twice"),
        ("zones.1.id", "box9", "box1 … box6"),
        ("zones.1.rect", [60, 10, 95, 53], "overlap"),
        ("zones.1.rect", [95, 22, 72, 53], "x1<x2"),
        ("zones.1.polygon", [[1, 2], [3, 4], [5, 9]], "either rect or polygon"),
        ("name", "Ünsinn", "name"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: object, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        parse_layout(_change(_data(), path, value), "layout here.toml")
    assert str(caught.value).startswith("layout here.toml")
    assert "\n" not in str(caught.value)


def test_unknown_layout_lists_what_there_is() -> None:
    with pytest.raises(UserError, match="russian-4"):
        load_layout("roulette")
    with pytest.raises(UserError, match="No such file"):
        load_layout("/nowhere/at-all.toml")


def test_a_persons_own_layout_comes_first(tmp_path: Path) -> None:
    own = load_layout("russian-4").with_camera(
        [(10, 10), (1900, 20), (1910, 1070), (5, 1060)], 1920, 1080
    )
    (tmp_path / "russian-4.toml").write_text(own.to_toml(), "utf-8")
    assert load_layout("russian-4", [tmp_path]).camera.width == 1920
    assert load_layout("russian-4").camera.width == 1280
    (tmp_path / "russian-4.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="not a text file"):
        load_layout("russian-4", [tmp_path])
    (tmp_path / "russian-4.toml").write_text("a = ", "utf-8")
    with pytest.raises(UserError, match="not TOML"):
        load_layout("russian-4", [tmp_path])


def test_v10_index_size_follows_the_picture() -> None:
    layout = load_layout("russian-4")
    full = {s.zone: s.index_px for s in zone_sizes(layout)}
    half = zone_sizes(layout, 640, 360)
    assert full["dealer"] == pytest.approx(26.67, abs=0.01)
    assert {s.verdict for s in half} == {"too small"}
    assert all(s.index_px == pytest.approx(full[s.zone] / 2) for s in half)
