"""Routes of the API say what they take and give; the checks and the description follow from it.

A described view names its types and is called with checked values::

    @api.post("/panel/press")
    @described(answer=PanelState)
    def press(body: PanelPress) -> Json:
        \"\"\"Presses a button of the simulated panel.\"\"\"
        kiosk().panel_press(body.button)
        return kiosk().panel_state()

``body``: a model, read from the JSON of the request; ``query``: a model, read from the query
string; every other parameter stands in the path. The first line of the docstring is the summary.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, get_origin, get_type_hints

from flask import Response, request
from pydantic import BaseModel, ValidationError
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError
from kiosk.rules.money import shown
from kiosk.web import exact
from kiosk.web.bodies import MAX_JSON, json_object

View = Callable[..., Any]

MARK = "__described__"


@dataclass(frozen=True, slots=True)
class Described:
    """What a view takes and gives.

    ``answer``: model of the JSON answer, None where ``media`` is not JSON. ``uploads``: media
    types of a body that is no JSON. ``parameters``: name and type of those in the path.
    """

    summary: str
    text: str
    body: type[BaseModel] | None
    query: type[BaseModel] | None
    parameters: Mapping[str, type]
    answer: type[BaseModel] | None
    media: tuple[str, ...]
    uploads: tuple[str, ...]
    status: int


def described(
    *,
    answer: type[BaseModel] | None = None,
    media: tuple[str, ...] = ("application/json",),
    body: type[BaseModel] | None = None,
    uploads: tuple[str, ...] = (),
    status: int = 200,
    limit: int = MAX_JSON,
) -> Callable[[View], View]:
    """Marks a view for the description and checks what it is sent.

    ``answer``: model of what comes back; a view may return plain data, which is sent as exact
    JSON, or a response of its own. ``media``: media types of an answer that is not JSON. ``body``:
    model of a JSON body that the view reads and checks itself. ``uploads``: media types of another
    body. ``status`` of a good answer. ``limit``: bytes of the JSON body.
    """

    def mark(view: View) -> View:
        hints = get_type_hints(view)
        names = list(inspect.signature(view).parameters)
        taken: type[BaseModel] | None = hints.get("body") if "body" in names else None
        query: type[BaseModel] | None = hints.get("query") if "query" in names else None

        @wraps(view)
        def checked(**given: Any) -> Response | BaseResponse:
            if query is not None:
                given["query"] = _read(query, _query(query))
            if taken is not None:
                given["body"] = _read(taken, json_object(limit))
            found = view(**given)
            return found if isinstance(found, BaseResponse) else exact.answer(found, status)

        first, _, more = inspect.cleandoc(view.__doc__ or "").partition("\n")
        path = {name: hints.get(name, str) for name in names if name not in ("body", "query")}
        about = Described(
            first.rstrip("."),
            more.strip(),
            taken or body,
            query,
            path,
            answer,
            media,
            uploads,
            status,
        )
        setattr(checked, MARK, about)
        return checked

    return mark


def description_of(view: View) -> Described | None:
    """What a view says of itself, None when it says nothing."""
    found: Described | None = getattr(view, MARK, None)
    return found


def _query(model: type[BaseModel]) -> dict[str, Any]:
    """The query string; the last of a name counts unless the model takes a list of it."""
    found: dict[str, Any] = {}
    for name, values in request.args.lists():
        field = model.model_fields.get(name)
        many = field is not None and get_origin(field.annotation) is list
        found[name] = values if many else values[-1]
    return found


def _read(model: type[BaseModel], data: Mapping[str, Any]) -> BaseModel:
    """The data as a checked value. ActionError with one line that names the field."""
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        raise ActionError("bad-input", _line(problem), 400) from None


def _line(problem: ValidationError) -> str:
    first = problem.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part)[:40] for part in first["loc"]) or "the body"
    kind, given = first["type"], first.get("input")
    if kind == "extra_forbidden":
        return f"{where}: there is no such field"
    if kind == "missing":
        return f"{where}: missing"
    text = first["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    _, should, rest = text.partition(" should ")
    if should:
        return f"{where}: should {rest}"
    return f"{where}: expected {text}, not {shown(given)}"
