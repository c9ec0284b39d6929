"""A trainee at the drills: a clock that the test owns, houses as shipped, answers worked out."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from kiosk.rules import list_houses, load_house_file, settle_case
from kiosk.rules.houses import HouseFile
from kiosk.teach.drills import Drills, Rules, Sources, Trainee
from kiosk.teach.exercise import Exercise, asked_bets, hand_of_box
from kiosk.teach.grading import NOTHING, Given, grade
from kiosk.teach.progress import Aims
from kiosk.teach.store import ProgressStore

HOUSES = {name: load_house_file(name) for name in list_houses()}
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def right_answer(exercise: Exercise, file: HouseFile) -> Given:
    """The answer that the rules give."""
    if exercise.form == "settle":
        if exercise.damaged:
            return Given(floor=True)
        due = settle_case(exercise.case)["boxes"][0]["bets"]
        return Given(bets={bet: due.get(bet, NOTHING) for bet in asked_bets(exercise)})
    if exercise.form == "hand":
        return Given(combinations=tuple(hand_of_box(file, exercise)["combinations"]))
    if exercise.form == "game":
        return Given(game=settle_case(exercise.case)["dealer"]["game"])
    if exercise.form == "amount":
        lines = settle_case(exercise.case)["boxes"][0]["bets"]
        return Given(amount=Decimal(lines[str(exercise.bet)]["amount"]))
    told = grade(exercise, file, Given(order=exercise.steps)).data
    return Given(order=tuple(told["order"]))


def wrong_answer(exercise: Exercise, file: HouseFile) -> Given:
    """An answer that is certainly wrong."""
    right = right_answer(exercise, file)
    if exercise.form == "settle":
        return Given(floor=not right.floor) if not right.floor else Given(bets={"ante": NOTHING})
    if exercise.form == "hand":
        first = "pair" if right.combinations[0] != "pair" else "flush"
        return Given(combinations=(first,))
    if exercise.form == "game":
        return Given(game=not right.game)
    if exercise.form == "amount":
        return Given(amount=(right.amount or Decimal(0)) + 1)
    return Given(order=tuple(reversed(right.order)))


@dataclass
class School:
    """Drills with a clock and seeds that the test owns."""

    drills: Drills
    at: datetime = START
    steady: float = 0.0
    seeds: Any = field(default_factory=lambda: count(1))

    def wait(self, **time: float) -> None:
        """Lets time pass."""
        passed = timedelta(**time)
        self.at += passed
        self.steady += passed.total_seconds()

    def exercise(self, trainee: Trainee) -> Exercise:
        """The exercise shown to the trainee last."""
        return self.drills._pending[trainee.key].exercise

    def round(
        self,
        trainee: Trainee,
        house: str = "russian-a",
        topics: tuple[str, ...] = (),
        right: bool = True,
        seconds: float = 5,
    ) -> dict[str, Any]:
        """One drill round from question to answer."""
        shown = self.drills.next(trainee, house, topics, "en")
        exercise = self.exercise(trainee)
        self.wait(seconds=seconds)
        given = (right_answer if right else wrong_answer)(exercise, HOUSES[house])
        return self.drills.answer(trainee, shown["id"], given, "en")


def make_school(store: ProgressStore, aims: Aims | None = None) -> School:
    """A school around a store."""
    seeds, tokens = count(1), count(1)
    sources = Sources(
        now=lambda: school.at,
        steady=lambda: school.steady,
        seed=lambda: next(seeds),
        token=lambda: f"t{next(tokens)}",
    )
    school = School(Drills(store, Rules(HOUSES, aims or Aims(questions=6)), sources))
    return school
