"""Undo neither hides a settlement that was shown nor shows one; answers keep their time (P4)."""

from __future__ import annotations

from typing import Any

from table_desk import Table, Zone, cards

from kiosk.table.events import ShownKept
from kiosk.table.outputs import Revealed
from kiosk.table.round import replay
from kiosk.table.state import RoundSettings
from kiosk.table.verdicts import verdict

RIGHT = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 200}}
WRONG = {"ante": {"result": "win", "amount": 100}, "bet": {"result": "win", "amount": 200}}


def one_card_short(*boxes: int) -> Table:
    """A hand in which one card of each box is not read: a person enters it."""
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted")).look()
    table.backs("dealer", *(f"box{box}" for box in boxes)).lay("dealer", "2c 2d 5h 8s 9c").look(1)
    for box in boxes:
        table.zones[f"box{box}"] = Zone(cards(("7h 7d Ts Kc", "8h 8d 2s Qc")[box - 1]), 5)
    return table.look(4)


def complete(table: Table, box: int) -> Table:
    return table.do("cards", zone=f"box{box}", card=("4d", "4c")[box - 1]).look(0.5)


def word(table: Table, box: int) -> str | None:
    state = table.state
    assert replay(state.base, state.log, state.settings) == state.core
    return verdict(state.core.box(box), table.result(box))


def shown_and_taken_back(answer: dict[str, Any] | None) -> Table:
    table = one_card_short(1)
    if answer is not None:
        table.do("answer", box=1, bets=answer)
    complete(table, 1).do("reveal")
    assert table.box(1)["result"] is not None
    table.do("undo", reason="again")
    assert table.box(1)["revealed"] and not table.box(1)["settled"]
    return complete(table, 1)


def test_p4_a_wrong_answer_stays_wrong_when_the_shown_settlement_is_undone() -> None:
    table = shown_and_taken_back(WRONG)
    assert table.box(1)["result"] is not None and word(table, 1) == "wrong"
    table.do("answer", box=1, bets=RIGHT).do("reveal")
    assert word(table, 1) == "wrong", "the right one came after the settlement"
    assert table.shown()["wrong"] == [] and not table.shown()["held"], "it corrects the wrong one"
    assert [said.boxes for said in table.heard(Revealed)] == [(1,)], "shown once"


def test_p4_an_answer_after_an_undone_settlement_comes_too_late() -> None:
    table = shown_and_taken_back(None).do("answer", box=1, bets=RIGHT)
    assert word(table, 1) == "not-answered"


def test_p4_what_was_shown_stays_shown_over_many_undos() -> None:
    table = one_card_short(1).do("answer", box=1, bets=WRONG).do("bets", box=1, buy=False)
    complete(table, 1).do("reveal").do("bets", box=1, in_play=True)
    for _ in range(3):
        table.do("undo", reason="again")
        assert table.box(1)["revealed"]
    assert table.refused("undo").kind == "nothing-to-undo", "the marked answer is not taken back"
    assert sum(isinstance(event, ShownKept) for _, event in table.state.log) >= 1
    complete(table, 1).do("answer", box=1, bets=RIGHT)
    assert word(table, 1) == "wrong"


def test_p4_an_undo_shows_no_settlement_and_makes_no_answer_late() -> None:
    """Box 2 was not settled at the reveal; the undo of what was in its way does not show it."""
    table = complete(complete(one_card_short(1, 2), 1), 2)
    table.do("cards", zone="box2", was=None, card="3h").look(2)
    assert table.result(2) is None
    table.do("reveal")
    answer = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 200}}
    table.do("answer", box=2, bets=answer)
    table.do("undo", reason="the answer").do("undo", reason="no such card").look(1)
    assert table.result(2) is not None and not table.box(2)["revealed"]
    table.do("answer", box=2, bets=answer)
    assert table.box(1)["revealed"] and word(table, 2) == "right"
    assert table.do("reveal").box(2)["revealed"] and word(table, 2) == "right"


def test_a_box_taken_as_settled_by_hand_has_shown_nothing() -> None:
    table = one_card_short(1).do("overrule", box=1, reason="paid by hand").do("reveal")
    table.do("bets", box=1, buy=False).do("undo").do("undo", reason="a mistake")
    assert not table.box(1)["revealed"]
    complete(table, 1).do("answer", box=1, bets=RIGHT)
    assert word(table, 1) == "right"
