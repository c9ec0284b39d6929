"""Generated rounds: the same from the same seed, legal, and showing what they are aimed at."""

from __future__ import annotations

from typing import Any

import pytest

from kiosk.rules import list_houses, load_house, settle_case
from kiosk.rules.aims import AIMS
from kiosk.rules.generate import GenerateError, generate, most_boxes
from kiosk.rules.jsonio import dumps, loads
from kiosk.rules.paste import round_text


def test_same_seed_same_round_other_seed_other_round() -> None:
    for house in list_houses():
        assert generate(house, 5) == generate(house, 5)
        assert generate(house, 5) != generate(house, 6)


def test_number_of_boxes_and_table_are_as_asked() -> None:
    table = {"ante_min": 25, "ante_max": 75, "max_payout": None}
    for boxes in (1, 4):
        case = generate("russian-a", 3, boxes=boxes, table=table)
        assert len(case["boxes"]) == boxes
        assert case["table"] == table
        assert all(25 <= box["bets"]["ante"] <= 75 for box in case["boxes"])


@pytest.mark.parametrize("aim", sorted(AIMS))
def test_every_aim_is_reached_by_the_houses_that_can_show_it(aim: str) -> None:
    reached = 0
    for house in list_houses():
        try:
            case = generate(house, 11, aim=aim)
        except GenerateError as refused:
            assert "never shows" in str(refused)
            continue
        reached += 1
        assert "error" not in settle_case(case)
    assert reached


def test_aimed_rounds_show_it_in_the_settlement() -> None:
    def settled(house: str, aim: str) -> Any:
        return settle_case(generate(house, 2, aim=aim))

    doubled = settled("russian-a", "second-combination")
    assert any(len(box["combinations"]) == 2 for box in doubled["boxes"])
    bought = settled("six-a", "bought")
    assert bought["dealer"]["after_buy"]["game"] is True
    tie = settled("five-a", "stand-off")
    bets = [bet for box in tie["boxes"] for bet in box["bets"].values()]
    assert any(bet["result"] == "push" for bet in bets)


def test_unknown_and_unfit_aims_are_refused() -> None:
    with pytest.raises(GenerateError, match="expected one of"):
        generate("russian-a", 1, aim="miracle")
    with pytest.raises(GenerateError, match="never shows"):
        generate("five-a", 1, aim="second-combination")


def test_boxes_are_those_that_house_and_deck_allow() -> None:
    assert most_boxes(load_house("split-a")) == 6
    assert most_boxes(load_house("russian-a")) == 4
    for boxes in (0, 5):
        with pytest.raises(GenerateError, match="expected 1 to 4"):
            generate("russian-a", 1, boxes=boxes)


def test_every_kind_of_bet_and_action_occurs() -> None:
    seen: set[tuple[str, str]] = set()
    for house in list_houses():
        for seed in range(150):
            for box in generate(house, seed)["boxes"]:
                seen |= {(house, bet) for bet in box["bets"]} | {(house, box["action"])}
    for house in list_houses():
        assert (house, "fold") in seen
    for house, bet in (
        ("russian-a", "bonus"),
        ("russian-a", "exchange"),
        ("russian-a", "sixth"),
        ("russian-a", "buy"),
        ("russian-a", "insurance"),
        ("russian-b", "bonus"),
        ("five-a", "exchange"),
        ("oasis-a", "progressive"),
        ("oasis-a", "bonus"),
        ("three-a", "pair_plus"),
        ("split-a", "extra_two"),
        ("split-a", "buy"),
        ("texas-a", "bonus"),
    ):
        assert (house, bet) in seen


def test_rounds_survive_being_written_as_json() -> None:
    for house in list_houses():
        case = generate(house, 9)
        assert settle_case(loads(dumps(case))) == settle_case(case)


def test_a_round_as_text_to_paste() -> None:
    case = {**generate("oasis-a", 5, boxes=2), "id": "r-7"}
    text = round_text(case)
    assert text.startswith("Round r-7, house oasis-a: Oasis Poker A.\n")
    assert "Jackpot meter:" in text
    assert "Whole table: paid" in text
    assert "Раздача r-7" in round_text(case, "ru")
    assert "Community cards:" in round_text(generate("texas-a", 1))
    assert round_text({**case, "house": "x"}).startswith("The house is not known")
