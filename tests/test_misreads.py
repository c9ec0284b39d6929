"""Reported misreads become labelled pictures that the evaluation reads (V16)."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.cards import RANKS, SUITS, Card
from kiosk.cli import main
from kiosk.errors import ActionError
from kiosk.misreads import HELD, HELD_S, Misreads, told_of
from kiosk.sample import recording_path
from kiosk.sightings import Doubt, ReadCard, TableView, ZoneView
from kiosk.table.state import RoundSettings, bare_core
from kiosk.table.zones import machines_names
from kiosk.vision.merge import merge
from kiosk.vision.reader import open_reader
from models.training.evaluate import Tally, judge
from models.training.folds import load_folder, load_photos
from models.training.namer_data import build_real

NINE, SIX, KING = (Card.parse(name) for name in ("9h", "6h", "Ks"))
DOUBT = Doubt("d-1", (200.0, 100.0, 220.0, 130.0), ((KING, 0.6),), "low-confidence")
VIEW = TableView(
    1.0,
    (
        ZoneView("dealer", (ReadCard(KING, 0.99, ((10.0, 10.0, 30.0, 40.0),)),)),
        ZoneView("box1", (ReadCard(NINE, 0.97, ((100.0, 100.0, 120.0, 130.0),)),), (DOUBT,)),
    ),
)
JPEG = bytes(cv2.imencode(".jpg", np.zeros((200, 300, 3), np.uint8))[1])


def test_v16_a_misread_card_is_kept_with_its_picture_and_the_right_value(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path / "misreads")
    name = misreads.report((VIEW, JPEG), "9h", None, SIX)
    (photo,) = load_folder(misreads.folder)
    assert photo.path.name == name and photo.path.read_bytes() == JPEG
    assert [(mark.card, mark.kind) for mark in photo.labels] == [("6h", "card"), ("6h", "index")]
    assert photo.indices[0].box == (100.0, 100.0, 120.0, 130.0)
    assert photo.partial, "what else lies there nobody has vouched for"
    assert misreads.count() == 1


def test_v16_a_doubtful_place_is_kept_by_its_key_and_names_do_not_clash(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path)
    names = {misreads.report((VIEW, JPEG), None, "d-1", SIX) for _ in range(3)}
    assert len(names) == misreads.count() == 3
    assert [mark.card for mark in load_folder(tmp_path)[0].cards] == ["6h"]


GONE = TableView(2.0, (ZoneView("dealer"), ZoneView("box1")))


@pytest.mark.parametrize(("was", "doubt"), [("9h", None), (None, "d-1")])
def test_v16_a_card_that_has_gone_since_it_was_looked_at_is_kept_as_it_lay(
    tmp_path: Path, was: str | None, doubt: str | None
) -> None:
    misreads = Misreads(tmp_path)
    assert misreads.hold((VIEW, JPEG), was, doubt)
    name = misreads.report((GONE, b"later"), was, doubt, SIX)
    assert (tmp_path / name).read_bytes() == JPEG
    assert misreads.report(None, was, doubt, SIX), "without a picture of now, too"
    assert [kept.card for kept in misreads.kept()] == [SIX, SIX]


def test_v16_the_picture_of_now_goes_before_the_one_held(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path)
    misreads.hold((VIEW, b"earlier"), "9h", None)
    assert (tmp_path / misreads.report((VIEW, JPEG), "9h", None, SIX)).read_bytes() == JPEG


def test_v16_pictures_are_held_for_a_time_and_not_without_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    misreads = Misreads(tmp_path)
    names = [f"{rank}c" for rank in RANKS][: HELD + 1]
    for name in names:
        card = ReadCard(Card.parse(name), 0.99, ((10.0, 10.0, 30.0, 40.0),))
        misreads.hold((TableView(1.0, (ZoneView("box1", (card,)),)), JPEG), name, None)
    with pytest.raises(ActionError, match="no longer in the picture"):
        misreads.report((GONE, JPEG), names[0], None, SIX)
    assert misreads.report((GONE, JPEG), names[1], None, SIX)
    now = time.monotonic()
    monkeypatch.setattr("kiosk.misreads.time.monotonic", lambda: now + HELD_S + 1)
    with pytest.raises(ActionError, match="no longer in the picture"):
        misreads.report((GONE, JPEG), names[-1], None, SIX)


def test_v16_a_card_that_is_not_there_is_not_held_from_before(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path)
    misreads.hold((VIEW, JPEG), "9h", None)
    assert not misreads.hold((GONE, JPEG), "9h", None)
    with pytest.raises(ActionError, match="no longer in the picture"):
        misreads.report((GONE, JPEG), "9h", None, SIX)


@pytest.mark.parametrize(
    ("read", "counts"),
    [
        ({"6h": (100, 100), "Ks": (10, 10)}, (1, 1, 1)),
        ({"9h": (100, 100), "Ks": (10, 10)}, (0, 1, 0)),
        ({"6h": (10, 10)}, (0, 1, 0)),
        ({"Ks": (10, 10)}, (0, 0, 0)),
    ],
    ids=["put right", "misread as before", "right name, wrong place", "doubtful"],
)
def test_v16_the_evaluation_judges_the_reported_card_alone(
    tmp_path: Path, read: dict[str, tuple[int, int]], counts: tuple[int, int, int]
) -> None:
    Misreads(tmp_path).report((VIEW, JPEG), "9h", None, SIX)
    cards = [
        ReadCard(Card.parse(name), 0.99, ((x, y, x + 20.0, y + 30.0),))
        for name, (x, y) in read.items()
    ]
    tally = Tally()
    judge(load_folder(tmp_path)[0], cards, tally, doubts=3)
    assert (tally.read, tally.named, tally.right, tally.labelled) == (*counts, 1)


def test_v16_kept_misreads_stand_among_the_photographs_of_the_next_training(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"labels\.json"):
        load_photos(tmp_path)
    Misreads(tmp_path / "photos" / "our-table").report((VIEW, JPEG), "9h", None, SIX)
    (photo,) = load_photos(tmp_path / "photos")
    assert (photo.fold, photo.source) == ("train", "our-table")
    build_real(tmp_path / "cutouts", tmp_path / "photos", seed=1)
    with np.load(tmp_path / "cutouts" / "real-train-our-table_000.npz") as kept:
        ranks, suits = kept["rank"].tolist(), kept["suit"].tolist()
    assert (ranks, suits) == ([RANKS.index("6")], [SUITS.index("h")])


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ({"6h": (100, 100)}, "read"),
        ({"9h": (100, 100), "6h": (10, 10)}, "9h"),
        ({"6h": (10, 10)}, "doubtful"),
    ],
)
def test_v16_what_a_reading_makes_of_a_kept_misread(
    tmp_path: Path, read: dict[str, tuple[int, int]], told: str
) -> None:
    misreads = Misreads(tmp_path)
    misreads.report((VIEW, JPEG), "9h", None, SIX)
    (kept,) = misreads.kept()
    cards = [
        ReadCard(Card.parse(name), 0.99, ((x, y, x + 20.0, y + 30.0),))
        for name, (x, y) in read.items()
    ]
    assert kept.card == SIX and kept.picture.exists() and told_of(kept, cards) == told


def test_v16_what_is_no_card_is_kept_and_any_certain_name_there_is_wrong(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path / "photos" / "our-table")
    misreads.report((VIEW, JPEG), "9h", None, None)
    (kept,) = misreads.kept()
    assert kept.card is None and kept.boxes == ((100.0, 100.0, 120.0, 130.0),)
    (photo,) = load_folder(misreads.folder)
    assert (photo.cards, photo.indices, photo.partial) == ((), (), True)
    away = ReadCard(KING, 0.99, ((10.0, 10.0, 30.0, 40.0),))
    there = ReadCard(SIX, 0.99, ((101.0, 99.0, 121.0, 129.0),))
    assert (told_of(kept, [away]), told_of(kept, [away, there])) == ("unnamed", "6h")
    good, bad = Tally(), Tally()
    judge(photo, [away], good, doubts=1)
    judge(photo, [away, there], bad, doubts=0)
    assert (good.named, good.whole, bad.named, bad.right, bad.whole) == (0, 1, 1, 0, 0)
    assert dict(bad.taken_for) == {("no card", "6h"): 1}


def test_v16_what_is_no_card_trains_the_namer_as_no_index(tmp_path: Path) -> None:
    Misreads(tmp_path / "photos" / "our-table").report((VIEW, JPEG), None, "d-1", None)
    build_real(tmp_path / "cutouts", tmp_path / "photos", seed=1)
    with np.load(tmp_path / "cutouts" / "real-train-our-table_000.npz") as kept:
        assert (kept["rank"].tolist(), kept["suit"].tolist()) == ([-1], [-1])


def test_v16_kept_misreads_are_read_again_on_a_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two cards of a picture that is read well: one named rightly, one vouched for as another."""
    assert main(["misreads", "--data", str(tmp_path)]) == 0
    assert "no misread is kept" in capsys.readouterr().out
    reader, film = open_reader(), cv2.VideoCapture(str(recording_path()))
    cards: tuple[ReadCard, ...] = ()
    while len(cards) < 2:
        for _ in range(20):
            assert film.grab(), "no picture with two cards"
        _, frame = film.retrieve()
        reading = reader.read(frame)
        cards = merge(reading.sightings, reading.bodies, reader.thresholds).cards
    first, second = cards[:2]
    view = TableView(1.0, (ZoneView("dealer", (first, second)),))
    jpeg = bytes(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 97])[1])
    misreads = Misreads(tmp_path / "misreads")
    misreads.report((view, jpeg), str(first.card), None, first.card)
    assert main(["misreads", "--data", str(tmp_path)]) == 0
    assert f"{first.card} read" in capsys.readouterr().out
    other = next(card for card in (NINE, SIX, KING) if card not in (first.card, second.card))
    misreads.report((view, jpeg), str(second.card), None, other)
    assert main(["misreads", "--data", str(tmp_path)]) == 1
    assert f"{other} misread as {second.card}" in capsys.readouterr().out
    misreads.report((view, jpeg), str(first.card), None, None)
    assert main(["misreads", "--data", str(tmp_path)]) == 1
    assert f"no card, misread as {first.card}" in capsys.readouterr().out
    (tmp_path / "misreads" / "labels.json").write_text('{"a.jpg": [{"card": "9h"}]}')
    assert main(["misreads", "--data", str(tmp_path)]) == 2
    assert "expected cards with their boxes" in capsys.readouterr().err


def test_v16_a_card_that_a_person_has_renamed_is_found_by_the_machine_s_name() -> None:
    core = bare_core(RoundSettings(), 0.0)
    zone = replace(core.dealer, renames=((NINE, SIX), (KING, None)))
    assert machines_names(core.with_zone(zone)) == {"6h": "9h"}


def test_a_card_that_is_gone_keeps_nothing(tmp_path: Path) -> None:
    with pytest.raises(ActionError, match="no longer"):
        Misreads(tmp_path / "m").report((VIEW, JPEG), "2c", None, SIX)
    assert not (tmp_path / "m").exists()


def test_what_was_kept_is_never_lost_to_a_damaged_list(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text("{")
    with pytest.raises(ActionError, match="cannot be read"):
        Misreads(tmp_path).report((VIEW, JPEG), "9h", None, SIX)
    assert (tmp_path / "labels.json").read_text() == "{"


def test_a_full_folder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.misreads.MOST", 1)
    misreads = Misreads(tmp_path)
    misreads.report((VIEW, JPEG), "9h", None, SIX)
    with pytest.raises(ActionError, match="kept already"):
        misreads.report((VIEW, JPEG), "9h", None, SIX)
    assert len(json.loads((tmp_path / "labels.json").read_text())) == 1
