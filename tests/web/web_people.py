"""People of each role for the web tests, and clients that are signed in as one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from kiosk.people import People, Person, Role, open_people
from kiosk.web.signin import COOKIE, HEADER

PASSWORD = "correct horse battery"
PINS = {
    Role.TRAINEE: "2580",
    Role.INSTRUCTOR: "258036",
    Role.SUPERVISOR: "147036",
    Role.ADMIN: "369014",
}


def some_people(folder: Path) -> People:
    """One person of each role, named as the role: with that PIN and, above trainees, PASSWORD."""
    people = open_people(folder)
    for role, pin in PINS.items():
        people.add(role.word, role, password=PASSWORD if role > Role.TRAINEE else None, pin=pin)
    return people


class SignedIn(FlaskClient):
    """A client that sends the token of its session, as the pages do."""

    token = ""

    def open(self, *args: Any, **kwargs: Any) -> Any:
        headers = dict(kwargs.pop("headers", None) or {})
        if self.token:
            headers.setdefault(HEADER, self.token)
        return super().open(*args, headers=headers, **kwargs)


def person_of(people: People, role: Role) -> Person:
    """The person of that role."""
    return next(person for person in people.everybody() if person.role == role)


def signed_in(app: Flask, role: Role | None, via: Any = "password") -> SignedIn:
    """A client with a session of that role; None: a stranger."""
    app.test_client_class = SignedIn
    client: Any = app.test_client()
    if role is not None:
        people: People = app.extensions["kiosk"].people
        token = people.sign_in(person_of(people, role), via)
        session = people.session(token)
        assert session is not None
        client.set_cookie(COOKIE, token, path="/")
        client.token = session.csrf
    found: SignedIn = client
    return found
