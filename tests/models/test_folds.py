"""Folders of one's own: what they are read for, what they train, and what never trains."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.bench.photos import reading
from kiosk.cards import Card
from kiosk.errors import UserError
from kiosk.vision.reader import open_reader
from models.training import evaluate, folds
from models.training.assist import assisted
from models.training.cut_cards import carried, training_cuts
from models.training.faces import FACE_H, FACE_W, card_mask
from models.training.finder_data import build_tiles
from models.training.folds import NEVER_TRAINED, fold_of, load_folder, load_photos, of_folds
from models.training.namer_data import build_real
from models.training.recording.deck import draw_face, first_index
from models.training.simtable.deck import deck_style

AT = (90, 60)
"""Where the card lies, x and y."""


def photographed(folder: Path, names: Sequence[str] = ("As", "9h", "Kd"), corners: int = 2) -> Path:
    """A source: one photograph a card, the card and its indices labelled."""
    folder.mkdir(parents=True)
    style, labels = deck_style(), {}
    for name in names:
        picture = np.full((480, 480, 3), (60, 95, 30), np.uint8)
        face = draw_face(style, Card.parse(name))
        x1, y1, x2, y2 = first_index(style, Card.parse(name))
        boxes = [(x1, y1, x2, y2), (FACE_W - x2, FACE_H - y2, FACE_W - x1, FACE_H - y1)]
        if corners == 4:
            part = face[int(y1) - 2 : int(y2) + 2, int(x1) - 2 : int(x2) + 2]
            face[int(y1) - 2 : int(y2) + 2, FACE_W - int(x2) - 2 : FACE_W - int(x1) + 2] = part
            turned = part[::-1, ::-1]
            rows = slice(FACE_H - int(y2) - 2, FACE_H - int(y1) + 2)
            face[rows, int(x1) - 2 : int(x2) + 2] = turned
            boxes += [(FACE_W - x2, y1, FACE_W - x1, y2), (x1, FACE_H - y2, x2, FACE_H - y1)]
        x, y = AT
        round_corners = card_mask() > 127
        picture[y : y + FACE_H, x : x + FACE_W][round_corners] = face[round_corners]
        cv2.imwrite(str(folder / f"{name}.png"), picture)
        marks = [{"card": name, "kind": "card", "box": [x, y, x + FACE_W, y + FACE_H]}]
        marks += [
            {"card": name, "kind": "index", "box": [a + x, b + y, c + x, d + y]}
            for a, b, c, d in boxes
        ]
        labels[f"{name}.png"] = marks
    (folder / "labels.json").write_text(json.dumps(labels), "utf-8")
    return folder


def test_a_folder_of_ones_own_trains_among_others_and_is_tested_alone(tmp_path: Path) -> None:
    own = photographed(tmp_path / "club")
    assert {photo.fold for photo in load_photos(tmp_path)} == {"train"}
    assert {photo.fold for photo in load_folder(own)} == {"test"}


def test_an_empty_choice_is_refused_in_one_line_that_says_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photographed(tmp_path / "club")
    told = "no photograph is of the fold test or validation; there are 3 of train"
    monkeypatch.setattr(sys, "argv", ["evaluate", str(tmp_path)])
    with pytest.raises(SystemExit) as stop:
        evaluate.main()
    assert told in str(stop.value) and "\n" not in str(stop.value)
    with pytest.raises(UserError, match="of the fold test; there are 3 of train"):
        reading(argparse.Namespace(photos=tmp_path, threads=1))
    with pytest.raises(UserError, match="fold tset"):
        of_folds(tmp_path, load_photos(tmp_path), ["tset"])


@pytest.mark.parametrize("labels", [None, "[", "[1]", '{"a.jpg": [{"card": "As"}]}'])
def test_a_folder_that_is_not_labelled_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: str | None
) -> None:
    if labels is not None:
        (tmp_path / "labels.json").write_text(labels, "utf-8")
    monkeypatch.setattr(sys, "argv", ["evaluate", str(tmp_path)])
    with pytest.raises(SystemExit, match="no labelled photographs"):
        evaluate.main()


def test_a_fold_that_is_asked_for_has_its_figures_and_pairs_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photographed(tmp_path / "club")
    monkeypatch.setattr(sys, "argv", ["evaluate", str(tmp_path), "--fold", "train"])
    evaluate.main()
    shown = capsys.readouterr().out
    assert "club/train: 3 (3, 3)" in shown and "all of these: 3 (3, 3)" in shown
    assert "nan" not in shown and "96: 0 of 1" in shown


@pytest.mark.parametrize("corners", [2, 4])
def test_cards_of_a_new_source_are_cut_by_the_indices_that_it_labels(
    tmp_path: Path, corners: int
) -> None:
    photographed(tmp_path / "club", corners=corners)
    cuts = training_cuts(tmp_path)["club"]
    assert {cut.card for cut in cuts} == {"As", "9h", "Kd"}
    assert {len(cut.indices) for cut in cuts} == {corners} == {carried("club", cuts)}
    assert carried("rf100-poker-cards", cuts) == 4, "a known source is what it is"


def test_evaluation_only_sources_never_train(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by their folder among others, nor by a list, nor in any of what trains."""
    source = f"{NEVER_TRAINED}club"
    photographed(tmp_path / "photos" / source)
    monkeypatch.setattr(folds, "fold_lists", lambda: {source: {"test": [], "validation": []}})
    assert fold_of(source, {"As"})[0] == "test"
    photos = load_photos(tmp_path / "photos")
    assert {photo.fold for photo in photos} == {"test"}
    build_tiles(tmp_path / "finder", tmp_path / "photos", 2, 1)
    build_real(tmp_path / "namer", tmp_path / "photos", 1)
    assert not list((tmp_path / "finder").rglob("*")) and not list((tmp_path / "namer").rglob("*"))
    assert training_cuts(tmp_path / "photos") == {}
    assert assisted(photos, open_reader(threads=1)) == {}


def test_tiles_of_two_sources_keep_apart(tmp_path: Path) -> None:
    for club in ("table-one", "table-two"):
        photographed(tmp_path / "photos" / club, ["As"])
    build_tiles(tmp_path / "finder", tmp_path / "photos", 2, 1)
    assert len(list((tmp_path / "finder/images/train").iterdir())) == 4
