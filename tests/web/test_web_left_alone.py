"""Pages left open keep nobody signed in: what scripts ask by themselves is no use of a session."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import kiosk.web
from kiosk.people import People, Role
from kiosk.people.sessions import KINDS
from kiosk.web.rights import BY_ITSELF

SCRIPTS = Path(kiosk.web.__file__).parent / "static/js"

OF_A_PERSON = {
    "calibrate.page", "deck.page", "calibrate.sheet", "signin.form", "signin.first",
    "calibrate.layout", "calibrate.felt", "drill.standings", "progress.result", "settings.edit",
    "progress.own", "progress.whole_class", "pages.rules",
}  # fmt: skip
"""What scripts ask when a person pressed or chose something, or links that they draw."""

RELOADED = {"main.js": "pages.live", "audit.js": "audit.more.heads"}
"""Scripts that load their own page again, and the page."""

ADDRESS = re.compile(r"""["'`](/[a-z][^"'`]*)["'`]""")
ASKED = re.compile(r"""\bget\(["'`]([^"'`]+)["'`]""")
GAP = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")


def addresses() -> set[str]:
    """Every path that a script may ask without sending anything; gaps are filled with ``1``."""
    found = set()
    for script in SCRIPTS.glob("*.js"):
        text = script.read_text()
        paths = [*ADDRESS.findall(text), *(f"/api/v1/{path}" for path in ASKED.findall(text))]
        found |= {GAP.sub("1", path).partition("?")[0] for path in paths}
    return found - {"/api/v1/1"}


def endpoints(app: Flask) -> set[str]:
    """The views that scripts ask."""
    urls = app.url_map.bind("localhost")
    found = {urls.match(path, method="GET")[0] for path in addresses()}
    return found | set(RELOADED.values())


def test_every_request_of_a_script_is_a_person_s_or_counts_as_no_use(app: Flask) -> None:
    asked = endpoints(app)
    assert {"events.feed", "stream.live", "audit.more.tables", "deck.state"} < asked
    assert asked - BY_ITSELF - OF_A_PERSON == set(), (
        "name these in BY_ITSELF (kiosk/web/rights.py) if a script asks them by itself, else here"
    )
    assert not BY_ITSELF & OF_A_PERSON
    assert set(app.view_functions) >= BY_ITSELF
    reloading = {p.name for p in SCRIPTS.glob("*.js") if "location.reload(" in p.read_text()}
    assert reloading == set(RELOADED)


@pytest.mark.parametrize("endpoint", sorted(BY_ITSELF))
@pytest.mark.parametrize("via", ["password", "pin"])
def test_what_is_asked_by_itself_keeps_no_session_alive(
    app: Flask, people: People, sign_in: Callable[..., Any], endpoint: str, via: str
) -> None:
    now = [people._clock()]
    people._clock = lambda: now[0]  # type: ignore[method-assign]
    client = sign_in(Role.SUPERVISOR, via=via)
    rule = next(rule for rule in app.url_map.iter_rules() if rule.endpoint == endpoint)
    path = re.sub(r"<[^>]*>", "1", rule.rule)
    now[0] += KINDS[via].idle - 60
    client.get(path, buffered=False).close()
    now[0] += 120
    assert client.get("/api/v1/audit").status_code == 401, "the session is over"


def test_use_by_a_person_keeps_the_session_alive(
    people: People, sign_in: Callable[..., Any]
) -> None:
    now = [people._clock()]
    people._clock = lambda: now[0]  # type: ignore[method-assign]
    client = sign_in(Role.SUPERVISOR)
    for _ in range(3):
        now[0] += KINDS["password"].idle - 60
        assert client.get("/audit").status_code == 200


def test_pages_left_open_ask_nothing_that_counts(
    visitor: Any, served: Any, small_kiosk: Any, waiting: Callable[..., Any]
) -> None:
    """In a real browser: every page with a script of its own, untouched for a while."""
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.recorded.check()
    urls = served.app.url_map.bind("localhost")
    asked: set[tuple[str, str]] = set()

    def found() -> set[str]:
        """The views asked so far."""
        paths = [(method, url.removeprefix(served.url).partition("?")[0]) for method, url in asked]
        return {urls.match(f"/{path}", method=method)[0] for method, path in paths}

    def until(*views: str) -> None:
        """Waits until these were asked. While Playwright waits it takes in what pages ask."""
        waiting(lambda: first.wait_for_timeout(200) or found().issuperset(views), what=str(views))

    first = visitor.open("settings", role=Role.ADMIN)
    scripted = "/ calibrate calibrate/deck audit/tables audit/heads drill people".split()
    for path in scripted:
        page = first.context.new_page()
        page.on("request", lambda request: asked.add((request.method, request.url)))
        page.goto(served.url + path.lstrip("/"), wait_until="load")
    # What a page needs to begin is no use of it.
    until("calibrate.layout", "drill.standings", "events.feed")
    first.wait_for_timeout(1000)
    asked.clear()
    # The table and who deals change meanwhile: the live page asks what it then needs.
    small_kiosk.lay("dealer", "Ks")
    small_kiosk.deals(None)
    until("calibrate.picture", "calibrate.checks", "deck.state", "audit.more.tables")
    until("dealer.dealing")
    first.wait_for_timeout(3000)
    assert found() - BY_ITSELF == set()
