"""What the round refuses is told in the language of whoever asked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from spoken import spoken

import kiosk.rules.jsonio
import kiosk.table.bodies
import kiosk.table.checks
import kiosk.teach.database
import kiosk.teach.drills
import kiosk.teach.grading
import kiosk.web.bodies
import kiosk.web.guard
from kiosk.web import input_texts
from kiosk.web.drill_texts import REFUSALS
from kiosk.web.refusals import TEXTS, in_words


@pytest.mark.parametrize(
    ("action", "body", "english", "russian"),
    [
        ("confirm", {"box": 3}, "Box 3 is not in play.", "Бокс 3 не в игре."),
        ("reveal", {}, "No box is settled yet.", "Ни один бокс ещё не рассчитан."),
        (
            "bets",
            {"box": 1, "bets": {"ante": 5}},
            "The ante must be from 100 to 1000, not 5.",
            "Анте должно быть от 100 до 1000, а не 5.",
        ),
    ],
)
def test_a_refusal_speaks_the_language_of_the_page(
    client: Any, action: str, body: dict[str, Any], english: str, russian: str
) -> None:
    for language, line in (("en", english), ("ru", russian)):
        answer = client.post(
            f"/api/v1/round/{action}", json=body, headers={"Accept-Language": language}
        )
        assert answer.status_code == 409
        assert answer.get_json()["message"] == line


def test_no_refusal_of_the_round_lacks_its_text() -> None:
    known = {re.sub(r"\{\w+\}", "{x}", text) for text in TEXTS}
    said = spoken(kiosk.table.checks, "cannot", 1) - {"The hand is {x}."}
    assert len(said) > 10
    assert said - known == set(), "add these to kiosk/web/refusals.py and both catalogues"


def test_no_refusal_of_input_lacks_its_text() -> None:
    known = {re.sub(r"\{\w+\}", "{x}", text) for text in input_texts.TEXTS}
    said = spoken(kiosk.table.bodies, "refuse", 0)
    said |= spoken(kiosk.web.bodies, "ActionError", 1) | spoken(kiosk.web.guard, "ActionError", 1)
    said |= spoken(kiosk.rules.jsonio, "JsonError", 0)
    assert len(said) > 30
    assert said - known == set(), "add these to kiosk/web/input_texts.py and both catalogues"


@pytest.mark.parametrize(
    ("data", "headers", "russian"),
    [
        ('{"box": 1, "bets": {"ante": "x"}}', {}, "Так ввести нельзя: bets.ante: нужна сумма, а"),
        ('{"box": "x"}', {}, "Так ввести нельзя: box: нужно целое число от 0 до 99, а не"),
        ('{"other": 1}', {}, "Так ввести нельзя: неизвестный ключ"),
        ("{", {}, "не JSON: "),
        ("[]", {}, "запрос: нужен объект JSON"),
        ("{}", {"Origin": "http://elsewhere"}, "чужая страница ничего не может менять"),
    ],
)
def test_input_that_does_not_fit_is_refused_in_the_language_of_the_page(
    client: Any, data: str, headers: dict[str, str], russian: str
) -> None:
    answer = client.post(
        "/api/v1/round/bets",
        data=data,
        content_type="application/json",
        headers={"Accept-Language": "ru"} | headers,
    )
    assert answer.status_code in (400, 403)
    assert answer.get_json()["message"].startswith(russian), answer.get_json()


def test_no_refusal_of_the_drills_lacks_its_text() -> None:
    known = {re.sub(r"\{\w+\}", "{x}", text) for text in REFUSALS}
    said = spoken(kiosk.teach.drills, "ActionError", 1)
    said |= spoken(kiosk.teach.grading, "UserError", 0)
    said |= spoken(kiosk.teach.database, "DrillStorageError", 1)
    assert len(said) > 10
    assert said == known, "add these to kiosk/web/drill_texts.py and both catalogues"


def test_a_refusal_of_the_drills_speaks_the_language_of_the_page(client: Any) -> None:
    body = {"id": "gone", "floor": True}
    answer = client.post("/api/v1/drill/answer", json=body, headers={"Accept-Language": "ru"})
    assert answer.status_code == 409
    assert answer.get_json()["message"] == "Эта раздача закончена: перейдите к следующей."


def test_a_line_of_no_known_pattern_stays_as_it_is(client: Any) -> None:
    with client.application.test_request_context("/", headers={"Accept-Language": "ru"}):
        client.application.preprocess_request()
        assert in_words("something else") == "something else"
