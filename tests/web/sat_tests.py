"""Tests of the drills, sat whole for the web tests."""

from __future__ import annotations

from typing import Any

from kiosk.rules import settle_case
from kiosk.teach.exercise import Exercise, asked_bets, hand_of_box
from kiosk.teach.grading import NOTHING, Given, grade


def exercise_of(kiosk: Any, key: str) -> Exercise:
    """What was shown last to whoever has that key (guest or person)."""
    pending = kiosk.drills._pending
    found = next(p for name, p in pending.items() if name.startswith(key))
    return found.exercise  # type: ignore[no-any-return]


def right(kiosk: Any, exercise: Exercise) -> dict[str, Any]:
    """The right answer as the page sends it."""
    settled = settle_case(exercise.case)
    if exercise.form == "settle":
        if exercise.damaged:
            return {"floor": True}
        due = settled["boxes"][0]["bets"]
        return {"bets": {bet: plain(due.get(bet, NOTHING)) for bet in asked_bets(exercise)}}
    if exercise.form == "game":
        return {"game": settled["dealer"]["game"]}
    if exercise.form == "amount":
        return {"amount": float(settled["boxes"][0]["bets"][exercise.bet]["amount"])}
    if exercise.form == "hand":
        file = kiosk.drills.house(exercise.house)
        return {"combinations": list(hand_of_box(file, exercise)["combinations"])}
    steps = sorted(exercise.steps, key=lambda step: int(step) if step.isdigit() else 0)
    return {"order": steps[::-1]}


def plain(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, str) else float(value) for name, value in line.items()}


def sit(client: Any, kiosk: Any, key: str, wrong: int) -> str:
    """A whole test of three-card poker with so many wrong answers; its id."""
    begun = client.post("/api/v1/drill/test", json={"house": "three-a"}).get_json()
    for n in range(begun["count"]):
        shown = client.post("/api/v1/drill/next", json={"test": begun["id"]}).get_json()
        assert shown["test"]["done"] == n
        exercise = exercise_of(kiosk, key)
        answer = right(kiosk, exercise)
        if exercise.form == "order" and not exercise.seats:
            file = kiosk.drills.house("three-a")
            answer = {"order": grade(exercise, file, Given(order=exercise.steps)).data["order"]}
        if n < wrong:
            answer = spoiled(exercise, answer)
        told = client.post("/api/v1/drill/answer", json={"id": shown["id"], **answer}).get_json()
        assert told.get("right") is None
    assert told["test"]["finished"]
    return str(begun["id"])


def spoiled(exercise: Exercise, answer: dict[str, Any]) -> dict[str, Any]:
    """The answer made wrong."""
    if exercise.form == "settle":
        bet = next(iter(exercise.case["boxes"][0]["bets"]))
        return {"bets": {bet: {"result": "push"}}} if exercise.damaged else {"floor": True}
    if exercise.form == "game":
        return {"game": not answer["game"]}
    if exercise.form == "amount":
        return {"amount": answer["amount"] + 1}
    if exercise.form == "hand":
        return {
            "combinations": [
                "straight-flush" if answer["combinations"] != ["straight-flush"] else "pair"
            ]
        }
    return {"order": answer["order"][::-1]}
