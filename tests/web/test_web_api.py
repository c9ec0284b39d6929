"""Every route of the API, and every bad input as one clear line."""

from __future__ import annotations

import io
import json
from typing import Any

import cv2
import numpy as np
import pytest
from cases import russian_case
from flask.testing import FlaskClient

SETTLED = russian_case("2c 2d 5h 8s 9c", "7h 7d Ts Kc Ad")


def refused(answer: Any, status: int) -> dict[str, Any]:
    """The refusal, held to its shape: one clear line."""
    assert answer.status_code == status, answer.get_data(as_text=True)
    body: dict[str, Any] = answer.get_json()
    assert set(body) >= {"error", "message"}
    assert body["message"] and "\n" not in body["message"]
    assert "Traceback" not in body["message"]
    return body


def test_the_round_is_the_kiosk_s_snapshot(client: FlaskClient, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    assert client.get("/api/v1/round").get_json() == json.loads(
        json.dumps(small_kiosk.snapshot(), default=float)
    )


def test_the_table_names_cards_with_confidence(client: FlaskClient, small_kiosk: Any) -> None:
    small_kiosk.lay("box1", "7h 7d")
    zones = {z["zone"]: z for z in client.get("/api/v1/table").get_json()["zones"]}
    assert [c["card"] for c in zones["box1"]["cards"]] == ["7h", "7d"]
    assert zones["box1"]["cards"][0]["confidence"] == 0.99


def test_what_a_person_enters_reaches_the_round(client: FlaskClient, small_kiosk: Any) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    body = {"box": 1, "bets": {"ante": 150, "bonus": 20}}
    answer = client.post("/api/v1/round/bets", json=body)
    assert answer.status_code == 200
    bets = answer.get_json()["boxes"][0]["bets"]
    assert bets == {"ante": 150, "bet": 300, "bonus": 20}
    (entered,) = small_kiosk.acts
    assert entered[:2] == ("bets", body)
    assert small_kiosk.people.name_of(entered[2]) == "admin"


def test_amounts_stay_exact_on_the_way(client: FlaskClient) -> None:
    text = '{"box": 1, "in_play": true, "bets": {"insurance": 1234567.89, "ante": 150.50}}'
    answer = client.post("/api/v1/round/bets", data=text, content_type="application/json")
    body = answer.get_data(as_text=True)
    assert '"insurance": 1234567.89' in body
    assert '"bet": 301' in body


def test_every_action_answers_with_the_round(client: FlaskClient, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc 8c")
    answer = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}
    for action, body in [
        ("cards", {"zone": "box1", "was": "8c", "card": "Ac"}),
        ("confirm", {"box": 1}),
        ("undo", {}),
        ("answer", {"box": 1, "bets": answer}),
        ("reveal", {}),
        ("hold", {"held": True, "reason": "floor"}),
        ("hold", {"held": False, "reason": "counted again"}),
        ("overrule", {"box": 1, "reason": "house ruling"}),
        ("next", {}),
    ]:
        found = client.post(f"/api/v1/round/{action}", json=body)
        assert found.status_code == 200, (action, found.get_json())
        assert found.get_json()["id"].startswith("r-")
    assert small_kiosk.snapshot()["id"] == "r-000002"


def test_p4_an_action_that_cannot_be_done_says_why(client: FlaskClient) -> None:
    assert refused(client.post("/api/v1/round/reveal", json={}), 409)["error"]
    body = refused(client.post("/api/v1/round/confirm", json={"box": 3}), 409)
    assert body == {"error": "not-in-play", "message": "Box 3 is not in play."}


BAD = [
    ("bets", b"{", 400),
    ("bets", b"[1]", 400),
    ("bets", b'"x"', 400),
    ("bets", b"\xff\xfe", 400),
    ("bets", b'{"box": 1, "box": 2}', 400),
    ("bets", b'{"box": 1, "bets": {"ante": NaN}}', 400),
    ("bets", b'{"box": 1, "bets": {"ante": -5}}', 400),
    ("bets", b'{"box": 1, "bets": {"ante": 1e999999999}}', 400),
    ("bets", b'{"box": 1, "bets": {"ante": 0.001}}', 400),
    ("bets", b'{"box": 1, "bets": {"ante": "100"}}', 400),
    ("bets", b'{"box": 1, "bets": {"lottery": 5}}', 400),
    ("bets", b'{"box": 1.5, "bets": {}}', 400),
    ("bets", b'{"box": 1, "wish": true}', 400),
    ("bets", b'{"box": 77, "in_play": true}', 400),
    ("bets", b'{"box": ' + b"9" * 5000 + b"}", 400),
    ("bets", b"[" * 60000, 400),
    ("cards", b'{"zone": "box1", "card": "1x"}', 400),
    ("cards", b'{"zone": "sofa", "card": "As"}', 400),
    ("cards", b'{"zone": "box1"}', 400),
    ("answer", b'{"box": 1, "bets": {"ante": {"result": "maybe"}}}', 400),
    ("hold", b"{}", 400),
    ("void", b'{"reason": "  "}', 400),
    ("overrule", b'{"box": 1, "reason": 7}', 400),
    ("dance", b"{}", 404),
    ("bets", b" " * 70000, 413),
    ("hold", rb'{"held": true, "reason": "\ud800"}', 400),
    ("void", rb'{"reason": "a \udfff"}', 400),
    ("bets", rb'{"box": 1, "bets": {"\ud83d": 1}}', 400),
]


@pytest.mark.parametrize(("action", "data", "status"), BAD)
def test_a_bad_body_is_one_clear_line(
    client: FlaskClient, action: str, data: bytes, status: int
) -> None:
    answer = client.post(f"/api/v1/round/{action}", data=data, content_type="application/json")
    refused(answer, status)


def test_half_a_character_cannot_spoil_the_round_for_everybody(client: FlaskClient) -> None:
    half = rb'{"held": true, "reason": "\ud800"}'
    client.post("/api/v1/round/hold", data=half, content_type="application/json")
    assert client.get("/api/v1/round").get_json()["held"] is False
    case = client.post("/api/v1/settle", data=rb'{"id": "\ud800"}', content_type="application/json")
    assert refused(case, 400)["error"] == "bad-json"
    whole = rb'{"held": true, "reason": "\ud83c\udccf"}'
    answer = client.post("/api/v1/round/hold", data=whole, content_type="application/json")
    assert answer.get_json()["hold_reason"] == "\U0001f0cf"


def test_only_json_is_taken(client: FlaskClient, small_kiosk: Any) -> None:
    answer = client.post("/api/v1/round/undo", data="{}", content_type="text/plain")
    assert refused(answer, 415)["error"] == "wrong-media-type"
    assert small_kiosk.acts == []


def test_settle_pays_a_double(client: FlaskClient) -> None:
    found = client.post("/api/v1/settle", json=SETTLED).get_json()
    assert found["paid"] == 400
    assert found["boxes"][0]["combinations"] == ["pair", "ace-king"]


@pytest.mark.parametrize(
    "case", [{}, {**SETTLED, "house": "sofa"}, {**SETTLED, "boxes": 5}, {**SETTLED, "dealer": None}]
)
def test_settle_refuses_a_bad_case(client: FlaskClient, case: dict[str, Any]) -> None:
    refused(client.post("/api/v1/settle", json=case), 400)


def jpeg() -> bytes:
    done, data = cv2.imencode(".jpg", np.full((40, 60, 3), 120, np.uint8))
    assert done
    return bytes(data)


def test_read_takes_a_body_or_a_form(client: FlaskClient) -> None:
    plain = client.post("/api/v1/read", data=jpeg(), content_type="image/jpeg").get_json()
    form = client.post("/api/v1/read", data={"file": (io.BytesIO(jpeg()), "a.jpg")}).get_json()
    assert plain == form
    assert (plain["width"], plain["height"]) == (60, 40)


def test_read_refuses_what_is_no_picture(client: FlaskClient) -> None:
    send = client.post
    refused(send("/api/v1/read", data=b"no picture", content_type="image/png"), 400)
    refused(send("/api/v1/read", data=b"", content_type="image/png"), 400)
    refused(send("/api/v1/read", data=jpeg(), content_type="text/html"), 415)
    refused(send("/api/v1/read", data={}, content_type="multipart/form-data"), 400)
    refused(send("/api/v1/read", data=b"x" * 21_000_000, content_type="image/png"), 413)


def test_the_panel_is_shown_and_pressed(client: FlaskClient, small_kiosk: Any) -> None:
    shown = client.get("/api/v1/panel").get_json()
    assert len(shown["display"]) == 4
    assert len(shown["lights"]) == 6
    assert client.post("/api/v1/panel/press", json={"button": "reveal"}).status_code == 200
    assert small_kiosk.presses == ["reveal"]
    refused(client.post("/api/v1/panel/press", json={"button": "self-destruct"}), 400)
    refused(client.post("/api/v1/panel/press", json={"button": 3}), 400)
    refused(client.post("/api/v1/panel/press", json={}), 400)
    held = {"button": "next", "held": True}
    assert client.post("/api/v1/panel/press", json=held).status_code == 200
    assert small_kiosk.presses[-1] == "next held"
    refused(client.post("/api/v1/panel/press", json={"button": "next", "held": "yes"}), 400)


def test_the_box_chosen_on_the_page_is_the_panels(client: FlaskClient, small_kiosk: Any) -> None:
    for box in (2, None):
        chosen = client.post("/api/v1/panel/choose", json={"box": box})
        assert chosen.status_code == 200 and chosen.get_json()["selected"] == box
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    client.post("/api/v1/panel/choose", json={"box": 1}, environ_base=elsewhere)
    assert small_kiosk.panel["selected"] is None
    for wrong in ({}, {"box": 0}, {"box": "2"}, {"box": 7}, {"box": True}):
        refused(client.post("/api/v1/panel/choose", json=wrong), 400)


@pytest.mark.parametrize("part", ["camera", "model", "storage"])
def test_healthz_says_which_part_does_not_work(
    client: FlaskClient, small_kiosk: Any, part: str
) -> None:
    assert client.get("/healthz").status_code == 200
    small_kiosk.parts[part] = {"ok": False, "text": "unplugged"}
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.get_json()["failing"] == [part]
    assert answer.get_json()["parts"][part]["text"] == "unplugged"


def test_metrics_are_prometheus_text(client: FlaskClient) -> None:
    answer = client.get("/metrics")
    lines = answer.get_data(as_text=True).splitlines()
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "# TYPE kiosk_frames_total counter" in lines
    assert "kiosk_frames_total 12" in lines
    assert 'kiosk_cards{zone="dealer"} 5' in lines
    assert "kiosk_web_long_connections 0" in lines


@pytest.mark.parametrize("limit", ["0", "501", "-1", "x", "", "1e3", "9" * 400, "٣"])
def test_the_audit_refuses_a_bad_limit(client: FlaskClient, limit: str) -> None:
    refused(client.get("/api/v1/audit", query_string={"limit": limit}), 400)


@pytest.mark.parametrize("path", ["/api/v1/audit/none", "/audit/none.jpg", "/doubt/none.jpg"])
def test_what_is_not_there_is_not_found(client: FlaskClient, path: str) -> None:
    refused(client.get(path), 404)


def test_pages_answer_people_in_words(client: FlaskClient) -> None:
    answer = client.get("/audit/none")
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert "no hand" in answer.get_data(as_text=True)


@pytest.mark.parametrize("path", ["/", "/audit", "/calibrate", "/settings", "/drill"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_page_comes_in_both_languages(client: FlaskClient, path: str, language: str) -> None:
    answer = client.get(f"{path}?lang={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.get_data(as_text=True)


def test_p16_the_page_names_the_rule_card_in_force(client: FlaskClient) -> None:
    page = client.get("/").get_data(as_text=True)
    assert '"title": "Russian Poker A"' in page


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api/v1/",
        "/api/v1/round/bets",
        "/static/../api.py",
        "/static/%2e%2e/api.py",
        "/audit/../../etc/passwd",
        "/doubt/..%2f..%2fpyproject.toml",
        "/%00",
        "/audit/%ff%fe",
        "/doubt/" + "x" * 3000 + ".jpg",
    ],
)
def test_strange_paths_never_fail_inside(client: FlaskClient, path: str) -> None:
    assert 400 <= client.get(path).status_code < 500


def test_a_fault_inside_shows_no_traceback(client: FlaskClient, small_kiosk: Any) -> None:
    def broken(language: str = "en") -> dict[str, Any]:
        raise RuntimeError("secret detail")

    small_kiosk.snapshot = broken
    for path in ("/", "/api/v1/round"):
        answer = client.get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.get_data(as_text=True)
        assert answer.get_json()["error"] == "internal"
