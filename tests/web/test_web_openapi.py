"""The description is made of the routes' own types, and no route of the API is left out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import Field

from kiosk.table.bodies import READERS
from kiosk.web import create_app
from kiosk.web.described import described, description_of
from kiosk.web.openapi import describe
from kiosk.web.schemas import ACTIONS
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer, Body, Measure, Money, Query


def test_every_route_of_the_api_describes_itself(client: FlaskClient) -> None:
    app = client.application
    silent = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and not description_of(app.view_functions[rule.endpoint])
    ]
    assert silent == [], "mark these with @described (docs/developer.md)"


def test_the_schemas_name_the_fields_that_the_round_reads() -> None:
    assert {name: set(body.model_fields) for name, (_, body) in ACTIONS.items()} == {
        name: {*fields, "round"} for name, (fields, _) in READERS.items()
    }


class Order(Body):
    """An order for chips."""

    amount: Money
    stack: list[int] = Field(default=[], max_length=3)
    height: Measure = 1.0


class Wish(Query):
    """Which and how many."""

    limit: int = Field(default=10, ge=1, le=50)
    kind: list[str] = Field(default=[])


class Receipt(Answer):
    """What was sold."""

    amount: Money


@pytest.fixture
def shop() -> Flask:
    """An application with one described route of each kind."""
    app = create_app(None)  # type: ignore[arg-type]

    @app.post("/api/v1/settle/shop/<int:till>")
    @described(answer=Receipt, status=201)
    def sell(till: int, body: Order) -> Json:
        """Sells chips.

        Nothing is given back.
        """
        return {"amount": body.amount, "till": till, "height": body.height}

    @app.get("/api/v1/settle/shop")
    @described(answer=Receipt)
    def look(query: Wish) -> Json:
        """Looks."""
        return {"amount": Decimal(query.limit), "kind": query.kind}

    return app


def test_a_route_s_types_are_its_description(shop: Flask) -> None:
    found = describe(shop)
    sell = found["paths"]["/api/v1/settle/shop/{till}"]["post"]
    assert sell["summary"] == "Sells chips"
    assert sell["description"] == "Nothing is given back."
    assert sell["parameters"][0]["schema"] == {"type": "integer"}
    assert set(sell["responses"]) == {"201", "4XX"}
    body = sell["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    order = found["components"]["schemas"][body.rpartition("/")[2]]
    assert order["required"] == ["amount"]
    assert order["additionalProperties"] is False
    assert order["properties"]["amount"]["type"] == "number"
    limit, kind = found["paths"]["/api/v1/settle/shop"]["get"]["parameters"]
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 50}
    assert kind["schema"] == {"type": "array", "items": {"type": "string"}}


def test_a_described_route_gets_checked_values_and_answers_exactly(shop: Flask) -> None:
    answer = shop.test_client().post(
        "/api/v1/settle/shop/3",
        data='{"amount": 1234567.89, "height": 2.5}',
        content_type="application/json",
    )
    assert answer.status_code == 201
    assert answer.get_data(as_text=True) == '{"amount": 1234567.89, "till": 3, "height": 2.5}\n'
    looked = shop.test_client().get("/api/v1/settle/shop?kind=a&kind=b&limit=3&limit=4").get_json()
    assert looked == {"amount": 4, "kind": ["a", "b"]}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("{}", "amount: missing"),
        ('{"amount": "5"}', "amount: expected an amount, not '5'"),
        ('{"amount": true}', "amount: expected an amount, not true"),
        ('{"amount": NaN}', "amount: expected an amount, not NaN"),
        ('{"amount": 0.001}', "amount: expected an amount from 0 with at most two decimals"),
        ('{"amount": 1, "wish": 2}', "wish: there is no such field"),
        ('{"amount": 1, "stack": [1, "x"]}', "stack.1: expected a valid integer, not 'x'"),
        ('{"amount": 1, "stack": [1, 2, 3, 4]}', "stack: should have at most 3 items"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(shop: Flask, body: str, line: str) -> None:
    answer = shop.test_client().post(
        "/api/v1/settle/shop/3", data=body, content_type="application/json"
    )
    assert answer.status_code == 400
    assert answer.get_json()["message"].startswith(line)


@pytest.mark.parametrize("query", ["limit=0", "limit=51", "limit=x", "limit="])
def test_a_query_that_does_not_fit_names_the_part(shop: Flask, query: str) -> None:
    answer: Any = shop.test_client().get(f"/api/v1/settle/shop?{query}")
    assert answer.status_code == 400
    assert answer.get_json()["message"].startswith("limit: ")
