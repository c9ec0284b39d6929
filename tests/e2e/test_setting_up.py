"""A running kiosk is set up over its interface, then its camera is bumped."""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

import cv2
import pytest
from running import RunningKiosk

from calibration.marker_set import SMALL
from kiosk.people import Role, open_people
from kiosk.web.signin import COOKIE, HEADER

sys.path.insert(0, str(Path(__file__).parents[1] / "calibration"))
from rendered_felt import RenderedFelt

SIZE = (1280, 720)
SEEN = ((40.0, 30.0), (1240.0, 30.0), (1240.0, 705.0), (40.0, 705.0))
BUMP = (8.0, 5.0)


class Camera:
    """A simulated camera over a rendered felt, bare, with markers, or bumped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        felt = RenderedFelt(96.0, 54.0)
        self._keep("bare", felt, SEEN)
        moved = tuple((x + BUMP[0], y + BUMP[1]) for x, y in SEEN)
        self._keep("bumped", felt, moved)
        for corner in range(4):
            felt.lay_corner(SMALL, corner)
        self._keep("marked", felt, SEEN)
        self.control = folder / "camera.txt"
        self.show("bare")

    def _keep(self, name: str, felt: RenderedFelt, corners: Any) -> None:
        cv2.imwrite(str(self.folder / f"{name}.png"), felt.shoot(corners, None, SIZE)[0])

    def show(self, name: str) -> None:
        fresh = self.folder / "fresh.txt"
        fresh.write_text(f"ok\n{self.folder / name}.png\n", "utf-8")
        fresh.replace(self.control)


class Instructor:
    """Somebody signed in who sets the table up."""

    def __init__(self, kiosk: RunningKiosk, data: Path) -> None:
        self._kiosk = kiosk
        people = open_people(data)
        people.add("Ann", Role.ADMIN, password="correct horse battery", pin="369014")
        token = people.sign_in(next(iter(people.everybody())), "password")
        session = people.session(token)
        assert session is not None
        self._headers = {
            "Content-Type": "application/json",
            "Origin": kiosk.url,
            "Cookie": f"{COOKIE}={token}",
            HEADER: session.csrf,
        }
        people.close()

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        address = f"{self._kiosk.url}/api/v1/calibrate/{path}"
        with urllib.request.urlopen(
            urllib.request.Request(address, data, self._headers), timeout=120
        ) as answer:
            return json.load(answer)


def asked(kiosk: RunningKiosk) -> bool:
    return any(question["id"] == "q-moved" for question in kiosk.round()["questions"])


def trouble(kiosk: RunningKiosk) -> Any:
    """Why the picture cannot be trusted now; on a busy machine also that it is old, for a while."""
    return kiosk.get("/api/v1/table")["trouble"]


@pytest.fixture
def camera(tmp_path: Path) -> Camera:
    return Camera(tmp_path)


def test_a_table_is_set_up_and_a_bump_is_told(camera: Camera, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with RunningKiosk(data, "--source", f"twin:{camera.control}", "--panel", "none") as kiosk:
        me = Instructor(kiosk, data)
        camera.show("marked")
        wish = {"width": 96, "height": 54}

        def placed() -> Any:
            found = me.ask("markers", wish)
            return found if found["good"] else None

        found = kiosk.until(placed, 40, "the markers are found")
        camera.show("bare")
        kiosk.until(lambda: not me.ask("markers", wish)["seen"], 40, "the markers are gone")
        layout = me.ask("layouts/russian-4")["layout"]
        layout |= {
            "name": "mine",
            "format": 2,
            "camera": {"width": 1280, "height": 720, "corners": found["corners"]},
            "lens": {"matrix": found["lens"][:4], "coefficients": found["lens"][4:]},
        }
        assert me.ask("layouts", {"layout": layout})["version"] == 1
        assert me.ask("use", {"name": "mine"})["when"] in ("now", "clear")

        def in_use() -> bool:
            dealer = kiosk.get("/api/v1/table")["zones"][0]["polygon"][0]
            return abs(dealer[0] - (40 + 23 * 12.5)) < 3

        kiosk.until(in_use, 40, "the new zones are read")
        assert not asked(kiosk)
        camera.show("bumped")
        kiosk.until(lambda: asked(kiosk), 40, "the bump is told")
        kiosk.until(lambda: trouble(kiosk) == "camera-moved", 40, "the table is not trusted")
        me.ask("still-right", {})
        kiosk.until(lambda: not asked(kiosk), 40, "the word is taken back")
        kiosk.until(lambda: trouble(kiosk) is None, 40, "the table is trusted again")
    assert 'layout = "mine"' in (data / "set-up.toml").read_text("utf-8")
