"""An answer held against a settlement: the money that moves decides, each mistake has a kind."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules import list_houses, settle_case
from kiosk.rules.generate import generate
from kiosk.rules.judging import KINDS, agrees, judge, marks
from kiosk.rules.mistakes import usual_mistakes

STILL = ("push", "not-paid", "returned")
LINES = st.fixed_dictionaries(
    {
        "result": st.sampled_from(["win", "lose", *STILL]),
        "amount": st.integers(0, 10**6),
    }
)


def moved(line: dict[str, Any] | None) -> Decimal:
    if line is None or line["result"] in STILL:
        return Decimal(0)
    amount = Decimal(line["amount"])
    return -amount if line["result"] == "lose" else amount - Decimal(line.get("stake_taken", 0))


@given(st.sampled_from(list_houses()), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_p6_right_answers_have_no_mistake_and_wrong_ones_their_difference(
    house: str, seed: int
) -> None:
    case = generate(house, seed, boxes=1)
    lines = settle_case(case)["boxes"][0]["bets"]
    assert judge(case, lines, 1, lines) == {}
    assert all(marks(lines, lines).values())
    for mistake in usual_mistakes(case):
        line = {key: mistake[key] for key in ("result", "amount", "stake_taken")}
        answer = {**lines, mistake["bet"]: line}
        told = judge(case, lines, 1, answer)
        assert set(told) == {mistake["bet"]}
        found = told[mistake["bet"]]
        assert found["kind"] in KINDS
        assert mistake["mistake"] in {slip["mistake"] for slip in found["mistakes"]}
        right = lines.get(mistake["bet"])
        assert found["difference"] == moved(line) - moved(right)


@given(LINES, LINES)
def test_agreeing_is_moving_the_same_money(line: dict[str, Any], other: dict[str, Any]) -> None:
    same = line["result"] == other["result"] and line["amount"] == other["amount"]
    still = line["result"] in STILL and other["result"] in STILL
    moves = line["result"] not in STILL and other["result"] not in STILL
    assert agrees(line, other) is (still or (moves and same))
    assert agrees(line, other) == agrees(other, line)


@given(
    st.dictionaries(st.sampled_from("abcd"), LINES), st.dictionaries(st.sampled_from("bcde"), LINES)
)
def test_every_bet_settled_or_answered_is_marked(
    lines: dict[str, Any], answer: dict[str, Any]
) -> None:
    found = marks(lines, answer)
    assert set(found) == set(lines) | set(answer)
    assert not any(found[bet] for bet in lines if bet not in answer)


@pytest.mark.parametrize(
    ("bet", "line", "said", "kind"),
    [
        ("bet", {"result": "win", "amount": 300}, {"result": "win", "amount": 301}, "arithmetic"),
        ("bet", {"result": "win", "amount": 300}, None, "left-out"),
        ("bonus", {"result": "win", "amount": 300}, None, "side-bet"),
        ("bonus", {"result": "lose", "amount": 10}, {"result": "push"}, "side-bet"),
        ("bet", {"result": "lose", "amount": 10}, {"result": "win", "amount": 7}, "other"),
        ("bonus", None, {"result": "lose", "amount": 10}, "not-placed"),
    ],
)
def test_p8_a_mistake_that_no_slip_explains_still_has_a_kind(
    bet: str, line: Any, said: Any, kind: str
) -> None:
    lines = {} if line is None else {bet: line}
    answer = {} if said is None else {bet: said}
    told = judge({}, lines, 1, answer)
    assert told[bet]["kind"] == kind
    assert told[bet]["mistakes"] == []


def test_a_stake_taken_counts_where_it_is_named() -> None:
    line = {"result": "win", "amount": 600, "stake_taken": 10}
    assert agrees(line, {"result": "win", "amount": 600})
    assert agrees(line, line)
    assert not agrees(line, {"result": "win", "amount": 600, "stake_taken": 0})
