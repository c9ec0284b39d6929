"""Cards that were exchanged, misread at first or put right by a person, and what counts of them."""

from __future__ import annotations

import pytest
from table_desk import PAIR_OF_TWOS, Table

from kiosk.cards import Card
from kiosk.table.state import RoundSettings

NOTHING_MUCH = "2d 2s 5h 8s 3c"


def oasis() -> Table:
    """Box 1 with a bonus on the deal, nothing opened yet."""
    table = Table(RoundSettings(house="oasis-a", boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1")
    return table.do("bets", box=1, bets={"ante": 100, "bonus": 50})


def test_oa_bon_a_misread_that_was_read_right_later_judges_no_bonus() -> None:
    table = oasis().lay("box1", "7h 9h Jh Kh 2h").look(2.5)
    table.lay("box1", "7h 9h Jh Kh 2c").look(10)
    assert Card.parse("2c") in table.state.core.zone("box1").dealt
    table.do("bets", box=1, action="fold").take("box1").do("confirm", box=1)
    table.lay("dealer", "2d 2s 5h 8s 9c").look(5)
    result = table.result(1)
    assert result is not None and result["bets"]["bonus"] == {"result": "lose", "amount": 50}


@pytest.mark.parametrize("between", ["backs", "four", "arm", "no picture"])
def test_com_in_an_exchange_that_nobody_entered_is_asked_about(between: str) -> None:
    table = oasis().lay("box1", "7h 7d Jc Jh 2c").look(1)
    if between == "backs":
        table.backs("box1").look(5)
    elif between == "four":
        table.lay("box1", "7h 7d Jc Jh", bodies=4).look(1)
    elif between == "arm":
        table.zones["box1"].occluded = True
        table.look(1)
    else:
        table.trouble = "camera-lost"
        table.look(1)
        table.trouble = None
    table.lay("box1", "7h 7d Jc Jh Js").look(3)
    table.lay("dealer", NOTHING_MUCH).look(5).do("confirm", box=1)
    assert table.paid(1) is None and "q-box1-left" in table.asked()


def test_com_in_2_a_card_thrown_away_cannot_lie_in_another_box() -> None:
    table = Table(RoundSettings(house="oasis-a", boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1", "box2")
    table.do("bets", box=1, exchanged=1)
    table.lay("box1", "7h 9d Jc Kh 2c").look(3)
    table.lay("box1", "9d Jc Kh 2c").look(2)
    table.lay("box1", "9d Jc Kh 2c 9s").look(2)
    table.lay("dealer", NOTHING_MUCH).look(2)
    table.lay("box2", "7h 7d Tc 4c 6s").look(5)
    assert "q-conflict-7h" in table.asked()
    assert table.paid(1) is None and table.paid(2) is None


def test_a_correction_ends_with_its_card() -> None:
    """Ks was read as As and put right; the true As comes later, by exchange."""
    table = Table(RoundSettings(boxes=(1,), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("box1", "As 9d 9c 4h", bodies=5).look(1)
    table.do("cards", zone="box1", was="As", card="Ks").look(1)
    assert "Ks" in table.box(1)["cards"]
    table.do("bets", box=1, exchanged=2).backs("box1").look(2)
    table.lay("dealer", "Ac Qc Qd 5s 7c").look(3)
    table.lay("box1", "As 9d 9c 2c Kd").look(3).do("confirm", box=1)
    assert set(table.box(1)["cards"]) == {"As", "9d", "9c", "2c", "Kd"}
    assert table.box(1, True)["combinations"] == ["pair", "ace-king"]


def test_a_correction_hides_no_other_card_of_that_name() -> None:
    """2c was read as 2h and put right, then read right; later the true 2h lies there."""
    table = Table(RoundSettings(boxes=(1,), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", "2h Td Qh 9d", bodies=5).look(0.6)
    table.do("cards", zone="dealer", was="2h", card="2c").look(0.5)
    table.lay("dealer", "2c Td Qh 9d", bodies=5).look(1)
    table.lay("dealer", "2c Td Qh 9d 6d").look(2)
    table.lay("dealer", "2c Td Qh 9d 2h").look(8)
    table.lay("box1", "8d 8s Qc 5d 7h").look(2).do("bets", box=1, buy=False).do("confirm", box=1)
    assert table.paid(1) is None and table.asked()


def test_a_correction_to_a_name_that_lies_there_too_keeps_both_cards() -> None:
    table = Table(RoundSettings(boxes=(1,), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS).lay("box1", "As 9d 9c 4h 6s")
    table.do("cards", zone="box1", was="As", card="Ks").look(1)
    table.lay("box1", "As Ks 9d 9c 4h 6s").look(3)
    assert table.paid(1) is None and table.asked()


def test_rp_buy_a_hand_that_may_have_been_drawn_settles_no_box() -> None:
    """Box 1 buys while the camera is away; the drawn hand is read as if it had been dealt."""
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1", "box2").lay("dealer", "Jc", bodies=5)
    table.trouble = "camera-lost"
    table.look(3)
    table.do("bets", box=1, buy=True).do("bets", box=2, buy=False)
    table.do("confirm", box=1).do("confirm", box=2)
    table.trouble = None
    table.lay("dealer", "Jc 9h 5s 3c 9d").look(2)
    table.lay("box1", "Ah Ad Ts 4c 2d").lay("box2", "Qh Qs 8s 7c 2c").look(6)
    assert table.paid(1) is None and table.paid(2) is None and table.asked()
    table.do("bets", box=1, buy=False).look(1)
    assert table.paid(2) is not None
