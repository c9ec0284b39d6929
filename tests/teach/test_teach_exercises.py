"""Exercises of every house and topic: sound, silent before the answer, graded by the rules."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from teach_school import HOUSES, right_answer, wrong_answer

from kiosk.errors import UserError
from kiosk.rules import jsonio, settle_case
from kiosk.rules.generate import GenerateError
from kiosk.rules.judging import KINDS
from kiosk.rules.mistakes import usual_mistakes
from kiosk.rules.slip_texts import TEXTS, possible
from kiosk.teach.exercise import Exercise, asked_bets, make_exercise, shown
from kiosk.teach.grading import Given, grade
from kiosk.teach.topics import TOPICS, Item, topic_of_slip, topics_of

ALL = [(house, topic) for house, file in HOUSES.items() for topic in topics_of(file.house)]
SECRET = ("game", "combinations", "significant", "due", "why", "lines", "right", "paid", "taken")


@pytest.mark.parametrize(("house", "topic"), ALL)
def test_every_topic_of_every_house_asks_and_grades(house: str, topic: str) -> None:
    file = HOUSES[house]
    forms = set()
    for seed in range(4):
        exercise = make_exercise(file, Item("topic", topic), seed)
        forms.add(exercise.form)
        assert make_exercise(file, Item("topic", topic), seed) == exercise
        for language in ("en", "ru"):
            right = grade(exercise, file, right_answer(exercise, file), language)
            assert right.right and not right.kinds, exercise
        wrong = grade(exercise, file, wrong_answer(exercise, file))
        if exercise.form != "order":
            assert not wrong.right
            assert wrong.kinds
            assert set(wrong.kinds) <= set(KINDS)
    assert forms <= {v.form for v in TOPICS[topic].variants} | {"settle", "hand"}


@given(st.sampled_from(ALL), st.integers(1, 10**6))
@settings(max_examples=40, deadline=None)
def test_p3_what_is_shown_tells_nothing_of_the_answer(where: tuple[str, str], seed: int) -> None:
    house, topic = where
    exercise = make_exercise(HOUSES[house], Item("topic", topic), seed)
    data = shown(exercise, HOUSES[house])
    assert not {name for name in SECRET if name != "game"} & set(data)
    assert "topic" not in data and "item" not in data and "damaged" not in data
    jsonio.dumps(data)
    if exercise.form == "settle":
        # The same bets are asked for, whatever the hands are worth.
        box = exercise.case["boxes"][0]
        asked = set(data["asks"])
        assert asked - set(box["bets"]) <= {"ante_bonus"}
        assert (
            (("ante_bonus" in asked) is ("ante" in box["bets"]))
            or box["action"] == "fold"
            or (exercise.case["game"] != "three_card")
        )
    if exercise.form == "hand":
        assert data["dealer"]["cards"] == []
    if exercise.form == "game":
        assert data["boxes"] == []


@given(st.sampled_from(sorted(HOUSES)), st.sampled_from(sorted(TEXTS)), st.integers(1, 500))
@settings(max_examples=30, deadline=None)
def test_a_slip_made_once_comes_back_in_a_round_where_it_can_be_made(
    house: str, slip: str, seed: int
) -> None:
    file = HOUSES[house]
    item = Item("slip", slip)
    if not possible(slip, file.house):
        with pytest.raises(GenerateError, match="has no rounds"):
            make_exercise(file, item, seed)
        return
    exercise = make_exercise(file, item, seed)
    assert exercise.topic in topics_of(file.house)
    assert exercise.topic in (topic_of_slip(slip, file.house), "whole-box")
    if exercise.topic != "whole-box":
        assert slip in {m["mistake"] for m in usual_mistakes(exercise.case)}


def second_missed() -> tuple[Exercise, Given]:
    """A round of russian-a with a second combination, and the answer without it."""
    for seed in range(1, 50):
        exercise = make_exercise(HOUSES["russian-a"], Item("slip", "second-missed"), seed)
        for mistake in usual_mistakes(exercise.case):
            if mistake["mistake"] == "second-missed" and mistake["bet"] == "bet":
                bets = dict(right_answer(exercise, HOUSES["russian-a"]).bets)
                bets["bet"] = {"result": mistake["result"], "amount": mistake["amount"]}
                return exercise, Given(bets=bets)
    raise AssertionError("no such round")


def test_p8_the_mistake_is_named_and_the_significant_cards_are_marked() -> None:
    exercise, answer = second_missed()
    graded = grade(exercise, HOUSES["russian-a"], answer)
    assert not graded.right
    assert graded.kinds == ("second-combination",)
    assert graded.slips == ("second-missed",)
    wrong = graded.data["bets"]["bet"]
    assert wrong["mistakes"][0]["text"] == "The second combination was missed."
    assert wrong["difference"] < 0
    assert all(told["right"] for bet, told in graded.data["bets"].items() if bet != "bet")
    assert len(graded.data["significant"]) == 2
    cards = {card for group in graded.data["significant"] for card in group}
    assert cards <= set(exercise.case["boxes"][0]["cards"])
    assert graded.data["why"]["bet"]
    assert graded.data["due"] == settle_case(exercise.case)["boxes"][0]["bets"]
    russian = grade(exercise, HOUSES["russian-a"], answer, "ru").data["bets"]["bet"]
    assert russian["mistakes"][0]["text"] != wrong["mistakes"][0]["text"]


def told(case: Any) -> str:
    """Whose cards are too many or too few, and how many."""
    (box,) = case["boxes"]
    wanted = 6 if "sixth" in box["bets"] else 5
    hands = {"Dealer": (case["dealer"]["cards"], 5), f"Box {box['box']}": (box["cards"], wanted)}
    return next(
        f" {whose}: {len(cards)} cards, expected {right}."
        for whose, (cards, right) in hands.items()
        if len(cards) != right
    )


def test_a_wrong_number_of_cards_is_told_in_russian() -> None:
    exercise = make_exercise(HOUSES["russian-a"], Item("topic", "card-count"), 0)
    for seed in range(1, 12):
        if exercise.damaged:
            break
        exercise = make_exercise(HOUSES["russian-a"], Item("topic", "card-count"), seed)
    (line,) = grade(exercise, HOUSES["russian-a"], Given(floor=True), "ru").data["lines"]
    assert re.search(r"(Дилер|Бокс \d): карт \d, должно быть \d\.$", line)


def test_p11_a_wrong_number_of_cards_is_a_case_for_the_floor() -> None:
    damaged = [
        exercise
        for seed in range(12)
        if (
            exercise := make_exercise(HOUSES["russian-a"], Item("topic", "card-count"), seed)
        ).damaged
    ]
    assert 4 <= len(damaged) < 12, "some rounds must be sound, or the topic gives itself away"
    for exercise in damaged:
        assert settle_case(exercise.case)["error"] == "wrong-card-count"
        assert grade(exercise, HOUSES["russian-a"], Given(floor=True)).right
        bets = {bet: {"result": "push", "amount": 0} for bet in asked_bets(exercise)}
        settled = grade(exercise, HOUSES["russian-a"], Given(bets=bets))
        assert not settled.right
        assert settled.kinds == ("card-count",)
        (line,) = settled.data["lines"]
        assert line.endswith(told(exercise.case)), line


def test_calling_the_floor_in_a_sound_round_is_a_mistake_too() -> None:
    exercise = make_exercise(HOUSES["russian-a"], Item("topic", "whole-box"), 3)
    graded = grade(exercise, HOUSES["russian-a"], Given(floor=True))
    assert (graded.right, graded.kinds) == (False, ("card-count",))


@pytest.mark.parametrize("order", ["last-first", "first-last"])
def test_p7_seats_are_put_in_the_order_of_the_house(order: str) -> None:
    file = HOUSES["russian-a"]
    exercise = next(
        e for s in range(40) if (e := make_exercise(file, Item("topic", "order"), s)).seats
    )
    seats = sorted(exercise.steps, key=int)
    last_first = Given(order=tuple(reversed(seats)))
    assert grade(exercise, file, last_first, order=order).right is (order == "last-first")
    first_last = Given(order=tuple(seats))
    graded = grade(exercise, file, first_last, order=order)
    assert graded.right is (order == "first-last")
    assert graded.kinds == (() if graded.right else ("order",))


def test_steps_may_be_swapped_only_within_a_stage() -> None:
    file = HOUSES["russian-a"]
    exercise = next(
        e
        for s in range(80)
        if not (e := make_exercise(file, Item("topic", "order"), s)).seats
        and {"ante", "bet"} <= set(e.steps)
    )
    told = grade(exercise, file, Given(order=exercise.steps)).data["order"]
    assert grade(exercise, file, Given(order=tuple(told))).right
    assert not grade(exercise, file, Given(order=tuple(reversed(told)))).right
    with pytest.raises(UserError, match="every step"):
        grade(exercise, file, Given(order=tuple(told[1:])))


@pytest.mark.parametrize(
    ("topic", "field"),
    [
        ("hands", "combinations"),
        ("qualification", "game"),
        ("paying", "amount"),
        ("whole-box", "bets"),
        ("order", "order"),
    ],
)
def test_an_answer_that_is_none_is_refused_with_the_field_named(topic: str, field: str) -> None:
    exercise = make_exercise(HOUSES["russian-a"], Item("topic", topic), 1)
    with pytest.raises(UserError, match=f"^{field}"):
        grade(exercise, HOUSES["russian-a"], Given())


def test_a_bet_that_the_box_has_not_is_refused() -> None:
    exercise = make_exercise(HOUSES["russian-a"], Item("topic", "whole-box"), 1)
    bets: dict[str, Any] = {"tip": {"result": "win", "amount": 1}}
    with pytest.raises(UserError, match="no such bet"):
        grade(exercise, HOUSES["russian-a"], Given(bets=bets))


@pytest.mark.parametrize("text", ["", "topic:", "topic:tips", "slip:none", "card:As", "hands"])
def test_items_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="nothing that can be drilled"):
        Item.parse(text)


def test_items_are_read_back_as_they_are_written() -> None:
    for item in (Item("topic", "doubles"), Item("slip", "cap-forgotten")):
        assert Item.parse(str(item)) == item
