"""Boxes that the reader adds to labelled cards: only what agrees with the label."""

from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.cards import Card
from kiosk.sightings import Sighting
from models.training.assist import agreeing
from models.training.folds import Label, Photo, assisted_boxes, fold_lists

BOXED, UNBOXED, OVER = (
    Label("As", "card", (0, 0, 100, 150)),
    Label("Kh", "card", (200, 0, 300, 150)),
    Label("Qd", "card", (270, 0, 370, 150)),
)
PHOTO = Photo(
    "table",
    Path("one.jpg"),
    "train",
    "As Kh Qd",
    False,
    (BOXED, UNBOXED, OVER, Label("As", "index", (5, 5, 20, 30))),
)


def sighting(card: str, x: float, chance: float = 0.99, found: float = 0.9) -> Sighting:
    return Sighting((x, 5, x + 15, 30), found, 0.99, ((Card.parse(card), chance),))


@pytest.mark.parametrize(
    ("seen", "kept"),
    [
        (sighting("Kh", 205), ["Kh"]),
        (sighting("Qd", 340), ["Qd"]),
        (sighting("Kd", 205), []),
        (sighting("Kh", 205, chance=0.6), []),
        (sighting("Kh", 205, found=0.3), []),
        (sighting("Kh", 280), []),
        (sighting("As", 80), []),
        (sighting("Kh", 500), []),
    ],
    ids=[
        "agrees",
        "agrees with another",
        "another name",
        "not certain",
        "found badly",
        "on two cards",
        "on a card with boxes",
        "beside the cards",
    ],
)
def test_a_box_is_taken_where_it_agrees_with_one_label(seen: Sighting, kept: list[str]) -> None:
    assert [card for card, _ in agreeing(PHOTO, [seen], 0.95)] == kept


def test_the_committed_boxes_are_of_photographs_that_train(photos: tuple[Photo, ...]) -> None:
    known = {(photo.source, photo.path.name): photo for photo in photos}
    assert assisted_boxes()
    for source, images in assisted_boxes().items():
        assert source in fold_lists()
        for image, rows in images.items():
            photo = known[source, image]
            assert photo.fold == "train"
            assert {row[0] for row in rows} <= {card.card for card in photo.cards}
            assert len(photo.assisted) == len(rows)
