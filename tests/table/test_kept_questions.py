"""What the camera saw against a hand is asked about until it is answered, whatever becomes of the
cards (the promise: never a wrong payout shown as certain)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from table_desk import PAIR_OF_TWOS, SECOND_DEALER, Table, Zone, cards, doubt, settled_table

from kiosk.table.state import RoundSettings

HAND = "7h 7d Ts Kc 4d"


def contradicted() -> Table:
    """Box 1, settled as a pair of sevens, is read otherwise for seconds: it was a misread."""
    table = settled_table(hand=HAND).do("confirm", box=1)
    assert table.paid(1) is not None
    table.lay("box1", "7h 6d Ts Kc 4d").look(6)
    assert table.paid(1) is None and "q-box1-changed" in table.asked()
    return table


def misread_dealer() -> Table:
    """The dealer's 3d turns out to be 2d, a pair; nobody bought."""
    table = Table(RoundSettings(boxes=(1,), unanswered="counted"))
    table.look().backs("dealer", "box1")
    table.lay("dealer", "2c 3d 5h 8s 9c").look(1)
    table.lay("dealer", PAIR_OF_TWOS).look(6)
    table.lay("box1", HAND).look(1)
    return table.do("bets", box=1, buy=False).do("confirm", box=1)


def open_with(zone: str, lying: Zone) -> Table:
    """A hand that never was settled, because of what else is seen in the zone."""
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", HAND)
    table.zones[zone] = lying
    return table.look(6).do("confirm", box=1)


def sixth_body() -> Table:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.zones["box1"] = Zone(cards(HAND), 6)
    return table.look(6).do("confirm", box=1)


def doubt_beside_five() -> Table:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.zones["box1"] = Zone(cards(HAND), 6, (doubt("box1-1", "7s", "7c"),))
    return table.look(6).do("confirm", box=1)


def sixth_card() -> Table:
    return settled_table(hand=HAND).do("confirm", box=1).lay("box1", f"{HAND} 7s").look(6)


def card_on_the_border() -> Table:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.strays = (doubt("outside-7s", "7s", why="border"),)
    table.lay("box1", HAND).look(6).do("confirm", box=1)
    table.strays = ()
    return table


STORIES = [
    (contradicted, "q-box1-changed"),
    (misread_dealer, "q-dealer-no-purchase"),
    (sixth_body, "q-box1-bodies"),
    (doubt_beside_five, "q-box1-doubt-box1-1"),
    (sixth_card, "q-box1-six"),
    (card_on_the_border, "q-stray-outside-7s"),
]


@pytest.mark.parametrize(("story", "question"), STORIES)
def test_collecting_the_cards_answers_no_question(
    story: Callable[[], Table], question: str
) -> None:
    table = story()
    assert table.paid(1) is None and question in table.asked()
    table.take("box1").look(1)
    table.take().look(5)
    assert table.paid(1) is None and question in table.asked()
    assert table.asked()[question]["doubt"] is None, "its picture is gone"
    assert table.state.id == "r-000001", "the hand stays open"


@pytest.mark.parametrize(("story", "question"), STORIES)
def test_a_person_answers_when_the_cards_are_gone(
    story: Callable[[], Table], question: str
) -> None:
    table = story().take().look(5)
    assert "dismiss" in table.asked()[question]["actions"]
    table.do("dismiss", question=question).look(1)
    assert question not in table.asked() and table.paid(1) is not None


def test_a_card_put_right_after_the_cards_are_gone_answers_the_question() -> None:
    table = contradicted().take().look(5)
    table.do("cards", zone="box1", was="7d", card="6d").look(1)
    assert "q-box1-changed" not in table.asked()
    assert table.paid(1) == (0, 300) and "6d" in table.box(1)["cards"]


def test_picking_up_the_card_that_contradicts_answers_nothing() -> None:
    table = contradicted().lay("box1", "7h Ts Kc 4d").look(6)
    assert table.paid(1) is None and "q-box1-changed" in table.asked()


def test_the_next_deal_answers_nothing() -> None:
    table = contradicted().lay("dealer", SECOND_DEALER).look(3)
    assert table.paid(1) is None and "q-box1-changed" in table.asked()


def test_the_hand_in_full_sight_again_answers_the_question() -> None:
    table = contradicted().lay("box1", HAND).look(2)
    assert "q-box1-changed" not in table.asked() and table.paid(1) is not None


def test_what_stood_too_short_to_be_asked_is_asked_when_the_cards_are_gone() -> None:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS).do("confirm", box=1)
    table.zones["box1"] = Zone(cards(HAND), 6)
    table.look(2.5)
    assert table.paid(1) is None and not table.asked()
    table.take("box1").look(4)
    assert table.paid(1) is None and "q-box1-bodies" in table.asked()


def test_a_flicker_over_a_settled_hand_asks_nothing() -> None:
    table = settled_table(hand=HAND).do("confirm", box=1)
    table.lay("box1", "7h 6d Ts Kc 4d")
    table.lay("box1", HAND).take("box1").look(4)
    assert not table.asked() and table.paid(1) is not None


def test_a_chip_once_dismissed_does_not_hide_a_covered_card_of_another_hand() -> None:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted"))
    table.look().backs("dealer", "box1")
    table.zones["box1"] = Zone(cards(HAND), 6)
    table.look(6).do("dismiss", question="q-box1-bodies").look(1)
    assert not table.asked()
    table.do("bets", box=1, exchanged=5).do("confirm", box=1)
    table.backs("box1").look(1)
    table.lay("dealer", PAIR_OF_TWOS).look(1)
    table.zones["box1"] = Zone(cards("9h 3d 4s Jc Qd"), 6)
    table.look(8)
    assert table.paid(1) is None and "q-box1-bodies" in table.asked()
