"""Print on the felt is told from an index on paper."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from kiosk.cards import Card
from kiosk.sightings import Sighting
from kiosk.vision.images import Image
from kiosk.vision.print import cloth_of, on_cloth, without_print

BOX = (100.0, 100.0, 118.0, 126.0)
FELTS = [(66, 104, 22), (112, 62, 26), (35, 25, 120), (60, 60, 60), (40, 44, 42)]


def table(
    felt: tuple[int, int, int], ground: tuple[int, int, int], gain: tuple[float, ...]
) -> Image:
    """A letter in a box on a patch of ``ground``, under a light with gain per channel."""
    image = np.full((400, 640, 3), felt, np.uint8)
    cv2.rectangle(image, (85, 85), (160, 180), ground, -1)
    cv2.putText(image, "A", (100, 124), cv2.FONT_HERSHEY_DUPLEX, 0.9, (150, 214, 226), 2)
    noise = np.random.default_rng(2).normal(0, 2.5, image.shape)
    return np.clip(image * np.array(gain) + noise, 0, 255).astype(np.uint8)


LIGHTS = {"good": (1.0, 1.0, 1.0), "warm": (0.62, 0.9, 1.06), "dark": (0.25, 0.25, 0.25)}


@pytest.mark.parametrize("gain", LIGHTS.values(), ids=LIGHTS)
@pytest.mark.parametrize("felt", FELTS)
def test_print_stands_on_felt_and_an_index_on_paper(
    felt: tuple[int, int, int], gain: tuple[float, ...]
) -> None:
    printed, card = table(felt, felt, gain), table(felt, (240, 246, 248), gain)
    cloth = cloth_of(printed)
    assert cloth is not None
    assert on_cloth(printed, BOX, cloth)
    assert not on_cloth(card, BOX, cloth)
    seen = Sighting(BOX, 0.9, 0.9, ((Card.parse("As"), 0.99),))
    assert without_print(printed, [seen], cloth) == ()
    assert without_print(card, [seen], cloth) == (seen,)


def test_a_letter_within_a_word_is_print() -> None:
    image = np.full((400, 640, 3), (112, 62, 26), np.uint8)
    cv2.putText(image, "BOX5", (96, 124), cv2.FONT_HERSHEY_DUPLEX, 0.6, (150, 214, 226), 1)
    cloth = cloth_of(image)
    assert cloth is not None
    assert all(on_cloth(image, (x, 108.0, x + 16, 126.0), cloth) for x in (95.0, 109.0, 122.0))


@pytest.mark.parametrize("felt", FELTS)
def test_a_card_in_deep_shadow_is_still_paper(felt: tuple[int, int, int]) -> None:
    image = table(felt, (240, 246, 248), (1.0, 1.0, 1.0))
    cloth = cloth_of(image)
    assert cloth is not None
    image[80:190, 80:170] = image[80:190, 80:170] * 0.4
    assert not on_cloth(image, BOX, cloth)


def test_an_index_at_the_edge_of_its_card_is_kept() -> None:
    image = table((66, 104, 22), (240, 246, 248), (1.0, 1.0, 1.0))
    cloth = cloth_of(image)
    image[:, :99] = (66, 104, 22)
    image[:99] = (66, 104, 22)
    assert cloth is not None and not on_cloth(image, BOX, cloth)


def test_on_a_white_table_nothing_is_called_print() -> None:
    white = np.full((400, 640, 3), (225, 228, 230), np.uint8)
    assert cloth_of(white) is None
    seen = Sighting(BOX, 0.9, 0.9, ((Card.parse("As"), 0.99),))
    assert without_print(white, [seen], None) == (seen,)
    assert cloth_of(np.zeros((40, 64, 3), np.uint8)) is None
