"""The dealer has no game, boxes buy it, the highest card is replaced (SPEC.md 2.6)."""

from __future__ import annotations

from table_desk import NO_GAME, PAIR_OF_TWOS, Table, settled_table

from kiosk.table.outputs import RoundSettled

PAIR_OF_QUEENS = "Qh Qd 7c 4d 2h"


def no_game(*boxes: str) -> Table:
    """A dealt table with the dealer's no game on it and box backs unopened."""
    table = Table()
    table.look().backs("dealer", *(boxes or ("box1",)))
    table.lay("dealer", NO_GAME)
    return table


def test_the_stage_asks_who_buys() -> None:
    table = no_game()
    assert table.stage == "no-game"
    table.do("bets", box=1, buy=False)
    assert table.stage == "dealer-complete"


def test_rp_buy_4_a_bought_game_is_compared() -> None:
    table = no_game()
    table.do("bets", box=1, buy=True)
    assert table.stage == "buying"
    assert table.box(1)["bets"]["buy"] == 100
    table.lay("dealer", "Jc 9h 5s 3c", bodies=4)
    assert table.stage == "buying"
    table.lay("dealer", "Jc 9h 5s 3c 9c")
    assert table.shown()["dealer"]["draws"] == ["9c"]
    assert table.shown()["dealer"]["cards"] == NO_GAME.split()
    table.lay("box1", PAIR_OF_QUEENS)
    assert table.stage == "done"
    assert table.paid(1) == (200, 100)
    case = table.heard(RoundSettled)[-1].case
    assert case["dealer"] == {"cards": NO_GAME.split(), "draws": ["9c"]}


def test_rp_buy_3_the_free_repeat_goes_on_while_the_rank_returns() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c Kh")
    assert table.shown()["dealer"]["draws"] == ["Kh"]
    assert table.stage == "buying"
    table.lay("dealer", "Jc 9h 5s 3c Ks")
    assert table.stage == "buying"
    table.lay("dealer", "Jc 9h 5s 3c 2d")
    assert table.shown()["dealer"]["draws"] == ["Kh", "Ks", "2d"]
    table.lay("box1", PAIR_OF_QUEENS)
    assert table.paid(1) == (0, 100)  # still no game: ante and bet push, the fee is lost
    table.do("reveal")
    assert table.shown()["dealer"]["after_buy"] == {"combination": "high-card", "game": False}


def test_rp_buy_3_a_card_of_the_same_rank_that_makes_a_game_ends_the_exchange() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", "Kc Jd 9d 5d 3d")
    table.do("bets", box=1, buy=True).lay("dealer", "Jd 9d 5d 3d Kd")
    assert table.stage == "dealer-complete"
    table.lay("box1", PAIR_OF_QUEENS.replace("4d", "4h"))
    assert table.paid(1) == (0, 400)  # a flush beats the queens


def test_rp_buy_5_a_draw_of_another_rank_that_makes_no_game_ends_it() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c Qs").lay("box1", PAIR_OF_QUEENS)
    assert table.paid(1) == (0, 100)


def test_rp_buy_6_boxes_that_do_not_buy_are_paid_on_the_first_hand() -> None:
    table = no_game("box1", "box2")
    table.do("bets", box=1, buy=True).do("bets", box=2, buy=False)
    table.lay("dealer", "Jc 9h 5s 3c 9c").lay("box1", PAIR_OF_QUEENS)
    table.lay("box2", "As Qc 7d 6d 4c")
    assert table.paid(1) == (200, 100)
    assert table.paid(2) == (100, 0)
    assert table.stage == "done"


def test_a_box_that_does_not_buy_need_not_wait_for_the_draw() -> None:
    table = no_game("box1", "box2").do("bets", box=1, buy=True)
    table.lay("box2", "As Qc 7d 6d 4c").lay("box1", PAIR_OF_QUEENS)
    assert table.paid(2) == (100, 0)
    assert table.paid(1) is None
    assert table.stage == "buying"
    assert not table.asked()


def test_the_hand_drawn_stays_known_when_it_is_collected() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c 9c").lay("box1", PAIR_OF_QUEENS).take("dealer", "box1")
    assert table.paid(1) == (200, 100)


def test_a_replaced_card_without_a_purchase_is_a_question() -> None:
    table = no_game()
    table.lay("box1", PAIR_OF_QUEENS)
    assert table.paid(1) == (100, 0)
    table.lay("dealer", "Jc 9h 5s 3c 9c").look(1.5)
    question = table.asked()["q-dealer-no-purchase"]
    assert question["kind"] == "buy"
    assert "K♦ was replaced by 9♣" in question["text"]
    assert table.paid(1) is None
    table.do("bets", box=1, buy=True).look()
    assert not table.asked()
    assert table.shown()["dealer"]["draws"] == ["9c"]
    assert table.paid(1) == (200, 100)


def test_a_wrong_discard_is_named() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Kd 9h 5s 3c 9c").look(1.5)
    assert table.asked()["q-dealer-wrong-discard"]["text"] == (
        "Dealer: J♣ was discarded, but the highest card is K♦."
    )
    table.lay("dealer", "Jc 9h 5s 3c 9c").look(1.5)
    assert not table.asked()
    assert table.shown()["dealer"]["draws"] == ["9c"]


def test_a_card_drawn_before_the_discard_waits_and_is_then_asked_about() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", NO_GAME + " 9c")
    assert table.shown()["dealer"]["draws"] == []
    assert not table.asked()
    table.look(3.5)
    assert "q-dealer-discard-first" in table.asked()
    table.lay("dealer", "Jc 9h 5s 3c 9c").look(1)
    assert not table.asked()
    assert table.shown()["dealer"]["draws"] == ["9c"]


def test_a_second_card_drawn_without_right_is_a_question() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c Td").lay("box1", PAIR_OF_QUEENS)
    assert table.paid(1) is not None
    table.lay("dealer", "9h 5s 3c Td 9c").look(1.5)
    assert table.asked()["q-dealer-changed"]["kind"] == "conflict"
    assert table.paid(1) is None


def test_a_purchase_although_the_dealer_has_a_game_is_refused_by_the_rules() -> None:
    table = settled_table(PAIR_OF_TWOS, PAIR_OF_QUEENS)
    table.do("bets", box=1, buy=True)
    assert table.paid(1) is None
    question = table.asked()["q-box1-input"]
    assert question["kind"] == "input-error"
    assert question["text"] == ("Box 1: the entries do not fit the cards. Check bets and actions.")
    table.do("bets", box=1, buy=False)
    assert table.paid(1) == (200, 0)


def test_a_draw_nobody_bought_any_more_is_a_question() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c 9c").lay("box1", PAIR_OF_QUEENS)
    table.do("bets", box=1, buy=False).look(1.5)
    assert "q-dealer-no-buyer" in table.asked()
    assert table.paid(1) is None


def test_a_purchase_without_a_readable_draw_is_asked_about_and_entered_by_hand() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("box1", PAIR_OF_QUEENS).take("dealer").look(4)
    assert "q-dealer-no-draw" in table.asked()
    assert table.paid(1) is None
    table.do("cards", zone="dealer", card="9c")
    assert table.paid(1) == (200, 100)
    assert not table.asked()


def test_a_misread_draw_is_put_right() -> None:
    table = no_game().do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c 9c").lay("box1", PAIR_OF_QUEENS)
    table.do("cards", zone="dealer", was="9c", card="8c").look(1.5)
    assert table.shown()["dealer"]["draws"] == ["8c"]
    assert table.paid(1) == (0, 100)
    assert not table.asked()
    table.do("cards", zone="dealer", was="8c", card=None)
    assert table.shown()["dealer"]["draws"] == []
    assert table.paid(1) is None


def test_buy_undecided_keeps_a_confirmed_box_assumed() -> None:
    table = Table()
    table.look().backs("dealer", "box1").do("confirm", box=1)
    table.lay("dealer", NO_GAME).lay("box1", PAIR_OF_QUEENS)
    assert table.box(1, True)["assumed"]
    table.do("confirm", box=1)
    assert table.box(1)["buy"] is False
    assert not table.box(1, True)["assumed"]
