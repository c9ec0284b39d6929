"""Light good enough to read by (V14)."""

from __future__ import annotations

import numpy as np
import pytest

from kiosk.vision.images import Image
from kiosk.vision.light import LIGHT_POOR, LightGuard, LightSettings, contrast, is_poor

BOX = (40.0, 40.0, 60.0, 68.0)
STILL = frozenset({""})


def index(light: float, ink: tuple[int, int, int] = (24, 20, 20)) -> Image:
    """White paper with a block of ink, at a share of full light, with a sensor's noise."""
    image = np.full((120, 120, 3), (60, 100, 30), np.uint8)
    image[30:110, 30:90] = (240, 245, 246)
    image[44:64, 44:56] = ink
    noise = np.random.default_rng(1).normal(0, 2.5, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("ink", [(24, 20, 20), (34, 24, 204)], ids=["black", "red"])
def test_v14_two_stops_are_enough_and_four_are_not(ink: tuple[int, int, int]) -> None:
    for stops in (0, 1, 2):
        assert not is_poor(index(0.5**stops, ink), [BOX], LightSettings())
    assert is_poor(index(0.5**4, ink), [BOX], LightSettings())


def test_a_card_that_was_taken_away_in_good_light_is_not_poor_light() -> None:
    felt = np.full((120, 120, 3), (66, 110, 30), np.uint8)
    felt[:20, :20] = 190
    assert not is_poor(felt, [BOX], LightSettings())


def test_v14_washed_out_ink_is_poor_light_too() -> None:
    white = np.clip(index(1.0).astype(float) * 0.08 + 235, 0, 255).astype(np.uint8)
    assert is_poor(white, [BOX], LightSettings())


def test_a_dark_felt_without_cards_is_not_poor_light() -> None:
    felt = np.full((120, 120, 3), (22, 40, 12), np.uint8)
    assert not is_poor(felt, [], LightSettings())
    assert is_poor((felt * 0.3).astype(np.uint8), [], LightSettings())


def test_a_box_outside_the_picture_says_nothing() -> None:
    assert contrast(index(1.0), (500.0, 500.0, 520.0, 530.0)) is None
    assert contrast(index(1.0), (-30.0, -30.0, -9.0, -9.0)) is None


def test_the_guard_speaks_when_it_lasts_and_takes_it_back() -> None:
    guard = LightGuard(lambda: [BOX])
    said = [guard.look(index(light), 0.0, STILL) for light in (1, 0.05, 1, 0.05, 0.05, 0.05, 1, 1)]
    assert said == [None, None, None, None, LIGHT_POOR, LIGHT_POOR, LIGHT_POOR, None]
