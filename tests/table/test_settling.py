"""Boxes settled one by one, against the real rules."""

from __future__ import annotations

from typing import Any

import pytest
from table_desk import NO_GAME, PAIR_OF_TWOS, Table, cards, settled_table

from kiosk.rules import settle_case
from kiosk.table.outputs import BoxSettled, CardsAccepted, RoundSettled
from kiosk.table.round import case_of


def test_rp_set_1_a_box_with_default_bets_is_settled_and_assumed() -> None:
    table = settled_table()
    assert table.stage == "done"
    assert table.paid(1) == (400, 0)
    assert table.box(1)["bets"] == {"ante": 100, "bet": 200}
    assert table.box(1)["assumed"]
    table.do("confirm", box=1)
    assert not table.box(1)["assumed"]
    assert [o.assumed for o in table.heard(BoxSettled)] == [True, False]
    assert [o.corrected for o in table.heard(RoundSettled)] == [False, True]


def test_the_four_boxes_of_ra_088_one_after_the_other() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box2", "box3", "box4")
    table.do("bets", box=1, bets={"ante": 200})
    table.do("bets", box=2, action="fold")
    table.do("bets", box=3, bets={"ante": 150})
    table.do("bets", box=4, exchanged=2)
    table.take("box2")
    table.lay("dealer", "9c 9d Kh 6s 3c")
    assert table.stage == "settling"  # the folded box is settled as soon as the dealer is known
    assert table.paid(2) == (0, 100)
    table.lay("box1", "Jh Jd Js 4c 4d").take("box1")
    assert table.paid(1) == (2800, 0)
    table.lay("box3", "9h 9s Kc 6d 3h").take("box3")
    assert table.paid(3) == (0, 0)
    assert table.stage == "settling"
    table.lay("box4", "8h 8d Ah Kd 5c")
    assert table.stage == "done"
    for box in (1, 2, 3, 4):
        table.do("confirm", box=box)
    last = table.heard(RoundSettled)[-1]
    assert (last.settlement["paid"], last.settlement["taken"]) == (2800, 500)
    assert last.assumed == ()
    assert settle_case(last.case) == last.settlement


def test_a_box_stays_known_after_its_cards_and_the_dealers_were_collected() -> None:
    table = settled_table()
    table.take("box1", "dealer")
    assert table.paid(1) == (400, 0)
    assert table.box(1)["cards"] == ["7h", "7d", "Ts", "Kc", "Ad"]
    assert table.box(1)["collected"]
    assert table.shown()["dealer"]["cards"] == PAIR_OF_TWOS.split()


def test_cards_collected_one_by_one_leave_the_hand_known() -> None:
    table = settled_table()
    for rest in ("7h 7d Ts Kc", "7h 7d", "7h", ""):
        table.lay("box1", rest)
        assert table.paid(1) == (400, 0), rest
        assert not table.asked()


def test_collected_cards_that_come_back_are_the_same_hand() -> None:
    table = settled_table()
    table.take("box1").look(1.5)
    table.lay("box1", "Ad Kc 7h").look(4)
    assert table.paid(1) == (400, 0)
    assert not table.asked()
    table.lay("box1", "7h 7d Ts Kc Ad").look(4)
    assert table.paid(1) == (400, 0)
    assert not table.box(1)["collected"]


def test_v7_a_hand_over_the_cards_for_five_seconds_changes_nothing() -> None:
    table = settled_table()
    before = table.shown()
    for zone in ("box1", "dealer"):
        table.zones[zone].occluded = True
        table.zones[zone].cards = ()
    table.look(5)
    assert table.box(1)["cards"] == ["7h", "7d", "Ts", "Kc", "Ad"]
    assert table.paid(1) == (400, 0)
    assert not table.asked()
    table.lay("box1", "7h 7d Ts Kc Ad").lay("dealer", PAIR_OF_TWOS)
    assert {**table.shown(), "version": 0} == {**before, "version": 0}


def test_v7_nothing_is_taken_over_from_under_a_hand() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("box1", "7h 7d Ts")
    table.zones["box1"].occluded = True
    table.lay("dealer", PAIR_OF_TWOS)
    table.zones["box1"].cards = cards("7h 7d Ts 3c")
    table.look(1)
    assert table.box(1)["cards"] == ["7h", "7d", "Ts"]


def test_a_change_of_bets_asks_for_a_new_confirmation() -> None:
    table = settled_table().do("confirm", box=1)
    table.do("bets", box=1, bets={"ante": 200})
    assert not table.box(1)["confirmed"]
    assert table.box(1)["assumed"]
    table.do("confirm", box=1).do("bets", box=1, buy=False)
    assert table.box(1)["confirmed"]  # an answer to one question of its own


def test_v9_face_down_cards_are_no_hand_and_no_question() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box3").look(10)
    assert table.stage == "dealing"
    assert [b["box"] for b in table.shown()["boxes"] if b["in_play"]] == [1, 3]
    assert not table.asked()
    table.lay("dealer", "9c", bodies=5).look(10)
    assert table.stage == "dealing"
    assert not table.asked()
    assert table.shown()["dealer"]["cards"] == ["9c"]


def test_boxes_opened_before_the_dealer_wait_for_the_dealer() -> None:
    table = Table()
    table.look().backs("dealer").lay("box1", "7h 7d Ts Kc Ad").take("box1")
    assert table.paid(1) is None
    assert table.stage == "dealing"
    table.lay("dealer", PAIR_OF_TWOS)
    assert table.paid(1) == (400, 0)


def test_p9_a_settlement_follows_the_last_card_within_a_second() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc")
    start = table.t
    table.zones["box1"].cards += settled_table().zones["box1"].cards[4:]
    while table.paid(1) is None:
        table.look(0.1)
    assert table.t - start < 1.0


def test_a_hand_counts_only_once_it_lies_still() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.zones["box1"].cards = settled_table().zones["box1"].cards
    table.look(0.0)
    assert table.paid(1) is None
    table.look(0.4)
    assert table.paid(1) == (400, 0)


def test_a_name_read_anew_in_the_same_place_before_settlement_is_taken_over() -> None:
    table = Table()
    table.look().backs("dealer", "box1")
    table.lay("box1", "7h 7d Ts Kc 6h").lay("box1", "7h 7d Ts Kc 9h")
    assert table.box(1)["cards"] == ["7h", "7d", "Ts", "Kc", "9h"]
    table.lay("dealer", PAIR_OF_TWOS)
    assert table.paid(1) is not None
    assert not table.asked()


@pytest.mark.parametrize(
    ("entry", "bets", "paid"),
    [
        ({"bets": {"ante": 200}}, {"ante": 200, "bet": 400}, (800, 0)),
        (
            {"exchanged": 2},
            {"ante": 100, "bet": 200, "exchange": 100},
            (400, 100),
        ),
        (
            {"bets": {"bonus": 10}},
            {"ante": 100, "bet": 200, "bonus": 10},
            (600, 10),
        ),
        ({"action": "fold", "exchanged": 5}, {"ante": 100, "exchange": 100}, (0, 200)),
    ],
)
def test_entries_change_bets_and_settlement(
    entry: dict[str, Any], bets: dict[str, int], paid: tuple[int, int]
) -> None:
    table = settled_table().do("bets", box=1, **entry)
    assert table.box(1)["bets"] == bets
    assert table.paid(1) == paid


def test_rp_dec_3_a_sixth_card_entered_and_seen() -> None:
    table = Table()
    table.look().backs("dealer", "box1").do("bets", box=1, sixth=True)
    table.lay("dealer", PAIR_OF_TWOS).lay("box1", "7h 7d Ts Qc Kc Ad")
    assert table.box(1)["expected"] == 6
    assert table.paid(1) == (400, 100)


def test_rp_ins_3_insurance_wins_on_no_game() -> None:
    table = settled_table(NO_GAME, "7h 7d 7s Jd 4h")
    table.do("bets", box=1, bets={"insurance": 300})
    assert table.paid(1) == (400, 0)
    table.do("bets", box=1, bets={"insurance": 0})
    assert table.box(1)["bets"] == {"ante": 100, "bet": 200}
    assert table.paid(1) == (100, 0)


def test_com_cap_1_the_table_maximum_comes_from_the_settings() -> None:
    table = settled_table(max_payout=None)
    assert case_of(table.state)["table"]["max_payout"] is None


def test_the_record_gets_cards_with_confidence_and_source() -> None:
    table = settled_table()
    table.do("cards", zone="box1", was="Ts", card="Th")
    last = table.heard(RoundSettled)[-1]
    hand = {card.card: card for card in dict(last.hands)["box1"]}
    assert (hand["7h"].source, hand["7h"].confidence, hand["7h"].seen) == ("machine", 0.97, "7h")
    assert (hand["Th"].source, hand["Th"].seen) == ("person", "Ts")
    accepted = [o for o in table.heard(CardsAccepted) if o.zone == "box1"]
    assert [card.card for card in accepted[-1].cards] == ["7h", "7d", "Th", "Kc", "Ad"]


def test_a_box_that_was_settled_is_settled_again_when_its_bets_change() -> None:
    table = settled_table()
    table.do("bets", box=1, bets={"ante": 300})
    results = [o.result["paid"] for o in table.heard(BoxSettled)]
    assert results == [400, 1200]
    assert table.heard(RoundSettled)[-1].corrected


@pytest.mark.parametrize("house", ["russian-a", "russian-b", "russian-c"])
def test_every_russian_house_can_be_dealt(house: str) -> None:
    table = settled_table(house=house)
    assert table.paid(1) == ((500, 0) if house == "russian-c" else (400, 0))
