"""Halves of indices, indices found by earlier looks, and whether a place still looks the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kiosk.cards import Card
from kiosk.sightings import Body, Box, FrameReading, Sighting
from kiosk.vision.boxes import with_known
from kiosk.vision.corners import one_card
from kiosk.vision.likeness import picture_of, still_shows
from kiosk.vision.pieces import clearest, grown
from kiosk.vision.turns import Memory, places, remember


def rows(*boxes: tuple[float, ...]) -> np.ndarray:
    return np.array(boxes, np.float32).reshape(-1, 5)


def test_a_rank_alone_is_grown_at_either_end() -> None:
    assert grown((10, 50, 21, 66), 28.0) == ((10, 50, 21, 83.6), (10, 32.4, 21, 66))
    assert grown((10, 50, 21, 73), 28.0) == (), "a whole one of a somewhat smaller print"
    assert grown((10, 50, 24, 78), 28.0) == (), "tall enough"
    assert grown((10, 50, 40, 64), 28.0) == (), "lies on its side"
    assert grown((10, 50, 21, 66), 0.0) == (), "nobody knows how tall an index is"


def test_the_clearest_name_is_believed() -> None:
    box = (0.0, 0.0, 10.0, 20.0)
    half = Sighting(box, 0.5, 0.99, ((Card.parse("3h"), 0.9),))
    whole = Sighting(box, 0.5, 0.99, ((Card.parse("3d"), 0.99),))
    paper = Sighting(box, 0.5, 0.02, ((Card.parse("3s"), 1.0),))
    assert clearest([half, paper, whole]) is whole


def test_v6_a_rank_between_two_suits_is_a_doubt() -> None:
    box = (0.0, 0.0, 10.0, 20.0)
    half, own, neighbours = (
        Sighting(box, 0.5, 0.99, ((Card.parse(name), p),))
        for name, p in (("8s", 0.7), ("8s", 0.97), ("8h", 0.95))
    )
    chosen = clearest([half, own, neighbours])
    assert {str(card) for card, _ in chosen.candidates} == {"8s", "8h"}
    assert max(p for _, p in chosen.candidates) < 0.9


def test_what_an_earlier_look_found_is_looked_at_again() -> None:
    now = rows((100, 50, 114, 82, 0.6))
    known = rows((101, 50, 114, 81, 0.5), (150, 50, 164, 82, 0.7))
    assert with_known(now, known, 0.6, 0.7)[:, 0].tolist() == [100, 150]
    assert len(with_known(rows(), rows(), 0.6, 0.7)) == 0


def test_a_half_gives_way_to_the_whole_whichever_look_found_it() -> None:
    half, whole = (100, 50, 113, 66, 0.9), (100, 50, 114, 82, 0.4)
    for now, known in ((half, whole), (whole, half)):
        assert with_known(rows(now), rows(known), 0.6, 0.7).tolist() == [pytest.approx(whole)]


def test_a_box_round_two_indices_is_none() -> None:
    two = rows((100, 50, 114, 82, 0.6), (118, 50, 132, 82, 0.6), (99, 49, 133, 83, 0.9))
    assert with_known(two, rows(), 0.6, 0.7)[:, 0].tolist() == [100, 118]


def _seen(name: str, p: float) -> FrameReading:
    chances = ((Card.parse(name), p), (Card.parse("2c"), 1 - p))
    return FrameReading(1.0, 640, 480, (Sighting((100, 50, 116, 76), 0.4, 0.99, chances),))


def test_only_what_has_a_likely_name_is_looked_at_without_being_found() -> None:
    memory: Memory = ()
    _, memory = remember(memory, _seen("9h", 0.95), 0)
    assert places(memory, None) == (((100, 50, 116, 76), 0.4),)
    assert places(memory, (200, 0, 640, 480)) == ()
    _, memory = remember(memory, _seen("9h", 0.4), 1)
    assert places(memory, None) == (), "a doubt has to be found again"


def test_v1_a_body_that_is_some_pixels_off_does_not_part_the_corners_of_its_card() -> None:
    top, below = (220.0, 80.0, 231.0, 110.0), (278.0, 151.0, 289.0, 182.0)
    fan = (Body((227, 80, 288, 184), 0.8), Body((170, 77, 233, 183), 0.7))
    assert one_card(_at(top), _at(below), fan, 140.0)
    assert not one_card(_at(top), _at(below), fan, None), "only where the size of a card is known"
    beside = (152.0, 80.0, 163.0, 110.0)
    assert not one_card(_at(beside), _at(below), fan, 140.0)


def _at(box: Box) -> Sighting:
    return Sighting(box, 0.9, 0.99, ((Card.parse("9h"), 0.99),))


def _index(name: str, gain: float = 1.0, dx: int = 0) -> np.ndarray:
    image = np.full((120, 160, 3), 236, np.uint8)
    cv2.putText(image, name, (60 + dx, 70), cv2.FONT_HERSHEY_DUPLEX, 1.1, (20, 18, 18), 2)
    noise = np.random.default_rng(dx).normal(0, 3, image.shape)
    return np.clip(image * gain + noise, 0, 255).astype(np.uint8)


def test_a_place_looks_the_same_in_other_light_and_somewhat_moved() -> None:
    box = (56.0, 40.0, 86.0, 76.0)
    before = picture_of(_index("8"), box)
    assert still_shows(_index("8", 0.55, 3), box, before)
    assert not still_shows(_index("9"), box, before)
    assert not still_shows(np.full((120, 160, 3), 236, np.uint8), box, before)
    assert not still_shows(_index("8"), (500.0, 0.0, 520.0, 30.0), before), "out of the picture"
