"""Names averaged over the quarter turns of several looks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.cards import Card
from kiosk.sightings import FrameReading, Sighting
from kiosk.vision.turns import Memory, forget, remember


def look(name: str, p: float, other: str = "2c", x: float = 100.0) -> FrameReading:
    chances = ((Card.parse(name), p), (Card.parse(other), 1 - p))
    return FrameReading(1.0, 640, 480, (Sighting((x, 50, x + 16, 76), 0.9, 0.99, chances),))


def first(reading: FrameReading) -> tuple[str, float]:
    card, chance = reading.sightings[0].candidates[0]
    return str(card), chance


def test_one_turn_that_errs_is_outvoted() -> None:
    memory: Memory = ()
    says = [("9h", 0.9), ("9h", 0.8), ("6h", 0.95), ("9h", 0.9)]
    for turn, (name, p) in enumerate(says):
        other = "6h" if name == "9h" else "9h"
        reading, memory = remember(memory, look(name, p, other), turn)
    assert first(reading) == ("9h", pytest.approx((0.9 + 0.8 + 0.05 + 0.9) / 4))


def test_the_same_turn_again_takes_the_older_ones_place() -> None:
    memory: Memory = ()
    for turn in range(8):
        reading, memory = remember(memory, look("9h", 0.5 if turn < 4 else 0.9), turn)
    assert first(reading) == ("9h", pytest.approx(0.9))
    assert len(memory) == 1
    assert len(memory[0].opinions) == 4


def test_another_place_is_another_index() -> None:
    _, memory = remember((), look("9h", 0.9), 0)
    reading, memory = remember(memory, look("6h", 0.9, x=130), 1, (120, 0, 640, 480))
    assert first(reading) == ("6h", pytest.approx(0.9))
    assert len(memory) == 2


def test_what_changed_is_forgotten() -> None:
    _, memory = remember((), look("9h", 0.9), 0)
    assert forget(memory, lambda at: at[0] > 300) == memory
    memory = forget(memory, lambda at: at[0] < 300)
    assert memory == ()
    reading, _ = remember(memory, look("6h", 0.9), 1)
    assert first(reading) == ("6h", pytest.approx(0.9))


def test_which_way_up_it_is_said_by_all_turns_or_by_none() -> None:
    up, slanted, down = (0.0, -1.0), (0.1, -0.995), (0.0, 1.0)
    memory: Memory = ()
    for turn, (way, wanted) in enumerate(((up, True), (slanted, True), (down, False))):
        seen = look("9h", 0.95)
        seen = replace(seen, sightings=(replace(seen.sightings[0], up=way),))
        averaged, memory = remember(memory, seen, turn)
        said = averaged.sightings[0].up
        assert (said is not None and said[1] < -0.99) is wanted
