"""Movement in the bundled recording: what stays, what glides, what leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cards import Card
from models.training.recording.stories import STORIES
from models.training.recording.things import Pose, Thing, between

coordinates = st.floats(-100, 100)


@given(coordinates, coordinates, st.floats(0, 1))
def test_between_stays_between(a: float, b: float, share: float) -> None:
    x = between(Pose(a, 0), Pose(b, 0), share).x
    assert min(a, b) - 1e-6 <= x <= max(a, b) + 1e-6


def test_thing_is_nowhere_before_its_first_and_after_its_last_moment() -> None:
    thing = Thing("card")
    thing.put(2.0, Pose(1, 1))
    thing.glide(3.0, 4.0, Pose(5, 1))
    thing.until = 6.0
    assert thing.at(1.9) is None
    assert thing.at(2.5) == Pose(1, 1)
    middle = thing.at(3.5)
    assert middle is not None and middle.x == pytest.approx(3)
    assert thing.at(5.0) == Pose(5, 1)
    assert thing.at(6.0) is None


def test_time_does_not_run_back() -> None:
    thing = Thing("card")
    thing.put(2.0, Pose(0, 0))
    with pytest.raises(ValueError, match=r"key at 1\.00 s after 2\.00 s"):
        thing.put(1.0, Pose(0, 0))


def test_order_is_that_of_the_last_raise() -> None:
    thing = Thing("card")
    thing.raise_to(1.0, 4)
    thing.raise_to(2.0, 9)
    assert (thing.order(0.5), thing.order(1.5), thing.order(2.0)) == (0, 4, 9)


def test_com_deck_1_stories_use_a_card_once_and_five_to_a_hand() -> None:
    for story in STORIES:
        hands = [story.dealer, *(cards for _, cards in story.boxes)]
        assert all(len(hand) == 5 for hand in hands)
        cards: list[Card] = [card for hand in hands for card in hand]
        assert len(set(cards)) == len(cards)
        boxes = [box for box, _ in story.boxes]
        assert boxes == sorted(set(boxes)) and set(boxes) <= {1, 2, 3, 4}
