"""What the web tests share: a small kiosk, people signed in at it, a browser before it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, expect, sync_playwright

from kiosk.people import People, Role, open_people
from kiosk.web import WebSettings, create_app

sys.path.insert(0, str(Path(__file__).parent))
"""So that the tests find what stands beside them."""

from kept_hands import keep_hand  # noqa: E402
from small_kiosk import Json, SmallKiosk  # noqa: E402
from visiting import CHROMIUM, PATIENCE, Served, Visitor, wait_for  # noqa: E402
from web_people import SignedIn, signed_in, some_people  # noqa: E402


@pytest.fixture(scope="session")
def people_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with one person of each role, made once: hashing is slow by design."""
    folder = tmp_path_factory.mktemp("people")
    some_people(folder).close()
    return folder / "people.db"


@pytest.fixture
def people(people_file: Path, tmp_path: Path) -> Iterator[People]:
    """One person of each role."""
    shutil.copy(people_file, tmp_path)
    found = open_people(tmp_path)
    yield found
    found.close()


@pytest.fixture
def small_kiosk(people: People) -> Iterator[SmallKiosk]:
    kiosk = SmallKiosk(people=people)
    yield kiosk
    kiosk.end()


@pytest.fixture
def kiosk_of(people: People) -> Iterator[Callable[..., SmallKiosk]]:
    """``kiosk_of(house="texas-a")``: a small kiosk made as asked."""
    made: list[SmallKiosk] = []

    def make(**more: Any) -> SmallKiosk:
        made.append(SmallKiosk(people=people, **more))
        return made[-1]

    yield make
    for kiosk in made:
        kiosk.end()


@pytest.fixture
def client_of() -> Callable[..., SignedIn]:
    """``client_of(kiosk, Role.TRAINEE)``: a client signed in at that kiosk's pages."""
    settings = WebSettings(version="t1")
    return lambda kiosk, role: signed_in(create_app(kiosk, settings), role)


@pytest.fixture
def app(small_kiosk: SmallKiosk) -> Flask:
    return create_app(small_kiosk, WebSettings(version="t1"))


@pytest.fixture
def client(app: Flask) -> SignedIn:
    """A client signed in as the admin, who may all."""
    return signed_in(app, Role.ADMIN)


@pytest.fixture
def stranger(app: Flask) -> SignedIn:
    """A client that nobody is signed in at."""
    return signed_in(app, None)


@pytest.fixture
def sign_in(app: Flask) -> Callable[..., SignedIn]:
    """``sign_in(Role.TRAINEE)``: a client with a session of that role."""
    return lambda role, via="password": signed_in(app, role, via)


@pytest.fixture
def served(small_kiosk: SmallKiosk) -> Iterator[Served]:
    serving = Served(small_kiosk, WebSettings(version="t1", beat_s=0.3, long_connections=16))
    yield serving
    serving.stop()


@pytest.fixture
def waiting() -> Callable[..., Any]:
    return wait_for


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Headless Chromium. Without one the browser tests are skipped, on CI they fail."""
    if not CHROMIUM.exists() and os.environ.get("CI") != "true":
        pytest.skip(f"no browser: install Chromium at {CHROMIUM}")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        )
        expect.set_options(timeout=PATIENCE * 1000)
        yield started
        started.close()


@pytest.fixture
def visitor(browser: Browser, served: Served) -> Iterator[Visitor]:
    found = Visitor(browser, served)
    yield found
    found.close()
    # A refused or failed request is a line in the browser's own log as well.
    faults = [f for f in found.faults if not any(known in f for known in found.expected)]
    assert faults == []
    outside = [url for url in found.asked if not url.startswith((served.url, "data:"))]
    assert outside == []


@pytest.fixture
def keep(small_kiosk: SmallKiosk) -> Callable[..., Json]:
    """``keep("r-000007")``: records a hand of that id."""
    return lambda round_id, **more: keep_hand(small_kiosk, round_id, **more)


@pytest.fixture
def dealt(small_kiosk: Any) -> Any:
    """A dealer's pair of kings; box 1: sevens with ace-king; box 2: queens and fours."""
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.lay("box2", "Qh Qc 4d 4h 9c")
    return small_kiosk
