"""What is special to a game at the table: boards, small hands, bets on the deal (V5, P2, P11)."""

from __future__ import annotations

from typing import Any

import pytest
from table_desk import Table, Zone, cards

from kiosk.sightings import TableView, ZoneView
from kiosk.table import events as e
from kiosk.table.plan import SHAPES, plan_for
from kiosk.table.round import apply
from kiosk.table.state import RoundSettings

BOARD = "As 7c 9d 2h Js"
PAIR_OF_KINGS = "Ks Kd 9h 6c 2d"
NO_GAME = "Kd Jc 9h 5s 3c"
ROYAL = "Ah Kh Qh Jh Th"


def dealt(house: str, *boxes: int, **more: Any) -> Table:
    """A table of that house with everything dealt face down."""
    table = Table(RoundSettings(house=house, boxes=boxes or (1,), **more))
    shape = SHAPES[plan_for(house).house.game]
    table.look().backs("dealer", count=shape.dealer_cards)
    return table.backs(*(f"box{box}" for box in boxes or (1,)), count=shape.box_cards)


def texas(board: str = BOARD, dealer: str = "9h 4d", box: str = "Ah Kc") -> Table:
    table = dealt("texas-a")
    table.lay("board", " ".join(board.split()[:3])).look(2)
    return table.lay("board", board).lay("dealer", dealer).lay("box1", box)


# ---- Texas ----


def test_the_flop_alone_is_no_question_and_the_whole_board_settles() -> None:
    table = dealt("texas-a").lay("board", "As 7c 9d").look(20)
    board = table.shown()["board"]
    assert not table.asked()
    assert (board["read"], board["expected"], board["complete"]) == (3, 3, False)
    table.lay("board", BOARD).lay("dealer", "9h 4d").lay("box1", "Ah Kc")
    assert table.paid(1) == (300, 0)
    assert table.shown()["board"]["flop"] == ["As", "7c", "9d"]


@pytest.mark.parametrize(
    ("board", "question", "text"),
    [
        ("As 7c", "q-board-count", "Board: 2 of 3 cards read. Is one covered?"),
        ("As 7c 9d 2h", "q-board-count", "Board: 4 of 5 cards read. Is one covered?"),
        (BOARD + " 3s", "q-board-many", "Board: 6 cards are read, 5 belong there."),
    ],
)
def test_p11_a_wrong_number_on_the_board_is_named(board: str, question: str, text: str) -> None:
    table = dealt("texas-a").lay("board", board).look(4)
    assert table.asked()[question]["text"] == text


def test_p11_a_flop_alone_when_the_hands_open_is_named_and_pays_nothing() -> None:
    table = dealt("texas-a").lay("board", "As 7c 9d").lay("dealer", "9h 4d").lay("box1", "Ah Kc")
    table.look(4)
    assert table.asked()["q-board-count"]["text"] == "Board: 3 of 5 cards read. Is one covered?"
    assert table.paid(1) is None
    table.lay("board", BOARD)
    assert table.paid(1) == (300, 0)


def test_v5_a_card_on_the_board_and_in_a_box_is_a_conflict() -> None:
    table = texas(box="As Kc").look(2)
    assert "As" in {question["card"] for question in table.asked().values()}
    assert "(board, box 1)" in table.asked()["q-conflict-As"]["text"]
    assert table.paid(1) is None


def test_tx_bon_2_a_bonus_needs_the_flop_and_a_person_can_name_it() -> None:
    table = dealt("texas-a").do("bets", box=1, bets={"bonus": 50})
    table.lay("board", BOARD).lay("dealer", "9h 4d").lay("box1", "Kh 7d").look(2)
    question = table.asked()["q-board-flop"]
    assert question["actions"] == ["name-flop"]
    assert table.paid(1) is None
    refusal = table.refused("cards", zone="board", dealt=["As", "7c", "3h"])
    assert refusal.kind == "no-such-card"
    table.do("cards", zone="board", dealt=["As", "2h", "Js"])
    assert not table.asked()
    assert table.paid(1) == (0, 350)  # no pair on the first five: bonus, ante and bet are lost
    table.do("cards", zone="board", dealt=["As", "7c", "9d"])
    assert table.paid(1) == (0, 350)  # a pair of sevens is not enough either


def test_without_a_bonus_nobody_is_asked_for_the_flop() -> None:
    table = dealt("texas-a").lay("board", BOARD).lay("dealer", "9h 4d").lay("box1", "Ah Kc")
    assert table.paid(1) == (300, 0)


def test_p2_a_folded_box_lists_its_bonus() -> None:
    table = texas().do("bets", box=1, bets={"bonus": 50}, action="fold")
    result = table.result(1)
    assert result is not None
    assert result["bets"]["bonus"] == {"result": "lose", "amount": 50}


# ---- Split ----


def split(dealer: str = PAIR_OF_KINGS, **more: Any) -> Table:
    table = dealt("split-a", **more)
    table.backs("box1-small", count=2)
    return table.lay("dealer", dealer)


def test_sp_deal_2_a_game_waits_for_the_dealers_small_hand_and_asks_for_it() -> None:
    table = split().lay("box1", "7h 7d Ts Tc Ac").lay("box1-small", "4h 3s")
    assert table.paid(1) is None
    table.look(4)
    assert table.asked()["q-dealer-small-small-missing"]["text"] == (
        "Dealer, small hand: not read. Does the dealer's hand ask for it?"
    )
    table.lay("dealer-small", "Qh Jc")
    assert not table.asked()
    assert table.paid(1) == (200, 0)  # the smaller small hand: two pair 2:1 on ante


def test_sp_ng_1_no_game_needs_no_small_hand_and_one_that_was_dealt_is_named() -> None:
    table = split(NO_GAME).do("bets", box=1, buy=False)
    table.lay("box1", "7h 7d Ts Tc Ac").lay("box1-small", "4h 2s")
    assert table.paid(1) == (100, 0)
    table.lay("dealer-small", "Qh Js").look(4)
    question = table.asked()["q-dealer-small-small-not-due"]
    assert "no game" not in question["text"], "said before the reveal"
    assert table.paid(1) is None
    table.do("dismiss", question=question["id"])
    assert table.paid(1) == (100, 0)


@pytest.mark.parametrize(
    ("zone", "laid", "text"),
    [
        ("box1-small", "4h", "Box 1, small hand: 1 of 2 cards read. Is one covered?"),
        ("box1-small", "4h 3s 2c", "Box 1, small hand: 3 cards are read, 2 belong there."),
        ("dealer-small", "Qh", "Dealer, small hand: 1 of 2 cards read. Is one covered?"),
        ("box1", "7h 7d Ts Tc Ac 8c 8d", "Box 1: 7 cards are read, 5 belong there."),
    ],
)
def test_p11_a_wrong_number_in_a_hand_of_split_is_named(zone: str, laid: str, text: str) -> None:
    table = split().lay("dealer-small", "Qh Jc").lay("box1", "7h 7d Ts Tc Ac")
    if zone != "box1-small":
        table.lay("box1-small", "4h 3s")
    if zone == "box1":
        table = split().lay("dealer-small", "Qh Jc").lay("box1-small", "4h 3s")
    if zone == "dealer-small":
        table = split().lay("box1", "7h 7d Ts Tc Ac").lay("box1-small", "4h 3s")
    table.lay(zone, laid).look(4)
    assert text in {question["text"] for question in table.asked().values()}
    assert table.paid(1) is None


def test_a_card_laid_over_from_the_big_to_the_small_hand_belongs_there() -> None:
    table = split().lay("dealer-small", "Qh Jc").do("bets", box=1, extra_two=True)
    table.lay("box1", "7h 7d Ts Tc Ac 4h").lay("box1-small", "3s")
    table.lay("box1", "7h 7d Ts Tc Ac").lay("box1-small", "3s 4h").look(2)
    assert not table.asked()
    box = table.box(1, True)
    assert (box["cards"], box["small"]["cards"]) == ("7h 7d Ts Tc Ac".split(), ["3s", "4h"])
    assert box["bets"]["extra_two"] == 100
    assert table.paid(1) == (200, 100)


def test_the_small_hand_is_part_of_the_record() -> None:
    table = split().lay("dealer-small", "Qh Jc").lay("box1", "7h 7d Ts Tc Ac")
    table.lay("box1-small", "4h 3s")
    zones = {output.zone for output in table.said if hasattr(output, "zone")}
    assert {"dealer-small", "box1-small"} <= zones


# ---- Three cards ----


def test_tc_bet_1_pair_plus_alone() -> None:
    table = dealt("three-a").do("bets", box=1, bets={"ante": 0, "pair_plus": 50})
    table.lay("dealer", "Ks 9h 2d").lay("box1", "7h 7d 9s")
    assert table.box(1)["bets"] == {"pair_plus": 50}
    assert table.paid(1) == (50, 0)
    table.do("bets", box=1, bets={"ante": None})
    assert table.box(1)["bets"] == {"ante": 100, "bet": 100, "pair_plus": 50}


def test_an_ante_of_nothing_is_refused_where_there_is_no_pair_plus() -> None:
    assert dealt("five-a").refused("bets", box=1, bets={"ante": 0}).kind == "bad-input"


def test_tc_fold_1_pair_plus_is_listed_after_a_fold() -> None:
    table = dealt("three-a").do("bets", box=1, bets={"pair_plus": 50}, action="fold")
    table.lay("dealer", "Ks 9h 2d")
    result = table.result(1)
    assert result is not None
    assert {name: line["amount"] for name, line in result["bets"].items()} == {
        "ante": 100,
        "pair_plus": 50,
    }


def test_p11_four_cards_of_three_are_named() -> None:
    table = dealt("three-a").lay("dealer", "Ks 9h 2d").lay("box1", "7h 7d 9s 4c").look(3)
    assert table.asked()["q-box1-many"]["text"] == "Box 1: 4 cards are read, 3 belong there."


def test_a_dealers_single_card_of_three_is_asked_about() -> None:
    table = dealt("three-a").lay("dealer", "Ks", bodies=3).look(4)
    assert table.asked()["q-dealer-count"]["text"] == "Dealer: 1 of 3 cards read. Is one covered?"


def test_the_ante_bonus_can_be_answered() -> None:
    table = dealt("three-a").lay("dealer", "Ks 9h 2d").lay("box1", "7h 8d 9s")
    pay = {"result": "win", "amount": 100}
    table.do("answer", box=1, bets={"ante": pay, "bet": pay, "ante_bonus": pay}).do("reveal")
    assert table.box(1)["answer"]["right"] == {"ante": True, "bet": True, "ante_bonus": True}


# ---- Bets on the deal: Oasis, russian-b ----


def oasis(bets: dict[str, int], first: str, **more: Any) -> Table:
    table = dealt("oasis-a").do("bets", box=1, bets=bets)
    if first:
        table.lay("box1", first).look(2)
    return table.do("bets", box=1, **more) if more else table


def test_oa_bon_1_the_hand_shown_before_the_exchange_settles_the_bonus() -> None:
    table = oasis({"bonus": 50}, "7h 7d Ts Tc Ac", exchanged=1).lay("box1", "7h 7d Ts Tc 2s")
    table.lay("dealer", PAIR_OF_KINGS)
    assert table.box(1)["dealt"] == "7h 7d Ts Tc Ac".split()
    assert table.paid(1) == (100 + 400 + 100, 100)


def test_a_bonus_on_a_deal_that_was_not_seen_is_asked_about_and_entered() -> None:
    table = oasis({"bonus": 50}, "", exchanged=1)
    table.lay("dealer", PAIR_OF_KINGS).lay("box1", "7h 7d Ts Tc 2s")
    question = table.asked()["q-box1-input"]
    assert question["actions"] == ["enter-dealt"]
    assert table.paid(1) is None
    assert table.refused("cards", zone="box1", dealt=["7h"]).kind == "bad-input"
    table.do("cards", zone="box1", dealt="7h 7d Ts Tc Ac".split())
    assert table.paid(1) == (600, 100)


def test_oa_bon_4_an_exchange_out_of_the_bonus_combination_pays_nothing() -> None:
    table = oasis({"bonus": 50}, "7h 7d Ts Tc Ac", exchanged=1).lay("box1", "7h 2s Ts Tc Ac")
    table.lay("dealer", PAIR_OF_KINGS).look(2)
    assert "q-box1-input" in table.asked()
    assert table.paid(1) is None


def test_oa_prg_3_a_share_of_the_meter_asks_for_the_meter() -> None:
    table = oasis({"progressive": 5}, "").lay("dealer", PAIR_OF_KINGS).lay("box1", ROYAL)
    question = table.asked()["q-box1-input"]
    assert question["actions"] == ["enter-meter"]
    assert "jackpot" not in question["text"].lower(), "said before the reveal"
    table.do("bets", meter=30000)
    result = table.result(1)
    assert result is not None
    assert result["bets"]["progressive"]["amount"] == 30000
    assert table.shown()["meter"] == 30000


def test_oa_prg_4_a_prize_is_entered_by_hand() -> None:
    table = oasis({"progressive": 5}, "").lay("dealer", PAIR_OF_KINGS)
    table.lay("box1", "7h 7d Ts Tc Ac")
    table.do("bets", box=1, prizes=[{"name": "Lucky player", "amount": 250}])
    result = table.result(1)
    assert result is not None
    assert result["bets"]["prize:Lucky player"] == {"result": "win", "amount": 250}


def test_rpb_bon_4_a_bonus_stands_after_a_fold_and_needs_its_cards() -> None:
    table = dealt("russian-b").do("bets", box=1, bets={"bonus": 50}, action="fold")
    table.take("box1").lay("dealer", PAIR_OF_KINGS).look(4)
    assert table.asked()["q-box1-folded-unread"]["actions"] == ["enter-dealt"]
    assert table.paid(1) is None
    table.do("cards", zone="box1", dealt="7h 7d 7s Tc Ac".split())
    assert table.paid(1) == (1000, 100)


def test_a_hand_being_laid_out_is_not_taken_for_the_deal() -> None:
    table = oasis({"bonus": 50}, "").lay("box1", "7h 7d Ts Tc Ac")
    assert table.box(1)["dealt"] == []
    table.look(1.5)
    assert table.box(1)["dealt"] == "7h 7d Ts Tc Ac".split()


def test_a_hand_seen_before_the_dealers_is_not_taken_for_the_one_after_the_exchange() -> None:
    table = dealt("five-a").lay("box1", "7h 7d Ts Tc Ac").do("bets", box=1, exchanged=1)
    table.lay("dealer", PAIR_OF_KINGS)
    assert table.paid(1) is None
    table.look(4)
    assert table.asked()["q-box1-early"]["kind"] == "count"
    table.lay("box1", "7h 7d Ts Tc 2s")
    assert not table.asked()
    assert table.paid(1) == (500, 100)


def test_more_cards_gone_than_were_exchanged_is_named() -> None:
    table = dealt("five-a").lay("box1", "7h 7d Ts Tc Ac").do("bets", box=1, exchanged=1)
    table.lay("dealer", PAIR_OF_KINGS).lay("box1", "7h 7d Ts 3c 2s").look(4)
    assert (
        "an exchange of 1 was entered, but cards that are new: 2"
        in (table.asked()["q-box1-exchange"]["text"])
    )
    assert table.paid(1) is None


# ---- Places ----


def test_the_muck_counts_for_nothing() -> None:
    table = dealt("three-a")
    view = table.view()
    reads = ZoneView("muck", (), (), 3, False, False)
    seen = TableView(table.t + 5, (*view.zones, reads))
    state, _ = apply(table.state, e.ViewSeen(seen))
    assert not state.core.outside


def test_cards_in_a_place_that_the_game_does_not_have_are_named() -> None:
    table = dealt("three-a")
    table.zones["box6"] = Zone(cards("As Kd"), 2)
    table.look(2)
    assert table.asked()["q-outside-box6"]["text"] == (
        "Cards lie in zone box 6, which is not in the game: A♠ K♦."
    )


@pytest.mark.parametrize(
    ("house", "body"),
    [
        ("russian-a", {"box": 1, "extra_two": True}),
        ("texas-a", {"box": 1, "sixth": True}),
        ("three-a", {"box": 1, "exchanged": 1}),
        ("five-a", {"box": 1, "buy": True}),
        ("split-a", {"box": 1, "bets": {"bonus": 50}}),
        ("texas-a", {"meter": 100}),
        ("texas-a", {"box": 1, "prizes": [{"name": "Lucky", "amount": 5}]}),
    ],
)
def test_what_a_house_does_not_offer_is_refused(house: str, body: dict[str, Any]) -> None:
    assert dealt(house).refused("bets", **body).kind == "bad-input"
