"""What ships: files that belong together, and reading of photographs never trained on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import models
from kiosk.vision.reader import open_reader
from models.training.evaluate import Tally, evaluate, rate
from models.training.folds import Photo, corrections, fold_lists, load_photos

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"


@pytest.fixture(scope="module")
def photos() -> tuple[Photo, ...]:
    if not PHOTOS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{PHOTOS} is missing in CI")
        pytest.skip(f"the real photographs are not here ({PHOTOS})")
    return load_photos(PHOTOS)


def test_temperatures_belong_to_the_shipped_weights() -> None:
    settings = models.settings()
    assert settings["finder"] == models.file_hash(models.finder_path())
    assert settings["namer"] == models.file_hash(models.namer_path())
    assert 0.9 <= settings["thresholds"]["name"] < 1


def test_no_held_out_set_or_name_is_trained_on(photos: tuple[Photo, ...]) -> None:
    for photo in photos:
        if photo.fold != "train":
            continue
        names = set(photo.card_set.split())
        held = fold_lists()[photo.source]
        for entry in (*held["test"], *held["validation"]):
            assert not names & set(entry.split()), photo.path.name
    sources = {photo.source for photo in photos if photo.fold == "train"}
    assert sources == {"rf100-poker-cards", "poker-hand-detector", "faces-kalkaran"}


def test_corrections_are_of_photographs_that_are_there(photos: tuple[Photo, ...]) -> None:
    known = {(photo.source, photo.path.name): photo for photo in photos}
    for change in corrections():
        photo = known[change["source"], change["image"]]
        names = [label.card for label in photo.cards]
        assert change.get("add", change.get("to")) in names


def test_photographs_never_trained_on_are_read(photos: tuple[Photo, ...]) -> None:
    """Every fifth test photograph; the whole set is `kiosk bench photos`."""
    chosen = [photo for photo in photos if photo.fold == "test"][::5]
    tallies = evaluate(chosen, open_reader())
    total = Tally()
    for tally in tallies.values():
        total.labelled += tally.labelled
        total.read += tally.read
        total.named += tally.named
        total.right += tally.right
    assert len(tallies) == 4 and total.labelled > 150
    assert rate(total.read, total.labelled)[0] >= 80
    assert rate(total.right, total.named)[0] >= 95
