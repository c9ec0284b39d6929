"""How the naming threshold is chosen, and the picture of what each one costs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import models
from kiosk.vision.reader import open_reader
from models.training import risk, thresholds
from models.training.diagram import diagram
from models.training.folds import Photo
from models.training.risk import Curve, Risk, on_photos, on_scenes
from models.training.scene_decks import Deck
from models.training.scenes import Scene, random_scene
from models.training.simtable.deck import deck_style
from models.training.thresholds import NAMES, chosen, table

CURVE: Curve = {
    0.8: Risk(2000, 1990, 1995, 9),
    0.9: Risk(2000, 1980, 1985, 3),
    0.95: Risk(2000, 1960, 1962, 1),
    0.97: Risk(2000, 1900, 1901, 1),
    0.99: Risk(2000, 1700, 1700, 0),
}


@pytest.mark.parametrize(
    ("least", "wrong", "name"),
    [(0.9, 0.001, 0.95), (0.9, 0.002, 0.9), (0.96, 0.001, 0.97), (0.9, 0.0001, 0.99)],
    ids=["one in a thousand", "two in a thousand", "never lower than", "stricter"],
)
def test_the_lowest_threshold_with_few_enough_wrong_names_is_chosen(
    least: float, wrong: float, name: float
) -> None:
    assert chosen(CURVE, least, wrong) == name


def test_where_none_is_good_enough_the_highest_is_chosen() -> None:
    bad = {name: Risk(100, 90, 90, 5) for name in (0.9, 0.95)}
    assert chosen(bad, 0.9, 0.001) == 0.95


def test_one_wrong_name_on_either_material_counts() -> None:
    """123 photographed cards show no wrong name at 0.93; the drawn ones do."""
    photos = {0.93: Risk(123, 119, 119, 0), 0.95: Risk(123, 119, 119, 0)}
    drawn = {0.93: Risk(1500, 1400, 1402, 2), 0.95: Risk(1500, 1380, 1381, 1)}
    both = {name: photos[name] + drawn[name] for name in photos}
    assert chosen(photos, 0.9, 0.001) == 0.93 and chosen(both, 0.9, 0.001) == 0.95
    lines = table(photos, drawn, 0.95)
    assert lines[1] == "0.93 · 119 of 123 · 0 of 119 · 1400 of 1500 · 2 of 1402 · 1.3"
    assert lines[2] == "0.95* · 119 of 123 · 0 of 119 · 1380 of 1500 · 1 of 1381 · 0.7"


def scenes(count: int) -> list[Scene]:
    rng, deck = np.random.default_rng(3), Deck(deck_style())
    return [random_scene(rng, [deck], 400, (26, 36), once=True) for _ in range(count)]


def test_drawn_scenes_are_counted_for_each_threshold() -> None:
    curve = on_scenes(open_reader(threads=1), scenes(3), (0.5, 0.95, 0.9999))
    assert len({cost.cards for cost in curve.values()}) == 1
    assert curve[0.5].cards > 8 and curve[0.95].read > 0.5 * curve[0.95].cards
    assert curve[0.5].named >= curve[0.95].named > curve[0.9999].named


def test_no_test_photograph_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    photos = [Photo("a", Path(f"{f}.png"), f, "As", False, ()) for f in ("test", "train")]
    photos.append(Photo("a", Path("validation.png"), "validation", "As", False, ()))
    read: list[str] = []

    def load(path: Path) -> np.ndarray:
        read.append(path.stem)
        return np.zeros((64, 64, 3), np.uint8)

    monkeypatch.setattr(risk, "load_photos", lambda root: photos)
    monkeypatch.setattr(risk, "load_photo", load)
    assert on_photos(open_reader(threads=1), tmp_path, (0.9,)) == {0.9: Risk()}
    assert read == ["validation"]


def test_the_diagram_shows_each_bin_and_each_threshold() -> None:
    bins = [(0.42, 0.35, 20), (0.93, 0.94, 50), (0.995, 0.999, 1172)]
    root = ElementTree.fromstring(diagram(bins, CURVE, 0.95))
    space = "{http://www.w3.org/2000/svg}"
    told = [t.text or "" for t in root.iter(f"{space}title")]
    assert "1172 cut-outs, confidence 0.995, right 0.999" in told
    assert sum(text.startswith("threshold ") for text in told) == len(CURVE)
    (in_force,) = (c for c in root.iter(f"{space}circle") if c.get("class") == "chosen")
    assert in_force[0].text == "threshold 0.95: 1960 of 2000 read, 1 of 1962 wrong"
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for circle in root.iter(f"{space}circle"):
        assert 0 < float(circle.get("cx", -1)) < width and 0 < float(circle.get("cy", -1)) < height
    words = [t.text for t in root.iter(f"{space}text")]
    assert {"Reliability", "confidence", "Risk and coverage", "cards read, %"} <= set(words)


def test_an_empty_diagram_is_still_a_picture() -> None:
    assert ElementTree.fromstring(diagram([], {0.9: Risk()}, 0.9)).tag.endswith("svg")


@pytest.mark.parametrize("keep", [True, False])
def test_the_command_keeps_or_writes_what_it_chose(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    keep: bool,
) -> None:
    folder, cutouts = tmp_path / "models", tmp_path / "cutouts"
    folder.mkdir()
    cutouts.mkdir()
    for path in (models.finder_path(), models.namer_path()):
        (folder / path.name).symlink_to(path)
    before = {**models.settings(), "thresholds": {**models.settings()["thresholds"], "name": 0.91}}
    (folder / "models.json").write_text(json.dumps(before), "utf-8")
    rng = np.random.default_rng(1)
    np.savez(
        cutouts / "held1_000.npz",
        crops=rng.integers(0, 256, (6, 72, 72, 3), np.uint8),
        rank=np.array([0, 1, 2, 3, -1, -1], np.int8),
        suit=np.array([0, 1, 2, 3, -1, -1], np.int8),
    )
    costs = {name: Risk(1000, 900, 1000, 2 if name < 0.96 else 1) for name in NAMES}
    monkeypatch.setattr(thresholds, "on_photos", lambda *_: dict.fromkeys(NAMES, Risk()))
    monkeypatch.setattr(thresholds, "on_scenes", lambda *_: costs)
    drawing = tmp_path / "risk.svg"
    given = ["--photos", str(tmp_path), "--cutouts", str(cutouts), "--models", str(folder)]
    given += ["--diagram", str(drawing), *(["--keep"] if keep else [])]
    monkeypatch.setattr("sys.argv", ["thresholds", *given])
    thresholds.main()
    after = json.loads((folder / "models.json").read_text("utf-8"))
    assert (after == before) is keep
    assert after["thresholds"]["name"] == (0.91 if keep else 0.96)
    assert ElementTree.fromstring(drawing.read_text("utf-8")).tag.endswith("svg")
    shown = capsys.readouterr().out
    assert "too few names" not in shown
    assert ("0.96* · 0 of 0 · 0 of 0 · 900 of 1000 · 1 of 1000 · 1.0" in shown) is not keep
