"""Check mode: mistakes named per bet, what was not answered, the order of seats (P3 to P8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from table_desk import PAIR_OF_TWOS, Table, settled_table

from kiosk.rules.judging import KINDS
from kiosk.table.outputs import RoundSettled
from kiosk.table.snapshot import snapshot
from kiosk.table.state import RoundSettings

ANTE = {"result": "not-paid", "amount": 0}
RIGHT = {"ante": ANTE, "bet": {"result": "win", "amount": 400}}


def pay(amount: int) -> dict[str, Any]:
    return {"ante": ANTE, "bet": {"result": "win", "amount": amount}}


@pytest.mark.parametrize(
    ("bets", "bet", "kind", "mistake", "difference"),
    [
        (pay(200), "bet", "second-combination", "second-missed", -200),
        (pay(600), "bet", "arithmetic", "stake-counted-in", 200),
        (pay(410), "bet", "arithmetic", None, 10),
        (
            {**RIGHT, "ante": {"result": "win", "amount": 100}},
            "ante",
            "house-rule",
            "ante-paid-too",
            100,
        ),
        ({"ante": ANTE}, "bet", "left-out", None, -400),
        (
            {**RIGHT, "bonus": {"result": "lose", "amount": 10}},
            "bonus",
            "not-placed",
            None,
            -10,
        ),
    ],
)
def test_p8_a_wrong_bet_has_its_kind_of_mistake(
    bets: dict[str, Any], bet: str, kind: str, mistake: str | None, difference: int
) -> None:
    table = settled_table().do("answer", box=1, bets=bets)
    assert table.box(1)["answer"]["mistakes"] is None
    table.do("reveal")
    told = table.box(1)["answer"]["mistakes"]
    assert set(told) == {bet}
    assert told[bet]["kind"] == kind
    assert kind in KINDS
    assert told[bet]["difference"] == difference
    assert [m["mistake"] for m in told[bet]["mistakes"][:1]] == ([mistake] if mistake else [])
    kept = table.heard(RoundSettled)[-1].answers[0][1]
    assert kept["verdict"] == "wrong"
    assert kept["mistakes"] == [
        {"bet": bet, "kind": kind, "mistake": mistake, "difference": difference}
    ]


def test_p8_mistakes_are_told_in_the_language_of_the_page() -> None:
    table = settled_table().do("answer", box=1, bets=pay(200)).do("reveal")
    boxes = snapshot(table.state, None, "ru")["boxes"]
    box = next(b for b in boxes if b["box"] == 1)
    assert "втор" in box["answer"]["mistakes"]["bet"]["mistakes"][0]["text"].lower()


def test_p6_the_record_holds_over_and_underpayment_alike() -> None:
    for amount, difference in ((300, -100), (500, 100)):
        table = settled_table().do("answer", box=1, bets=pay(amount)).do("reveal")
        kept = table.heard(RoundSettled)[-1].answers[0][1]
        assert [m["difference"] for m in kept["mistakes"]] == [difference]


@pytest.mark.parametrize("word", ["push", "not-paid", "returned"])
def test_words_for_nothing_moving_count_as_one_another(word: str) -> None:
    bets = {**RIGHT, "ante": {"result": word, "amount": 0}}
    table = settled_table().do("answer", box=1, bets=bets).do("reveal")
    assert table.box(1)["answer"]["correct"]
    assert table.heard(RoundSettled)[-1].answers[0][1]["verdict"] == "right"


def test_p3_a_reveal_without_an_answer_is_no_right_answer() -> None:
    table = settled_table().do("reveal")
    assert table.box(1)["unanswered"]
    assert table.box(1)["answer"] is None
    kept = table.heard(RoundSettled)[-1].answers[0][1]
    assert (kept["verdict"], kept["bets"], kept["right"]) == ("not-answered", {}, None)
    table.do("answer", box=1, bets=RIGHT)
    kept = table.heard(RoundSettled)[-1].answers[0][1]
    assert (kept["verdict"], kept["after_reveal"]) == ("not-answered", True)
    assert table.box(1)["unanswered"]


def test_p3_a_demo_asks_for_no_answer() -> None:
    table = Table(RoundSettings(mode="demo"))
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc Ad")
    assert table.box(1)["result"]
    assert not table.box(1)["unanswered"]
    assert table.heard(RoundSettled)[-1].answers == ()


def two_boxes(order: str) -> Table:
    table = Table(replace(RoundSettings(), order=order))  # type: ignore[arg-type]
    table.look().backs("dealer", "box1", "box2").lay("dealer", PAIR_OF_TWOS)
    return table.lay("box1", "7h 7d Ts Kc Ad").lay("box2", "As Qc 7c 6d 4c")


LOST = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}


@pytest.mark.parametrize(
    ("order", "answers", "late"),
    [
        ("last-first", (2, 1), ()),
        ("last-first", (1, 2), (1,)),
        ("first-last", (1, 2), ()),
        ("first-last", (2, 1), (2,)),
    ],
)
def test_p7_boxes_are_worked_off_in_the_order_of_the_house(
    order: str, answers: tuple[int, ...], late: tuple[int, ...]
) -> None:
    table = two_boxes(order)
    assert table.shown()["order"] == ([2, 1] if order == "last-first" else [1, 2])
    assert table.shown()["next_box"] == table.shown()["order"][0]
    for box in answers:
        table.do("answer", box=box, bets=RIGHT if box == 1 else LOST)
    assert table.shown()["next_box"] is None
    table.do("reveal")
    assert {b for b in (1, 2) if table.box(b)["answer"]["out_of_order"]} == set(late)
    kept = dict(table.heard(RoundSettled)[-1].answers)
    for box in (1, 2):
        assert kept[box]["verdict"] == "right"
        assert [m["kind"] for m in kept[box]["mistakes"]] == (["order"] if box in late else [])
