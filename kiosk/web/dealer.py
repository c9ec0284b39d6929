"""Who deals now, and leave given on the spot: both with a PIN, at the kiosk."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response, request
from pydantic import Field

from kiosk.people import PeopleError
from kiosk.people.roles import NEEDS, may
from kiosk.table.deeds import RIGHTS
from kiosk.web import exact, signin
from kiosk.web.context import kiosk
from kiosk.web.described import described
from kiosk.web.people_texts import told
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer, Body
from kiosk.web.signin import COOKIE, people

dealer = Blueprint("dealer", __name__, url_prefix="/api/v1")

PersonId = Annotated[str, Field(pattern="^p-[0-9a-f]{12}$")]
Pin = Annotated[str, Field(pattern="^[0-9]{1,20}$")]


class PersonShown(Answer):
    """A person as the table may know them. ``leave``: the actions that they may allow."""

    id: str
    name: str
    role: str
    leave: list[str] | None = None


class DealerShown(Answer):
    """Who deals, and who may be chosen here. ``set_up``: there is an admin. ``csrf``: the token of
    the session, where signing in changed it."""

    dealer: PersonShown | None
    people: list[PersonShown]
    set_up: bool
    here: bool
    csrf: str


class DealerBody(Body):
    """Who deals from now on, with their PIN; null: nobody is known to."""

    person: PersonId | None
    pin: Pin | None = None


class ApproveBody(Body):
    """Who allows one action of the round, with their PIN."""

    person: PersonId
    pin: Pin
    action: str


class Approved(Answer):
    """Send it with the action as ``X-Approval``, within a minute and once."""

    approval: str


@dealer.get("/dealer")
@described(answer=DealerShown)
def dealing() -> Json:
    """Who deals now, and at the kiosk itself who may be chosen."""
    return state()


@dealer.post("/dealer")
@described(answer=DealerShown)
def choose(body: DealerBody) -> Json | Response:
    """Says who deals from the next hand on; the browser is signed in as that person, as a trainee
    at most."""
    if not signin.at_kiosk():
        raise _refused(PeopleError("not-here", "Who deals can be chosen at the kiosk only.", 403))
    old = request.cookies.get(COOKIE)
    try:
        if body.person is None:
            if old and signin.session() is not None:
                people().sign_out(old)
            token = None
        else:
            person = people().check_pin(body.person, body.pin or "", signin.address())
            token = people().sign_in(person, "deal", old)
    except PeopleError as problem:
        raise _refused(problem) from None
    kiosk().deals(body.person)
    found = None if token is None else people().session(token)
    response = exact.answer(state() | ({} if found is None else {"csrf": found.csrf}))
    if token is None:
        signin.end(response)
    else:
        signin.begin(response, token)
    return response


@dealer.post("/approve")
@described(answer=Approved)
def approve(body: ApproveBody) -> Json:
    """Lets one action pass that needs leave: overrule (supervisors), void, hold, undo or bets."""
    try:
        if not signin.at_kiosk():
            raise PeopleError("not-here", "PINs count at the kiosk only: use your password.", 403)
        right = RIGHTS.get(body.action)
        if right is None:
            raise PeopleError("bad-input", "This action needs nobody's leave.", 400)
        person = people().check_pin(body.person, body.pin, signin.address())
        token = people().approvals.give(person, right)
        if token is None:
            raise PeopleError("not-allowed", "This person may not allow that.", 403)
    except PeopleError as problem:
        raise _refused(problem) from None
    return {"approval": token}


def state() -> Json:
    """Who deals, for the page. Names are told at the kiosk only, besides that of who deals."""
    here, listed = signin.at_kiosk(), []
    name = None
    now = kiosk().dealer()
    try:
        everybody = people().everybody()
    except PeopleError:
        everybody = []
    for person in everybody:
        shown = {"id": person.id, "name": person.name, "role": person.role.word}
        if person.id == now:
            name = shown
        if here and person.has_pin:
            leave = [action for action, right in RIGHTS.items() if may(person.role, right)]
            listed.append(shown | {"leave": leave})
    return {
        "dealer": name,
        "people": listed,
        "set_up": signin.is_set_up(),
        "here": here,
        "csrf": signin.form_token(),
    }


def _refused(problem: PeopleError) -> PeopleError:
    """The problem in the language of the page."""
    return PeopleError(problem.kind, told(problem), problem.status)


assert all(right in NEEDS for right in RIGHTS.values())
