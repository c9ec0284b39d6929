"""The drills behind the page: routes, secrecy, progress, the class, tests and certificates."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from flask.testing import FlaskClient
from sat_tests import exercise_of, right, sit

from kiosk.people import Role
from kiosk.web.certificate import Certificate, certificate_pdf

SECRET = {"combinations", "significant", "due", "why", "lines", "right", "paid", "taken", "topic"}


def test_p3_a_round_is_shown_without_its_answer_and_graded(
    stranger: FlaskClient, small_kiosk: Any
) -> None:
    body = {"house": "russian-a", "topics": ["doubles"]}
    for _ in range(4):
        shown = stranger.post("/api/v1/drill/next", json=body).get_json()
        assert not SECRET & set(shown)
        answer = {"id": shown["id"], **right(small_kiosk, exercise_of(small_kiosk, "guest:"))}
        told = stranger.post("/api/v1/drill/answer", json=answer).get_json()
        assert told["right"], (answer, told)
        assert told["topic"] == "doubles"
        assert told["kept"] is False
        again = stranger.post("/api/v1/drill/answer", json=answer)
        assert (again.status_code, again.get_json()["error"]) == (409, "drill-over")


def test_a_wrong_answer_names_its_mistake_in_the_language_of_the_page(
    stranger: FlaskClient, small_kiosk: Any
) -> None:
    told = {}
    for language in ("en", "ru"):
        stranger.set_cookie("lang", language)
        shown = stranger.post(
            "/api/v1/drill/next", json={"house": "russian-a", "topics": ["qualification"]}
        ).get_json()
        truth = right(small_kiosk, exercise_of(small_kiosk, "guest:"))["game"]
        told[language] = stranger.post(
            "/api/v1/drill/answer", json={"id": shown["id"], "game": not truth}
        ).get_json()
        assert told[language]["kinds"] == ["qualification"]
    assert "Dealer" in told["en"]["lines"][0]
    assert "Дилер" in told["ru"]["lines"][0]


@pytest.mark.parametrize(
    ("path", "body", "part"),
    [
        ("next", {"house": "moon"}, "no house"),
        ("next", {"house": "texas-a", "topics": ["insurance"]}, "insurance"),
        ("next", {"house": 7}, "house"),
        ("next", {"test": "XXXXX-XXXXX"}, "over"),
        ("answer", {"id": "nothing", "game": True}, "over"),
        ("answer", {"game": True}, "id"),
        ("answer", {"id": "x", "amount": -1}, "amount"),
        ("test", {"house": "moon"}, "no house"),
    ],
)
def test_what_is_no_answer_is_refused_in_one_line(
    stranger: FlaskClient, path: str, body: dict[str, Any], part: str
) -> None:
    found = stranger.post(f"/api/v1/drill/{path}", json=body)
    assert 400 <= found.status_code < 500
    assert part in found.get_json()["message"]


def test_an_answer_of_another_form_leaves_the_round_open(
    stranger: FlaskClient, small_kiosk: Any
) -> None:
    shown = stranger.post(
        "/api/v1/drill/next", json={"house": "russian-a", "topics": ["qualification"]}
    ).get_json()
    refused = stranger.post("/api/v1/drill/answer", json={"id": shown["id"], "amount": 5})
    assert refused.status_code == 400
    assert "game" in refused.get_json()["message"]
    told = stranger.post("/api/v1/drill/answer", json={"id": shown["id"], "game": True})
    assert told.status_code == 200


def test_two_guests_do_not_meet(app: Any, sign_in: Callable[..., Any]) -> None:
    one, other = sign_in(None), sign_in(None)
    shown = one.post("/api/v1/drill/next", json={"topics": ["qualification"]}).get_json()
    stolen = other.post("/api/v1/drill/answer", json={"id": shown["id"], "game": True})
    assert stolen.status_code == 409
    one.post("/api/v1/drill/answer", json={"id": shown["id"], "game": True})
    for client, asked in ((one, 1), (other, 0)):
        found = client.get("/api/v1/drill/standing?house=russian-a").get_json()
        assert found["topics"]["qualification"]["asked"] == asked


def drill_some(client: Any, kiosk: Any, key: str, rounds: int, topic: str) -> None:
    for _ in range(rounds):
        shown = client.post(
            "/api/v1/drill/next", json={"house": "russian-a", "topics": [topic]}
        ).get_json()
        answer = right(kiosk, exercise_of(kiosk, key))
        told = client.post("/api/v1/drill/answer", json={"id": shown["id"], **answer}).get_json()
        assert told["kept"]


def test_p10_progress_of_the_trainee_and_of_the_class(
    small_kiosk: Any, sign_in: Callable[..., Any]
) -> None:
    trainee = sign_in(Role.TRAINEE, via="pin")
    drill_some(trainee, small_kiosk, "p-", 10, "qualification")
    standing = trainee.get("/api/v1/drill/standing?house=russian-a").get_json()["topics"]
    assert standing["qualification"]["unlocked"]
    assert standing["cap"]["asked"] == 0
    page = trainee.get("/drill/progress?house=russian-a").get_data(as_text=True)
    assert page.count('<svg class="plot"') == 2, "by day and by topic; no mistakes yet"
    assert "100 %" in page
    assert trainee.get("/drill/class").status_code == 403
    teacher = sign_in(Role.INSTRUCTOR)
    whole = teacher.get("/drill/class?house=russian-a").get_data(as_text=True)
    link = re.search(r"/drill/class/p-[0-9a-f]+", whole)
    assert link and "trainee" in whole
    assert "Progress of trainee" in teacher.get(link[0]).get_data(as_text=True)
    assert teacher.get("/drill/class/p-000000000000").status_code == 404


def test_the_class_is_for_instructors(sign_in: Callable[..., Any]) -> None:
    assert sign_in(None).get("/drill/class").status_code == 303
    assert sign_in(None).get("/drill/class/p-000000000000").status_code == 303
    assert sign_in(None).get("/drill").status_code == 200
    assert sign_in(None).get("/drill/progress").status_code == 200


def test_a_passed_test_gives_a_certificate(small_kiosk: Any, sign_in: Callable[..., Any]) -> None:
    trainee = sign_in(Role.TRAINEE, via="pin")
    trainee.set_cookie("lang", "ru")
    exam = sit(trainee, small_kiosk, "p-", wrong=0)
    page = trainee.get(f"/drill/test/{exam}").get_data(as_text=True)
    assert "certificate.pdf" in page and "20 / 20" in page
    pdf = trainee.get(f"/drill/test/{exam}/certificate.pdf")
    assert pdf.mimetype == "application/pdf"
    assert pdf.data.startswith(b"%PDF-")
    assert b"FontFile2" in pdf.data, "the typeface is embedded"
    assert sign_in(Role.INSTRUCTOR).get(f"/drill/test/{exam}/certificate.pdf").status_code == 200
    assert sign_in(None).get(f"/drill/test/{exam}").status_code == 404
    shown = trainee.get("/drill/progress?house=three-a").get_data(as_text=True)
    assert "сдан" in shown


def test_a_failed_test_says_what_to_drill_again(
    small_kiosk: Any, sign_in: Callable[..., Any]
) -> None:
    trainee = sign_in(Role.TRAINEE, via="pin")
    exam = sit(trainee, small_kiosk, "p-", wrong=4)
    page = trainee.get(f"/drill/test/{exam}").get_data(as_text=True)
    assert "not passed" in page and "What to drill again" in page
    assert trainee.get(f"/drill/test/{exam}/certificate.pdf").status_code == 404


def test_a_guest_passes_without_a_certificate(small_kiosk: Any, stranger: FlaskClient) -> None:
    exam = sit(stranger, small_kiosk, "guest:", wrong=0)
    page = stranger.get(f"/drill/test/{exam}").get_data(as_text=True)
    assert "passed" in page and "certificate.pdf" not in page
    assert stranger.get(f"/drill/test/{exam}/certificate.pdf").status_code == 404


def test_a_certificate_takes_long_names_and_cyrillic() -> None:
    texts = Certificate(
        "Сертификат",
        "Настоящим удостоверяется, что",
        "Константинопольская-Воскресенская Александра Владимировна " * 2,
        "сдал(а) экзамен дилера: Русский покер A",
        ("Верно 20 раздач из 20", datetime(2026, 3, 2, tzinfo=UTC).date().isoformat()),
        "№ ABCDE-23456",
        "Инструктор",
    )
    pdf = certificate_pdf(texts)
    assert pdf.startswith(b"%PDF-") and len(pdf) < 200_000
    assert BytesIO(pdf).read().count(b"/Type /Page\n") <= 1


def test_the_page_carries_houses_topics_and_no_answer(stranger: FlaskClient) -> None:
    page = stranger.get("/drill").get_data(as_text=True)
    start = re.search(r'<script type="application/json" id="start">(.*?)</script>', page, re.S)
    assert start
    data = json.loads(start[1])
    assert len(data["houses"]) == 9
    assert data["person"] is None
    assert all(topic in data["topics"] for house in data["houses"] for topic in house["topics"])
