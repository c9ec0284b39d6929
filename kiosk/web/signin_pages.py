"""The way in and out: signing in with password or PIN, signing out, and the first admin."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from kiosk.people import PeopleError, Person
from kiosk.web import signin
from kiosk.web.context import kiosk
from kiosk.web.people_texts import told
from kiosk.web.signin import COOKIE, people

signin_pages = Blueprint("signin", __name__)


@signin_pages.get("/signin")
def form() -> BaseResponse:
    """The form; who is signed in already may go on or change."""
    if not signin.is_set_up():
        return redirect("/setup", 303)
    return _form(request.args.get("next"))


@signin_pages.post("/signin")
def enter() -> BaseResponse:
    """Signs in with name and password, or at the kiosk with a person and a PIN."""
    target = signin.safe_next(request.form.get("next"))
    try:
        pin = request.form.get("pin")
        person = _by_password() if pin is None else _by_pin(pin)
        old = request.cookies.get(COOKIE)
        token = people().sign_in(person, "password" if pin is None else "pin", old)
    except PeopleError as problem:
        return _form(target, problem)
    response = redirect(target, 303)
    signin.begin(response, token)
    return response


@signin_pages.post("/signout")
def leave() -> BaseResponse:
    """Ends the session, here and on the server."""
    token = request.cookies.get(COOKIE)
    mine = signin.session()
    if token:
        people().sign_out(token)
    if mine is not None and mine.person.id == kiosk().dealer():
        kiosk().deals(None)
    response = redirect("/", 303)
    signin.end(response)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response


@signin_pages.get("/setup")
def first() -> BaseResponse:
    """The form for the first admin; afterwards there is no such page."""
    if signin.is_set_up():
        return redirect("/signin", 303)
    return make_response(render_template("setup.html"))


@signin_pages.post("/setup")
def make_first() -> BaseResponse:
    """Makes the first admin for who reads the code on the terminal, and signs them in."""
    if signin.is_set_up():
        return redirect("/signin", 303)
    given = {name: request.form.get(name, "") for name in ("code", "name", "password", "again")}
    try:
        if given["password"] != given["again"]:
            raise PeopleError("bad-password", "The two passwords are not the same.", 400)
        person = people().first_admin(
            given["code"], given["name"], given["password"], signin.address()
        )
        token = people().sign_in(person, "password")
    except PeopleError as problem:
        page = render_template("setup.html", problem=told(problem), name=given["name"][:60])
        return Response(page, problem.status)
    response = redirect("/people", 303)
    signin.begin(response, token)
    return response


def _by_password() -> Person:
    name, password = request.form.get("name", ""), request.form.get("password", "")
    if not name.strip() or not password:
        raise PeopleError("bad-input", "Enter your name and your password.", 400)
    return people().check_password(name, password[:300], signin.address())


def _by_pin(pin: str) -> Person:
    if not signin.at_kiosk():
        raise PeopleError("not-here", "PINs count at the kiosk only: use your password.", 403)
    return people().check_pin(request.form.get("person", ""), pin[:20], signin.address())


def _form(target: str | None, problem: PeopleError | None = None) -> Response:
    with_pin: list[Person] = []
    try:
        if signin.at_kiosk():
            with_pin = [person for person in people().everybody() if person.has_pin]
    except PeopleError as failing:
        problem = problem or failing
    page = render_template(
        "signin.html",
        target=signin.safe_next(target),
        with_pin=with_pin,
        problem=None if problem is None else told(problem),
        chosen=request.form.get("person", ""),
        name=request.form.get("name", "")[:60],
    )
    return Response(page, 200 if problem is None else problem.status)
