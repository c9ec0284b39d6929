"""The live table from another machine: anyone may look, only people signed in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kiosk.people import Role, open_people
from kiosk.web import WebSettings, create_app
from kiosk.web.rights import DEEDS, right_from_elsewhere
from kiosk.web.schemas import ACTIONS

SignIn = Callable[..., Any]

REMOTE = {"REMOTE_ADDR": "192.0.2.7"}
HOLD = {"json": {"held": True}}
RELEASE = {"held": False, "reason": "counted again"}
UNBOUND = {"/api/v1/panel/choose", "/api/v1/settle", "/api/v1/dealer", "/api/v1/approve"}
"""Open paths outside the drills that see for themselves who asks, or change nothing."""


def deeds(app: Flask) -> list[str]:
    """Every path of the open API, besides the drills, that takes something."""
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    closed = ("calibrate", "drill", "audit", "settings", "people")
    return [
        rule.rule
        for rule in rules
        if rule.rule.startswith("/api/v1/")
        and not rule.rule.startswith(tuple(f"/api/v1/{name}" for name in closed))
    ]


def test_every_deed_at_the_table_needs_a_session_from_elsewhere(
    app: Flask, stranger: FlaskClient, small_kiosk: Any
) -> None:
    paths = set(deeds(app)) - UNBOUND
    assert {f"/api/v1/round/{name}" for name in ACTIONS} < paths
    assert {path for path, right in DEEDS if right} & {"/api/v1/round", "/api/v1/panel"}
    for path in sorted(paths):
        assert right_from_elsewhere(path), path
        for more in ({"json": {}}, HOLD, {"data": b"x", "content_type": "image/jpeg"}):
            answer = stranger.post(path, environ_overrides=REMOTE, **more)
            assert answer.status_code == 401, path
            told = answer.get_json()
            assert told["error"] == "sign-in" and told["message"].startswith("Sign in first:")
    assert small_kiosk.acts == [] and small_kiosk.presses == []


def test_at_the_kiosk_itself_the_table_is_open(stranger: FlaskClient, small_kiosk: Any) -> None:
    assert stranger.post("/api/v1/round/hold", **HOLD).status_code == 200
    assert stranger.post("/api/v1/panel/press", json={"button": "reveal"}).status_code == 200
    assert small_kiosk.presses == ["reveal"]


def test_a_further_screen_of_the_kiosk_counts_as_the_kiosk(small_kiosk: Any) -> None:
    config = WebSettings(kiosk_addresses=("192.0.2.7",))
    client = create_app(small_kiosk, config).test_client()
    assert client.post("/api/v1/round/hold", environ_overrides=REMOTE, **HOLD).status_code == 200
    other = {"REMOTE_ADDR": "192.0.2.8"}
    assert client.post("/api/v1/round/hold", environ_overrides=other, **HOLD).status_code == 401


@pytest.mark.parametrize("role", list(Role))
def test_whoever_is_signed_in_plays_from_a_phone(
    sign_in: SignIn, small_kiosk: Any, role: Role
) -> None:
    client = sign_in(role)
    far: dict[str, Any] = {"environ_overrides": REMOTE}
    small_kiosk.lay("box1", "As Ah Ad 7c 4s")
    for path, body in (
        ("round/bets", {"box": 1, "bets": {"ante": 200}}),
        ("round/confirm", {"box": 1}),
        ("panel/press", {"button": "reveal"}),
        ("round/hold", {"held": True}),
    ):
        assert client.post(f"/api/v1/{path}", json=body, **far).status_code == 200, path
    # What needs an instructor at the table needs one from elsewhere.
    code = client.post("/api/v1/round/hold", json=RELEASE, **far).status_code
    assert code == (200 if role >= Role.INSTRUCTOR else 403)
    token, client.token = client.token, ""
    assert client.post("/api/v1/round/hold", **HOLD, **far).status_code == 403
    client.token = token


def test_looking_on_from_elsewhere_needs_nobody(stranger: FlaskClient, small_kiosk: Any) -> None:
    for path in ("/", "/rules", "/drill", "/frame.jpg", "/api/v1/round", "/api/v1/table"):
        assert stranger.get(path, environ_overrides=REMOTE).status_code == 200, path
    assert stranger.get("/api/v1/panel", environ_overrides=REMOTE).status_code == 200
    for path, body in (("panel/choose", {"box": 1}), ("drill/next", {})):
        answer = stranger.post(f"/api/v1/{path}", json=body, environ_overrides=REMOTE)
        assert answer.status_code == 200, path
    assert small_kiosk.panel["selected"] is None


def test_before_there_is_an_admin_nothing_is_played_from_elsewhere(
    small_kiosk: Any, tmp_path: Any
) -> None:
    small_kiosk.people = open_people(tmp_path / "fresh")
    client = create_app(small_kiosk, WebSettings()).test_client()
    answer = client.post("/api/v1/round/hold", environ_overrides=REMOTE, **HOLD)
    assert answer.status_code == 403
    assert "Until there is an admin" in answer.get_json()["message"]
    assert client.get("/", environ_overrides=REMOTE).status_code == 200
    assert client.post("/api/v1/round/hold", **HOLD).status_code == 200


def test_the_line_is_told_in_russian(stranger: FlaskClient) -> None:
    answer = stranger.post(
        "/api/v1/round/next", query_string={"lang": "ru"}, json={}, environ_overrides=REMOTE
    )
    assert answer.get_json()["message"].startswith("Сначала войдите")
