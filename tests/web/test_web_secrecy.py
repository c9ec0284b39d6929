"""Nothing that is hidden until reveal leaves the server: page, API, events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

HIDDEN = ("combinations", "significant", "result", "combination", "game", "after_buy", "settlement")
SLUGS = ("pair", "two-pair", "flush", "ace-king", "high-card")


def told(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every named value inside some JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from told(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from told(inner, name)


def first_events(client: FlaskClient, count: int) -> dict[str, Any]:
    """The first events of the feed by name."""
    response = client.get("/events", buffered=False)
    found: dict[str, Any] = {}
    text = ""
    for chunk in response.response:
        text += chunk if isinstance(chunk, str) else chunk.decode()
        found = {
            name: json.loads(data)
            for name, data in re.findall(r"event: (\w+)\ndata: (.*)\n\n", text)
        }
        if len(found) >= count:
            break
    response.close()
    return found


def page_round(client: FlaskClient) -> Any:
    page = client.get("/").get_data(as_text=True)
    start = re.search(r'<script type="application/json" id="start">(.*?)</script>', page, re.S)
    assert start
    return json.loads(start[1])["round"]


@pytest.fixture
def dealt(small_kiosk: Any) -> Any:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.act("confirm", {"box": 1}, "test")
    assert small_kiosk.snapshot()["boxes"][0]["settled"]
    return small_kiosk


def test_p3_before_the_reveal_nothing_tells_what_the_hands_are_worth(
    client: FlaskClient, dealt: Any
) -> None:
    views = {
        "api": client.get("/api/v1/round").get_json(),
        "table": client.get("/api/v1/table").get_json(),
        "page": page_round(client),
        **first_events(client, 5),
    }
    for name, view in views.items():
        for key, value in told(view):
            # "game" of the round itself is the name of the game.
            if key in HIDDEN and value != "russian":
                assert value is None, (name, key, value)
        text = json.dumps(view)
        assert not any(f'"{slug}"' in text for slug in SLUGS), name


def test_after_the_reveal_all_of_them_show_it(client: FlaskClient, dealt: Any) -> None:
    dealt.act("reveal", {}, "test")
    for view in (
        client.get("/api/v1/round").get_json(),
        page_round(client),
        first_events(client, 5)["round"],
    ):
        assert view["boxes"][0]["result"]["taken"] == 300
        assert view["boxes"][0]["combinations"] == ["pair", "ace-king"]
        assert view["dealer"]["combination"] == "pair"


def test_reasons_come_in_the_viewer_s_language(client: FlaskClient, dealt: Any) -> None:
    dealt.act("reveal", {}, "test")
    texts = {}
    for language in ("en", "ru"):
        client.set_cookie("lang", language)
        box = first_events(client, 5)["round"]["boxes"][0]
        texts[language] = box["result"]["explanation"]["bets"]["bet"]
    assert "dealer is higher" in texts["en"]
    assert "старше" in texts["ru"]
