"""The JSON interface: the table, the round, what people enter, settling and reading on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, current_app, g, request

from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.rules import settle_case
from kiosk.web import exact, signin
from kiosk.web.answers import Held, Kept, PanelShown, Reading, RoundShown, Settled, TableSeen
from kiosk.web.bodies import MAX_JSON, json_body, json_object
from kiosk.web.context import kiosk
from kiosk.web.described import described
from kiosk.web.openapi import describe
from kiosk.web.schemas import ACTIONS, Case, Chosen, Looked, Misread, Press
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer

api = Blueprint("api", __name__, url_prefix="/api/v1")

ELSEWHERE = "At the kiosk itself; from elsewhere for people who are signed in."
"""Who may do a deed at the live table (``kiosk.web.rights.DEEDS`` sees to it)."""


@api.get("/table")
@described(answer=TableSeen)
def table() -> Json:
    """The table as read now."""
    return kiosk().table()


@api.get("/round")
@described(answer=RoundShown)
def round_now() -> Json:
    """The round; what is hidden until reveal is null until then."""
    return kiosk().snapshot(g.language)


def _action(name: str) -> Callable[[], Json]:
    def act() -> Json:
        return kiosk().act(name, json_object(), *signin.actor())

    act.__doc__ = f"{ACTIONS[name][0]}.\n\n{ELSEWHERE}"
    return act


for _name, (_, _body) in ACTIONS.items():
    api.add_url_rule(
        f"/round/{_name}",
        f"round_{_name}",
        described(answer=RoundShown, body=_body)(_action(_name)),
        methods=["POST"],
    )


@api.post("/settle")
@described(answer=Settled, body=Case)
def settle() -> Response:
    """Settles a CASE; nothing is stored. A refused case is a 400 with its kind."""
    case = json_body(4 * MAX_JSON)
    if not isinstance(case, dict):
        raise ActionError("bad-input", "the body: expected a CASE, a JSON object", 400)
    result = settle_case(case)
    return exact.answer(result, 400 if "error" in result else 200)


@api.post("/misread")
@described(answer=Kept)
def misread(body: Misread) -> Json:
    """Keeps the picture of a misread card with what it really is, for the next training.

    A ``card`` of null says that no card lies there.

    At the kiosk itself; from elsewhere for people who are signed in.
    """
    right = None if body.card is None else Card.parse(body.card)
    return {"kept": kiosk().misread(body.was, body.doubt, right)}


@api.post("/misread/hold")
@described(answer=Held)
def hold_misread(body: Looked) -> Json:
    """Holds the picture of a card that somebody begins to look at, for minutes.

    Should the card be gone when it is reported as misread, this picture is kept.

    At the kiosk itself; from elsewhere for people who are signed in.
    """
    return {"held": kiosk().hold_misread(body.was, body.doubt)}


@api.post("/read")
@described(
    answer=Reading,
    uploads=("image/jpeg", "image/png", "application/octet-stream", "multipart/form-data"),
)
def read() -> Json:
    """Reads an uploaded photograph: the file as the body, or a form with one file.

    At the kiosk itself; from elsewhere for people who are signed in.
    """
    if request.mimetype == "multipart/form-data":
        files = [f for values in request.files.listvalues() for f in values]
        if len(files) != 1:
            raise ActionError("bad-input", "expected one file in the form", 400)
        data = files[0].read()
    elif request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream":
        data = request.get_data(cache=False)
    else:
        raise ActionError(
            "wrong-media-type", "expected an image/… body or a form with one file", 415
        )
    if not data:
        raise ActionError("bad-input", "the photograph is empty", 400)
    return kiosk().read_picture(data)


@api.get("/panel")
@described(answer=PanelShown)
def panel() -> Json:
    """The button panel: its display and lights."""
    return kiosk().panel_state()


@api.post("/panel/press")
@described(answer=PanelShown)
def press(body: Press) -> Json:
    """Presses a button of the panel.

    The simulated panel is pressed itself; with a real one, or none, its action is done. At the
    kiosk itself; from elsewhere for people who are signed in.
    """
    kiosk().panel_press(body.button[:40], body.held)
    return kiosk().panel_state()


@api.post("/panel/choose")
@described(answer=PanelShown)
def choose(body: Chosen) -> Json:
    """Chooses a box on the panel, as its box buttons do.

    Only from the kiosk itself: whoever looks on from elsewhere must not move the dealer's hands.
    """
    if signin.at_kiosk():
        kiosk().panel_choose(body.box)
    return kiosk().panel_state()


class Description(Answer):
    """An OpenAPI document."""

    openapi: str
    paths: dict[str, Any]


@api.get("/openapi.json")
@described(answer=Description)
def openapi() -> Json:
    """This description."""
    return describe(current_app._get_current_object())  # type: ignore[attr-defined]
