"""The usual wrong answers: each names its slip, none is the right answer, all are reachable."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cases import LOW, russian_case
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules import list_houses, load_house, settle_case
from kiosk.rules.aims import AIMS
from kiosk.rules.generate import GenerateError, generate
from kiosk.rules.jsonio import loads
from kiosk.rules.mistakes import name_mistakes, slips_by_rule, usual_mistakes
from kiosk.rules.slip_texts import CATEGORIES, CATEGORY_OF, TEXTS

ALL_AIMS = sorted(AIMS)

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in loads(Path(__file__).with_name("cases_own.json").read_bytes())["cases"]
}


def found(case_id: str, bet: str, box: int = 1) -> set[tuple[str, str, Any]]:
    return {
        (item["mistake"], item["result"], item["amount"])
        for item in usual_mistakes(CASES[case_id])
        if item["bet"] == bet and item["box"] == box
    }


@pytest.mark.parametrize(
    ("case_id", "bet", "mistake", "result", "amount"),
    [
        ("OWN-RA-01", "bet", "second-missed", "win", 500),
        ("OWN-RA-01", "ante", "ante-paid-too", "win", 50),
        ("OWN-RA-01", "bet", "row-above", "win", 1100),
        ("OWN-RA-01", "bet", "row-below", "win", 800),
        ("OWN-RA-01", "bet", "paid-on-ante", "win", 450),
        ("OWN-RA-01", "bet", "stake-counted-in", "win", 1000),
        ("OWN-RA-01", "sixth", "fee-handed-back", "returned", 0),
        ("OWN-RA-01", "bet", "comparison-reversed", "lose", 100),
        ("OWN-RA-02", "bonus", "cap-forgotten", "win", 600),
        ("OWN-RA-02", "bonus", "bonus-not-doubled", "lose", 10),
        ("OWN-RA-03", "bet", "half-forgotten", "not-paid", 0),
        ("OWN-RA-03", "bet", "cap-forgotten", "win", 50000),
        ("OWN-RA-07", "bet", "half-not-taken", "win", 5000),
        ("OWN-RA-14", "bet", "half-of-first", "win", 2500),
        ("OWN-RA-04", "insurance", "insurance-not-paid", "returned", 0),
        ("OWN-RA-04", "ante", "failed-purchase-lost", "lose", 50),
        ("OWN-RA-04", "ante", "failed-purchase-paid", "win", 50),
        ("OWN-RA-09", "insurance", "insurance-taken", "lose", 100),
        ("OWN-RA-10", "ante", "side-cards-overlooked", "push", 0),
        ("OWN-RB-02", "bet", "bet-paid-without-game", "win", 5000),
        ("OWN-RC-01", "ante", "ante-not-paid", "not-paid", 0),
        ("OWN-TC-01", "ante_bonus", "ante-bonus-missed", "not-paid", 0),
        ("OWN-TX-01", "ante", "ante-even", "win", 50),
        ("OWN-TX-03", "bonus", "bonus-stake-left", "win", 175),
        ("OWN-SP-03", "bet", "three-pair-missed", "win", 200),
        ("OWN-SP-02", "bet", "small-hand-reversed", "win", 200),
        ("OWN-SP-02", "ante", "paid-on-bet", "win", 200),
        ("OWN-OA-02", "bonus", "bonus-by-fold", "lose", 25),
    ],
)
def test_slips_lead_to_their_wrong_answers(
    case_id: str, bet: str, mistake: str, result: str, amount: int
) -> None:
    assert (mistake, result, amount) in found(case_id, bet)


def test_every_slip_is_shown_by_some_deal() -> None:
    names = {item["mistake"] for case in CASES.values() for item in usual_mistakes(case)}
    for seed in range(60):
        names |= {item["mistake"] for item in usual_mistakes(generate("three-a", seed))}
    missing = set(TEXTS) - names
    assert missing <= {"duplicate-as-pair", "second-not-paid-below", "cap-without-ante"}


def test_duplicate_straight_and_a_lower_second_are_slips() -> None:
    hands = ("4d 5c 6d 7h 8d 8s", "9d 9c Ad Kh 2d")
    case = russian_case("3c 3h Tc Qs 2h", *hands, ante=10, limits=LOW)
    named = usual_mistakes(case)
    assert ("duplicate-as-pair", 1, 100) in {(m["mistake"], m["box"], m["amount"]) for m in named}
    below = [m for m in named if m["mistake"] == "second-not-paid-below"]
    assert [(m["box"], m["bet"], m["amount"]) for m in below] == [(2, "bet", 20)]


@given(st.sampled_from(list_houses()), st.integers(0, 10**6))
@settings(max_examples=120, deadline=None)
def test_no_usual_mistake_is_the_right_answer(house: str, seed: int) -> None:
    case = generate(house, seed)
    right = {box["box"]: box["bets"] for box in settle_case(case)["boxes"]}
    still = {"push", "not-paid", "returned"}
    for item in usual_mistakes(case, "ru"):
        truth = right[item["box"]][item["bet"]]
        same = (truth["result"], truth["amount"], truth.get("stake_taken", 0)) == (
            item["result"],
            item["amount"],
            item["stake_taken"],
        )
        assert not same
        assert not (truth["result"] in still and item["result"] in still)
        assert item["amount"] > 0 or item["result"] != "win"
        assert item["mistake"] in TEXTS
        assert re.fullmatch(r"[A-Z]{2,3}-[A-Z0-9]+-\d", item["rule"])
        assert re.search("[а-я]", item["text"])


def test_an_answer_is_named_by_its_slips() -> None:
    answer = {
        "ante": {"result": "win", "amount": 50},
        "bet": {"result": "win", "amount": 500},
        "sixth": {"result": "lose", "amount": 50},
    }
    named = name_mistakes(CASES["OWN-RA-01"], 1, answer)
    assert set(named) == {"ante", "bet"}
    assert named["ante"][0]["mistake"] == "ante-paid-too"
    assert named["bet"][0]["mistake"] == "second-missed"
    assert named["bet"][0]["text"] == "The second combination was missed."


def test_answers_that_nothing_explains_or_that_are_right() -> None:
    case = CASES["OWN-RA-01"]
    odd = name_mistakes(case, 1, {"bet": {"result": "win", "amount": Decimal("123.45")}})
    assert odd == {"bet": []}
    right = settle_case(case)["boxes"][0]["bets"]
    assert name_mistakes(case, 1, right) == {}
    assert name_mistakes(case, 1, {"ante": {"result": "push", "amount": 0}}) == {}
    assert name_mistakes(case, 9, {"bet": {"result": "win", "amount": 1}}) == {}
    assert name_mistakes({}, 1, {"bet": {"result": "win", "amount": 1}}) == {}
    assert name_mistakes(case, 1, {"bet": "nonsense"}) == {"bet": []}
    assert usual_mistakes({"game": "russian"}) == []


def test_rules_are_those_of_the_game() -> None:
    rules = {
        house: {
            item["rule"]
            for seed in range(30)
            for item in usual_mistakes(generate(house, seed))
            if item["mistake"] in ("comparison-reversed", "no-game-overlooked")
        }
        for house in ("five-a", "three-a", "split-a")
    }
    assert rules["five-a"] == {"FC-SET-2", "FC-NG-1"}
    assert rules["three-a"] == {"TC-SET-2", "TC-QUAL-1"}
    assert rules["split-a"] == {"SP-SET-4", "SP-QUAL-1"}


def test_p8_every_slip_has_one_category_and_is_listed_under_its_rule() -> None:
    assert set(CATEGORY_OF) == set(TEXTS)
    assert sum(map(len, CATEGORIES.values())) == len(TEXTS)
    everywhere: set[str] = set()
    for name, rule in (("russian-a", "RP-DBL-1"), ("five-a", "FC-PAY-1"), ("split-a", "SP-SET-4")):
        assert rule in slips_by_rule(load_house(name), "ru")
    for name in list_houses():
        listed = slips_by_rule(load_house(name), "ru")
        everywhere |= {item["mistake"] for items in listed.values() for item in items}
    assert everywhere == set(TEXTS)


FAMILIES = {
    "russian": ("RP", "RPA", "RPB", "RPC"),
    "five_card": ("FC",),
    "six_card": ("SC", "FC"),
    "oasis": ("OA",),
    "three_card": ("TC",),
    "texas": ("TX",),
    "split": ("SP",),
}


@pytest.mark.parametrize("name", list_houses())
def test_p8_slips_listed_for_a_house_are_those_of_its_rules_and_all_that_occur(name: str) -> None:
    house = load_house(name)
    listed = {
        (rule, item["mistake"]) for rule, items in slips_by_rule(house).items() for item in items
    }
    assert {rule.split("-")[0] for rule, _ in listed} <= {"COM", *FAMILIES[house.game]}
    occurred = set()
    for seed in range(60):
        aim = ALL_AIMS[seed % len(ALL_AIMS)] if seed % 2 else None
        try:
            case = generate(name, seed, aim=aim)
        except GenerateError:
            continue
        occurred |= {(item["rule"], item["mistake"]) for item in usual_mistakes(case)}
    assert occurred <= listed
    assert len(occurred) >= 8
