"""P8: mistakes at the live table, counted on the trainee's page and in the class."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from web_people import person_of

from kiosk.people import Role
from kiosk.record.errors import record_error

Keep = Callable[..., dict[str, Any]]

WRONG = {
    "verdict": "wrong",
    "mistakes": [
        {"bet": "ante", "kind": "arithmetic"},
        {"bet": "bet", "kind": "misread-hand", "mistake": "side-cards-overlooked"},
        {"bet": "bonus", "kind": "misread-hand"},
    ],
}
ANSWERS = [[1, WRONG], [2, {"verdict": "right", "mistakes": []}], [3, {"verdict": "not-answered"}]]

WORDS = {
    "en": (
        "At the table",
        "Hands dealt or answered",
        "Boxes not answered",
        "hand misread",
        "arithmetic",
    ),
    "ru": (
        "За столом",
        "Раздач сдано или с ответом",
        "Боксов без ответа",
        "рука прочитана неверно",
        "арифметика",
    ),
}


def section(client: Any, path: str) -> str:
    """What the page says of the table."""
    answer = client.get(path)
    assert answer.status_code == 200
    found = re.search(
        r'<section class="block" id="at-table">(.*?)</section>', answer.get_data(as_text=True), re.S
    )
    return found[1] if found else ""


def rows(text: str) -> dict[str, list[str]]:
    """First cell of each row → the others."""
    found = re.findall(r"<tr>\s*(<td.*?)</tr>", text, re.S)
    cells = [
        [_plain(cell) for cell in re.findall(r"<td.*?>(.*?)</td>", row, re.S)] for row in found
    ]
    return {row[0]: row[1:] for row in cells}


def _plain(cell: str) -> str:
    return re.sub(r"<.*?>", "", cell).strip()


@pytest.fixture
def trainee_id(small_kiosk: Any) -> str:
    return person_of(small_kiosk.people, Role.TRAINEE).id


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p8_a_trainee_sees_the_own_mistakes_at_the_table_by_kind(
    sign_in: Callable[..., Any], keep: Keep, trainee_id: str, small_kiosk: Any, language: str
) -> None:
    other = person_of(small_kiosk.people, Role.INSTRUCTOR).id
    keep("r-000011", person=trainee_id, answers=ANSWERS)
    keep("r-000012", person=trainee_id, answers=ANSWERS)
    keep("r-000013", person=other)
    title, dealt, missing, misread, sums = WORDS[language]
    for role, path in (
        (Role.TRAINEE, "/drill/progress"),
        (Role.INSTRUCTOR, f"/drill/class/{trainee_id}"),
    ):
        client = sign_in(role, via="pin")
        client.set_cookie("lang", language)
        text = section(client, path)
        assert f"<h2>{title}</h2>" in text
        found = rows(text)
        assert found[dealt] == found[missing] == ["2", "2"]
        names = list(found)
        assert names[-2:] == [misread, sums], "the most frequent first"
        assert (found[misread], found[sums]) == (["4", "4"], ["2", "2"])


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p8_the_class_shows_everybody_who_dealt(
    sign_in: Callable[..., Any], keep: Keep, trainee_id: str, small_kiosk: Any, language: str
) -> None:
    keep("r-000011", person=trainee_id, answers=ANSWERS)
    keep("r-000012", person=person_of(small_kiosk.people, Role.SUPERVISOR).id)
    keep("r-000013", person="p-0123456789ab")
    keep("r-000014", person=trainee_id, answers=ANSWERS, mode="demo")
    teacher = sign_in(Role.INSTRUCTOR)
    teacher.set_cookie("lang", language)
    text = section(teacher, "/drill/class?house=russian-a")
    found = rows(text)
    misread = WORDS[language][3]
    assert found["trainee"] == ["1 / 1", "1 / 1", "1 / 1", "1 / 1", "1 / 1", misread]
    assert found["supervisor"][:4] == ["1 / 1", "1 / 1", "0 / 0", "1 / 1"]
    assert found[misread] == ["2", "2"]
    assert "instructor" not in found and "0123" not in text
    assert f"/drill/class/{trainee_id}?house=russian-a" in text


def test_p8_only_the_last_thirty_days_are_lately(
    sign_in: Callable[..., Any], keep: Keep, trainee_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("r-000011", person=trainee_id, answers=ANSWERS)

    class Later(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Later:
            return cls(2999, 1, 1, tzinfo=UTC)

    monkeypatch.setattr("kiosk.web.drill_table.datetime", Later)
    found = rows(section(sign_in(Role.TRAINEE, via="pin"), "/drill/progress"))
    assert found["Hands dealt or answered"] == ["0", "1"]
    assert found["hand misread"] == ["0", "2"]


def test_p3_the_hand_on_the_table_is_not_counted(
    sign_in: Callable[..., Any], keep: Keep, trainee_id: str, small_kiosk: Any
) -> None:
    payload = keep("r-000011", person=trainee_id, answers=ANSWERS)
    small_kiosk.writer.append("round-started", "r-000012", payload)
    small_kiosk.writer.append("settled", "r-000012", payload)
    found = rows(section(sign_in(Role.TRAINEE, via="pin"), "/drill/progress"))
    assert found["Hands dealt or answered"] == ["1", "1"]


def test_p8_who_may_see_it(
    sign_in: Callable[..., Any], keep: Keep, trainee_id: str, small_kiosk: Any
) -> None:
    keep("r-000011", person=trainee_id, answers=ANSWERS)
    assert section(sign_in(None), "/drill/progress") == "", "a guest deals under no name"
    trainee = sign_in(Role.TRAINEE, via="pin")
    other = person_of(small_kiosk.people, Role.ADMIN).id
    for path in ("/drill/class", f"/drill/class/{other}", f"/drill/class/{trainee_id}"):
        assert trainee.get(path).status_code == 403
    teacher = sign_in(Role.INSTRUCTOR)
    assert "No hand at the table yet." in section(teacher, "/drill/progress")
    small_kiosk.people.erase(trainee_id)
    assert teacher.get(f"/drill/class/{trainee_id}").status_code == 404
    assert "No hand at the table yet." in section(teacher, "/drill/class")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p8_the_pages_work_while_the_record_cannot_be_read(
    sign_in: Callable[..., Any],
    small_kiosk: Any,
    trainee_id: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    language: str,
) -> None:
    def refuse() -> None:
        raise record_error("failed", tmp_path, "disk gone")

    monkeypatch.setattr(small_kiosk.recorded, "_record", refuse)
    said = {"en": "The record cannot be read now", "ru": "Журнал сейчас не читается"}[language]
    for role, path in (
        (Role.TRAINEE, "/drill/progress"),
        (Role.INSTRUCTOR, "/drill/class"),
        (Role.INSTRUCTOR, f"/drill/class/{trainee_id}"),
    ):
        client = sign_in(role, via="pin")
        client.set_cookie("lang", language)
        told = section(client, path)
        assert said in told and "disk gone" in told
