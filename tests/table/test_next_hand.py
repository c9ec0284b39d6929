"""From one hand to the next: clear felt, keys, leftovers, misdeals (V15, P5)."""

from __future__ import annotations

from typing import Any

import pytest
from table_desk import PAIR_OF_TWOS, SECOND_DEALER, SECOND_HAND, Table, Zone, cards, settled_table

from kiosk.table.outputs import RoundFinished, RoundVoided, StageChanged


def revealed_table(**more: object) -> Table:
    """A training hand that is settled and revealed."""
    return settled_table(**more).do("reveal")


def deal_again(table: Table) -> Table:
    """The next hand, dealt face down first."""
    table.backs("dealer", "box1").lay("dealer", SECOND_DEALER)
    return table.lay("box1", SECOND_HAND)


def test_v15_a_new_hand_starts_when_cards_come_after_clear_felt() -> None:
    table = revealed_table().take().look(2.5)
    assert table.state.id == "r-000001"  # the settlement stays to be read
    assert table.paid(1) == (400, 0)
    deal_again(table)
    assert table.state.id == "r-000002"
    assert table.shown()["dealer"]["cards"] == SECOND_DEALER.split()
    assert table.box(1)["cards"] == SECOND_HAND.split()
    assert table.paid(1) == (200, 0)
    assert not table.shown()["revealed"]
    assert table.heard(RoundFinished)[-1].complete


def test_v15_felt_clear_for_too_short_a_time_is_no_new_hand() -> None:
    table = revealed_table().take().look(1.0)
    deal_again(table).look(1)
    assert table.state.id == "r-000001"
    assert table.box(1)["cards"] == "7h 7d Ts Kc Ad".split()
    assert table.paid(1) == (400, 0)  # the finished hand stays as it was settled
    assert "felt was clear only for a moment" in table.asked()["q-open-hand"]["text"]
    table.do("next").look(1)
    assert table.state.id == "r-000002"
    assert table.box(1)["cards"] == SECOND_HAND.split()
    assert table.paid(1) == (200, 0)


def test_v15_next_with_the_old_cards_lying_does_not_take_them_over() -> None:
    table = revealed_table().do("next")
    assert table.state.id == "r-000002"
    table.look(3)
    assert table.shown()["dealer"]["cards"] == []
    assert table.box(1)["cards"] == []
    assert not any(box["in_play"] for box in table.shown()["boxes"])
    assert table.asked()["q-box1-leftover"]["kind"] == "stray"
    table.take().look(1)
    assert not table.asked()
    deal_again(table)
    assert table.paid(1) == (200, 0)


def test_v15_next_with_new_cards_lying_takes_only_the_new_ones() -> None:
    table = revealed_table().take("box1").look(0.5)
    table.lay("box1", SECOND_HAND).do("next").look(1)
    assert table.box(1)["cards"] == SECOND_HAND.split()
    assert table.shown()["dealer"]["cards"] == []
    table.lay("dealer", SECOND_DEALER).look(1)
    assert table.paid(1) == (200, 0)


def test_v15_leftovers_taken_away_one_by_one_never_become_cards_of_the_new_hand() -> None:
    table = revealed_table().do("next").look(0.5)
    for rest in ("7h 7d Ts Kc", "7h 7d", "7h"):
        table.lay("box1", rest).look(0.5)
        assert table.box(1)["cards"] == []
        assert not table.box(1)["in_play"]


def test_leftovers_can_be_declared_cards_of_the_new_hand() -> None:
    table = revealed_table().do("next").look(1.5)
    table.do("dismiss", question="q-box1-leftover").look(1)
    assert table.box(1)["cards"] == "7h 7d Ts Kc Ad".split()


def test_folded_backs_that_still_lie_are_not_in_play_next_time() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box2").do("bets", box=2, action="fold")
    table.lay("dealer", PAIR_OF_TWOS).lay("box1", "7h 7d Ts Kc Ad").do("reveal").do("next").look(2)
    assert not table.box(2)["in_play"]
    table.take().look().backs("box2").look(1)
    assert table.box(2)["in_play"]
    assert table.box(2)["action"] == "play"


def test_a_deal_that_went_away_unopened_is_no_hand_and_keeps_entered_bets() -> None:
    table = Table()
    table.look().do("bets", box=1, bets={"ante": 200}).backs("dealer", "box1")
    assert table.stage == "dealing"
    table.take().look(2.5)
    assert table.stage == "clear"
    assert table.state.id == "r-000001"
    assert table.box(1)["bets"]["ante"] == 200
    assert not table.box(1)["in_play"]


def test_p4_a_hand_that_was_cleared_unsettled_stays_open_in_training() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc").take().look(6)
    assert table.state.id == "r-000001"
    assert "not settled" in str(table.refused("next"))
    deal_again(table)
    assert table.state.id == "r-000001"
    assert "q-open-hand" in table.asked()
    assert table.box(1)["cards"] == "7h 7d Ts Kc".split()
    table.do("cards", zone="box1", card="Ad")
    assert table.paid(1) == (400, 0)
    table.do("reveal").look()
    assert table.state.id == "r-000002"
    assert table.box(1)["cards"] == SECOND_HAND.split()
    table.look(1)
    assert table.paid(1) == (200, 0)


def test_a_misdeal_voids_the_hand_until_the_felt_is_clear() -> None:
    table = settled_table()
    assert table.refused("void", reason=" ").status == 400
    table.do("void", reason="a card was exposed")
    assert table.stage == "void"
    assert table.shown()["void"] == "a card was exposed"
    assert table.paid(1) is None
    assert table.heard(RoundVoided)[0].who == "Vera"
    for action in (
        {"name": "bets", "box": 1, "bets": {"ante": 200}},
        {"name": "reveal"},
        {"name": "confirm", "box": 1},
        {"name": "void", "reason": "again"},
    ):
        assert table.refused(action.pop("name"), **action).kind == "void"
    table.take().look(2.5)
    assert table.state.id == "r-000002"
    assert table.stage == "clear"


def test_a_void_can_be_taken_back() -> None:
    table = settled_table().do("void", reason="by mistake").do("undo")
    assert table.stage == "done"
    assert table.paid(1) == (400, 0)


def test_p5_nothing_clears_a_held_hand() -> None:
    table = revealed_table().do("hold", held=True, reason="dispute")
    before = table.shown()
    table.take().look(10)
    assert {**table.shown(), "version": 0, "boxes": 0, "dealer": 0} == {
        **before,
        "version": 0,
        "boxes": 0,
        "dealer": 0,
    }
    assert table.box(1)["cards"] == "7h 7d Ts Kc Ad".split()
    assert table.refused("next").kind == "held"
    assert table.refused("hold", held=True).kind == "hold"
    table.do("hold", held=False).look(3)
    deal_again(table)
    assert table.state.id == "r-000002"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("bets", {"box": 1, "bets": {"ante": 1000}}),
        ("bets", {"box": 1, "in_play": False}),
        ("confirm", {"box": 1}),
        ("cards", {"zone": "box1", "was": "7h", "card": "Th"}),
        ("answer", {"box": 1, "bets": {"ante": {"result": "push", "amount": 0}}}),
        ("reveal", {}),
        ("next", {}),
    ],
)
def test_p5_nothing_is_entered_while_the_hand_is_held(name: str, body: dict[str, Any]) -> None:
    table = settled_table().do("hold", held=True)
    before = table.state.core
    assert "held: let it go on" in str(table.refused(name, **body))
    assert table.state.core == before
    table.do("hold", held=False, reason="agreed").do(name if name != "next" else "reveal", **body)


def test_p5_a_held_hand_can_be_overruled_and_voided() -> None:
    overruled = settled_table().do("hold", held=True).do("overrule", box=1, reason="floor")
    assert overruled.state.core.box(1).overruled == ("Vera", "floor")
    assert settled_table().do("hold", held=True).do("void", reason="floor").stage == "void"


def test_p5_an_overrule_is_told_until_something_of_the_next_hand_is_shown() -> None:
    lost = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}
    table = settled_table().do("answer", box=1, bets=lost).do("reveal").take().look(2.5)
    deal_again(table).look(1)
    assert table.state.id == "r-000001", "a wrong answer holds the hand"
    assert table.shown()["overruled_before"] == []
    table.do("overrule", box=1, reason="paid by hand").look(1)
    assert table.state.id == "r-000002"
    told = [{"box": 1, "who": "Vera", "reason": "paid by hand"}]
    assert table.paid(1) == (200, 0) and table.shown()["overruled_before"] == told
    table.do("reveal").look(1)
    assert table.shown()["overruled_before"] == []


def test_p4_a_hand_that_nobody_answered_is_shown_before_the_next() -> None:
    table = settled_table()
    assert "was not answered" in str(table.refused("next"))
    assert table.do("reveal").do("next").state.id == "r-000002"


def shown_unanswered() -> Table:
    """Box 1 revealed without an answer, under the rule that such a box holds the hand."""
    table = settled_table(unanswered="held").do("reveal")
    assert table.shown()["unanswered"] == [1] and table.shown()["held"]
    assert not table.shown()["frozen"] and table.shown()["wrong"] == []
    return table


def test_p4_a_box_shown_without_an_answer_holds_the_hand() -> None:
    table = shown_unanswered()
    assert table.refused("next").kind == "answer-missing"
    table.take().look(2.5).lay("dealer", "3c 3d 6h 9s Tc")
    assert table.state.id == "r-000001"


def test_p4_a_box_shown_without_an_answer_is_answered_or_overruled() -> None:
    owed = shown_unanswered()
    wrong = {"ante": {"result": "push", "amount": 0}, "bet": {"result": "push", "amount": 0}}
    owed.do("answer", box=1, bets=wrong)
    assert owed.shown()["unanswered"] == [] and owed.shown()["wrong"] == [1]
    owed.do("answer", box=1, bets=owed.box(1)["result"]["bets"])
    assert not owed.shown()["held"] and owed.box(1)["unanswered"], "it counts as not answered"
    assert owed.do("next").state.id == "r-000002"
    ruled = shown_unanswered().do("overrule", box=1, reason="paid by the floor")
    assert not ruled.shown()["held"] and ruled.do("next").state.id == "r-000002"


def test_p4_the_demo_and_a_table_that_only_counts_hold_nothing() -> None:
    assert not settled_table(mode="demo", unanswered="held").shown()["held"]
    counted = settled_table(unanswered="counted").do("reveal")
    assert counted.shown()["unanswered"] == [] and counted.box(1)["unanswered"]
    assert counted.do("next").state.id == "r-000002"


def test_p5_cards_changed_under_a_hold_are_asked_about_afterwards() -> None:
    table = settled_table().do("hold", held=True)
    table.lay("box1", "7h 7d Ts Kc 4d").look(2)
    assert table.paid(1) == (400, 0)
    table.do("hold", held=False).look(1.5)
    assert "q-box1-changed" in table.asked()
    assert table.paid(1) is None


def test_next_needs_a_hand() -> None:
    table = Table()
    table.look()
    assert table.refused("next").kind == "no-hand"
    assert table.refused("void", reason="nothing").kind == "no-hand"


def test_next_while_the_dealer_is_not_complete_is_refused() -> None:
    table = Table()
    table.look().backs("dealer", "box1")
    assert "dealer's hand" in str(table.refused("next"))


def test_a_dealers_hand_with_no_box_in_play_ends_by_itself() -> None:
    table = Table()
    table.look().lay("dealer", PAIR_OF_TWOS)
    assert table.stage == "done"
    table.take().look(2.5)
    assert table.state.id == "r-000002"


def test_stages_follow_one_another() -> None:
    table = Table()
    table.look().backs("dealer", "box1")
    table.lay("dealer", "Kd Jc 9h 5s 3c").do("bets", box=1, buy=True)
    table.lay("dealer", "Jc 9h 5s 3c 9c").lay("box1", "Qh Qd 7c 4d").lay("box1", "Qh Qd 7c 4d 2h")
    table.do("reveal").take().look(2.5)
    table.backs("dealer")
    went = [(o.before, o.after) for o in table.heard(StageChanged)]
    assert went == [
        ("clear", "dealing"),
        ("dealing", "no-game"),
        ("no-game", "buying"),
        ("buying", "dealer-complete"),
        ("dealer-complete", "settling"),
        ("settling", "done"),
        ("clear", "dealing"),
    ]


def test_demo_reveals_and_goes_on_by_itself() -> None:
    table = settled_table(mode="demo")
    assert table.shown()["revealed"]
    assert table.box(1)["result"]["paid"] == 400
    assert table.box(1)["assumed"]
    table.take().look(1.0)
    assert table.state.id == "r-000001"
    table.look(4.0)
    assert table.state.id == "r-000002"
    deal_again(table)
    assert table.paid(1) == (200, 0)


def test_demo_goes_on_at_once_when_the_next_cards_come() -> None:
    table = settled_table(mode="demo").take().look(2.0)
    table.backs("dealer", "box1").look(0.3)
    assert table.state.id == "r-000002"
    assert table.stage == "dealing"


def test_demo_leaves_a_hand_it_could_not_read() -> None:
    table = Table(settled_table(mode="demo").settings)
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc").take().look(3)
    assert table.asked()
    table.look(5)
    assert table.state.id == "r-000002"
    assert table.heard(RoundFinished)[-1].complete is False


def test_a_held_hand_pauses_the_demo() -> None:
    table = settled_table(mode="demo").do("hold", held=True).take().look(20)
    assert table.state.id == "r-000001"


def test_one_card_of_the_old_hand_left_lying_keeps_the_hand_open() -> None:
    table = revealed_table().take("dealer")
    table.zones["box1"] = Zone(cards("Ad"), 1)
    table.look(10)
    assert table.state.id == "r-000001"
    assert table.paid(1) == (400, 0)


def test_v15_another_dealers_hand_without_clear_felt_settles_no_box_against_the_old_one() -> None:
    table = settled_table().take("box1").look(1)
    table.lay("dealer", SECOND_DEALER).look(1)  # the old cards went unseen, others lie there
    table.lay("box4", "6s 5c 7h 4d 8c").look(5)
    assert table.state.id == "r-000001"
    assert table.paid(4) is None
    assert "q-open-hand" in table.asked()


def test_v15_a_box_opened_after_the_dealers_cards_left_belongs_to_no_hand() -> None:
    table = settled_table().take("box1").look(0.5).take("dealer").look(0.5)
    table.backs("box4").look(1)
    table.lay("box4", "6s 5c 7h 4d 8c").look(5)
    assert table.paid(4) is None
    assert "q-open-hand" in table.asked()


def test_v15_in_demo_another_dealers_hand_begins_the_next_round_by_itself() -> None:
    table = settled_table(mode="demo").take("box1").look(1)
    table.lay("dealer", SECOND_DEALER).look(1)
    table.lay("box4", SECOND_HAND).look(5)
    assert table.state.id == "r-000002"
    assert table.shown()["dealer"]["cards"] == SECOND_DEALER.split()
    assert table.paid(4) == (200, 0)


def test_v15_a_last_card_seen_to_be_gone_as_the_next_is_dealt_ends_the_hand() -> None:
    """In the dark a card was taken to lie there for some seconds more; meanwhile others are dealt,
    and the next dealer's open card is one that this dealer had."""
    table = revealed_table().take("dealer")
    table.zones["box1"] = Zone(cards("Ad"), 1)
    table.look(8)
    table.zones["box4"] = Zone((), 1)
    table.look(0.5)
    table.zones["box1"], table.zones["dealer"] = Zone(), Zone((), 1)
    table.look(0.1)
    table.lay("dealer", "2c", bodies=1).look(1)
    assert table.state.core.cleared and table.paid(1) == (400, 0)
    assert "q-open-hand" in table.asked()
    table.lay("dealer", "2c 3d 6h 9s Tc").lay("box1", SECOND_HAND).look(3)
    assert table.paid(1) == (400, 0), "the shown settlement stays that of the hand that was dealt"
    assert table.state.id == "r-000001"


def test_v7_a_hand_over_the_dealers_cards_does_not_end_the_round() -> None:
    table = settled_table().take("box1").look(0.5)
    lying = table.zones["dealer"]
    table.zones["dealer"] = Zone(occluded=True)
    table.look(6)
    table.zones["dealer"] = lying
    table.look(1)
    table.lay("box2", SECOND_HAND).look(1)
    assert table.paid(2) is not None
    assert not table.asked()


def test_a_hand_entered_by_a_person_outlives_bare_felt() -> None:
    table = Table().look(3)
    for zone, names in (("dealer", PAIR_OF_TWOS), ("box1", SECOND_HAND)):
        for card in cards(names):
            table.do("cards", zone=zone, was=None, card=str(card)).look(1)
    assert table.shown()["dealer"]["complete"]
    assert table.look(5).paid(1) is not None
    assert table.state.id == "r-000001"
