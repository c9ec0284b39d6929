"""The compiled firmware, the whole kiosk and a real browser: a button pressed in the simulated chip
makes the page react, and the payout stands on the simulated display (issue of the panel, Proof)."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page, sync_playwright

from firmware_bridge.decoder import Counters
from firmware_bridge.faults import Faults
from firmware_bridge.simulated import SimulatedPanel

pytestmark = pytest.mark.timeout(900)
CHROMIUM = Path("/usr/bin/chromium")


def _running() -> ModuleType:
    path = Path(__file__).parents[1] / "e2e" / "running.py"
    spec = importlib.util.spec_from_file_location("panel_running", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Desk:
    """A kiosk with its page and something at the other end of the panel's line."""

    def __init__(self, kiosk: Any, page: Page, panel: Any) -> None:
        self.kiosk, self.page, self.panel = kiosk, page, panel

    def deal(self) -> None:
        """Two pair against a pair, as a person would enter the cards."""
        for zone, cards in (("dealer", "9h 9c Kd 7s 3d"), ("box1", "Jh Jd 4c 4s 8h")):
            for card in cards.split():
                self.kiosk.post("cards", {"zone": zone, "was": None, "card": card})
        self.kiosk.until(lambda: self.kiosk.round()["boxes"][0]["settled"], 60, "a settlement")

    def display(self) -> str:
        return "\n".join(line.rstrip() for line in self.panel.display())

    def until_display(self, text: str) -> None:
        try:
            self.kiosk.until(lambda: text in self.display(), 60, f"{text} on the display")
        except AssertionError as problem:
            told = (self.display(), self.kiosk.get("/api/v1/panel"), self.kiosk.log()[-2000:])
            raise AssertionError(f"{problem}; {told}") from None

    def until_page(self, text: str) -> None:
        place = self.page.locator('article[data-box="1"]').get_by_text(text).first
        place.wait_for(timeout=200_000)

    def press(self, button: str, done: Callable[[], object], what: str) -> None:
        """Presses a button until it has done its work."""
        self.kiosk.press_until(lambda: self.panel.press(button), done, what)

    def press_until_display(self, button: str, text: str) -> None:
        """Presses a button until the display shows the text."""
        self.press(button, lambda: text in self.display(), f"{text} on the display")


def _desk(folder: Path, panel: Any) -> Iterator[Desk]:
    if not CHROMIUM.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is missing in CI")
        pytest.skip("no chromium here")
    # No camera: the cards are entered by hand, so that nothing but the panel is tried here.
    (folder / "camera").write_text("gone\n", "utf-8")
    options = ("--source", f"twin:{folder / 'camera'}", "--mode", "training")
    with (
        _running().RunningKiosk(folder / "data", *options, "--panel", panel.port) as kiosk,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en-GB")
        page.goto(kiosk.url, wait_until="domcontentloaded")
        yield Desk(kiosk, page, panel)
        browser.close()


@pytest.fixture
def chip_desk(tmp_path: Path, chip: Any) -> Iterator[Desk]:
    yield from _desk(tmp_path, chip)


def _play(desk: Desk) -> None:
    """Confirm, reveal and go on, all with the panel's buttons."""
    kiosk = desk.kiosk
    desk.until_display("Felt clear")
    desk.deal()
    assert "PAY" not in desk.display()
    desk.press_until_display("box1", "Box 1 play assumed")
    desk.press("confirm", lambda: kiosk.round()["boxes"][0]["confirmed"], "the confirm arrives")
    assert "400" not in desk.display()
    desk.press_until_display("reveal", "1 PAY 400 TAKE 0")
    desk.until_page("PAY 400")
    first = kiosk.round()["id"]
    owed = kiosk.round()["boxes"][0]["result"]["bets"]
    kiosk.post("answer", {"box": 1, "bets": owed})
    desk.press("next", lambda: kiosk.round()["id"] != first, "the next arrives")


def test_button_in_the_chip_page_reacts_payout_on_the_chips_display(chip_desk: Desk) -> None:
    _play(chip_desk)


def test_the_same_over_a_bad_line_with_the_simulated_panel(tmp_path: Path) -> None:
    faults = Faults(noise=0.005, loss=0.001, duplicate=0.05, delay_ms=5, bounce_ms=6)
    with SimulatedPanel(faults=faults) as panel:
        for desk in _desk(tmp_path, panel):
            _play(desk)
            counts = desk.kiosk.panel_faults()
            assert set(counts) == {*Counters().as_dict(), "late_presses", "panel_faults"}
            assert counts["bad_crc"] + counts["noise"] + counts["cut"] > 0


def _type(desk: Desk) -> None:
    keys, kiosk = desk.page.keyboard, desk.kiosk
    desk.until_display("Felt clear")
    keys.press("1")
    desk.until_display("not in play")
    keys.press("NumpadAdd")
    desk.until_display(">Ante            100")
    keys.press("NumpadAdd")
    kiosk.until(lambda: kiosk.round()["boxes"][0]["bets"]["ante"] == 200, 60, "the ante")
    desk.until_display(">Ante            200")
    keys.press("NumpadEnter")
    kiosk.until(lambda: kiosk.round()["boxes"][0]["confirmed"], 60, "the confirm arrives")
    keys.press(".")
    kiosk.until(lambda: kiosk.round()["held"], 60, "the hold arrives")


def test_a_number_pad_does_what_the_buttons_do(tmp_path: Path) -> None:
    with SimulatedPanel() as panel:
        for desk in _desk(tmp_path, panel):
            _type(desk)
