"""Mistakes made at the live table come back in the drills."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from teach_school import HOUSES, School, make_school

from kiosk.errors import ActionError
from kiosk.rules.judging import KINDS
from kiosk.rules.slip_texts import CATEGORY_OF, possible
from kiosk.teach.at_table import items_of
from kiosk.teach.drills import Trainee
from kiosk.teach.store import ProgressStore
from kiosk.teach.topics import Item, topics_of


def mistake(kind: str, slip: str | None = None) -> dict[str, Any]:
    """As the record keeps it."""
    return {"bet": "bet", "kind": kind, "mistake": slip, "difference": 100}


@pytest.mark.parametrize("house", HOUSES)
def test_every_recorded_mistake_can_be_drilled_in_the_house(house: str) -> None:
    rules = HOUSES[house].house
    made = [mistake(kind) for kind in KINDS]
    made += [mistake(category, slip) for slip, category in CATEGORY_OF.items()]
    for item in items_of(made, rules):
        assert item.fits(rules) and item.topic(rules) in topics_of(rules)


def test_a_slip_is_drilled_itself_and_what_no_slip_explains_as_a_topic() -> None:
    rules = HOUSES["russian-a"].house
    made = [
        mistake("wrong-row", "row-above"),
        mistake("wrong-row", "row-above"),
        mistake("arithmetic"),
        mistake("order"),
        mistake("left-out"),
        mistake("of another version", "unknown"),
    ]
    assert list(map(str, items_of(made, rules))) == [
        "slip:row-above",
        "topic:paying",
        "topic:order",
        "topic:whole-box",
    ]
    assert not possible("pair-plus-missed", rules)
    assert items_of([mistake("side-bet", "pair-plus-missed")], rules)[0].kind == "topic"


def test_p10_the_next_drill_is_about_the_mistake_made_at_the_table(
    school: School, anna: Trainee
) -> None:
    school.round(anna)
    school.drills.learn(anna, "russian-a", [mistake("cap", "cap-forgotten")])
    slip = Item("slip", "cap-forgotten")
    kept = school.drills._items(anna, "russian-a")[slip]
    assert (kept.asked, kept.missed) == (1, 1)
    school.wait(minutes=2)
    assert school.drills.due(anna, "russian-a") >= 1
    asked = []
    for _ in range(2):
        school.drills.next(anna, "russian-a", (), "en")
        asked.append((school.exercise(anna).item, school.exercise(anna).topic))
        school.round(anna)
    assert (slip, "cap") in asked, "before topics that were never asked"
    assert school.drills.next(anna, "russian-b", (), "en")
    assert school.exercise(anna).item != slip, "the other house knows nothing of it"


def test_a_mistake_made_again_at_the_table_is_due_again(school: School, anna: Trainee) -> None:
    slip = Item("slip", "cap-forgotten")
    for _ in range(2):
        school.drills.learn(anna, "russian-a", [mistake("cap", "cap-forgotten")] * 3)
        school.wait(days=2)
    kept = school.drills._items(anna, "russian-a")[slip]
    assert (kept.asked, kept.missed) == (2, 2), "once for each hand"
    school.drills.learn(anna, "russian-a", [])
    assert school.drills._items(anna, "russian-a") == {slip: kept}


def test_what_was_learnt_at_the_table_outlives_a_restart_and_goes_with_the_person(
    tmp_path: Path, anna: Trainee
) -> None:
    first = make_school(ProgressStore(tmp_path / "drills.db"))
    first.drills.learn(anna, "russian-a", [mistake("cap", "cap-forgotten")])
    first.drills.close()
    again = make_school(ProgressStore(tmp_path / "drills.db"))
    assert Item("slip", "cap-forgotten") in again.drills._items(anna, "russian-a")
    assert again.drills.store.people() == [anna.key], "also of whom there is no answer yet"
    again.drills.forget(anna.key)
    assert again.drills.store.people() == []
    assert again.drills._items(anna, "russian-a") == {}
    again.drills.close()


def test_a_person_with_a_test_alone_is_known_to_the_drills(school: School, anna: Trainee) -> None:
    school.drills.begin_exam(anna, "russian-a")
    assert school.drills.store.people() == [anna.key]


def test_a_house_that_is_none_teaches_nothing(school: School, anna: Trainee) -> None:
    with pytest.raises(ActionError, match="no house"):
        school.drills.learn(anna, "gone", [mistake("cap", "cap-forgotten")])
