"""The simulated table: its description, its truth, its pictures, its faults."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest

from kiosk.errors import UserError
from kiosk.rules import settle_case
from kiosk.vision.sources import simulated
from kiosk.vision.sources.grammar import Kind, parse_source
from kiosk.vision.sources.simulated import SimStream, house_and_layout
from models.training.simtable.spec import FAULTS, HOUSES, parse_spec
from models.training.simtable.table import SimTable, open_table

SMALL = ",size=640x360"


def test_a_description_is_read() -> None:
    spec = parse_spec("7,game=texas,boxes=2,deck=casino,size=1920x1080,faults=hands+bump@3-9")
    assert (spec.seed, spec.game, spec.house, spec.boxes) == (7, "texas", "texas-a", 2)
    assert spec.size == (1920, 1080)
    assert [(f.name, f.since, f.until) for f in spec.faults] == [
        ("hands", None, None),
        ("bump", 3.0, 9.0),
    ]
    assert parse_spec("1,house=oasis-a").game == "oasis"
    assert {fault.name for fault in parse_spec("1,faults=all").faults} == set(FAULTS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sim:", "seed"),
        ("sim:x", "seed"),
        ("sim:1,game=bridge", "bridge"),
        ("sim:1,faults=rain", "rain"),
        ("sim:1,faults=frozen@9-3", "ends before"),
        ("sim:1,faults=hands@4", "no time"),
        ("sim:1,boxes=7", "1 to 6"),
        ("sim:1,size=9x9", "size"),
        ("sim:1,colour=red", "colour"),
        ("sim:1,boxes=2,boxes=3", "boxes"),
        ("sim:1,game=texas,layout=russian-4", "printed for"),
        ("sim:1,layout=nowhere", "nowhere"),
    ],
)
def test_a_bad_description_is_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        parse_source(text)
    assert "\n" not in str(refused.value)


def test_the_source_is_a_live_camera() -> None:
    source = parse_source("sim:7,faults=hands")
    assert source.kind == Kind.SIM and source.live and source.shown == "sim:7,faults=hands"


def test_the_table_brings_its_house_and_felt() -> None:
    assert house_and_layout("7") == ("russian-a", "russian-4")
    assert house_and_layout("7,game=texas") == ("texas-a", "texas-6")
    assert house_and_layout("7,house=oasis-a,layout=russian-6") == ("oasis-a", "russian-6")


def test_a_missing_part_of_the_renderer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> object:
        raise ModuleNotFoundError(name="PIL")

    monkeypatch.setattr(simulated.importlib, "import_module", absent)
    with pytest.raises(UserError, match=r"needs the package PIL.*training extra"):
        simulated.open_table("7")


@pytest.mark.parametrize("game", HOUSES)
def test_every_game_is_dealt_as_it_is_settled(game: str) -> None:
    table = open_table(f"sim:3,game={game}{SMALL}")
    for number in range(4):
        made = table.round(number)
        truth = made.to_json()
        assert settle_case(truth["case"]) == truth["expected"]
        shown = {hand["zone"]: hand["cards"] for hand in truth["shown"]}
        for box in truth["case"]["boxes"]:
            zone = f"box{box['box']}"
            assert shown.get(zone) == (box["cards"] if box["action"] == "play" else None)
        assert shown["dealer"] == truth["case"]["dealer"]["cards"]
        assert all(hand["until"] > hand["since"] + 2 for hand in truth["shown"])
        assert made.ends > made.cleared > made.starts


def test_cards_of_a_hand_do_not_hide_each_others_index() -> None:
    for game in HOUSES:
        places = open_table(f"sim:3,game={game}{SMALL}").places
        for zone in places.layout.zone_ids:
            count = 2 if zone.endswith("-small") else 6 if zone.startswith("box") else 5
            for one, other in combinations(places.row(zone, count), 2):
                assert abs(one[0] - other[0]) >= 1.9, (game, zone)


def test_the_same_seed_gives_the_same_pictures() -> None:
    one, other = (open_table(f"sim:5{SMALL}") for _ in range(2))
    at = one.round(1).shown[0].since + 0.5
    assert np.array_equal(one.frame(at, 9), other.frame(at, 9))
    assert not np.array_equal(one.frame(at, 9), one.frame(at, 10)), "the sensor's noise"
    assert one.round(0).to_json() != open_table(f"sim:6{SMALL}").round(0).to_json()


def test_old_rounds_are_forgotten() -> None:
    table = open_table(f"sim:5{SMALL}")
    table.round(9)
    with pytest.raises(ValueError, match="forgotten"):
        table.round(1)


def _pair(fault: str) -> tuple[np.ndarray, np.ndarray, SimTable]:
    """The same moment without and with a fault that holds there."""
    plain, bad = open_table(f"sim:5{SMALL}"), open_table(f"sim:5{SMALL},faults={fault}@0.1-60")
    return plain.frame(8.0, 3).astype(float), bad.frame(8.0, 3).astype(float), bad


def test_v14_light_faults_change_the_light() -> None:
    plain, dark, _ = _pair("dark")
    assert 0.5 < dark.mean() / plain.mean() < 0.57, "two stops, as a camera writes them down"
    _, gloom, _ = _pair("gloom")
    assert 0.2 < gloom.mean() / plain.mean() < 0.35
    plain, warm, _ = _pair("warm")
    assert warm[..., 0].mean() < 0.75 * plain[..., 0].mean()
    assert warm[..., 2].mean() > plain[..., 2].mean()
    plain, shadow, _ = _pair("shadow")
    gone = shadow[:, -100:].mean() / plain[:, -100:].mean()
    assert gone < 0.6 and abs(shadow[:, :100].mean() / plain[:, :100].mean() - 1) < 0.05


def test_a_bump_moves_the_whole_picture() -> None:
    plain, bumped, table = _pair("bump")
    assert np.abs(plain - bumped).mean() > 3
    assert np.abs(table.frame(61.0, 4) - open_table(f"sim:5{SMALL}").frame(61.0, 4)).mean() == 0


def test_table_faults_are_in_the_truth() -> None:
    table = open_table(f"sim:5{SMALL},faults=hands+half+duplicate")
    assert [table.round(n).fault for n in range(4)] == ["hands", "half", "duplicate", "hands"]
    table = open_table(f"sim:5{SMALL},faults=duplicate")
    made = table.round(0)
    (box,) = made.impossible
    shown = {hand.zone: hand.cards for hand in made.shown}
    assert set(shown[box]) & set(shown["dealer"])


def test_camera_faults_come_when_they_are_due() -> None:
    table = open_table(f"sim:5{SMALL},faults=frozen@3-5+black@8")
    assert [table.camera_fault(t) for t in (2.9, 3.1, 4.9, 5.1, 8.1, 11.9, 12.1)] == [
        None,
        "frozen",
        "frozen",
        None,
        "black",
        "black",
        None,
    ]


def test_the_stream_goes_on_where_it_was_and_waits_when_paused() -> None:
    began = time.monotonic()
    stream = SimStream("5,size=640x360,fps=30", at=7.0)
    image, at = stream.read() or (None, 0.0)
    assert image is not None and image.shape == (360, 640, 3)
    assert 7.0 <= at <= 7.0 + time.monotonic() - began
    stream.pause(True)
    stream.read()
    first, at = stream.read() or (None, 0.0)
    again, later = stream.read() or (None, 0.0)
    assert at == later
    assert not np.array_equal(first, again), "the camera goes on"
