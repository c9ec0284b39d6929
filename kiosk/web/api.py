"""The JSON interface: the table, the round, what people enter, settling and reading on demand."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, request

from kiosk.errors import ActionError
from kiosk.rules import jsonio, settle_case
from kiosk.web import exact
from kiosk.web.context import kiosk
from kiosk.web.guard import MAX_JSON
from kiosk.web.openapi import describe
from kiosk.web.schemas import ACTIONS

api = Blueprint("api", __name__, url_prefix="/api/v1")

WHO = "page"
"""Who acted, as the record keeps it, until people sign in."""


def json_body(limit: int = MAX_JSON) -> Any:
    """The JSON of the request. ActionError: other type, too large, or no JSON."""
    if request.mimetype != "application/json":
        raise ActionError("wrong-media-type", "expected Content-Type: application/json", 415)
    if (request.content_length or 0) > limit:
        raise ActionError("too-large", f"the body has more than {limit} bytes", 413)
    data = request.get_data(cache=False)
    if len(data) > limit:
        raise ActionError("too-large", f"the body has more than {limit} bytes", 413)
    try:
        body = jsonio.loads(data)
    except jsonio.JsonError as problem:
        raise ActionError("bad-json", str(problem), 400) from None
    if not _is_unicode(body):
        raise ActionError("bad-json", "a text holds half a character (a lone surrogate)", 400)
    return body


def _is_unicode(value: Any) -> bool:
    """Whether every text in it can be written: JSON can name halves of characters, and neither
    an answer nor the record can hold one."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str) and not item.isascii():
            try:
                item.encode()
            except UnicodeEncodeError:
                return False
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item
    return True


def json_object() -> dict[str, Any]:
    """The JSON of the request, which must be an object."""
    body = json_body()
    if not isinstance(body, dict):
        raise ActionError("bad-input", "the body: expected a JSON object", 400)
    return body


@api.get("/table")
def table() -> Response:
    return exact.answer(kiosk().table())


@api.get("/round")
def round_now() -> Response:
    return exact.answer(kiosk().snapshot(g.language))


@api.post("/round/<action>")
def act(action: str) -> Response:
    if action not in ACTIONS:
        raise ActionError(
            "not-found", f"no action {action[:40]!r}, expected one of {', '.join(ACTIONS)}", 404
        )
    return exact.answer(kiosk().act(action, json_object(), WHO))


@api.post("/settle")
def settle() -> Response:
    """Settles a CASE; nothing is stored. A refused case is a 400 with its kind."""
    case = json_body(4 * MAX_JSON)
    if not isinstance(case, dict):
        raise ActionError("bad-input", "the body: expected a CASE, a JSON object", 400)
    result = settle_case(case)
    return exact.answer(result, 400 if "error" in result else 200)


@api.post("/read")
def read() -> Response:
    """Reads an uploaded photograph: the file as the body, or a form with one file."""
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
    return exact.answer(kiosk().read_picture(data))


@api.get("/panel")
def panel() -> Response:
    return exact.answer(kiosk().panel_state())


@api.post("/panel/press")
def press() -> Response:
    body = json_object()
    button = body.get("button")
    if set(body) != {"button"} or not isinstance(button, str):
        raise ActionError("bad-input", 'the body: expected {"button": NAME}', 400)
    kiosk().panel_press(button[:40])
    return exact.answer(kiosk().panel_state())


@api.get("/openapi.json")
def openapi() -> Response:
    return exact.answer(describe())
