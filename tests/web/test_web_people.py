"""The page of people, who deals, and leave given at the table."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import kiosk.people
from kiosk.people import People, Role
from kiosk.people.roles import NEEDS
from kiosk.table.deeds import OF_SUPERVISORS, RIGHTS
from kiosk.web.people_texts import PROBLEMS
from kiosk.web.signin import COOKIE

PASSWORD = "correct horse battery"
PINS = {Role.TRAINEE: "2580", Role.INSTRUCTOR: "258036", Role.SUPERVISOR: "147036"}
REMOTE = {"REMOTE_ADDR": "192.0.2.7"}
SignIn = Callable[..., Any]


def of_role(people: People, role: Role) -> Any:
    return next(person for person in people.everybody() if person.role == role)


def show_hand(kiosk: Any) -> None:
    """A settled and revealed hand of box 1."""
    kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    kiosk.lay("box1", "As Ah Ad 7c 4s")
    kiosk.look(1)
    kiosk.act("confirm", {"box": 1}, "page")
    kiosk.act("reveal", {}, "page")
    assert kiosk.snapshot()["boxes"][0]["revealed"]


def leave(client: FlaskClient, person: Any, pin: str, action: str, **more: Any) -> Any:
    body = {"person": person.id, "pin": pin, "action": action}
    return client.post("/api/v1/approve", json=body, **more)


def test_every_problem_of_accounts_can_be_told_in_russian() -> None:
    source = "".join(path.read_text() for path in Path(kiosk.people.__file__).parent.glob("*.py"))
    told = re.findall(r'PeopleError\(\s*"[\w-]+",\s*"([^"]+)"', source)
    assert len(told) > 15
    assert sorted(set(told) - set(PROBLEMS)) == []


def test_an_instructor_adds_and_erases_trainees_only(sign_in: SignIn, people: People) -> None:
    client = sign_in(Role.INSTRUCTOR)
    page = client.get("/people").get_data(as_text=True)
    assert "trainee" in page and "supervisor" not in page
    form = {"name": "Lucky 7", "role": "trainee", "pin": "1470", "csrf": client.token}
    assert client.post("/people", data=form).status_code == 303
    lucky = people.named("lucky 7")
    assert lucky is not None and lucky.role == Role.TRAINEE
    for role in ("instructor", "supervisor", "admin"):
        again = form | {"name": "Eve", "role": role, "pin": "258036", "password": PASSWORD}
        assert client.post("/people", data=again).status_code == 403
    assert client.post("/people", data=form | {"role": "god"}).status_code == 400
    token = {"csrf": client.token}
    assert client.post(f"/people/{lucky.id}/erase", data=token).status_code == 303
    assert people.name_of(lucky.id) is None
    admin = of_role(people, Role.ADMIN)
    for deed in ("erase", "pin", "password", "role", "name", "unlock", "sign-out"):
        more = {"pin": "369014", "password": PASSWORD + "!", "role": "trainee", "name": "Eve"}
        answer = client.post(f"/people/{admin.id}/{deed}", data=token | more)
        assert answer.status_code == 403, deed
    assert client.post(f"/people/{admin.id}/nothing", data=token).status_code == 404
    assert client.post("/people/p-000000000000/erase", data=token).status_code == 404


def test_a_mistake_is_said_in_the_visitor_s_language(sign_in: SignIn) -> None:
    client = sign_in(Role.ADMIN)
    form = {"name": "Tim", "role": "trainee", "pin": "1111", "csrf": client.token}
    page = client.post("/people?lang=ru", data=form).get_data(as_text=True)
    assert "PIN слишком лёгкий" in page
    page = client.post("/people?lang=en", data=form | {"pin": "12"}).get_data(as_text=True)
    assert "The PIN of this role must have 4 to 12 digits." in page


def test_the_log_names_roles_in_the_language_of_the_page(sign_in: SignIn, people: People) -> None:
    person = people.add("Ирина", Role.TRAINEE, pin="4471")
    people.set_pin(person.id, "447193")
    people.set_role(person.id, Role.INSTRUCTOR)
    page = sign_in(Role.ADMIN).get("/people?lang=ru").get_data(as_text=True)
    details = re.findall(r"<td>([^<]*)</td></tr>", page)
    assert "Стажёр → Инструктор" in details and "Супервайзер" in details
    assert not re.search("[a-z]", " ".join(details)), details


def test_names_of_people_cannot_be_page_code(sign_in: SignIn, people: People) -> None:
    name = "<script>alert(1)</script>\"'><b>"
    people.add(name, Role.TRAINEE, pin="1470")
    page = sign_in(Role.ADMIN).get("/people").get_data(as_text=True)
    assert "<script>alert" not in page and "&lt;script&gt;" in page
    assert name not in sign_in(None).get("/").get_data(as_text=True)


def test_one_s_own_secrets_change_with_the_password_only(sign_in: SignIn, people: People) -> None:
    client = sign_in(Role.SUPERVISOR)
    mine = of_role(people, Role.SUPERVISOR)
    form = {"pin": "369147", "csrf": client.token}
    assert client.post(f"/people/{mine.id}/pin", data=form).status_code == 403
    assert client.post(f"/people/{mine.id}/pin", data=form | {"old": "wrong"}).status_code == 403
    answer = client.post(f"/people/{mine.id}/pin", data=form | {"old": PASSWORD})
    assert answer.status_code == 303
    assert client.get("/audit").status_code == 200, "this browser goes on"
    assert people.check_pin(mine.id, "369147", "192.0.2.9").id == mine.id


def test_who_deals_is_a_pin_and_the_hand_is_theirs(
    stranger: FlaskClient, small_kiosk: Any, people: People
) -> None:
    tim = of_role(people, Role.TRAINEE)
    shown = stranger.get("/api/v1/dealer").get_json()
    assert shown["dealer"] is None and tim.id in [one["id"] for one in shown["people"]]
    wrong = stranger.post("/api/v1/dealer", json={"person": tim.id, "pin": "0852"})
    assert wrong.status_code == 403 and small_kiosk.dealing is None
    answer = stranger.post("/api/v1/dealer", json={"person": tim.id, "pin": "2580"})
    assert answer.get_json()["dealer"]["name"] == "trainee"
    assert small_kiosk.dealing == tim.id
    stranger.token = answer.get_json()["csrf"]  # type: ignore[attr-defined]
    small_kiosk.lay("box1", "As Ah Ad 7c 4s")
    body = {"box": 1, "bets": {"ante": 200}}
    assert stranger.post("/api/v1/round/bets", json=body).status_code == 200
    assert small_kiosk.acts[-1][2] == tim.id
    gone = stranger.post("/api/v1/dealer", json={"person": None})
    assert gone.get_json()["dealer"] is None and small_kiosk.dealing is None
    assert stranger.get_cookie(COOKIE) is None


def test_who_deals_opens_nothing_else(app: Flask, people: People) -> None:
    client: Any = app.test_client()
    olga = of_role(people, Role.SUPERVISOR)
    answer = client.post("/api/v1/dealer", json={"person": olga.id, "pin": "147036"})
    client.token = answer.get_json()["csrf"]
    assert client.get("/api/v1/audit").status_code == 403
    assert client.get("/people").status_code == 303, "asks for the password"
    void = client.post("/api/v1/round/void", json={"reason": "x"})
    assert void.status_code == 403


def test_far_from_the_kiosk_nobody_learns_names_or_chooses(
    stranger: FlaskClient, people: People
) -> None:
    far: dict[str, Any] = {"environ_overrides": REMOTE}
    assert stranger.get("/api/v1/dealer", **far).get_json()["people"] == []
    tim, igor = of_role(people, Role.TRAINEE), of_role(people, Role.INSTRUCTOR)
    body = {"person": tim.id, "pin": "2580"}
    assert stranger.post("/api/v1/dealer", json=body, **far).status_code == 403
    assert leave(stranger, igor, "258036", "void", **far).status_code == 403
    page = stranger.get("/", **far).get_data(as_text=True)
    assert tim.id not in page and '"instructor"' not in page


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("overrule", {"reason": "by hand"}),
        ("void", {"reason": "wrong card"}),
        ("undo", {"reason": "pressed by mistake"}),
        ("bets", {"box": 1, "bets": {"ante": 200}, "reason": "the chips said 200"}),
        ("hold", {"held": False, "reason": "counted again"}),
    ],
)
def test_p4_what_ends_a_dispute_needs_leave_and_an_overrule_a_supervisor_s(
    stranger: FlaskClient, small_kiosk: Any, people: People, action: str, body: dict[str, Any]
) -> None:
    show_hand(small_kiosk)
    if action == "hold":
        assert stranger.post("/api/v1/round/hold", json={"held": True}).status_code == 200
    path = f"/api/v1/round/{action}"
    refused = stranger.post(path, json=body)
    assert refused.status_code == 403
    assert refused.get_json()["error"] == "needs-leave"
    least = Role.SUPERVISOR if action == "overrule" else Role.INSTRUCTOR
    igor, pin = of_role(people, least), PINS[least]
    for role in (Role.TRAINEE, Role.INSTRUCTOR):
        if role < least:
            below = of_role(people, role)
            assert leave(stranger, below, PINS[role], action).status_code == 403
    wrong = "852036"
    assert leave(stranger, igor, wrong, action).status_code == 403
    # Leave for something else is none.
    other = "void" if action != "void" else "undo"
    token = leave(stranger, igor, pin, other).get_json()["approval"]
    assert stranger.post(path, json=body, headers={"X-Approval": token}).status_code == 403
    token = leave(stranger, igor, pin, action).get_json()["approval"]
    done = stranger.post(path, json=body, headers={"X-Approval": token})
    assert done.status_code == 200, done.get_data(as_text=True)
    assert small_kiosk.acts[-1][2] == igor.id, "who allowed it is recorded"
    again = stranger.post("/api/v1/round/void", json={"reason": "x"}, headers={"X-Approval": token})
    assert again.status_code == 403


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("undo", {}),
        ("bets", {"box": 1, "buy": False}),
        ("cards", {"zone": "box1", "was": "4s", "card": "4h"}),
        ("cards", {"zone": "box1", "dealt": ["As", "Ah", "Ad", "7c", "4h"]}),
        ("hold", {"held": False}),
    ],
)
@pytest.mark.parametrize("set_up", [True, False])
def test_late_changes_and_releases_need_a_reason(
    sign_in: SignIn,
    small_kiosk: Any,
    monkeypatch: pytest.MonkeyPatch,
    action: str,
    body: dict[str, Any],
    set_up: bool,
) -> None:
    """Before there is an admin as well: then whoever is at the kiosk may all."""
    if not set_up:
        monkeypatch.setattr("kiosk.web.signin.is_set_up", lambda: False)
    client = sign_in(Role.INSTRUCTOR if set_up else None)
    show_hand(small_kiosk)
    if action == "hold":
        small_kiosk.act("hold", {"held": True}, "t")
    answer = client.post(f"/api/v1/round/{action}", json=body)
    assert answer.status_code == 409 and answer.get_json()["error"] == "reason-needed"
    blank = client.post(f"/api/v1/round/{action}", json=body | {"reason": "   "})
    assert blank.status_code == 409
    done = client.post(f"/api/v1/round/{action}", json=body | {"reason": "misheard"})
    assert done.status_code == 200, done.get_data(as_text=True)


def test_before_the_settlement_is_shown_a_trainee_needs_nobody(
    stranger: FlaskClient, small_kiosk: Any
) -> None:
    small_kiosk.lay("box1", "As Ah Ad 7c 4s")
    for action, body in (
        ("bets", {"box": 1, "bets": {"ante": 200}}),
        ("undo", {}),
        ("confirm", {"box": 1}),
        ("hold", {"held": True}),
    ):
        assert stranger.post(f"/api/v1/round/{action}", json=body).status_code == 200, action
    # The freeze itself is not undone without leave.
    assert stranger.post("/api/v1/round/undo", json={}).status_code == 403


def test_p4_the_page_names_supervisors_where_only_they_may_allow() -> None:
    rights = {right for right in RIGHTS.values() if NEEDS[right] == Role.SUPERVISOR}
    assert rights == OF_SUPERVISORS
