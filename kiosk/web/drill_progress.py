"""Progress of a trainee, the instructor's view of a class, tests and certificates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, g, render_template, request
from markupsafe import Markup

from kiosk.errors import ActionError
from kiosk.people import PeopleError, Person
from kiosk.teach import plots
from kiosk.teach.drills import Trainee
from kiosk.teach.exam import Exam
from kiosk.teach.progress import (
    Answered,
    Standing,
    by_day,
    by_topic,
    mistakes_by_kind,
    standing,
)
from kiosk.teach.topics import topics_of
from kiosk.web.certificate import Certificate, certificate_pdf
from kiosk.web.drill import drills, house_in_force, trainee
from kiosk.web.drill_table import at_table_of, at_table_of_class
from kiosk.web.drill_texts import house_marks, kind_name, topic_name
from kiosk.web.signin import allowed, current, people
from kiosk.web.texts import gettext

progress = Blueprint("progress", __name__)

_RECENT = 50
_DAYS = 30


def _house() -> str:
    """The house asked for, else the first that was drilled, else the first there is."""
    wish = request.args.get("house")
    if wish is not None:
        drills().house(wish)
        return wish
    houses = drills().rules.houses
    answers = drills().answers(trainee())
    last = answers[-1].house if answers else ""
    return last if last in houses else next(iter(houses))


def _houses() -> list[dict[str, str]]:
    houses = drills().rules.houses
    marks = house_marks(houses, house_in_force())
    return [
        {"name": name, "title": file.house.title, "mark": marks[name]}
        for name, file in houses.items()
    ]


@progress.get("/drill/progress")
def own() -> str:
    """One's own progress."""
    return _progress_page(trainee(), None)


@progress.get("/drill/class/<person_id>")
def of_person(person_id: str) -> str:
    """The progress of a trainee, for the instructor."""
    person = people().person(person_id)
    if person is None or person.erased is not None:
        raise ActionError("not-found", gettext("There is no such person."), 404)
    return _progress_page(Trainee(person.id, guest=False), person.name)


def _progress_page(who: Trainee, name: str | None) -> str:
    house = _house()
    answers = drills().answers(who, house)
    aims = drills().rules.aims
    standings = drills().standing(who, house)
    return render_template(
        "drill_progress.html",
        name=name,
        house=house,
        houses=_houses(),
        guest=who.guest,
        table=None if who.guest else at_table_of(who.key),
        asked=len(answers),
        days=_days_plot(answers, aims.accuracy),
        topics=_topics_plot(standings, aims.accuracy),
        mistakes=_mistakes_plot(answers),
        number=_number,
        rows=[(topic_name(slug), found) for slug, found in standings.items()],
        exams=[_exam_row(exam) for exam in drills().exams(who) if exam.finished is not None],
        due=drills().due(who, house),
    )


def _number(value: float) -> str:
    """A measured number in the reader's language, one decimal."""
    text = f"{value:.1f}"
    return text.replace(".", ",") if g.language == "ru" else text


def _days_plot(answers: Sequence[Answered], mark: float) -> Markup | None:
    days = by_day(answers)[-_DAYS:]
    if not days:
        return None
    points = [
        plots.Point(
            day.isoformat(),
            right / asked,
            gettext("{day}: {right} of {asked} right").format(
                day=day.isoformat(), right=right, asked=asked
            ),
        )
        for day, asked, right in days
    ]
    return Markup(plots.line(gettext("Right answers by day"), points, mark))


def _topics_plot(standings: dict[str, Standing], mark: float) -> Markup | None:
    rows = [
        plots.Bar(
            topic_name(slug),
            found.recent,
            f"{round(100 * found.recent)} %",
            "good" if found.recent >= mark else "bad",
        )
        for slug, found in standings.items()
        if found.recent is not None
    ]
    return Markup(plots.bars(gettext("Right answers by topic"), rows, mark)) if rows else None


def _mistakes_plot(answers: Sequence[Answered]) -> Markup | None:
    counted = mistakes_by_kind(answers)
    if not counted:
        return None
    most = counted[0][1]
    rows = [plots.Bar(kind_name(kind), count / most, str(count)) for kind, count in counted]
    return Markup(plots.bars(gettext("Mistakes by kind"), rows))


def _exam_row(exam: Exam) -> dict[str, Any]:
    house = drills().rules.house(exam.house)
    return {
        "id": exam.id,
        "house": gettext(house.house.title) if house is not None else exam.house,
        "day": _day(exam.finished),
        "right": exam.right,
        "count": len(exam.questions),
        "needed": exam.needed,
        "passed": exam.passed,
        "complete": exam.open is None,
    }


def _day(moment: datetime | None) -> str:
    return "" if moment is None else moment.date().isoformat()


# The class


@progress.get("/drill/class")
def whole_class() -> str:
    """Every trainee of whom progress is kept, side by side; below, everybody who dealt."""
    house = _house()
    known = {person.id: person for person in people().everybody()}
    shown = [known[key] for key in drills().store.people() if key in known]
    rows, everything = [], []
    for person in shown:
        answers = drills().answers(Trainee(person.id, guest=False), house)
        everything += answers
        rows.append(_class_row(person, answers, house))
    rows.sort(key=lambda row: str(row["name"]).casefold())
    return render_template(
        "drill_class.html",
        house=house,
        houses=_houses(),
        rows=rows,
        topics=[topic_name(slug) for slug in topics_of(drills().house(house).house)],
        mistakes=_mistakes_plot(everything),
        table=at_table_of_class(list(known.values())),
    )


def _class_row(person: Person, answers: Sequence[Answered], house: str) -> dict[str, Any]:
    aims, recent = drills().rules.aims, answers[-_RECENT:]
    by = by_topic(answers)
    names = topics_of(drills().house(house).house)
    standings = [standing(by.get(name, []), aims) for name in names]
    often = mistakes_by_kind(recent)
    exams = drills().exams(Trainee(person.id, guest=False))
    return {
        "id": person.id,
        "name": person.name or "",
        "asked": len(answers),
        "share": round(100 * sum(a.right for a in recent) / len(recent)) if recent else None,
        "last": _day(answers[-1].at) if answers else "",
        "often": kind_name(often[0][0]) if often else "",
        "standings": standings,
        "unlocked": sum(found.unlocked for found in standings),
        "passed": sum(exam.passed and exam.house == house for exam in exams),
    }


# Tests


@progress.get("/drill/test/<exam_id>")
def result(exam_id: str) -> str:
    """What came of a test."""
    exam = _exam(exam_id)
    missed: dict[str, list[str]] = {}
    for question, mark in zip(exam.questions, exam.marks, strict=False):
        if not mark.right:
            name = topic_name(question.item.topic(drills().house(exam.house).house))
            missed.setdefault(name, []).extend(kind_name(kind) for kind in mark.kinds)
    return render_template(
        "drill_test.html",
        exam=_exam_row(exam),
        finished=exam.finished is not None,
        missed={name: sorted(set(kinds)) for name, kinds in missed.items()},
        certificate=exam.passed and _name_of(exam) is not None,
    )


@progress.get("/drill/test/<exam_id>/certificate.pdf")
def certificate(exam_id: str) -> Response:
    """The certificate of a passed test, for somebody with an account."""
    exam = _exam(exam_id)
    name = _name_of(exam)
    if not exam.passed or name is None:
        raise ActionError(
            "no-certificate", gettext("Only a passed test of a signed-in trainee has one."), 404
        )
    row = _exam_row(exam)
    texts = Certificate(
        title=gettext("Certificate"),
        lead=gettext("This is to certify that"),
        name=name,
        achieved=gettext("has passed the dealer's test: {house}").format(house=row["house"]),
        facts=(
            gettext("{right} of {count} rounds right, {needed} needed").format(
                right=row["right"], count=row["count"], needed=row["needed"]
            ),
            row["day"],
        ),
        number=gettext("No. {number}").format(number=exam.id),
        signature=gettext("Instructor"),
    )
    response = Response(certificate_pdf(texts), mimetype="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="certificate-{exam.id}.pdf"'
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Content-Language"] = str(g.language)
    return response


def _exam(exam_id: str) -> Exam:
    """A test of whoever asks; an instructor may see those of everybody."""
    found = drills().exam_of(trainee(), exam_id[:40])
    if found is None and allowed("class.view"):
        found = drills().store.exam(exam_id[:40])
    if found is None:
        raise ActionError("not-found", gettext("There is no such test."), 404)
    return found


def _name_of(exam: Exam) -> str | None:
    """The name of who sat the test; None for a guest and for who was erased."""
    person = current()
    if person is not None and person.id == exam.person:
        return person.name
    try:
        return people().name_of(exam.person)
    except PeopleError:
        return None
