"""The page of rules: checked like the files, kept in versions, changed between rounds only."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from flask.testing import FlaskClient

from kiosk.people import Role
from kiosk.rules.schema import SCHEMA
from kiosk.web.settings_texts import NAMES


def form_of(client: FlaskClient, small_kiosk: Any, **changes: str) -> dict[str, str]:
    """The form as the page fills it, with changes."""
    from kiosk.web import settings_form

    book = small_kiosk.rulebook
    found = {
        "house": book.now.settings.house,
        "mode": "training",
        "title": book.now.house.house.title,
    }
    for field in settings_form.fields_of(book.now.house):
        if field.rows:
            found |= {f"cell:{field.name}:{row}": text for row, text in field.rows}
        else:
            found[f"option:{field.name}"] = field.text
    table = book.now.settings.table
    found |= {"table.ante_min": str(table.ante_min), "table.ante_max": str(table.ante_max)}
    found["filled"] = book.now.settings.house
    found["csrf"] = client.token  # type: ignore[attr-defined]
    return found | {name.replace("__", ":"): value for name, value in changes.items()}


def test_every_option_has_a_name_for_people() -> None:
    assert set(NAMES) == set(SCHEMA)


def test_p16_the_page_shows_the_rule_card_in_force(client: FlaskClient, small_kiosk: Any) -> None:
    page = client.get("/settings").get_data(as_text=True)
    assert "Russian Poker A" in page and "Pair" not in page.split("</head>")[0]
    for piece in ("four of a kind", ">20<", "Smallest ante", "100"):
        assert piece in page
    card = client.get("/settings/rulecard").get_data(as_text=True)
    assert "royal flush" in card and "data-print" in card
    russian = client.get("/settings/rulecard?lang=ru").get_data(as_text=True)
    assert "Бет платит" in russian and "каре" in russian


def test_a_saved_pay_table_is_in_force_and_in_its_file(
    client: FlaskClient, small_kiosk: Any
) -> None:
    book = small_kiosk.rulebook
    form = form_of(client, small_kiosk, note="new table")
    form["cell:pay.bet:flush"] = "6"
    form["option:bonus.ratio"] = "0,2"
    form["table.ante_min"] = "200"
    answer = client.post("/settings/edit", data=form)
    assert answer.status_code == 303, answer.get_data(as_text=True)
    assert book.now.house.house.pay.bet["flush"] == 6
    assert book.now.house.house.bonus.ratio == Decimal("0.2")
    assert book.now.settings.table.ante_min == 200
    assert book.now.version == 1
    (version,) = book.saved.versions()
    assert version.note == "new table"
    assert small_kiosk.people.name_of(version.by) == "admin"
    page = client.get("/settings").get_data(as_text=True)
    assert "new table" in page and "russian-a-v1" in page
    # The next start finds it again.
    again = type(book)(book.base, frozenset(), book.saved.folder.parent)
    assert again.now.house.house.pay.bet["flush"] == 6


def test_old_versions_are_kept_and_come_back(client: FlaskClient, small_kiosk: Any) -> None:
    book = small_kiosk.rulebook
    for flush in ("6", "7"):
        form = form_of(client, small_kiosk)
        form["cell:pay.bet:flush"] = flush
        assert client.post("/settings/edit", data=form).status_code == 303
    first = (book.saved.folder / "v0001.toml").read_bytes()
    token = {"csrf": client.token}  # type: ignore[attr-defined]
    assert client.post("/settings/versions/1", data=token).status_code == 303
    assert book.now.house.house.pay.bet["flush"] == 6
    assert client.post("/settings/back", data=token).status_code == 303
    assert book.now.settings.house == "russian-a" and book.now.version is None
    assert [v.number for v in book.saved.versions()] == [4, 3, 2, 1]
    assert (book.saved.folder / "v0001.toml").read_bytes() == first
    assert client.post("/settings/versions/99", data=token).status_code == 400


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("cell:pay.bet:flush", "1", "pay.bet.flush: pays less than a lower combination"),
        ("cell:pay.bet:pair", "", "pay.bet.pair: is missing"),
        ("cell:pay.bet:pair", "10:11", "expected n or &#34;n:1&#34;"),
        ("option:bonus.ratio", "-1", "bonus.ratio: expected a number above 0"),
        ("option:qualify", "seven", "qualify: expected a combination"),
        ("option:buy.free_repeat", "maybe", "buy.free_repeat: expected loop or once or none"),
        ("option:bonus.overrides", "150", "bonus.overrides: expected ANTE = STAKE"),
        ("table.ante_min", "5000", "ante_max 1000 is below ante_min 5000"),
        ("table.ante_min", "many", "ante_min"),
        ("table.chips", "", "chips"),
        ("mode", "free", "mode"),
        ("house", "/etc/passwd", "house: expected one of"),
        ("house", "../../secret.toml", "house: expected one of"),
        ("house", "three-a", "printed for"),
        ("title", "x" * 61, "title: expected a text of 1 to 60 characters"),
    ],
)
def test_what_does_not_hold_is_refused_like_a_file_and_nothing_is_kept(
    client: FlaskClient, small_kiosk: Any, field: str, value: str, line: str
) -> None:
    before = small_kiosk.rulebook.now
    form = form_of(client, small_kiosk) | {field: value}
    answer = client.post("/settings/edit", data=form)
    assert answer.status_code == 400
    assert line in answer.get_data(as_text=True)
    assert small_kiosk.rulebook.now is before
    folder = small_kiosk.rulebook.saved.folder
    assert not folder.exists() or not [f for f in folder.rglob("*") if f.is_file()]


def test_only_an_admin_with_a_password_changes_rules(
    sign_in: Callable[..., Any], small_kiosk: Any
) -> None:
    for role, via, reads in (
        (None, "password", 303),
        (Role.TRAINEE, "password", 403),
        (Role.INSTRUCTOR, "password", 200),
        (Role.SUPERVISOR, "password", 200),
        (Role.ADMIN, "pin", 200),
        (Role.ADMIN, "deal", 303),
    ):
        client = sign_in(role, via)
        assert client.get("/settings").status_code == reads, (role, via)
        assert client.get("/settings/edit").status_code in (303, 401, 403), (role, via)
        for path in ("/settings/edit", "/settings/back", "/settings/versions/1"):
            answer = client.post(path, data={"csrf": client.token})
            assert answer.status_code in (401, 403), (role, via, path)
    assert small_kiosk.rulebook.saved.newest() is None
