"""What is drawn for training reaches as far as tables do; held-out pictures stay as they were."""

from __future__ import annotations

import itertools

import numpy as np

from models.training import finder_data, namer_data
from models.training.curve import EDGES
from models.training.degrade import EXPOSURE, TRAINING_EXPOSURE, light

GREY = np.full((24, 32, 3), 120, np.uint8)


def test_indices_from_12_to_90_pixels_are_drawn_for_training_and_measured() -> None:
    for low, high in (finder_data.TALL, namer_data.TALL, namer_data.DENSE_TALL):
        assert low <= 12 and high >= 90
    assert finder_data.TILE_TALL[1] >= 90
    assert EDGES[0] <= 12 and EDGES[-1] >= 90
    assert all(low < high for low, high in itertools.pairwise(EDGES))


def test_training_pictures_are_up_to_two_stops_dark_and_held_out_ones_as_before() -> None:
    assert TRAINING_EXPOSURE[0] <= -2 and TRAINING_EXPOSURE[1] == EXPOSURE[1]
    assert EXPOSURE == (-1.3, 0.45), "the figures of all weights so far were measured with these"
    for seed in range(20):
        usual, held, dark = (
            light(np.random.default_rng(seed), GREY, *stops)
            for stops in ((), (EXPOSURE,), ((-2.0, -2.0),))
        )
        assert np.array_equal(usual, held)
        assert dark.mean() < 0.62 * held.mean(), "two stops are darker than any held-out picture"


def test_held_out_heights_are_those_of_the_figures_so_far() -> None:
    assert finder_data.HELD_TALL == (11, 62) and finder_data.HELD_TILE_TALL == (13, 64)
    assert namer_data.HELD_TALL == (12, 60) and namer_data.HELD_DENSE_TALL == (11, 48)
