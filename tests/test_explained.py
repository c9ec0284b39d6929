"""Recorded hands are put in words by the rules of then, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases import russian_case

from kiosk.explained import OTHER_RESULT, OTHER_RULES, Explainer, card_of
from kiosk.record.record import rule_card_hash
from kiosk.rules import load_house_file, settle_case
from kiosk.rules.house_file import changed_house
from kiosk.rules.houses import HouseFile

# Three of a kind: what it pays differs between the two houses below.
CASE = russian_case("9h 9c Kd 7s 3d", "Jh Jd Jc 4s 8h", house="own")


def house(folder: Path, pays: int) -> HouseFile:
    """A house named ``own`` that pays so much to one for three of a kind."""
    base = load_house_file("russian-a")
    table = {**base.values["pay.bet"], "three-of-a-kind": pays}
    file = folder / str(pays) / "own.toml"
    file.parent.mkdir()
    file.write_text(changed_house(base, {"pay.bet": table}, "Own", "own"), encoding="utf-8")
    return load_house_file(file)


def settled(rules: HouseFile) -> dict[str, Any]:
    """The entry that the record has of the hand, played under these rules."""
    return {
        "case": CASE,
        "settlement": settle_case(CASE, {"own": rules}),
        "house_hash": rule_card_hash(card_of(rules)),
    }


@pytest.fixture
def before(tmp_path: Path) -> HouseFile:
    return house(tmp_path, 3)


@pytest.fixture
def after(tmp_path: Path) -> HouseFile:
    return house(tmp_path, 4)


def test_a_hand_is_explained_by_the_rules_it_was_played_under(
    before: HouseFile, after: HouseFile
) -> None:
    explainer = Explainer([before]).with_house(after)
    assert "3:1" in explainer.text(settled(before))["en"]
    assert "4:1" in explainer.text(settled(after))["en"]


def test_a_house_of_the_same_name_that_was_edited_since_explains_no_hand_of_before(
    before: HouseFile, after: HouseFile
) -> None:
    told = Explainer([after]).text(settled(before))
    assert told["en"] == OTHER_RULES and told["ru"].startswith("Раздача сыграна по правилам")


def test_a_hand_without_a_rule_card_is_not_explained_by_a_guess(before: HouseFile) -> None:
    entry = {**settled(before), "house_hash": None}
    assert Explainer([before]).text(entry)["en"] == OTHER_RULES


def test_words_that_would_contradict_what_was_recorded_are_not_given(before: HouseFile) -> None:
    entry = settled(before)
    entry["settlement"] = {**entry["settlement"], "paid": entry["settlement"]["paid"] + 100}
    told = Explainer([before]).text(entry)
    assert told["en"] == OTHER_RESULT and told["ru"].startswith("Эта версия киоска")
