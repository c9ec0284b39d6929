"""The drills: the page that asks, and the routes behind it. Open to everybody (guests too)."""

from __future__ import annotations

import secrets
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, after_this_request, g, render_template, request

from kiosk.cards import DECK
from kiosk.teach.drills import Drills, Trainee
from kiosk.teach.grading import Given
from kiosk.teach.topics import topics_of
from kiosk.web.context import kiosk, settings
from kiosk.web.described import described
from kiosk.web.drill_shapes import (
    DrillAnswer,
    DrillWish,
    HouseWish,
    StandingsShown,
    TestBegun,
    TestWish,
)
from kiosk.web.drill_texts import house_marks, topic_name
from kiosk.web.drill_told import DrillRound, DrillTold
from kiosk.web.seen import Json
from kiosk.web.signin import allowed, current
from kiosk.web.texts import dictionary

drill = Blueprint("drill", __name__)

GUEST_COOKIE = "kiosk_guest"
_LONGEST_TOKEN = 40


def drills() -> Drills:
    """The drills of the running kiosk."""
    found: Drills = kiosk().drills
    return found


def trainee() -> Trainee:
    """Who drills: the person signed in, else a guest known by a cookie."""
    person = current()
    if person is not None:
        return Trainee(person.id, guest=False)
    token = request.cookies.get(GUEST_COOKIE) or g.get("guest_token")
    if not token or len(token) > _LONGEST_TOKEN:
        token = g.guest_token = secrets.token_urlsafe(18)
        after_this_request(_give_token)
    return Trainee(f"guest:{token}")


def _give_token(response: Response) -> Response:
    response.set_cookie(
        GUEST_COOKIE, g.guest_token, httponly=True, samesite="Strict", secure=settings().https
    )
    return response


@drill.get("/drill")
def page() -> str:
    """The drill page."""
    return render_template("drill.html", start=_start())


def _start() -> Json:
    running, person, who = drills(), current(), trainee()
    open_test = next((exam for exam in running.exams(who) if exam.finished is None), None)
    aims = running.rules.aims
    marks = house_marks(running.rules.houses, house_in_force())
    return {
        "version": settings().version,
        "language": g.language,
        "texts": dictionary(g.language),
        "cards": {str(card): card.name(g.language) for card in DECK},
        "houses": [
            {
                "name": name,
                "title": file.house.title,
                "mark": marks[name],
                "topics": list(topics_of(file.house)),
            }
            for name, file in running.rules.houses.items()
        ],
        "topics": {name: topic_name(name) for name in _all_topics(running)},
        "house": _own_house(running),
        "person": None if person is None else person.name,
        "class": allowed("class.view"),
        "aims": {
            "window": aims.window,
            "accuracy": round(100 * aims.accuracy),
            "questions": aims.questions,
            "pass_mark": round(100 * aims.pass_mark),
        },
        "test": None
        if open_test is None
        else {"id": open_test.id, "house": open_test.house, "done": len(open_test.marks)},
    }


def _all_topics(running: Drills) -> list[str]:
    found: dict[str, None] = {}
    for file in running.rules.houses.values():
        found.update(dict.fromkeys(topics_of(file.house)))
    return list(found)


def house_in_force() -> str:
    """The house that is played at the table."""
    return str(kiosk().snapshot(g.language)["house"])


def _own_house(running: Drills) -> str:
    """The house in force at the table, where it can be drilled."""
    name = house_in_force()
    return name if name in running.rules.houses else next(iter(running.rules.houses))


@drill.post("/api/v1/drill/next")
@described(answer=DrillRound)
def next_round(body: DrillWish) -> Json:
    """Deals the next drill round.

    What comes is chosen by the trainee's own mistakes; the answer is not in it.
    """
    if body.test is not None:
        return drills().exam_question(trainee(), body.test, g.language)
    house = body.house or _own_house(drills())
    return drills().next(trainee(), house, body.topics, g.language)


@drill.post("/api/v1/drill/answer")
@described(answer=DrillTold)
def answer(body: DrillAnswer) -> Json:
    """Takes the answer to a drill round and says what it is worth."""
    given = Given(
        bets={bet: _said(said.model_dump()) for bet, said in body.bets.items()},
        floor=body.floor,
        combinations=tuple(body.combinations),
        game=body.game,
        amount=body.amount,
        order=tuple(body.order),
    )
    return drills().answer(trainee(), body.id, given, g.language)


def _said(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if value is not None}


@drill.get("/api/v1/drill/standing")
@described(answer=StandingsShown)
def standings(query: HouseWish) -> Json:
    """Where the trainee stands in each topic of a house."""
    who = trainee()
    found = drills().standing(who, query.house)
    return {
        "topics": {name: asdict(standing) for name, standing in found.items()},
        "due": drills().due(who, query.house),
    }


@drill.post("/api/v1/drill/test")
@described(answer=TestBegun)
def begin_test(body: TestWish) -> Json:
    """Begins a test; one that was left open is over and not passed."""
    exam = drills().begin_exam(trainee(), body.house)
    return {"id": exam.id, "count": len(exam.questions), "needed": exam.needed}
