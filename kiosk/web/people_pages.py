"""The page of people: who there is, adding, changing and erasing them."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError
from kiosk.people import PeopleError, Person, Role
from kiosk.people.roles import may_manage
from kiosk.web import signin
from kiosk.web.context import kiosk
from kiosk.web.people_texts import DEEDS, detail_text, told
from kiosk.web.signin import COOKIE, people

people_pages = Blueprint("people", __name__)


@people_pages.get("/people")
def overview() -> Response:
    """Everybody whom the visitor may know, and a form for a new person."""
    return _page()


@people_pages.post("/people")
def add() -> BaseResponse:
    """A new person."""
    form = request.form
    try:
        people().add(
            form.get("name", ""),
            _role(form.get("role", "")),
            password=form.get("password") or None,
            pin=form.get("pin") or None,
            actor=signin.session(),
        )
    except PeopleError as problem:
        return _page(problem)
    return redirect("/people", 303)


@people_pages.post("/people/<person_id>/<deed>")
def change(person_id: str, deed: str) -> BaseResponse:
    """Changes one person: role, name, password, pin, erase, unlock, sign-out."""
    work = WORK.get(deed)
    if work is None:
        raise ActionError("not-found", f"there is nothing at {request.path[:120]}", 404)
    try:
        _own_secret(person_id, deed)
        work(person_id)
    except PeopleError as problem:
        return _page(problem, person_id)
    if deed == "erase":
        kiosk().person_erased(person_id)
    response = redirect("/people", 303)
    mine = signin.session()
    if mine is not None and mine.person.id == person_id and deed in ("password", "pin"):
        # One's own sessions have ended with the old secret: this browser goes on with a new one.
        signin.begin(response, people().sign_in(mine.person, "password", _token()))
    return response


def _own_secret(person_id: str, deed: str) -> None:
    """Who changes their own password or PIN must know the password: a page left open is not
    enough to take an account over."""
    mine = signin.session()
    if mine is None or mine.person.id != person_id or deed not in ("password", "pin", "role"):
        return
    given = request.form.get("old", "")
    people().check_password(mine.person.name or "", given[:300], signin.address())


def _token() -> str | None:
    return request.cookies.get(COOKIE)


def _set_role(person_id: str) -> None:
    people().set_role(person_id, _role(request.form.get("role", "")), actor=signin.session())


WORK: dict[str, Callable[[str], object]] = {
    "role": _set_role,
    "name": lambda id: people().set_name(id, request.form.get("name", ""), actor=signin.session()),
    "password": lambda id: people().set_password(
        id, request.form.get("password", ""), actor=signin.session()
    ),
    "pin": lambda id: people().set_pin(id, request.form.get("pin", ""), actor=signin.session()),
    "erase": lambda id: people().erase(id, actor=signin.session()),
    "unlock": lambda id: people().unlock(id, actor=signin.session()),
    "sign-out": lambda id: people().sign_out_everywhere(id, actor=signin.session()),
}


def _role(word: str) -> Role:
    try:
        return Role.of(word)
    except ValueError as problem:
        raise ActionError("bad-input", f"role: {problem}", 400) from None


def _page(problem: PeopleError | None = None, open_id: str = "") -> Response:
    role = signin.role()
    everybody = people().everybody()
    known = {person.id: person for person in everybody}
    mine = signin.session_person()
    page = render_template(
        "people.html",
        people=[p for p in everybody if p.id == mine.id or may_manage(role, p.role)],
        roles=[each for each in Role if may_manage(role, each)],
        manages=lambda person: may_manage(role, person.role),
        mine=mine,
        deeds=_deeds(known) if signin.allowed("people.all") else [],
        words=DEEDS,
        problem=None if problem is None else told(problem),
        open_id=open_id,
    )
    return Response(page, 200 if problem is None else problem.status)


def _deeds(known: dict[str, Person]) -> list[dict[str, object]]:
    """What was done, with names where they are still known."""

    def name(person_id: str | None) -> str:
        found = known.get(person_id or "")
        return (found.name if found else None) or person_id or ""

    return [
        {
            **deed,
            "who": name(deed["who"]),
            "whom": name(deed["whom"]),
            "detail": detail_text(deed["detail"]),
        }
        for deed in people().deeds(50)
    ]
