"""Training: the dealer answers first, nothing leaks, wrong answers hold the hand (P3, P4, P6)."""

from __future__ import annotations

from typing import Any

import pytest
from table_desk import NO_GAME, PAIR_OF_TWOS, Table, settled_table

from kiosk.table.outputs import Revealed, RoundSettled

RIGHT = {
    "ante": {"result": "not-paid", "amount": 0},
    "bet": {"result": "win", "amount": 400},
}
WRONG = {**RIGHT, "bet": {"result": "win", "amount": 200}}
SECRET_KEYS = {
    "combination",
    "combinations",
    "game",
    "after_buy",
    "significant",
    "result",
    "settlement",
    "explanation",
    "right",
    "correct",
}
SECRET_WORDS = ("pair", "ace-king", "win", "lose", "no-game", "no game", "push", "paid")


def secrets(data: Any, path: str = "") -> list[str]:
    """Everything in the JSON that tells what a hand is worth."""
    if isinstance(data, dict):
        found = []
        for key, value in data.items():
            here = f"{path}.{key}"
            if here.endswith(".answer.bets"):
                continue  # the trainee's own words
            if key in SECRET_KEYS and value is not None and here != ".game":
                found.append(here)
            found += secrets(value, here)
        return found
    if isinstance(data, list):
        return [s for i, value in enumerate(data) for s in secrets(value, f"{path}[{i}]")]
    if isinstance(data, str) and any(word in data.lower() for word in SECRET_WORDS):
        return [f"{path} = {data}"]
    return []


def test_p3_nothing_leaks_before_the_reveal() -> None:
    table = Table()
    steps = [
        lambda: table.look().backs("dealer", "box1", "box2"),
        lambda: table.lay("dealer", "3c", bodies=5),
        lambda: table.lay("dealer", NO_GAME),
        lambda: table.lay("box1", "7h 7d 7s Jd 4h"),
        lambda: table.do("bets", box=1, bets={"insurance": 5000}),
        lambda: table.do("bets", box=1, bets={"insurance": 300}),
        lambda: table.do("bets", box=2, bets={"insurance": 300}),
        lambda: table.lay("box2", "As Qc 7c 6d 4c"),
        lambda: table.do("bets", box=2, bets={"insurance": None}),
        lambda: table.do("confirm", box=1).do("confirm", box=2),
        lambda: table.take("box1", "box2", "dealer"),
    ]
    for step in steps:
        step()
        assert not secrets(table.shown()), table.shown()
    assert table.stage == "done"
    table.do("reveal")
    assert secrets(table.shown())


@pytest.mark.parametrize("dealer", [PAIR_OF_TWOS, NO_GAME])
def test_p3_the_page_looks_the_same_whether_or_not_the_dealer_has_a_game(dealer: str) -> None:
    table = settled_table(dealer).do("confirm", box=1)
    other = settled_table(PAIR_OF_TWOS).do("confirm", box=1)
    shown, reference = table.shown(), other.shown()
    shown["dealer"]["cards"] = reference["dealer"]["cards"]
    assert shown == reference
    shown, reference = confirmed_early(dealer).shown(), confirmed_early(PAIR_OF_TWOS).shown()
    shown["dealer"]["cards"] = reference["dealer"]["cards"]
    assert shown == reference
    assert shown["stage"] == "settling"
    assert shown["assumed"]


def confirmed_early(dealer: str) -> Table:
    """Box 1 confirmed before the dealer's hand was opened."""
    table = Table()
    table.look().backs("dealer", "box1", "box2").do("confirm", box=1)
    table.do("bets", box=2, buy=False).do("confirm", box=2)
    return table.lay("dealer", dealer).lay("box1", "7h 7d Ts Kc Ad")


def test_p1_the_reveal_shows_every_bet_with_its_reason() -> None:
    table = settled_table().do("reveal")
    shown = table.shown()
    result = table.box(1)["result"]
    assert shown["revealed"]
    assert shown["dealer"]["combination"] == "pair"
    assert shown["dealer"]["game"] is True
    assert shown["dealer"]["significant"] == [["2c", "2d"]] or shown["dealer"]["significant"]
    assert table.box(1)["combinations"] == ["pair", "ace-king"]
    assert result["bets"]["bet"] == {"result": "win", "amount": 400}
    assert set(result["explanation"]["bets"]) == set(result["bets"])
    assert all(text for text in result["explanation"]["bets"].values())
    assert result["explanation"]["lines"]
    assert shown["settlement"]["paid"] == 400
    assert table.heard(Revealed)[0].boxes == (1,)


def test_revealed_view_overrides_what_is_shown() -> None:
    table = settled_table()
    assert table.shown(True)["settlement"]["paid"] == 400
    table.do("reveal")
    assert table.shown(False)["settlement"] is None
    assert not secrets(table.shown(False))


def test_p3_a_right_answer_is_marked_after_the_reveal() -> None:
    table = settled_table().do("answer", box=1, bets=RIGHT)
    assert table.box(1)["answer"]["right"] is None
    assert table.refused("next").kind == "not-revealed"
    table.do("reveal")
    answer = table.box(1)["answer"]
    assert answer["bets"] == RIGHT
    assert answer["right"] == {"ante": True, "bet": True}
    assert answer["correct"]
    assert not table.shown()["held"]
    table.do("next")
    assert table.state.id == "r-000002"


def test_the_record_is_told_who_gave_each_answer() -> None:
    table = settled_table().do("answer", box=1, bets=RIGHT).do("reveal")
    table.who = "Anna"
    table.do("answer", box=1, bets=RIGHT)
    told = dict(table.heard(RoundSettled)[-1].answers)[1]
    assert (told["who"], told["last_who"]) == ("Vera", "Anna")


def test_p4_a_wrong_answer_holds_the_hand_until_it_is_corrected() -> None:
    table = settled_table().do("answer", box=1, bets=WRONG).do("reveal")
    assert table.box(1)["answer"]["right"] == {"ante": True, "bet": False}
    assert table.shown()["held"]
    assert table.refused("next").kind == "answer-wrong"
    table.take().look(5).backs("dealer").look()
    assert table.state.id == "r-000001"
    table.do("answer", box=1, bets=RIGHT)
    assert not table.shown()["held"]
    last = table.heard(RoundSettled)[-1].answers[0][1]
    assert last["right"] == {"ante": True, "bet": False}
    assert last["last_right"] == {"ante": True, "bet": True}


def test_p4_a_wrong_answer_holds_the_hand_until_it_is_overruled() -> None:
    table = settled_table().do("answer", box=1, bets=WRONG).do("reveal")
    assert table.refused("overrule", box=1, reason="").kind == "bad-input"
    table.do("overrule", box=1, reason="agreed with the floor")
    assert not table.shown()["held"]
    assert table.heard(RoundSettled)[-1].overruled == ((1, "Vera", "agreed with the floor"),)
    assert table.paid(1) == (400, 0)
    table.do("next")


@pytest.mark.parametrize("amount", [200, 600])
def test_p6_over_and_underpayment_are_both_wrong(amount: int) -> None:
    bets = {**RIGHT, "bet": {"result": "win", "amount": amount}}
    table = settled_table().do("answer", box=1, bets=bets).do("reveal")
    assert table.box(1)["answer"]["right"]["bet"] is False


def test_p2_a_bet_left_out_or_added_is_wrong() -> None:
    table = settled_table().do("answer", box=1, bets={"bet": RIGHT["bet"]}).do("reveal")
    assert table.box(1)["answer"]["right"] == {"ante": False, "bet": True}
    table = settled_table()
    table.do("answer", box=1, bets={**RIGHT, "bonus": {"result": "lose", "amount": 10}})
    table.do("reveal")
    assert table.box(1)["answer"]["right"]["bonus"] is False


def test_p3_a_marked_answer_and_a_reveal_cannot_be_taken_back() -> None:
    table = settled_table().do("answer", box=1, bets=WRONG).do("reveal")
    assert table.refused("undo").kind == "nothing-to-undo"
    table.do("answer", box=1, bets=RIGHT)
    assert table.refused("undo").kind == "nothing-to-undo"


def test_an_answer_can_be_taken_back_before_the_reveal() -> None:
    table = settled_table().do("answer", box=1, bets=WRONG).do("undo")
    assert table.box(1)["answer"] is None


def test_a_box_settled_after_the_reveal_needs_a_reveal_of_its_own() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box2").lay("dealer", PAIR_OF_TWOS)
    assert table.refused("reveal").kind == "nothing-to-reveal"
    table.lay("box1", "7h 7d Ts Kc Ad").do("reveal")
    assert table.box(1)["result"]["paid"] == 400
    assert table.shown()["settlement"] is None
    table.lay("box2", "As Qc 7c 6d 4c")
    assert table.box(2)["result"] is None
    assert not table.shown()["revealed"]
    table.do("answer", box=2, bets={"ante": {"result": "lose", "amount": 100}})
    table.do("reveal")
    assert table.box(2)["answer"]["right"] == {"ante": True, "bet": False}
    assert table.shown()["settlement"]["taken"] == 300


def test_an_answer_first_given_after_the_reveal_is_known_as_such() -> None:
    table = settled_table().do("reveal").do("answer", box=1, bets=RIGHT)
    assert table.heard(RoundSettled)[-1].answers[0][1]["after_reveal"] is True


def test_p4_an_unreadable_box_is_overruled_and_the_hand_goes_on() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc").look(4)
    assert table.refused("next").kind == "not-settled"
    table.do("overrule", box=1, reason="card torn, paid by hand")
    assert table.stage == "done"
    assert table.result(1) is None
    last = table.heard(RoundSettled)[-1]
    assert (last.case, last.settlement) == (None, None)
    table.do("next")


def test_an_unreadable_dealer_is_overruled_for_all_boxes() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box2").look(4)
    table.do("overrule", reason="deck fell")
    assert table.stage == "done"
    assert [box for box, _, _ in table.heard(RoundSettled)[-1].overruled] == [1, 2]


def test_answers_wait_for_boxes_in_play_and_known_bets() -> None:
    table = settled_table()
    assert table.refused("answer", box=2, bets=RIGHT).kind == "not-in-play"
    assert table.refused("answer", box=1, bets={"tip": RIGHT["bet"]}).kind == "bad-input"
