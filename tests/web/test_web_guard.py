"""Security headers, foreign origins, host names, the interface by default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import kiosk.web
from kiosk.web import WebSettings, create_app

STATIC = Path(kiosk.web.__file__).parent


@pytest.mark.parametrize("path", ["/", "/api/v1/round", "/static/table.css", "/nothing"])
def test_every_answer_carries_the_security_headers(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9"},
        {"Origin": "http://[bad"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_another_origin_changes_nothing(
    client: FlaskClient, small_kiosk: Any, headers: dict[str, str]
) -> None:
    answer = client.post("/api/v1/round/undo", json={}, headers=headers)
    assert answer.status_code == 403
    assert answer.get_json()["error"] == "other-origin"
    assert small_kiosk.acts == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_the_own_page_and_programs_may(client: FlaskClient, headers: dict[str, str]) -> None:
    body = {"box": 1, "in_play": True}
    assert client.post("/api/v1/round/bets", json=body, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("192.168.1.7", 200),
        ("[::1]:8000", 200),
        ("kiosk.pit", 200),
        ("rebound.evil.example", 400),
        ("[bad", 400),
    ],
)
def test_a_foreign_host_name_is_refused(small_kiosk: Any, host: str, status: int) -> None:
    app = create_app(small_kiosk, WebSettings(allowed_hosts=("kiosk.pit",)))
    answer = app.test_client().get("/api/v1/round", headers={"Host": host})
    assert answer.status_code == status


def test_no_page_asks_anything_outside() -> None:
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), *STATIC.rglob("*.html")]:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|url\(\s*['\"]?//|src=['\"]//", text), path


def test_no_page_has_inline_script_or_style() -> None:
    for path in STATIC.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"<script(?![^>]*(src=|application/json))", text), path
        assert not re.search(r"<style|\sstyle=|\son\w+=", text), path


def test_w9_the_application_is_no_debug_server(small_kiosk: Any) -> None:
    app = create_app(small_kiosk)
    assert not app.debug
    assert not app.testing
