"""Bets, actions and the own settlement on the buttons, on rounds of the real table; lights."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.keyboard import KEYS
from firmware_bridge.model import DEFERRED, PanelModel
from firmware_bridge.protocol import BUTTONS, Kind
from firmware_bridge.view import Offer, ascii_text, money
from kiosk.errors import ActionError
from kiosk.panel_desk import offer_of
from kiosk.table.plan import plan_for
from kiosk.table.snapshot import snapshot


def test_ante_insurance_and_bonus_are_entered_and_bet_follows(table: Any, hand: Any) -> None:
    assert hand("box1", "plus", "plus", "plus") == [
        ("bets", {"box": 1, "in_play": True}),
        ("bets", {"box": 1, "bets": {"ante": 200}}),
        ("bets", {"box": 1, "bets": {"ante": 300}}),
    ]
    assert table.box()["bets"] == {"ante": 300, "bet": 600}
    assert hand.display()[1] == ">Ante            300"
    hand("bet", "bet", "plus")
    assert table.box()["bets"]["insurance"] == 300
    hand("bet", "plus")
    assert table.box()["bets"]["bonus"] == 30
    assert hand.display()[0] == "Box 1 play assumed"


def test_ante_stays_within_the_limits_and_long_press_makes_ten_steps(table: Any, hand: Any) -> None:
    hand("box2", "plus")
    for name, body in hand.model.long("plus", table.snapshot()):
        table.act(name, body, "panel")
    assert table.box(2)["bets"]["ante"] == 1000
    assert hand("plus") == []
    for name, body in hand.model.long("minus", table.snapshot()):
        table.act(name, body, "panel")
    assert table.box(2)["bets"]["ante"] == 100


def test_minus_at_the_least_ante_takes_the_box_out_and_plus_back(table: Any, hand: Any) -> None:
    hand("box3", "plus", "minus", "minus")
    assert not table.box(3)["in_play"] and hand.display()[1] == "not in play"
    hand("plus")
    assert table.box(3)["in_play"]


def test_fold_sixth_exchange_and_buy(table: Any, hand: Any) -> None:
    hand("box1", "plus", "fold")
    assert table.box()["action"] == "fold"
    hand("fold", "exchange", "exchange")
    assert table.box()["action"] == "play" and table.box()["exchanged"] == 2
    hand("exchange", "exchange", "exchange", "exchange", "sixth")
    assert table.box()["exchanged"] == 0 and table.box()["sixth"]
    hand("bet", "bet", "bet", "bet")
    assert hand("plus") == [("bets", {"box": 1, "buy": True})]
    assert table.box()["buy"] is True


def test_confirm_one_box_or_all(table: Any, hand: Any) -> None:
    hand("box1", "plus", "box2", "plus", "box3", "plus")
    assert hand.lights() == (2, 2, 2, 0, 0, 0)
    hand("box1", "confirm")
    assert hand.lights() == (1, 2, 2, 0, 0, 0)
    assert hand("box1", "confirm") == [("confirm", {"box": 2}), ("confirm", {"box": 3})]
    assert hand.lights() == (1, 1, 1, 0, 0, 0)


def test_p3_own_settlement_is_given_before_the_reveal(desks: Any, table: Any, hand: Any) -> None:
    table.deal(desks.WINNING)
    assert table.box()["settled"]
    hand("box1", "confirm")
    assert hand.display()[0] == "Box 1 your answer"
    assert hand("confirm") == [] and " ".join(hand.display()[2:]) == "Some bets have no answer"
    hand("exchange", "exchange", "exchange", "exchange")
    hand("bet", "plus", "plus")
    assert hand.display()[1:3] == (" Ante       NOT PAID", ">Bet         PAY 400")
    (name, body), *_ = hand("confirm")
    assert name == "answer"
    assert body["bets"] == {
        "ante": {"result": "not-paid", "amount": 0},
        "bet": {"result": "win", "amount": 400},
    }
    hand("reveal")
    answer = table.box()["answer"]
    assert answer is not None and answer["correct"] is True


def test_p4_a_wrong_settlement_can_be_entered_again_after_the_reveal(
    desks: Any, table: Any, hand: Any
) -> None:
    table.deal(desks.LOSING)
    hand("box1", "confirm", "plus", "bet", "plus", "confirm", "reveal")
    assert table.box()["answer"]["correct"] is False
    assert hand.display()[3] == "WRONG: press CONFIRM"
    hand("confirm", "minus", "bet", "minus", "confirm")
    assert table.box()["answer"]["correct"] is True


def test_p4_a_settlement_shown_without_an_answer_is_still_entered(
    desks: Any, table: Any, hand: Any
) -> None:
    table.deal(desks.LOSING)
    hand("box1", "confirm", "reveal", "box1")
    assert table.snapshot()["held"] and hand.display()[3] == "NO ANSWER: Box 1"
    with pytest.raises(ActionError, match="shown without an answer"):
        hand("next")
    hand("box1")
    assert hand.display()[3] == "NO ANSWER: CONFIRM"
    hand("confirm", "minus", "bet", "minus", "confirm")
    assert table.box()["answer"]["correct"] is True and table.box()["unanswered"]
    assert not table.snapshot()["held"]


@pytest.mark.parametrize(
    ("hands", "line"), [("WINNING", "1 PAY 400 TAKE 0"), ("LOSING", "1 PAY 0 TAKE 300")]
)
def test_what_to_pay_or_take_is_shown_after_the_reveal_only(
    table: Any, hand: Any, desks: Any, hands: str, line: str
) -> None:
    table.deal(getattr(desks, hands))
    for buttons in ((), ("box1",), ("confirm",)):
        hand(*buttons)
        shown = " ".join(hand.display())
        assert "PAY" not in shown and "TAKE" not in shown
    hand("reveal")
    assert hand.display()[1] == line
    hand("box1")
    assert line in hand.display()


def test_nothing_is_told_before_the_reveal_even_if_a_snapshot_held_it(
    desks: Any, table: Any, hand: Any
) -> None:
    table.deal(desks.WINNING)
    hand("box1", "confirm", "box1")
    leaky = dict(snapshot(table.owner.state, True))
    leaky["revealed"] = False
    leaky["boxes"] = [{**box, "revealed": False} for box in leaky["boxes"]]
    for button in ("", "box1"):
        if button:
            hand.model.press(button, leaky)
        assert "400" not in " ".join(hand.model.display(leaky))


def test_hold_and_question_take_the_last_line_and_the_light(table: Any, hand: Any) -> None:
    hand("hold")
    assert table.snapshot()["held"] and hand.display()[3] == "HELD: call the floor"
    hand("hold")
    assert not table.snapshot()["held"]
    asked = {**table.snapshot(), "questions": [{"zone": "box2"}]}
    assert hand.model.lights(asked)[1] == 3
    assert hand.model.display(asked)[3].rstrip() == "QUESTION Box 2: +"
    hand("box1")
    assert hand.model.display(asked)[3].rstrip() == "QUESTION Box 2"


def test_plus_without_a_box_asks_for_one_until_the_next_press(table: Any, hand: Any) -> None:
    hand("plus")
    assert hand.display()[3] == "Choose a box first"
    hand("box6")
    assert hand.display()[3] == "No such box here"
    hand("box1")
    assert "Choose" not in hand.display()[3]


def test_a_new_round_starts_with_nothing_chosen(desks: Any, table: Any, hand: Any) -> None:
    table.deal(desks.WINNING)
    hand("box1")
    table.owner.act("void", {"reason": "misdeal"}, "test")
    table.owner.act("next", {}, "test")
    hand.display()
    assert hand.model.selected is None


@pytest.mark.parametrize("button", sorted(DEFERRED))
def test_s11_a_long_press_and_its_press_never_act_both(table: Any, button: str) -> None:
    model, now = PanelModel(), table.snapshot()
    assert model.event(Kind.PRESS, button, now) == []
    long = model.event(Kind.LONG, button, now)
    # Held sixth opens the cards on the display; the others are actions.
    assert len(long) == (button != "sixth") and model.event(Kind.RELEASE, button, now) == []
    assert model.event(Kind.PRESS, button, now) == []
    model.forget()
    assert model.event(Kind.RELEASE, button, now) == []


def test_s11_a_stuck_key_does_nothing(table: Any) -> None:
    model = PanelModel()
    assert all(model.event(Kind.STUCK, button, table.snapshot()) == [] for button in BUTTONS)


@given(st.lists(st.sampled_from(BUTTONS), max_size=40), st.booleans())
@settings(max_examples=30, deadline=None)
def test_any_presses_give_actions_that_the_table_knows(
    desks: Any, buttons: list[str], dealt: bool
) -> None:
    table = desks.Table()
    try:
        if dealt:
            table.deal(desks.WINNING)
        model = PanelModel()
        for button in buttons:
            for name, body in model.press(button, table.snapshot()):
                try:
                    table.act(name, body, "panel")
                except Exception as refusal:
                    assert getattr(refusal, "kind", "internal") not in ("internal", "bad-input")
            lines = model.display(table.snapshot())
            assert all(len(line) == 20 and line.isascii() for line in lines)
            assert len(model.lights(table.snapshot())) == 6
    finally:
        table.owner.stop()


@given(st.text(max_size=40))
def test_every_text_becomes_characters_the_display_has(text: str) -> None:
    assert all(" " <= char <= "}" and char != "\\" for char in ascii_text(text))


def test_russian_is_transliterated_and_money_exact() -> None:
    assert ascii_text("ПЛАТИТЬ 400 ₽") == "PLATIT 400 R"
    assert money(Decimal("37.50")) == "37.5" and money(Decimal("1000")) == "1000"


def test_the_number_pad_reaches_every_button() -> None:
    assert set(KEYS.values()) == set(BUTTONS)


def _revealed_box(*, assumed: bool) -> dict[str, Any]:
    """A round with one box that was settled and revealed, its bets assumed or confirmed."""
    result = {
        "combinations": ["straight"],
        "bets": {"bet": {"result": "win", "amount": 800}},
        "paid": 800,
        "taken": 0,
    }
    box = {
        "box": 1, "zone": "box1", "in_play": True, "confirmed": True, "assumed": assumed,
        "settled": True, "revealed": True, "action": "play", "bets": {"ante": 100, "bet": 200},
        "result": result, "combinations": ["straight"],
    }  # fmt: skip
    return {
        "stage": "done", "mode": "training", "revealed": True, "questions": [], "boxes": [box],
        "dealer": {"read": 5, "expected": 5},
    }  # fmt: skip


def test_an_assumed_payout_is_marked_on_display_and_light() -> None:
    model = PanelModel(str)
    for assumed, mark, light in ((True, "1?PAY 800", 2), (False, "1 PAY 800", 1)):
        snapshot = _revealed_box(assumed=assumed)
        assert any(line.startswith(mark) for line in model.display(snapshot)), assumed
        assert model.lights(snapshot)[0] == light


def test_confirm_reaches_a_box_that_is_confirmed_but_still_assumed() -> None:
    snapshot = _revealed_box(assumed=True)
    snapshot["boxes"][0] |= {"revealed": False, "result": None, "combinations": None}
    snapshot |= {"revealed": False, "stage": "settling"}
    assert ("confirm", {"box": 1}) in PanelModel(str).press("confirm", snapshot)


def test_p4_a_wrong_answer_is_named_and_the_hand_can_still_be_frozen(
    desks: Any, table: Any, hand: Any
) -> None:
    """A wrong answer holds the hand by itself; hold must not try to release that."""
    table.deal(desks.LOSING)
    hand("box1", "confirm", "plus", "bet", "plus", "confirm", "reveal", "box1")
    assert table.snapshot()["held"] and hand.display()[3] == "WRONG: Box 1"
    assert hand("hold") == [("hold", {"held": True, "reason": "panel"})]
    assert hand.display()[3] == "HELD: call the floor"
    assert hand("hold") == [("hold", {"held": False, "reason": "panel"})]


def test_an_ante_bonus_has_a_line_of_its_own_and_none_is_left_out() -> None:
    box = {
        "box": 1, "zone": "box1", "in_play": True, "confirmed": True, "assumed": False,
        "settled": True, "action": "play", "bets": {"ante": 100, "bet": 100},
    }  # fmt: skip
    now = {"id": "r-1", "mode": "training", "dealer": {}, "questions": [], "boxes": [box]}
    model = PanelModel(offers=lambda _: Offer(ante_bonus=True))
    for button in ("box1", "plus", "bet", "plus", "bet", "plus", "plus", "plus", "plus"):
        assert model.press(button, now) == []
    assert model.display(now)[3].rstrip() == ">AnteBon     PAY 400"
    ((_, body),) = model.press("confirm", now)
    assert body["bets"]["ante_bonus"] == {"result": "win", "amount": 400}
    for _ in range(5):
        model.press("minus", now)
    assert model.display(now)[3].rstrip() == ">AnteBon           -"
    ((_, body),) = model.press("confirm", now)
    assert set(body["bets"]) == {"ante", "bet"}


@pytest.mark.parametrize(
    ("house", "wanted"),
    [
        ("russian-a", {"ante", "bet", "insurance", "buy"}),
        ("three-a", {"ante", "bet", "pair_plus"}),
        ("oasis-a", {"ante", "bet"}),
    ],
)
def test_the_fields_are_those_of_the_house(house: str, wanted: set[str]) -> None:
    offer = offer_of(plan_for(house))
    assert wanted <= set(offer.fields)
    assert set(offer.fields) - set(offer.switches) == set(offer.bets)
    assert offer.ante_bonus == (house == "three-a")
