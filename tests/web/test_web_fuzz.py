"""Random requests made from the description: no fault inside, no answer out of its schema."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, seed, settings
from pydantic import Field
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kiosk.cards import Card
from kiosk.sightings import Doubt
from kiosk.web import WebSettings, create_app
from kiosk.web.described import described as described_view
from kiosk.web.openapi import describe
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer, Body
from kiosk.web.signin import COOKIE, HEADER

PATHS = describe(create_app(None))["paths"]  # type: ignore[arg-type]
OPERATIONS = [(method, path) for path, found in PATHS.items() for method in found]

HELD = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]

GOOD, BAD = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


@pytest.fixture
def described(app: Flask, small_kiosk: Any) -> Any:
    """The schema as a client reads it from a table in the middle of a hand."""
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    nine, six = Card.parse("9s"), Card.parse("6s")
    doubt = Doubt("d-7", (1, 2, 30, 40), ((nine, 0.55), (six, 0.31)), "low-confidence")
    small_kiosk.lay("box3", "Jh Jc 8d 8h", (doubt,))
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)


@pytest.fixture
def signed(client: Any) -> dict[str, Any]:
    """The admin's session, so that what only an admin may do is tried as well."""
    cookie = client.get_cookie(COOKIE).value
    return {"cookies": {COOKIE: cookie}, "headers": {HEADER: client.token}}


def fuzz(
    schema: Any,
    method: str,
    path: str,
    mode: GenerationMode,
    count: int,
    signed: dict[str, Any],
) -> None:
    """Sends ``count`` requests that fit (or break) the description and judges each answer."""
    checks = HELD if mode is GOOD else [*HELD, negative_data_rejection]

    @seed(20260504)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        case.call_and_validate(checks=checks, **signed)

    send()


def breakable(method: str, path: str) -> bool:
    """Whether anything that this operation takes can be wrong; any text will do in a path."""
    found = PATHS[path][method]
    kinds = [part["schema"].get("type") for part in found.get("parameters", ())]
    return "requestBody" in found or set(kinds) - {"string", None} != set()


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_requests_that_fit_the_description(
    described: Any, signed: dict[str, Any], method: str, path: str
) -> None:
    fuzz(described, method, path, GOOD, 4, signed)


@pytest.mark.parametrize(
    ("method", "path"), [operation for operation in OPERATIONS if breakable(*operation)]
)
def test_requests_that_break_the_description(
    described: Any, signed: dict[str, Any], method: str, path: str
) -> None:
    fuzz(described, method, path, BAD, 4, signed)


@pytest.mark.long
@pytest.mark.parametrize("mode", [GOOD, BAD])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_a_thousand_requests_of_each_kind(
    described: Any, signed: dict[str, Any], method: str, path: str, mode: GenerationMode
) -> None:
    if mode is BAD and not breakable(method, path):
        return
    fuzz(described, method, path, mode, 1000, signed)


class Sum(Answer):
    """A sum."""

    total: int


class Figures(Body):
    """Figures to add."""

    figures: list[int] = Field(min_length=1)


def lies(body: Figures) -> Json:
    """Answers with a text where it promised a number."""
    return {"total": "many"}


def breaks() -> Json:
    """Takes a body that it never reads, and fails inside."""
    raise RuntimeError("broken")


def takes_all() -> Json:
    """Takes whatever comes."""
    return {"total": 1}


@pytest.mark.parametrize(
    ("view", "body", "mode", "fault"),
    [
        (lies, None, GOOD, "violates schema"),
        (breaks, Figures, GOOD, "Server error"),
        (takes_all, Figures, BAD, "Schema-violating request accepted"),
    ],
)
def test_the_fuzzing_sees_each_kind_of_fault(
    small_kiosk: Any, signed: Any, view: Any, body: Any, mode: GenerationMode, fault: str
) -> None:
    app = create_app(small_kiosk, WebSettings())
    app.post("/api/v1/shop", endpoint="shop")(described_view(answer=Sum, body=body)(view))
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    with pytest.raises(FailureGroup) as caught:
        fuzz(schema, "post", "/api/v1/shop", mode, 20, signed)
    titles = [str(getattr(found, "title", found)) for found in caught.value.exceptions]
    assert any(fault in title for title in titles), titles
