"""A small kiosk in memory for the web tests: one owner of the round, real queues, real pictures."""

from __future__ import annotations

import copy
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, sync_playwright

import models
from calibration.layout import Layout
from firmware_bridge.protocol import BUTTONS
from kiosk.bus import Bus, Subscription
from kiosk.cards import Card
from kiosk.config import Settings
from kiosk.deck_desk import DeckDesk
from kiosk.errors import ActionError, UserError
from kiosk.hands import RecordedHands
from kiosk.misreads import Misreads
from kiosk.own_layouts import OwnLayouts
from kiosk.owner import check_right
from kiosk.people import People, Person, Role, open_people
from kiosk.record.pictures import Picture
from kiosk.record.writer import start_writer
from kiosk.rulebook import Rulebook
from kiosk.rules import load_house_file, settle_case
from kiosk.setup_camera import SetupCamera
from kiosk.setup_desk import SetupDesk
from kiosk.sightings import Doubt, FrameReading, ReadCard, TableView, ZoneView
from kiosk.table.bodies import event_from
from kiosk.table.events import ViewSeen
from kiosk.table.round import apply, new_round, snapshot
from kiosk.table.snapshot import doubt_data
from kiosk.table.state import RoundSettings
from kiosk.teaching import open_drills
from kiosk.vision.decks import DeckStore
from kiosk.vision.merge import Thresholds
from kiosk.vision.namer import Namer, Temperatures
from kiosk.vision.sources.capture import CameraState
from kiosk.vision.sources.grammar import Kind, Source
from kiosk.vision.sources.watch import Health
from kiosk.web import WebServer, WebSettings, create_app
from kiosk.web.signin import COOKIE, HEADER

Json = dict[str, Any]

sys.path.insert(0, str(Path(__file__).parent))
"""So that the tests find what stands beside them: hands of each game."""


def picture(text: str, width: int = 1280, height: int = 720) -> bytes:
    """A felt-coloured JPEG with a text."""
    canvas = np.full((height, width, 3), (60, 90, 30), np.uint8)
    cv2.putText(canvas, text, (40, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 2, (240, 240, 240), 3)
    done, data = cv2.imencode(".jpg", canvas)
    assert done
    return bytes(data)


PASSWORD = "correct horse battery"
PINS = {
    Role.TRAINEE: "2580",
    Role.INSTRUCTOR: "258036",
    Role.SUPERVISOR: "147036",
    Role.ADMIN: "369014",
}


def some_people(folder: Path) -> People:
    """One person of each role, named as the role: with that PIN and, above trainees, PASSWORD."""
    people = open_people(folder)
    for role, pin in PINS.items():
        people.add(role.word, role, password=PASSWORD if role > Role.TRAINEE else None, pin=pin)
    return people


RULES_MODE: dict[str, Any] = {"demo": "demo", "training": "training"}


class DeckSight:
    """What a deck that is shown is looked at with: pictures and readings that a test lays here."""

    model_failure: str | None = None

    def __init__(self) -> None:
        self.now: tuple[Any, FrameReading, Thresholds] | None = None

    def read_now(self) -> tuple[Any, FrameReading, Thresholds] | None:
        return self.now

    def namer_to_fit(self) -> tuple[Namer, float]:
        settings = models.settings()
        temperatures = Temperatures.from_settings(settings["temperatures"])
        return Namer(models.namer_path(), temperatures, 1), settings["thresholds"]["name"]


class SmallKiosk:
    """What the web needs of a kiosk, in memory, around the real round state machine.

    Tests lay cards and let time pass; nothing happens by itself.
    """

    def __init__(
        self,
        mode: str = "training",
        people: People | None = None,
        house: str = "russian-a",
        boxes: tuple[int, ...] = (1, 2, 3, 4),
    ) -> None:
        self.dealing: str | None = None
        self.rulebook = Rulebook(
            Settings(mode=RULES_MODE[mode]), frozenset(), Path(tempfile.mkdtemp())
        )
        self.misreads = Misreads(Path(tempfile.mkdtemp()))
        self.deck_sight = DeckSight()
        self.decks = DeckDesk(
            self.deck_sight,  # type: ignore[arg-type]
            DeckStore(Path(tempfile.mkdtemp()), models.namer_hash()),
            0.5,
            lambda deck: None,
        )
        self.people = people or open_people(Path(tempfile.mkdtemp(prefix="kiosk-")))
        settings = RoundSettings(
            house=house, boxes=boxes, mode="demo" if mode == "demo" else "training"
        )
        self.state = new_round(settings, "r-000001")
        self.now = 0.0
        self.lying: dict[str, list[str]] = {zone: [] for zone in settings.zones}
        self.doubtful: dict[str, list[Doubt]] = {zone: [] for zone in settings.zones}
        self.trouble: str | None = None
        self.acts: list[tuple[str, Json, str]] = []
        self.presses: list[str] = []
        self.bus = Bus()
        self.jpeg = picture("table")
        self.number = 1
        self.age_ms: float | None = 40.0
        self.parts: Json = {
            name: {"ok": True, "text": "works"} for name in ("camera", "model", "storage")
        }
        self.doubts: dict[str, bytes] = {}
        self.panel: Json = {
            "kind": "sim",
            "state": "connected",
            "text": "",
            "display": ["BOX 1", "PAY", "", ""],
            "lights": [1, 0, 0, 0, 2, 0],
            "selected": None,
        }
        self.record: RecordedHands | None = None
        self.camera_picture: np.ndarray = np.full((720, 1280, 3), (60, 90, 30), np.uint8)
        self.used_layouts: list[str] = []
        self.stood_still = 0
        self.calibrating = SetupDesk(
            SetupCamera(
                "sample",
                Source(Kind.SAMPLE, ""),
                lambda: self.camera_picture,
                lambda: CameraState(Health.LIVE, 0.0, "", 0.04, None, (), 0),
            ),
            OwnLayouts(Path(tempfile.mkdtemp(prefix="kiosk-"))),
            self._use_layout,
        )
        folder = Path(tempfile.mkdtemp(prefix="kiosk-"))
        self.drills = open_drills(Settings(), folder, load_house_file("russian-a"))
        self._owner = threading.Lock()

    # ---- what the tests do at the table ----

    def lay(self, zone: str, cards: str, doubts: tuple[Doubt, ...] = ()) -> None:
        """Puts cards into a zone, in place of what lay there, and lets them be read."""
        self.lying[zone] = cards.split()
        self.doubtful[zone] = list(doubts)
        self.look()

    def clear(self) -> None:
        """Takes everything off the felt."""
        for zone in self.lying:
            self.lying[zone], self.doubtful[zone] = [], []
        self.look(5.0)

    def look(self, seconds: float = 1.0) -> None:
        """Lets the camera look for some seconds."""
        with self._owner:
            for _ in range(max(1, round(seconds / 0.25))):
                self.now += 0.25
                self.state, _ = apply(self.state, ViewSeen(self._view()))
        self.publish_all()

    def _view(self) -> TableView:
        zones = tuple(
            ZoneView(
                zone,
                tuple(ReadCard(Card.parse(card), 0.99, ((0, 0, 9, 9),)) for card in cards),
                tuple(self.doubtful[zone]),
                bodies=len(cards) + len(self.doubtful[zone]),
                empty=not cards,
            )
            for zone, cards in self.lying.items()
        )
        return TableView(self.now, zones, trouble=self.trouble)

    def publish_all(self) -> None:
        self.bus.publish("round", {"version": self.state.version})
        self.bus.publish("table", self.table())

    def publish(self, name: str, data: Json) -> None:
        self.bus.publish(name, data)

    # ---- what the web asks ----

    def snapshot(self, language: str = "en") -> Json:
        return snapshot(self.state, None, language)

    def table(self) -> Json:
        view = self._view()
        return {
            "t_ms_age": 83,
            "trouble": self.trouble,
            "width": 1280,
            "height": 720,
            "conflicts": [],
            "zones": [
                {
                    "zone": zone.zone,
                    "polygon": [[0, 0], [100, 0], [100, 100], [0, 100]],
                    "cards": [
                        {"card": str(c.card), "confidence": c.confidence, "boxes": []}
                        for c in zone.cards
                    ],
                    "doubts": [doubt_data(doubt) for doubt in zone.doubts],
                    "bodies": zone.bodies,
                    "occluded": zone.occluded,
                    "empty": zone.empty,
                }
                for zone in view.zones
            ],
            "stray": [],
            "stage": self.snapshot()["stage"],
        }

    def act(
        self, name: str, body: Json, who: str, allowed: Callable[[str], bool] | None = None
    ) -> Json:
        with self._owner:
            event = event_from(name, body, self.now, who)
            check_right(self.state, event, allowed)
            self.state, _ = apply(self.state, event)
            self.acts.append((name, body, who))
        self.publish_all()
        return self.snapshot()

    def dealer(self) -> str | None:
        return self.dealing

    def person_erased(self, person: str) -> None:
        if self.dealing == person:
            self.deals(None)

    def deals(self, person: str | None) -> None:
        self.dealing = person
        self.publish("dealer", {"person": person})

    def subscribe(self) -> Subscription:
        return self.bus.subscribe()

    def frame(self) -> tuple[bytes, int, float] | None:
        return None if self.age_ms is None else (self.jpeg, self.number, self.age_ms)

    def new_frame(self, jpeg: bytes | None = None) -> None:
        self.jpeg = jpeg or self.jpeg
        self.number += 1
        self.age_ms = 40.0

    def doubt_picture(self, key: str) -> bytes | None:
        return self.doubts.get(key)

    def health(self) -> Json:
        parts = copy.deepcopy(self.parts)
        return {"ok": all(part["ok"] for part in parts.values()), "parts": parts}

    def metrics(self) -> Json:
        return {
            "kiosk_frames_total": ("Frames read", "counter", 12),
            "kiosk_cards": ("Cards by zone", "gauge", {'zone="dealer"': 5, 'zone="box1"': 4}),
        }

    def misread(self, was: str | None, doubt: str | None, right: Card) -> str:
        return self.misreads.report(self._view(), picture("misread"), was, doubt, right)

    def read_picture(self, data: bytes) -> Json:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise UserError("upload: not a picture, expected JPEG or PNG")
        return {"width": image.shape[1], "height": image.shape[0], "cards": [], "doubtful": []}

    def panel_state(self) -> Json:
        return copy.deepcopy(self.panel)

    def panel_press(self, button: str, held: bool = False) -> None:
        if button not in BUTTONS:
            raise ActionError("unknown-button", f"the panel has no button {button!r}", 400)
        self.presses.append(f"{button} held" if held else button)
        if button.startswith("box") and not held:
            box = int(button[3:])
            self.panel_choose(None if self.panel["selected"] == box else box)

    def panel_choose(self, box: int | None) -> None:
        self.panel = {**self.panel, "selected": box}
        self.publish("panel", self.panel)

    def _use_layout(self, layout: Layout, reference: bytes | None) -> str:
        self.used_layouts.append(layout.name)
        return "now"

    def still_right(self) -> None:
        self.stood_still += 1

    def calibration(self) -> Json:
        return {
            "layout": "russian-4",
            "ok": False,
            "text": "Box 2 is too small in the picture: move the camera or raise the resolution.",
            "index_min_px": 22,
            "zones": [
                {"zone": "dealer", "index_px": 31, "ok": True, "text": ""},
                {"zone": "box2", "index_px": 18, "ok": False, "text": "move the camera"},
            ],
        }

    @property
    def recorded(self) -> RecordedHands:
        """A real record in a folder of its own, made when it is first asked for."""
        if self.record is None:
            folder = Path(tempfile.mkdtemp(prefix="kiosk-record-"))
            self.writer = start_writer(None, folder)
            assert self.writer.wait_until_settled(30).status == "ok"
            self.record = RecordedHands(
                self.writer, self._hidden_hand, load_house_file("russian-a"), None, self._note
            )
        return self.record

    def _hidden_hand(self) -> str | None:
        return None if self.snapshot()["revealed"] else self.state.id

    def _note(self) -> Json:
        return {"table": "Table 1", "stage": self.snapshot()["stage"], "held": self.state.held}

    def end(self) -> None:
        """Lets go of the record."""
        if self.record is not None:
            self.writer.close()

    def about(self) -> Json:
        return {
            "rules": {"house": "russian-a", "pay": {"pair": 1, "flush": 5}},
            "limits": {"ante_min": Decimal(100), "max_payout": None, "chips": [Decimal(5)]},
            "versions": {"kiosk": "0.1.0"},
        }


class SignedIn(FlaskClient):
    """A client that sends the token of its session, as the pages do."""

    token = ""

    def open(self, *args: Any, **kwargs: Any) -> Any:
        headers = dict(kwargs.pop("headers", None) or {})
        if self.token:
            headers.setdefault(HEADER, self.token)
        return super().open(*args, headers=headers, **kwargs)


def person_of(people: People, role: Role) -> Person:
    """The person of that role."""
    return next(person for person in people.everybody() if person.role == role)


def signed_in(app: Flask, role: Role | None, via: Any = "password") -> SignedIn:
    """A client with a session of that role; None: a stranger."""
    app.test_client_class = SignedIn
    client: Any = app.test_client()
    if role is not None:
        people: People = app.extensions["kiosk"].people
        token = people.sign_in(person_of(people, role), via)
        session = people.session(token)
        assert session is not None
        client.set_cookie(COOKIE, token, path="/")
        client.token = session.csrf
    found: SignedIn = client
    return found


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


class Served:
    """A kiosk served on a free port of this machine; it can be stopped and started again."""

    def __init__(self, kiosk: Any, settings: WebSettings) -> None:
        self.kiosk, self.settings = kiosk, settings
        self.port = 0
        self.start()

    def start(self) -> None:
        self.app = create_app(self.kiosk, self.settings)
        self.server = WebServer(self.app, "127.0.0.1", self.port)
        self.port = self.server.port
        self.url = self.server.url
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()

    @property
    def streams(self) -> int:
        """Long connections open now."""
        return int(self.app.extensions["kiosk_slots"].used)

    def stop(self) -> None:
        self.server.close()
        self._thread.join(10)
        assert not self._thread.is_alive(), "the server did not end"


@pytest.fixture
def served(small_kiosk: SmallKiosk) -> Iterator[Served]:
    serving = Served(small_kiosk, WebSettings(version="t1", beat_s=0.3, long_connections=16))
    yield serving
    serving.stop()


def wait_for(check: Callable[[], Any], seconds: float = 10, what: str = "") -> Any:
    """The first true value of ``check``, or a failed test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = check()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(what or "what was waited for did not come")


@pytest.fixture
def waiting() -> Callable[..., Any]:
    return wait_for


OPEN_PAGES = ("", "/", "drill", "signin", "setup")
"""Pages that the browser tests open with nobody signed in."""

CHROMIUM = Path("/usr/bin/chromium")
SHOTS = Path(os.environ.get("KIOSK_TEST_OUTPUT") or Path(__file__).parents[2] / "test-output")
"""Where pictures of the pages go, for people to look at and for a CI to keep."""


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
        yield started
        started.close()


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
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda m: self.faults.append(m.text) if m.type == "error" else None)
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(self.served.url + path, wait_until="domcontentloaded")
        if not path:
            page.wait_for_selector(".box")
            # The page is live once the first events have come.
            page.wait_for_selector("#picture-note:not(:empty), #veil:not([hidden])")
        return page

    def shot(self, page: Page, name: str, whole: bool = False) -> None:
        """A picture of the page for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


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


CASE: Json = {
    "game": "russian",
    "house": "russian-a",
    "table": {"ante_min": 100, "ante_max": 1000, "max_payout": 50000},
    "dealer": {"cards": ["9h", "9c", "Kd", "7s", "3d"]},
    "boxes": [
        {
            "box": 1,
            "cards": ["Jh", "Jd", "4c", "4s", "8h"],
            "action": "play",
            "bets": {"ante": 100, "bet": 200},
        }
    ],
}


def keep_hand(kiosk: SmallKiosk, round_id: str, **more: Any) -> Json:
    """Records a whole hand: dealt, a card put right, answered wrongly, shown, settled, over.

    ``more`` changes the payload of the settlement.
    """
    writer = kiosk.recorded and kiosk.writer
    place = {
        "table": "Table 1", "person": None, "house": "russian-a", "house_hash": "ab" * 32,
        "game": "russian", "mode": "training", "limits": {},
    }  # fmt: skip
    reads = [{"card": c, "confidence": 0.98, "source": "machine", "seen": c} for c in ("Jh", "Jd")]
    fixed = {"card": "4c", "confidence": 0.61, "source": "person", "seen": "6c"}
    zone = {"zone": "box1", "cards": [*reads, fixed]}
    settlement = settle_case(CASE)
    bets = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 200}}
    answer = {
        "bets": bets, "right": {"ante": True, "bet": False}, "last": bets, "verdict": "wrong",
        "mistakes": [{"bet": "bet", "kind": "wrong-row", "mistake": "row-above", "difference": 1}],
    }  # fmt: skip
    cards = {
        "dealer": [
            {"card": c, "confidence": 0.99, "source": "machine", "machine": c}
            for c in CASE["dealer"]["cards"]
        ],
        "box1": [
            {"card": c, "confidence": 0.97, "source": "machine", "machine": c}
            for c in ("Jh", "Jd", "4s", "8h")
        ]
        + [{"card": "4c", "confidence": 0.61, "source": "person", "machine": "6c"}],
    }
    payload = place | {
        "case": CASE, "settlement": settlement, "cards": cards, "confirmed": [1],
        "versions": {"software": "t1", "model": "cd" * 32}, "complete": True, "corrected": False,
        "overruled": [], "answers": [[1, answer]],
    } | more  # fmt: skip
    who = {"who": "page"}
    writer.append("round-started", round_id, place)
    writer.append("cards-accepted", round_id, zone, [Picture("before", picture("before"))])
    writer.append("card-corrected", round_id, who | {"zone": "box1", "was": "6c", "card": "4c"})
    writer.append("bets-entered", round_id, who | {"box": 1, "bets": [["ante", 100]]})
    writer.append("fault", None, {"what": "part-fault", "part": "camera", "text": "unplugged"})
    writer.append("settled", round_id, payload, [Picture("box1", picture("box1"))])
    writer.append("revealed", round_id, {"boxes": [1]}, [Picture("after", picture("after"))])
    writer.append("round-finished", round_id, {"complete": True})
    return payload


@pytest.fixture
def keep(small_kiosk: SmallKiosk) -> Callable[..., Json]:
    """``keep("r-000007")``: records a hand of that id."""
    return lambda round_id, **more: keep_hand(small_kiosk, round_id, **more)
