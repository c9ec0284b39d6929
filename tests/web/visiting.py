"""A kiosk served on a port of this machine, and visitors who open its pages in a real browser."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect
from web_people import person_of

from kiosk.bench.ports import free_port
from kiosk.people import Role
from kiosk.web import WebServer, WebSettings, create_app
from kiosk.web.signin import COOKIE

PATIENCE = 60.0
"""Seconds that a busy machine may take for anything; a test that passes never uses them up."""

OPEN_PAGES = ("", "/", "rules", "drill", "signin", "setup")
"""Pages that the browser tests open with nobody signed in."""

CHROMIUM = Path("/usr/bin/chromium")
SHOTS = Path(os.environ.get("KIOSK_TEST_OUTPUT") or Path(__file__).parents[2] / "test-output")
"""Where pictures of the pages go, for people to look at and for a CI to keep."""


HEARD = """window.EventSource = class extends EventSource {
  constructor(...where) {
    super(...where);
    this.addEventListener("beat", () => { document.documentElement.dataset.heard = ""; });
  }
};"""
"""Notes in the live page that all it is told at first has come: a beat ends it."""


class Served:
    """A kiosk served on a free port of this machine; it can be stopped and started again."""

    def __init__(self, kiosk: Any, settings: WebSettings) -> None:
        self.kiosk, self.settings = kiosk, settings
        # While it is stopped no connection may take its port away.
        self.port = free_port()
        self.start()

    def start(self) -> None:
        self.app = create_app(self.kiosk, self.settings)
        self.server = WebServer(self.app, "127.0.0.1", self.port)
        self.url = self.server.url
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()

    @property
    def streams(self) -> int:
        """Long connections open now."""
        return int(self.app.extensions["kiosk_slots"].used)

    def stop(self) -> None:
        self.server.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server did not end"


def wait_for(check: Callable[[], Any], seconds: float = PATIENCE, what: str = "") -> Any:
    """The first true value of ``check``, or a failed test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(what or "what was waited for did not come")


def key(page: Page, name: str) -> None:
    """Presses a key of the live table, once no sheet is left open that would take it."""
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press(name)


class Visitor:
    """Opens the live page; afterwards no script may have failed and nothing been asked outside."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self.browser, self.served = browser, served
        self.faults: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.asked: list[str] = []
        self._contexts: list[Any] = []

    def open(
        self,
        path: str = "",
        width: int = 1920,
        height: int = 1080,
        language: str = "en",
        role: Role | None = None,
        **more: Any,
    ) -> Page:
        """A page in a new browser profile. Pages that need a role are opened as the admin,
        unless ``role`` says otherwise."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale=language, **more
        )
        self._contexts.append(context)
        if role is None and path.split("?")[0] not in OPEN_PAGES:
            role = Role.ADMIN
        if role is not None:
            people = self.served.kiosk.people
            token = people.sign_in(person_of(people, role), "password")
            context.add_cookies([{"name": COOKIE, "value": token, "url": self.served.url}])
        context.add_init_script(HEARD)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: self.faults.append(m.text) if m.type == "error" else None)
        page.on("request", lambda request: self._note(request.url))
        page.goto(self.served.url + path, wait_until="domcontentloaded")
        if not path:
            page.wait_for_selector(".box")
            # The page is live once the first events have come.
            page.wait_for_selector("html[data-heard]", state="attached")
        return page

    def _note(self, url: str) -> None:
        # The browser fetches a page's icon when it likes.
        if not url.endswith("/static/icon.svg"):
            self.asked.append(url)

    def shot(self, page: Page, name: str, whole: bool = False) -> None:
        """A picture of the page for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def box(page: Page, number: int) -> Any:
    """A box of the table's page."""
    return page.locator(f'.box[data-box="{number}"]')
