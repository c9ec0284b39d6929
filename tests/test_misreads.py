"""Reported misreads become labelled pictures that the evaluation reads (V16)."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.misreads import Misreads
from kiosk.sightings import Doubt, ReadCard, TableView, ZoneView
from models.training.folds import load_folder

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
    name = misreads.report(VIEW, JPEG, "9h", None, SIX)
    (photo,) = load_folder(misreads.folder)
    assert photo.path.name == name and photo.path.read_bytes() == JPEG
    assert {mark.card for mark in photo.cards} == {"Ks", "6h"}
    assert misreads.count() == 1


def test_v16_a_doubtful_place_is_kept_by_its_key_and_names_do_not_clash(tmp_path: Path) -> None:
    misreads = Misreads(tmp_path)
    names = {misreads.report(VIEW, JPEG, None, "d-1", SIX) for _ in range(3)}
    assert len(names) == misreads.count() == 3
    cards = [mark.card for mark in load_folder(tmp_path)[0].cards]
    assert sorted(cards) == ["6h", "9h", "Ks"]


def test_a_card_that_is_gone_keeps_nothing(tmp_path: Path) -> None:
    with pytest.raises(ActionError, match="no longer"):
        Misreads(tmp_path / "m").report(VIEW, JPEG, "2c", None, SIX)
    assert not (tmp_path / "m").exists()


def test_what_was_kept_is_never_lost_to_a_damaged_list(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text("{")
    with pytest.raises(ActionError, match="cannot be read"):
        Misreads(tmp_path).report(VIEW, JPEG, "9h", None, SIX)
    assert (tmp_path / "labels.json").read_text() == "{"


def test_a_full_folder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.misreads.MOST", 1)
    misreads = Misreads(tmp_path)
    misreads.report(VIEW, JPEG, "9h", None, SIX)
    with pytest.raises(ActionError, match="kept already"):
        misreads.report(VIEW, JPEG, "9h", None, SIX)
    assert len(json.loads((tmp_path / "labels.json").read_text())) == 1
