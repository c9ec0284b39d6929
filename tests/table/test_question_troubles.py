"""A camera that is lost, moved or not trusted: what is on the felt stays, and nothing settles."""

from __future__ import annotations

import pytest
from table_desk import PAIR_OF_TWOS, Table, Zone, cards, settled_table

HAND = "7h 7d Ts Kc Ad"


def dealt(*boxes: str) -> Table:
    """The dealer's hand complete, boxes face down."""
    table = Table()
    return table.look().backs("dealer", *(boxes or ("box1",))).lay("dealer", PAIR_OF_TWOS)


@pytest.mark.parametrize("trouble", ["camera-lost", "stale"])
def test_c6_a_troubled_view_changes_no_hand(trouble: str) -> None:
    table = settled_table()
    table.trouble = trouble
    table.zones["box1"] = Zone()
    table.look(5)
    assert table.asked()["q-trouble"]["kind"] == "trouble"
    assert table.paid(1) == (400, 0)
    assert table.stage == "done"
    table.trouble = None
    table.look()
    assert not table.asked()


def test_nothing_settles_while_the_camera_was_moved() -> None:
    table = settled_table()
    table.trouble = "camera-moved"
    table.look(3)
    question = table.asked()["q-moved"]
    assert question["actions"] == ["place-stands", "set-up"]
    assert table.paid(1) is None
    assert table.stage != "done"
    table.trouble = None
    table.look(1)
    assert not table.asked()
    assert table.paid(1) == (400, 0)


def test_without_a_camera_everything_can_be_entered_by_hand() -> None:
    table = Table()
    table.trouble = "camera-lost"
    table.look().do("bets", box=1, in_play=True)
    for card in PAIR_OF_TWOS.split():
        table.do("cards", zone="dealer", card=card)
    for card in HAND.split():
        table.do("cards", zone="box1", card=card)
    assert table.paid(1) == (400, 0)
    assert table.stage == "done"


@pytest.mark.parametrize("word", ["light-poor", "camera-lost", "enrolling", "deck-refused"])
def test_a_moved_camera_stays_moved_under_another_trouble(word: str) -> None:
    table = settled_table()
    assert table.paid(1) == (400, 0)
    table.trouble = "camera-moved"
    table.look(3)
    assert table.paid(1) is None
    table.trouble = word
    table.look(3)
    assert table.paid(1) is None
    assert "q-moved" in table.asked()
    table.trouble = None
    table.look(3)
    assert table.paid(1) == (400, 0)


@pytest.mark.parametrize("word", ["light-poor", "camera-lost", "enrolling", "deck-refused"])
def test_a_hand_that_nobody_looks_at_does_not_settle_by_waiting(word: str) -> None:
    table = dealt()
    table.zones["box1"] = Zone(cards(HAND), 5)
    table.look(0.0)
    table.trouble = word
    table.look(5)
    assert table.paid(1) is None
    table.trouble = None
    table.look(2)
    assert table.paid(1) == (400, 0)
