"""The description matches the routes and what the round takes."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from kiosk.table.bodies import READERS
from kiosk.web.schemas import ACTIONS


def test_every_route_of_the_api_is_described_and_no_other(client: FlaskClient) -> None:
    described = {
        (path, method)
        for path, methods in client.get("/api/v1/openapi.json").get_json()["paths"].items()
        for method in methods
    }
    served = set()
    for rule in client.application.url_map.iter_rules():
        if not rule.rule.startswith("/api/"):
            continue
        paths = [re.sub(r"<\w*_?(id)>", r"{\1}", rule.rule)]
        if "<action>" in rule.rule:
            paths = [rule.rule.replace("<action>", action) for action in ACTIONS]
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            served |= {(path, method.lower()) for path in paths}
    assert served == described


def test_the_schemas_name_the_fields_that_the_round_reads() -> None:
    assert {name: set(action.fields) for name, action in ACTIONS.items()} == {
        name: set(fields) for name, (fields, _) in READERS.items()
    }
    for action in ACTIONS.values():
        assert set(action.required) <= set(action.fields)
