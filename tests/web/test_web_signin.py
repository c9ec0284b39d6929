"""Signing in, and attacks on it: nothing opens without a role, and nothing stays open."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kiosk.people import People, PeopleError, Role, open_people
from kiosk.people.roles import NEEDS
from kiosk.web import WebServer, WebSettings, create_app
from kiosk.web.rights import is_listed, right_for
from kiosk.web.signin import COOKIE, FORM_COOKIE, HEADER, safe_next

PASSWORD = "correct horse battery"
SUPERVISOR_PIN = "147036"
SignIn = Callable[..., Any]

REMOTE = {"REMOTE_ADDR": "192.0.2.7"}


def token_of(client: FlaskClient, path: str = "/signin", **more: Any) -> str:
    """The token in the form of a page."""
    page = client.get(path, **more).get_data(as_text=True)
    return page.partition('name="csrf" value="')[2].partition('"')[0]


def enter(client: FlaskClient, name: str, password: str, **more: Any) -> Any:
    """Signs in with a password through the form."""
    form = {"name": name, "password": password, "csrf": token_of(client, **more)}
    return client.post("/signin", data=form | more.pop("form", {}), **more)


def test_every_route_stands_in_the_table_of_rights(app: Flask) -> None:
    rules = [rule.rule for rule in app.url_map.iter_rules()]
    assert [rule for rule in rules if not is_listed(rule)] == []
    assert all(right_for(rule) in {"", *NEEDS} for rule in rules)


def test_nothing_but_the_table_and_the_drills_is_open_to_strangers(
    app: Flask, stranger: FlaskClient
) -> None:
    open_to_all = ("/static", "/signin", "/signout", "/setup", "/healthz", "/metrics")
    table = ("/", "/events", "/stream.mjpg", "/frame.jpg", "/doubt", "/rules")
    drills = ("/drill", "/api/v1/drill")
    api = ("table", "round", "panel", "settle", "read", "misread", "openapi.json", "dealer")
    known = (*open_to_all, *table, *drills, *(f"/api/v1/{name}" for name in (*api, "approve")))
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<[^>]*>", "1", rule.rule)
        names = [name for name in known if name != "/"]
        below = any(path == name or path.startswith((name + "/", name + ".")) for name in names)
        if path == "/" or (below and "/class" not in path):
            continue
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            answer = stranger.open(path, method=method)
            assert answer.status_code in (303, 401), (method, path)
            if answer.status_code == 303:
                assert answer.location.startswith("/signin?next="), path


@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("/audit", Role.SUPERVISOR),
        ("/api/v1/audit", Role.SUPERVISOR),
        ("/calibrate", Role.INSTRUCTOR),
        ("/settings", Role.INSTRUCTOR),
        ("/people", Role.INSTRUCTOR),
        ("/settings/edit", Role.ADMIN),
    ],
)
def test_each_page_needs_its_role(sign_in: SignIn, path: str, least: Role) -> None:
    for role in Role:
        code = sign_in(role).get(path).status_code
        assert (code == 200) == (role >= least), (path, role, code)
        assert role >= least or code == 403


@pytest.mark.parametrize("path", ["/audit", "/api/v1/audit"])
@pytest.mark.parametrize(
    "trick", ["//{0}", "/.{0}", "{0}/", "{0}%2f", "/x/..{0}", "{0};a=b", "{0}%00", "{0}?x=/static"]
)
def test_no_spelling_of_a_path_goes_around_its_right(
    stranger: FlaskClient, path: str, trick: str
) -> None:
    answer = stranger.get(trick.format(path))
    assert answer.status_code in (303, 308, 401, 404)
    if answer.status_code == 308:
        assert stranger.get(answer.location).status_code in (303, 401, 404)


@pytest.mark.parametrize(
    "header",
    [
        {"X-Original-URL": "/static/base.css"},
        {"X-Rewrite-URL": "/"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Prefix": "/drill"},
        {"X-HTTP-Method-Override": "GET"},
        {"Authorization": "Basic YWRtaW46YWRtaW4="},
        {"Cookie": f"{COOKIE}=; {COOKIE}=admin"},
        {"Cookie": f"{COOKIE}=" + "A" * 4000},
        {"Cookie": f"{COOKIE}=' OR 1=1 --"},
    ],
)
def test_no_header_opens_the_record(stranger: FlaskClient, header: dict[str, str]) -> None:
    answer = stranger.get("/api/v1/audit", headers=header, environ_overrides=REMOTE)
    assert answer.status_code == 401


def test_signing_in_and_out(stranger: FlaskClient, people: People) -> None:
    answer = enter(stranger, " Supervisor ", PASSWORD, query_string={"next": "/audit?a=1"})
    assert answer.status_code == 303 and answer.location == "/"
    set_cookie = next(c for c in answer.headers.getlist("Set-Cookie") if c.startswith(COOKIE))
    assert "HttpOnly" in set_cookie and "SameSite=Strict" in set_cookie
    assert "Secure" not in set_cookie
    assert stranger.get("/audit").status_code == 200
    token = stranger.get_cookie(COOKIE).value
    # The same cookie, kept by somebody, is worth nothing after signing out.
    left = stranger.post("/signout", data={"csrf": token_of(stranger, "/audit")})
    assert left.status_code == 303
    stranger.set_cookie(COOKIE, token)
    assert stranger.get("/api/v1/audit").status_code == 401


def test_behind_https_cookies_go_on_no_other_way(small_kiosk: Any) -> None:
    client = create_app(small_kiosk, WebSettings(https=True)).test_client()
    answer = client.get("/signin", base_url="https://localhost")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_a_planted_session_is_not_taken_over(stranger: FlaskClient, people: People) -> None:
    stranger.set_cookie(COOKIE, "planted-by-an-attacker")
    enter(stranger, "supervisor", PASSWORD)
    assert stranger.get_cookie(COOKIE).value != "planted-by-an-attacker"
    assert people.session("planted-by-an-attacker") is None


def test_signing_in_again_ends_the_session_before(stranger: FlaskClient, people: People) -> None:
    enter(stranger, "instructor", PASSWORD)
    before = stranger.get_cookie(COOKIE).value
    enter(stranger, "supervisor", PASSWORD)
    assert people.session(before) is None


def test_w9_a_form_without_its_token_does_nothing(stranger: FlaskClient, sign_in: SignIn) -> None:
    wrong = {"name": "admin", "password": PASSWORD}
    assert stranger.post("/signin", data=wrong).status_code == 403
    assert stranger.post("/signin", data=wrong | {"csrf": "x"}).status_code == 403
    token = token_of(stranger)
    other: FlaskClient = stranger.application.test_client()
    assert other.post("/signin", data=wrong | {"csrf": token}).status_code == 403
    admin = sign_in(Role.ADMIN)
    mine, admin.token = admin.token, ""
    for path, more in (
        ("/people", {"data": {"name": "Eve", "role": "admin", "pin": "258036"}}),
        ("/api/v1/round/hold", {"json": {"held": True}}),
        ("/api/v1/dealer", {"json": {"person": None}}),
        ("/settings/back", {"data": {}}),
        ("/signout", {"data": {}}),
    ):
        for headers in ({}, {HEADER: ""}, {HEADER: token}, {HEADER: mine + "x"}, {HEADER: "ё"}):
            sent = {name: text.encode().decode("latin-1") for name, text in headers.items()}
            answer = admin.post(path, headers=sent, **more)
            assert answer.status_code == 403, (path, headers)
    assert (
        admin.post("/api/v1/round/hold", json={"held": True}, headers={HEADER: mine}).status_code
        == 200
    )


def test_a_page_of_another_origin_does_nothing(sign_in: SignIn) -> None:
    admin = sign_in(Role.ADMIN)
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert (
            admin.post("/api/v1/round/hold", json={"held": True}, headers=headers).status_code
            == 403
        )


def test_guessing_is_locked_longer_and_longer_for_name_and_address(
    app: Flask, stranger: FlaskClient, people: People
) -> None:
    far: Any = {"environ_overrides": REMOTE}
    codes = [enter(stranger, "admin", f"wrong {n} guess", **far).status_code for n in range(7)]
    assert codes == [403] * 5 + [429] * 2
    # The right password waits as well, from elsewhere too: the name is locked.
    assert enter(stranger, "admin", PASSWORD, **far).status_code == 429
    other = app.test_client()
    assert enter(other, "admin", PASSWORD).status_code == 429
    # Another name from the locked address waits, from elsewhere it does not.
    assert enter(stranger, "supervisor", PASSWORD, **far).status_code == 429
    assert enter(other, "supervisor", PASSWORD).status_code == 303


@pytest.mark.parametrize("here", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.50"])
def test_wrong_tries_at_the_kiosk_keep_nobody_else_out(
    small_kiosk: Any, people: People, here: str
) -> None:
    """A trainee's wrong PINs and passwords at the kiosk, or at a further screen of it."""
    app = create_app(small_kiosk, WebSettings(kiosk_addresses=("192.0.2.50",)))
    client, near = app.test_client(), {"REMOTE_ADDR": here}
    tim, supervisor = people.named("trainee"), people.named("supervisor")
    assert tim is not None and supervisor is not None

    def post(path: str, body: dict[str, Any]) -> int:
        return int(client.post(path, json=body, environ_overrides=near).status_code)

    wrong = {"person": tim.id, "pin": "0852"}
    assert [post("/api/v1/dealer", wrong) for _ in range(6)] == [403] * 5 + [429]
    assert enter(client, "admin", "wrong guess", environ_overrides=near).status_code == 403
    leave = {"person": supervisor.id, "pin": SUPERVISOR_PIN, "action": "overrule"}
    assert post("/api/v1/approve", leave) == 200
    assert post("/api/v1/dealer", wrong | {"pin": "2580"}) == 429
    assert post("/api/v1/dealer", {"person": supervisor.id, "pin": SUPERVISOR_PIN}) == 200


def test_addresses_of_both_kinds_are_counted_apart(app: Flask) -> None:
    """An IPv4 visitor of a socket for both kinds counts as that visitor, not as one of all."""
    for n in range(6):
        enter(
            app.test_client(),
            f"nobody {n}",
            "wrong guess",
            environ_overrides={"REMOTE_ADDR": "::ffff:192.0.2.7"},
        )
    for address, code in (
        ("192.0.2.7", 429),
        ("::ffff:192.0.2.7", 429),
        ("::ffff:192.0.2.8", 303),
    ):
        other = {"REMOTE_ADDR": address}
        answer = enter(app.test_client(), "supervisor", PASSWORD, environ_overrides=other)
        assert answer.status_code == code, address


def test_names_that_nobody_has_look_like_others(app: Flask) -> None:
    client = app.test_client()
    known = enter(client, "trainee", "not this one", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    nobody = enter(client, "nobody", "not this one", environ_overrides={"REMOTE_ADDR": "192.0.2.2"})
    assert known.status_code == nobody.status_code == 403
    text, other = known.get_data(as_text=True), nobody.get_data(as_text=True)
    assert "Name or password is wrong." in text
    assert text.partition("<main")[2].partition("<form")[0] in other


def test_a_pin_counts_at_the_kiosk_only_and_opens_no_accounts(
    stranger: FlaskClient, people: People
) -> None:
    admin = people.named("admin")
    assert admin is not None
    form = {"person": admin.id, "pin": "369014"}
    far = form | {"csrf": token_of(stranger, environ_overrides=REMOTE)}
    assert stranger.post("/signin", data=far, environ_overrides=REMOTE).status_code == 403
    page = stranger.get("/signin", environ_overrides=REMOTE).get_data(as_text=True)
    assert admin.id not in page and "supervisor" not in page.lower()
    near = stranger.post("/signin", data=form | {"csrf": token_of(stranger)})
    assert near.status_code == 303
    assert stranger.get("/audit").status_code == 200
    # Accounts and settings ask for the password.
    for path in ("/people", "/settings", "/settings/edit", "/settings/rulecard"):
        answer = stranger.get(path)
        assert answer.status_code == 303 and answer.location.startswith("/signin?next="), path
    page = stranger.get("/signin?next=/people").get_data(as_text=True)
    assert "For what you asked, sign in with a password" in page


@pytest.mark.parametrize("role", list(Role))
def test_a_pin_changes_no_account_and_no_setting(
    sign_in: SignIn, people: People, role: Role
) -> None:
    client = sign_in(role, via="pin")
    victim = people.named("trainee")
    assert victim is not None
    new = {"name": "Eve", "role": "trainee", "pin": "1470", "password": PASSWORD + "!", "old": ""}
    form = new | {"csrf": client.token}
    deeds = ("pin", "password", "name", "role", "erase", "unlock", "sign-out")
    paths = ["/people", "/settings/edit", "/settings/back", "/settings/versions/1"]
    for path in (*paths, *(f"/people/{victim.id}/{deed}" for deed in deeds)):
        answer = client.post(path, data=form)
        assert answer.status_code == 403, path
        if role >= Role.INSTRUCTOR and path.startswith("/people"):
            assert "with your password" in answer.get_json()["message"], path
    assert people.named("Eve") is None and people.named("trainee") == victim
    # The accounts themselves refuse it as well.
    session = people.session(client.get_cookie(COOKIE).value)
    with pytest.raises(PeopleError, match="with your password"):
        people.add("Eve", Role.TRAINEE, pin="1470", actor=session)
    with pytest.raises(PeopleError, match="with your password"):
        people.set_password(victim.id, PASSWORD + "!", actor=session)


@pytest.mark.parametrize(
    "wish",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil", "javascript:alert(1)",
     "/\t/evil.example", " //evil", "", None, "/" + "a" * 600],
)  # fmt: skip
def test_after_signing_in_one_stays_on_this_server(wish: str | None) -> None:
    assert safe_next(wish) == "/"


def test_after_signing_in_one_is_where_one_wanted_to_be(stranger: FlaskClient) -> None:
    asked = stranger.get("/audit?seat=2")
    assert asked.location == "/signin?next=%2Faudit%3Fseat%3D2"
    page = stranger.get(asked.location).get_data(as_text=True)
    assert 'name="next" value="/audit?seat=2"' in page


def test_first_start_makes_the_admin_with_the_code_of_the_terminal(
    small_kiosk: Any, tmp_path: Any
) -> None:
    people = small_kiosk.people = open_people(tmp_path / "fresh")
    client = create_app(small_kiosk, WebSettings()).test_client()
    assert client.get("/audit").location == "/setup"
    assert client.get("/signin").location == "/setup"
    page = client.get("/").get_data(as_text=True)
    assert '"set_up": false' in page
    form = {"name": "Vera", "password": PASSWORD, "again": PASSWORD}
    wrong = form | {"code": "AAAA-BBBB-CCCC", "csrf": token_of(client, "/setup")}
    assert client.post("/setup", data=wrong).status_code == 403
    assert not people.has_admin()
    right = form | {"code": people.setup.text.lower(), "csrf": token_of(client, "/setup")}
    short = right | {"password": "short", "again": "short"}
    assert client.post("/setup", data=short).status_code == 400
    assert client.post("/setup", data=right | {"again": "other"}).status_code == 400
    answer = client.post("/setup", data=right)
    assert answer.status_code == 303 and answer.location == "/people"
    assert client.get("/people").status_code == 200
    # The code is good once, and the page is gone.
    other = client.application.test_client()
    assert other.get("/setup").location == "/signin"
    again = right | {"name": "Eve", "csrf": token_of(other)}
    assert other.post("/setup", data=again).location == "/signin"
    assert people.named("Eve") is None


def test_the_setup_code_cannot_be_guessed(small_kiosk: Any, tmp_path: Any) -> None:
    small_kiosk.people = open_people(tmp_path / "fresh")
    client = create_app(small_kiosk, WebSettings()).test_client()
    form = {"name": "Eve", "password": PASSWORD, "again": PASSWORD, "code": "AAAA-BBBB-CCCC"}
    codes = [
        client.post(
            "/setup",
            data=form | {"csrf": token_of(client, "/setup")},
            environ_overrides=REMOTE,
        ).status_code
        for _ in range(7)
    ]
    assert codes == [403] * 5 + [429] * 2


def test_before_there_is_an_admin_the_table_works_at_the_kiosk_only(
    small_kiosk: Any, tmp_path: Any
) -> None:
    small_kiosk.people = open_people(tmp_path / "fresh")
    client = create_app(small_kiosk, WebSettings()).test_client()
    small_kiosk.lay("box1", "As Ks Qs Js Ts")
    body = {"reason": "trial"}
    far = client.post("/api/v1/round/void", json=body, environ_overrides=REMOTE)
    assert far.status_code == 403
    assert client.post("/api/v1/round/void", json=body).status_code == 200


def test_accounts_that_cannot_be_read_open_nothing(
    small_kiosk: Any, tmp_path: Any, sign_in: SignIn
) -> None:
    client = sign_in(Role.ADMIN)
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "people.db").write_bytes(b"this is no database at all" * 100)
    small_kiosk.people = open_people(folder)
    assert client.get("/").status_code == 200
    assert client.get("/api/v1/round").status_code == 200
    assert client.get("/audit").status_code == 303
    assert client.get("/api/v1/audit").status_code == 401
    answer = client.post("/api/v1/round/void", json={"reason": "x"})
    assert answer.status_code == 403
    other: FlaskClient = client.application.test_client()
    assert enter(other, "admin", PASSWORD).status_code == 503


def test_the_session_cookie_alone_tells_nothing(stranger: FlaskClient, people: People) -> None:
    enter(stranger, "admin", PASSWORD)
    token = stranger.get_cookie(COOKIE).value
    file = people._database.path
    kept = file.read_bytes() + file.with_name(file.name + "-wal").read_bytes()
    assert token.encode() not in kept and PASSWORD.encode() not in kept
    assert stranger.get_cookie(FORM_COOKIE) is None
    assert stranger.get("/people").headers["Cache-Control"] == "no-store"


def test_only_the_kiosk_itself_reads_photographs_without_a_role(
    stranger: FlaskClient, sign_in: SignIn, small_kiosk: Any
) -> None:
    def post(client: FlaskClient, **more: Any) -> int:
        picture = small_kiosk.jpeg
        answer = client.post("/api/v1/read", data=picture, content_type="image/jpeg", **more)
        return answer.status_code

    assert post(stranger) == 200
    assert post(stranger, environ_overrides=REMOTE) == 401
    body = {"card": "As", "was": "Ks"}
    far = stranger.post("/api/v1/misread", json=body, environ_overrides=REMOTE)
    assert far.status_code == 401
    assert post(sign_in(Role.TRAINEE), environ_overrides=REMOTE) == 200


def test_the_language_of_a_page_changes_and_nothing_else(stranger: FlaskClient) -> None:
    page = stranger.get("/signin?next=/audit").get_data(as_text=True)
    assert 'href="?next=%2Faudit&amp;lang=ru"' in page


def test_a_dealer_who_signs_out_deals_no_more(
    stranger: Any, small_kiosk: Any, people: People
) -> None:
    tim = people.named("trainee")
    assert tim is not None
    answer = stranger.post("/api/v1/dealer", json={"person": tim.id, "pin": "2580"})
    stranger.token = answer.get_json()["csrf"]
    assert small_kiosk.dealing == tim.id
    stranger.post("/signout", data={})
    assert small_kiosk.dealing is None


def test_behind_a_proxy_the_visitor_s_address_counts(small_kiosk: Any) -> None:
    """Over a real socket: the proxy on this machine says who is behind it, nobody else can."""
    for https, header, here in (
        (True, "192.0.2.7", False),
        (True, "127.0.0.1, 192.0.2.7", False),
        (True, None, True),
        (False, "192.0.2.7", True),
    ):
        server = WebServer(create_app(small_kiosk, WebSettings(https=https)), "127.0.0.1", 0)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            request = urllib.request.Request(f"{server.url}api/v1/dealer")
            if header is not None:
                request.add_header("X-Forwarded-For", header)
            with urllib.request.urlopen(request, timeout=60) as answer:
                assert json.load(answer)["here"] is here, (https, header)
                assert ("Strict-Transport-Security" in answer.headers) is https
        finally:
            server.close()
            thread.join(60)
