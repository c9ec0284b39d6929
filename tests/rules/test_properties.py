"""What holds for every round: sums, symmetry, one error and no settlement, better is not worse."""

from __future__ import annotations

import copy
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.cards import parse_cards
from kiosk.rules import list_houses, load_house, settle_case
from kiosk.rules.explain import ERRORS, explain
from kiosk.rules.generate import generate
from kiosk.rules.jsonio import dumps, loads
from kiosk.rules.prices import hand_of
from kiosk.rules.schema import SCHEMA

SEEDS = st.integers(0, 10**9)
HOUSES = st.sampled_from(list_houses())


def turned(case: dict[str, Any], random: Random) -> dict[str, Any]:
    """The same deal with suits renamed and the order of cards in every hand changed."""
    suits = dict(zip("cdhs", random.sample("cdhs", 4), strict=True))

    def cards(texts: list[str], shuffle: bool = True) -> list[str]:
        renamed = [text[0] + suits[text[1]] for text in texts]
        if shuffle:
            random.shuffle(renamed)
        return renamed

    other = copy.deepcopy(case)
    for key in ("cards", "draws", "small"):
        if key in other["dealer"]:
            other["dealer"][key] = cards(other["dealer"][key], key != "draws")
    if "board" in other:
        board = cards(other["board"], False)
        flop = board[:3]
        random.shuffle(flop)
        other["board"] = flop + board[3:]
    for box in other["boxes"]:
        for key in ("cards", "dealt", "small"):
            if key in box:
                box[key] = cards(box[key])
    return other


def sums_hold(result: dict[str, Any]) -> None:
    for box in result["boxes"]:
        bets = box["bets"].values()
        assert box["paid"] == sum(bet["amount"] for bet in bets if bet["result"] == "win")
        lost = sum(bet["amount"] for bet in bets if bet["result"] == "lose")
        assert box["taken"] == lost + sum(bet.get("stake_taken", 0) for bet in bets)
        for bet in bets:
            assert bet["amount"] >= 0
            if bet["result"] in ("push", "not-paid", "returned"):
                assert bet["amount"] == 0
    for key in ("paid", "taken"):
        assert result[key] == sum(box[key] for box in result["boxes"])


def round_holds(house: str, seed: int) -> None:
    case = generate(house, seed)
    result = settle_case(case)
    assert "error" not in result
    sums_hold(result)
    for box, entered in zip(result["boxes"], case["boxes"], strict=True):
        assert set(entered["bets"]) <= set(box["bets"])
        for name, bet in box["bets"].items():
            if bet["result"] == "lose":
                assert bet["amount"] == entered["bets"][name]
    assert settle_case(turned(case, Random(seed))) == result
    assert loads(dumps(result)) == result


@given(HOUSES, SEEDS)
@settings(max_examples=300, deadline=None)
def test_every_legal_round_settles_and_adds_up(house: str, seed: int) -> None:
    round_holds(house, seed)


@pytest.mark.parametrize("name", list_houses())
def test_1000_rounds_of_each_house_settle_and_add_up(name: str) -> None:
    for seed in range(1000):
        round_holds(name, seed)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_100000_rounds_settle_and_add_up() -> None:
    houses = list_houses()
    for seed in range(100_000):
        round_holds(houses[seed % len(houses)], 10**6 + seed)


@given(HOUSES, SEEDS)
@settings(max_examples=100, deadline=None)
def test_no_amount_exceeds_the_table_maximum(house: str, seed: int) -> None:
    limit = 250
    case = generate(house, seed, table={"ante_min": 100, "ante_max": 500, "max_payout": limit})
    free = {"insurance", "progressive", "pair_plus"}
    if house in ("russian-b", "texas-a", "oasis-a"):
        free.add("bonus")
    for box in settle_case(case)["boxes"]:
        inside = [
            bet["amount"]
            for name, bet in box["bets"].items()
            if bet["result"] == "win" and name not in free
        ]
        assert sum(inside) <= limit


@given(HOUSES, SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_higher_maximum_never_pays_less(house: str, seed: int) -> None:
    case = generate(house, seed, table={"ante_min": 100, "ante_max": 500, "max_payout": 900})
    for box in case["boxes"]:
        box["bets"].pop("insurance", None)
    higher = copy.deepcopy(case)
    higher["table"]["max_payout"] = None
    low, high = settle_case(case), settle_case(higher)
    for below, above in zip(low["boxes"], high["boxes"], strict=True):
        assert below["paid"] <= above["paid"]
        assert below["taken"] == above["taken"]


RISING = st.sampled_from(["russian-a", "russian-b", "russian-c", "five-a", "six-a", "oasis-a"])


def two_pat_boxes(house: str, seed: int) -> dict[str, Any]:
    """Two boxes with the same bets that play what they were dealt."""
    case = generate(house, seed, boxes=2)
    case["dealer"].pop("draws", None)
    for box in case["boxes"]:
        box.update(action="play", cards=(box.get("dealt") or box["cards"])[:5])
        for key in ("dealt", "exchanged"):
            box.pop(key, None)
        bet = 100 * load_house(house).bet.multiple
        box["bets"] = {"ante": 100, "bet": int(bet)}
    return case


def rises(case: dict[str, Any], *, doubles: bool) -> None:
    """The box with the higher hand is not worse off; a lower pair with an ace-king may be better
    off than a higher pair where second combinations are paid."""
    house = load_house(case["house"])
    board = parse_cards(case.get("board", []))
    result = settle_case(case)
    assert "error" not in result, result
    keys = [hand_of(house, parse_cards(box["cards"]), board).key for box in case["boxes"]]
    low, high = sorted((0, 1), key=lambda i: keys[i])
    below, above = result["boxes"][low], result["boxes"][high]
    if doubles and len(below["combinations"]) > len(above["combinations"]):
        return
    if keys[low] == keys[high]:
        assert below["bets"] == above["bets"]
    assert below["paid"] - below["taken"] <= above["paid"] - above["taken"]


@given(RISING, SEEDS)
@settings(max_examples=200, deadline=None)
def test_a_higher_hand_never_earns_less_against_the_same_dealer(house: str, seed: int) -> None:
    rises(two_pat_boxes(house, seed), doubles=house.startswith("russian"))


@given(st.sampled_from(["three-a", "texas-a"]), SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_higher_hand_never_earns_less_in_three_card_and_texas(house: str, seed: int) -> None:
    rises(two_pat_boxes(house, seed), doubles=False)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**30, 10**40)
    | st.floats()
    | st.decimals()
    | st.text(max_size=6)
    | st.sampled_from(["play", "fold", "As", "Kd", "russian-a", "russian", "ante", "bet"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += places(item, (*path, index))
    return found


@given(HOUSES, SEEDS, ANYTHING, st.data())
@settings(max_examples=400, deadline=None)
def test_one_thing_spoiled_gives_one_error_or_a_settlement(
    house: str, seed: int, junk: Any, data: st.DataObject
) -> None:
    case = generate(house, seed)
    path = data.draw(st.sampled_from(places(case)))
    target: Any = case
    for step in path[:-1]:
        target = target[step]
    if data.draw(st.booleans()) and isinstance(target, dict):
        del target[path[-1]]
    else:
        target[path[-1]] = junk
    result = settle_case(case)
    if "error" in result:
        assert set(result) == {"error", "where", "message"}
        assert result["error"] in ERRORS
        assert "\n" not in result["message"]
        assert len(result["message"]) < 300
    else:
        sums_hold(result)
    explain(case, result, "ru")


OPTION_VALUES = ANYTHING | st.sampled_from(
    [
        "none",
        "table",
        "even",
        "loop",
        "queen-high",
        "pair-of-fours",
        "royal-flush",
        {"1": 1, "2": 1.5},
        {"150": 20},
        {"pair": 1, "flush": "5:1"},
        {"royal-flush": "100%"},
        0.5,
        7,
    ]
)


@given(HOUSES, SEEDS, st.dictionaries(st.sampled_from(sorted(SCHEMA)), OPTION_VALUES, max_size=3))
@settings(max_examples=400, deadline=None)
def test_any_options_settle_or_are_refused(house: str, seed: int, options: Any) -> None:
    case = {**generate(house, seed), "options": options}
    result = settle_case(case)
    if "error" in result:
        assert result["error"] in ERRORS
    else:
        sums_hold(result)
        explain(case, result, "en")


@given(ANYTHING)
@settings(max_examples=200, deadline=None)
def test_anything_at_all_is_refused_with_an_error_kind(junk: Any) -> None:
    result = settle_case(junk)
    assert result["error"] in ERRORS


@given(HOUSES, SEEDS, st.sampled_from(["en", "ru", "xx"]))
@settings(max_examples=150, deadline=None)
def test_every_round_is_explained_bet_by_bet(house: str, seed: int, language: str) -> None:
    case = generate(house, seed)
    result = settle_case(case)
    told = explain(case, result, language)
    assert told["dealer"]
    for box, text in zip(result["boxes"], told["boxes"], strict=True):
        assert text["box"] == box["box"]
        assert set(text["bets"]) == set(box["bets"])
        assert all(text["bets"].values())
        assert not any("{" in line for line in [*text["lines"], *text["bets"].values()])


@pytest.mark.parametrize(
    ("amount", "kind"),
    [
        (Decimal("NaN"), "bad-amount"),
        (Decimal("Infinity"), "bad-amount"),
        (float("nan"), "bad-amount"),
        (10**400, "bad-amount"),
        (Decimal("1e300"), "bad-amount"),
        (Decimal("1e-300"), "bad-amount"),
        (True, "bad-amount"),
        ("100", "bad-amount"),
        ([100], "bad-amount"),
        (Decimal("100.001"), "bad-amount"),
        (-0.0, "bad-amount"),
    ],
)
def test_com_in_4_amounts_that_are_none(amount: Any, kind: str) -> None:
    case = generate("russian-a", 1, boxes=1)
    case["boxes"][0]["bets"]["ante"] = amount
    assert settle_case(case)["error"] == kind


def test_messages_stay_on_one_line_whatever_the_input_is_called() -> None:
    for place in ("bets", "box", "case", "options"):
        case = generate("russian-a", 1, boxes=1)
        target = {
            "bets": case["boxes"][0]["bets"],
            "box": case["boxes"][0],
            "case": case,
            "options": case.setdefault("options", {}),
        }[place]
        target["\n\x1b[31m" + "x" * 500] = 1
        result = settle_case(case)
        assert result["error"] in ("unknown-option", "bet-not-offered")
        assert result["message"].isprintable()
        assert result["where"].isprintable()
        assert len(result["message"]) < 200
