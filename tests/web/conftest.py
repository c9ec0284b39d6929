"""A small kiosk in memory for the web tests: one owner of the round, real queues, real pictures."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from kiosk.errors import ActionError, UserError
from kiosk.web import WebServer, WebSettings, create_app

Json = dict[str, Any]


class Feed:
    """A subscription: at most one waiting event of each name."""

    def __init__(self, close: Callable[[Feed], None]) -> None:
        self._waiting: dict[str, Json] = {}
        self._change = threading.Condition()
        self._close = close

    def put(self, name: str, data: Json) -> None:
        with self._change:
            self._waiting[name] = data
            self._change.notify()

    def get(self, timeout: float) -> tuple[str, Json] | None:
        with self._change:
            if not self._waiting:
                self._change.wait(timeout)
            for name in self._waiting:
                return name, self._waiting.pop(name)
        return None

    def close(self) -> None:
        self._close(self)


def picture(text: str, width: int = 1280, height: int = 720) -> bytes:
    """A felt-coloured JPEG with a text."""
    canvas = np.full((height, width, 3), (60, 90, 30), np.uint8)
    cv2.putText(canvas, text, (40, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 2, (240, 240, 240), 3)
    done, data = cv2.imencode(".jpg", canvas)
    assert done
    return bytes(data)


def box_json(number: int, cards: list[str], **more: Any) -> Json:
    """A box of the round JSON."""
    base: Json = {
        "box": number,
        "zone": f"box{number}",
        "in_play": True,
        "cards": cards,
        "read": len(cards),
        "expected": 5,
        "bodies": len(cards),
        "opened": bool(cards),
        "collected": False,
        "bets": {"ante": Decimal(100), "bet": Decimal(200)},
        "action": "play",
        "exchanged": 0,
        "sixth": False,
        "buy": None,
        "confirmed": False,
        "assumed": True,
        "settled": len(cards) >= 5,
        "answer": None,
        "combinations": None,
        "significant": None,
        "result": None,
    }
    return {**base, **more}


def round_json(**more: Any) -> Json:
    """A round in training mode, before the reveal."""
    base: Json = {
        "id": "r-000123",
        "stage": "settling",
        "house": "russian-a",
        "game": "russian",
        "mode": "training",
        "held": False,
        "revealed": False,
        "version": 17,
        "table": {
            "ante_min": Decimal(100),
            "ante_max": Decimal(1000),
            "max_payout": Decimal(50000),
            "currency": "₽",
            "chips": [Decimal(n) for n in (1000, 500, 100, 25, 5)],
        },
        "dealer": {
            "zone": "dealer",
            "cards": ["Ks", "Kd", "9h", "6c", "2d"],
            "draws": [],
            "read": 5,
            "expected": 5,
            "bodies": 5,
            "complete": True,
            "combination": None,
            "game": None,
            "after_buy": None,
            "significant": None,
        },
        "boxes": [
            box_json(1, ["7h", "7d", "Ts", "Kc", "Ac"], confirmed=True, assumed=False),
            box_json(
                2,
                ["3s", "5s", "7s", "Js", "As", "Ah"],
                expected=6,
                sixth=True,
                bets={"ante": Decimal(500), "bet": Decimal(1000), "sixth": Decimal(500)},
            ),
            box_json(3, ["Qh", "Qc"], opened=True, settled=False),
            box_json(4, [], in_play=False, settled=False, bets={}),
        ],
        "questions": [],
        "settlement": None,
        "assumed": True,
    }
    return {**base, **more}


class SmallKiosk:
    """What the web needs of a kiosk, in memory. Tests change it and publish."""

    settings: Any = None

    def __init__(self) -> None:
        self.round = round_json()
        self.acts: list[tuple[str, Json, str]] = []
        self.presses: list[str] = []
        self.feeds: list[Feed] = []
        self.jpeg = picture("table")
        self.number = 1
        self.frame_at: float | None = time.monotonic()
        self.parts: Json = {
            name: {"ok": True, "text": "works"} for name in ("camera", "model", "storage")
        }
        self.doubts: dict[str, bytes] = {}
        self.zones: list[Json] = []
        self.panel: Json = {
            "kind": "sim",
            "state": "connected",
            "text": "",
            "display": ["BOX 1", "PAY", "", ""],
            "lights": [1, 0, 0, 0, 2, 0],
        }
        self.records: list[Json] = []
        self._lock = threading.Lock()

    def snapshot(self) -> Json:
        return copy.deepcopy(self.round)

    def table(self) -> Json:
        return {
            "t_ms_age": 83,
            "trouble": None,
            "width": 1280,
            "height": 720,
            "conflicts": [],
            "zones": self.zones,
            "stray": [],
            "stage": self.round["stage"],
        }

    def act(self, name: str, body: Json, who: str) -> Json:
        self.acts.append((name, body, who))
        if name == "confirm" and body["box"] == 4:
            raise ActionError("not-in-play", "box 4 is not in play", 409)
        return self.snapshot()

    def subscribe(self) -> Feed:
        feed = Feed(self._unsubscribe)
        with self._lock:
            self.feeds.append(feed)
        return feed

    def _unsubscribe(self, feed: Feed) -> None:
        with self._lock:
            if feed in self.feeds:
                self.feeds.remove(feed)

    def publish(self, name: str, data: Json) -> None:
        with self._lock:
            feeds = list(self.feeds)
        for feed in feeds:
            feed.put(name, data)

    def publish_round(self, **changes: Any) -> None:
        self.round = {**self.round, **changes, "version": self.round["version"] + 1}
        self.publish("round", self.snapshot())

    def frame(self) -> tuple[bytes, int, float] | None:
        if self.frame_at is None:
            return None
        return self.jpeg, self.number, (time.monotonic() - self.frame_at) * 1000

    def new_frame(self, jpeg: bytes | None = None) -> None:
        self.jpeg = jpeg or self.jpeg
        self.number += 1
        self.frame_at = time.monotonic()

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

    def read_picture(self, data: bytes) -> Json:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise UserError("upload: not a picture, expected JPEG or PNG")
        return {"width": image.shape[1], "height": image.shape[0], "cards": [], "doubtful": []}

    def panel_state(self) -> Json:
        return copy.deepcopy(self.panel)

    def panel_press(self, button: str) -> None:
        if button not in ("reveal", "box1"):
            raise ActionError("unknown-button", f"the panel has no button {button!r}", 400)
        self.presses.append(button)

    def calibration(self) -> Json:
        return {
            "ok": False,
            "text": "Box 2 is too small in the picture: move the camera or raise the resolution.",
            "index_min_px": 22,
            "zones": [
                {"zone": "dealer", "index_px": 31, "ok": True, "text": ""},
                {"zone": "box2", "index_px": 18, "ok": False, "text": "move the camera"},
            ],
        }

    def hands(self, limit: int, before: str | None = None) -> list[Json]:
        ids = [hand["id"] for hand in self.records]
        start = ids.index(before) + 1 if before in ids else 0
        return copy.deepcopy(self.records[start : start + limit])

    def hand(self, hand_id: str) -> Json | None:
        return next((copy.deepcopy(h) for h in self.records if h["id"] == hand_id), None)

    def hand_picture(self, hand_id: str) -> bytes | None:
        return self.jpeg if self.hand(hand_id) else None

    def about(self) -> Json:
        return {
            "rules": {"house": "russian-a", "pay": {"pair": 1, "flush": 5}},
            "limits": {"ante_min": Decimal(100), "max_payout": None, "chips": [Decimal(5)]},
            "versions": {"kiosk": "0.1.0"},
        }


@pytest.fixture
def small_kiosk() -> SmallKiosk:
    return SmallKiosk()


@pytest.fixture
def client(small_kiosk: SmallKiosk) -> FlaskClient:
    return create_app(small_kiosk, WebSettings(version="t1")).test_client()


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
