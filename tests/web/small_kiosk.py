"""A small kiosk in memory for the web tests: one owner of the round, real queues, real pictures."""

from __future__ import annotations

import copy
import tempfile
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import numpy as np

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
from kiosk.people import People, open_people
from kiosk.record.schema import Versions
from kiosk.record.writer import start_writer
from kiosk.rulebook import Rulebook
from kiosk.rules import load_house_file
from kiosk.setup_camera import SetupCamera
from kiosk.setup_desk import SetupDesk
from kiosk.sightings import Doubt, FrameReading, ReadCard, TableView, ZoneView
from kiosk.table.bodies import event_from, for_hand
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

Json = dict[str, Any]
RULES_MODE: dict[str, Any] = {"demo": "demo", "training": "training"}


def picture(text: str, width: int = 1280, height: int = 720) -> bytes:
    """A felt-coloured JPEG with a text."""
    canvas = np.full((height, width, 3), (60, 90, 30), np.uint8)
    cv2.putText(canvas, text, (40, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 2, (240, 240, 240), 3)
    done, data = cv2.imencode(".jpg", canvas)
    assert done
    return bytes(data)


def outline(zone: str) -> list[list[int]]:
    """Where a zone lies in the picture: a camera opposite the dealer sees the last box first."""
    if not zone.startswith("box"):
        return [[0, 0], [100, 0], [100, 100], [0, 100]]
    left = 1100 - 200 * int(zone[3:4])
    return [[left, 400], [left + 180, 400], [left + 180, 620], [left, 620]]


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
        self.versions = Versions("1.2.3", "0123456789ab+cdef01234567")
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
            lambda: self.state.hand_open,
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
                    "polygon": outline(zone.zone),
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
            body = for_hand(body, self.state.id)
            event = event_from(name, body, self.now, who)
            check_right(self.state, event, allowed)
            after, _ = apply(self.state, event)
            # First, so that whoever sees the new round finds what made it.
            self.acts.append((name, body, who))
            self.state = after
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

    def misread(self, was: str | None, doubt: str | None, right: Card | None) -> str:
        return self.misreads.report((self._view(), picture("misread")), was, doubt, right)

    def hold_misread(self, was: str | None, doubt: str | None) -> bool:
        return self.misreads.hold((self._view(), picture("held")), was, doubt)

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
