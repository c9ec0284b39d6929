"""The compiled firmware, the whole kiosk and a real browser: a button pressed in the simulated chip
makes the page react, and the payout stands on the simulated display (issue of the panel, Proof)."""

from __future__ import annotations

import importlib.util
import os
import re
import statistics
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pace import Pace
from playwright.sync_api import Page, TimeoutError, sync_playwright

from firmware_bridge.decoder import Counters
from firmware_bridge.faults import Faults
from firmware_bridge.simulated import SimulatedPanel

pytestmark = pytest.mark.timeout(400)
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

    def until_page(self, text: str, seconds: float = 60) -> None:
        place = self.page.locator('article[data-box="1"]').get_by_text(text).first
        place.wait_for(timeout=1000 * seconds)

    def late(self) -> int:
        """Presses that came too late to be acted on, as on a machine that is busy elsewhere."""
        counts = self.faults()
        return counts["stale"] + counts["late_presses"]

    def faults(self) -> dict[str, int]:
        """The line's counted faults by kind."""
        with urllib.request.urlopen(self.kiosk.url + "/metrics") as answer:
            told = answer.read().decode()
        counts = re.findall(r'^kiosk_panel_faults_total\{kind="(\w+)"\} (\d+)', told, re.M)
        return {kind: int(count) for kind, count in counts}

    def press_until_page(self, button: str, text: str) -> float:
        """Presses until the page shows the text, anew where the press was told to be late; when the
        press was made that did it, in milliseconds."""
        while True:
            late, began = self.late(), time.time() * 1000
            self.panel.press(button, 30)
            try:
                self.until_page(text, 20)
                return began
            except TimeoutError:
                assert self.late() > late, (text, self.faults(), self.display())


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
    kiosk, panel = desk.kiosk, desk.panel
    desk.until_display("Felt clear")
    desk.deal()
    assert "PAY" not in desk.display()
    panel.press("box1")
    desk.until_display("Box 1 play assumed")
    panel.press("confirm")
    kiosk.until(lambda: kiosk.round()["boxes"][0]["confirmed"], 60, "the confirm arrives")
    assert "400" not in desk.display()
    panel.press("reveal")
    desk.until_display("1 PAY 400 TAKE 0")
    desk.until_page("PAY 400")
    first = kiosk.round()["id"]
    owed = kiosk.round()["boxes"][0]["result"]["bets"]
    kiosk.post("answer", {"box": 1, "bets": owed})
    panel.press("next")
    kiosk.until(lambda: kiosk.round()["id"] != first, 60, "the next arrives")


def test_button_in_the_chip_page_reacts_payout_on_the_chips_display(chip_desk: Desk) -> None:
    _play(chip_desk)


def test_the_same_over_a_bad_line_with_the_simulated_panel(tmp_path: Path) -> None:
    faults = Faults(noise=0.005, loss=0.001, duplicate=0.05, delay_ms=5, bounce_ms=6)
    with SimulatedPanel(faults=faults) as panel:
        for desk in _desk(tmp_path, panel):
            _play(desk)
            counts = desk.faults()
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


WATCH = """() => {
  window.changed = [];
  const box = document.querySelector('article[data-box="1"]');
  const seen = () => window.changed.push([Date.now(), box.innerText]);
  new MutationObserver(seen).observe(box, {subtree: true, childList: true, characterData: true});
}"""


def test_two_way_latency_from_press_to_page(
    chip_desk: Desk, record_property: Callable[[str, object], None]
) -> None:
    """From the contact in the chip to the changed ante on the page, by the page's own clock: median
    under 50 ms. On a machine busy with other work only the figure is kept."""
    desk = chip_desk
    desk.until_display("Felt clear")
    desk.panel.press("box1")
    desk.until_display("Box 1")
    desk.panel.press("plus")
    desk.until_page("100")
    desk.page.evaluate(WATCH)
    pressed, pace = {}, Pace()
    for ante in range(200, 1000, 100):
        pressed[ante] = desk.press_until_page("plus", str(ante))
        time.sleep(0.1)
    changes = desk.page.evaluate("() => window.changed")
    took = [
        min(at for at, text in changes if at >= begin - 1 and str(ante) in text) - begin
        for ante, begin in pressed.items()
    ]
    record_property("latency_ms", sorted(round(one) for one in took))
    assert statistics.median(took) < 50 or pace.disturbed, took
