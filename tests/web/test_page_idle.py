"""The screen of an idle table comes by itself and is never in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect
from visiting import key

from kiosk.people import Role
from kiosk.web import WebSettings

GOINGS = """() => {
  window.goings = 0;
  const idle = document.querySelector("#idle");
  let shown = idle.checkVisibility();
  new MutationObserver(() => {
    const now = idle.checkVisibility();
    if (shown && !now) window.goings += 1;
    shown = now;
  }).observe(document.body, { attributes: true, subtree: true, childList: true });
}"""
"""Counts how often the idle screen goes."""


@pytest.fixture
def served(served: Any) -> Iterator[Any]:
    """The same kiosk, whose table counts as idle after a second."""
    served.stop()
    served.settings = WebSettings(version="t1", beat_s=0.3, long_connections=16, idle_s=1)
    served.start()
    yield served


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_idle_table_says_what_it_is_until_it_is_touched(
    visitor: Any, small_kiosk: Any, waiting: Callable[..., Any], language: str
) -> None:
    page = visitor.open(language=language, has_touch=True)
    idle = page.locator("#idle")
    expect(idle).to_be_visible()
    call = "Deal a hand, or touch the screen"
    expect(idle).to_contain_text(call if language == "en" else "Раздайте карты")
    expect(idle.locator(".card")).to_have_count(5)
    expect(idle).not_to_contain_text("r-000001")
    visitor.shot(page, f"web-idle-{language}")
    # It comes again after a second, so its going is noted in the page itself.
    page.evaluate(GOINGS)
    # The touch that ends it presses nothing that lies behind.
    found = page.locator('.main-key[data-do="hold"]').bounding_box()
    page.touchscreen.tap(found["x"] + 20, found["y"] + 20)
    waiting(lambda: page.evaluate("() => window.goings") == 1, what="it ends at a touch")
    expect(idle).to_be_visible()
    key(page, "h")
    waiting(lambda: page.evaluate("() => window.goings") == 2, what="it ends at a key")
    assert small_kiosk.acts == []


def test_a_card_ends_it_and_a_table_in_use_has_none(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open()
    expect(page.locator("#idle")).to_be_visible()
    small_kiosk.lay("box1", "7h")
    expect(page.locator("#idle")).to_be_hidden()
    expect(page.locator('.box[data-box="1"] .card[data-card="7h"]')).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.locator("#idle")).to_be_hidden()


def test_it_stays_away_while_somebody_deals_or_a_part_has_failed(
    visitor: Any, small_kiosk: Any, people: Any
) -> None:
    dealing = next(person for person in people.everybody() if person.role == Role.TRAINEE)
    small_kiosk.deals(dealing.id)
    page = visitor.open()
    expect(page.locator("#signs")).to_contain_text(dealing.name)
    page.wait_for_timeout(1500)
    expect(page.locator("#idle")).to_be_hidden()
    small_kiosk.deals(None)
    small_kiosk.publish("dealer", {})
    expect(page.locator("#idle")).to_be_visible()
    small_kiosk.parts["camera"] = {"ok": False, "text": "unplugged"}
    small_kiosk.publish("health", small_kiosk.health())
    expect(page.locator("#idle")).to_be_hidden()
