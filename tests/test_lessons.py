"""Mistakes at the live table reach the drills of who dealt, and nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.config import Settings
from kiosk.errors import ActionError
from kiosk.lessons import Lessons
from kiosk.people import People, Role, open_people
from kiosk.record.schema import Place
from kiosk.rules import load_house_file
from kiosk.teach.drills import Drills
from kiosk.teach.topics import Item
from kiosk.teaching import forget_erased, open_drills

SLIP = {"bet": "bet", "kind": "cap", "mistake": "cap-forgotten", "difference": 100}
ANSWERS: Any = ((1, {"verdict": "wrong", "mistakes": [SLIP]}), (2, {"mistakes": []}))


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    found = open_people(tmp_path)
    yield found
    found.close()


@pytest.fixture
def drills(tmp_path: Path) -> Iterator[Drills]:
    found = open_drills(Settings(), tmp_path, load_house_file("russian-a"))
    yield found
    found.close()


@pytest.fixture
def place(people: People) -> Place:
    anna = people.add("Anna", Role.TRAINEE, pin="4471")
    return Place("Table 1", anna.id, "russian-a", None, "russian", "training", {})


def taught(drills: Drills, people: People, *hands: tuple[Place, Any]) -> None:
    """These hands are over; returns when all were looked at."""
    lessons = Lessons(drills, people)
    lessons.start()
    for place, answers in hands:
        lessons.over(place, answers)
    lessons.stop(60.0)


def items(drills: Drills, place: Place) -> dict[Item, Any]:
    return drills.store.items(str(place.person), "russian-a")


def test_a_mistake_at_the_table_is_asked_again(
    drills: Drills, people: People, place: Place
) -> None:
    taught(drills, people, (place, ANSWERS))
    assert list(items(drills, place)) == [Item("slip", "cap-forgotten")]


def test_a_mistake_is_asked_again_of_who_made_it(
    drills: Drills, people: People, place: Place
) -> None:
    boris = people.add("Boris", Role.TRAINEE, pin="5582").id
    answer = ANSWERS[0][1]
    taught(drills, people, (replace(place, person=None), ((1, answer | {"who": boris}),)))
    assert drills.store.people() == [boris]
    taught(drills, people, (place, ((1, answer | {"who": "panel"}),)))
    assert set(drills.store.people()) == {boris, place.person}


@pytest.mark.parametrize(
    "change", [{"person": None}, {"mode": "demo"}, {"person": "p-nobody00000"}]
)
def test_only_training_hands_of_people_teach(
    drills: Drills, people: People, place: Place, change: dict[str, Any]
) -> None:
    taught(drills, people, (replace(place, **change), ANSWERS), (place, ANSWERS[1:]))
    assert drills.store.people() == []


def test_who_is_erased_meanwhile_leaves_nothing(
    drills: Drills, people: People, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn = drills.learn

    def erased_between(*given: Any) -> None:
        people.erase(str(place.person))
        forget_erased(drills, people)
        learn(*given)

    monkeypatch.setattr(drills, "learn", erased_between)
    taught(drills, people, (place, ANSWERS), (place, ANSWERS))
    assert drills.store.people() == []


def test_the_table_never_waits_and_a_fault_loses_one_hand_alone(
    drills: Drills, people: People, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn, go_on = drills.learn, threading.Event()
    problems: list[Callable[[], Exception]] = [
        lambda: ActionError("storage", "disk full", 503),
        lambda: RuntimeError("fault"),
    ]

    def slow(*given: Any) -> None:
        assert go_on.wait(200)
        if problems:
            raise problems.pop()()
        learn(*given)

    monkeypatch.setattr(drills, "learn", slow)
    lessons = Lessons(drills, people)
    lessons.start()
    for _ in range(3):
        lessons.over(place, ANSWERS)
    # Had one of them waited, the event would have been set in vain.
    go_on.set()
    lessons.stop(60.0)
    assert items(drills, place)[Item("slip", "cap-forgotten")].missed == 1
