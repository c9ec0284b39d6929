"""Every page for everybody: WCAG 2.2 AA by axe-core, keyboard alone, targets for fingers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from visiting import key
from web_pages import OF_DATA, PAGES, STRANGERS, kept_data

from kiosk.people import Role

pytestmark = pytest.mark.timeout(600)
"""One test walks all pages."""

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

RUN = """rules => axe.run(document, {runOnly: rules, resultTypes: ['violations']})
  .then(found => found.violations.flatMap(rule => rule.nodes.map(node =>
    `${rule.id}: ${node.target.join(' ')}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message}`
  )))"""

SMALL = """least => [...document.querySelectorAll(
    'button, a[href], summary, select, input:not([type=hidden]), textarea, [role=button]')]
  .filter(e => e.checkVisibility() && !e.disabled && getComputedStyle(e).display !== 'inline')
  .map(e => [e, (e.matches('[type=checkbox], [type=radio]') && e.closest('label') || e)
    .getBoundingClientRect()])
  .filter(([e, r]) => r.width > 1 && (r.width < least - 0.5 || r.height < least - 0.5))
  .map(([e, r]) => `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 20)}: `
    + `${Math.round(r.width)}x${Math.round(r.height)}`)"""
"""Targets below the size; links within a line of text are excepted, as in WCAG 2.5.8."""

FOCUS = """() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const style = getComputedStyle(e);
  const r = e.getBoundingClientRect();
  return {
    name: `${e.tagName} ${e.className} ${e.textContent.trim().slice(0, 24)}`,
    seen: e.matches(':focus-visible') && style.outlineStyle !== 'none'
      && parseFloat(style.outlineWidth) >= 2,
    inside: r.bottom > 0 && r.right > 0 && r.top < innerHeight && r.left < innerWidth,
  };
}"""


FILES = (
    "/static/{filename}",
    "/doubt/{key}.jpg",
    "/calibrate/deck/picture/{key}",
    "/audit/{hand_id}/{sha256}.jpg",
)
"""Routes with gaps that give pictures and the like."""


@cache
def axe() -> str:
    """The checker's script, run by the browser itself: pages load nothing of it."""
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    """What breaks the rules on a page as it stands now."""
    page.evaluate(axe())
    found: list[str] = page.evaluate(RUN, RULES)
    return found


def themed(page: Page, theme: str) -> None:
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)


@pytest.fixture
def busy(small_kiosk: Any, keep: Any) -> Any:
    """A table with all that a page can show: a question, a revealed box, a recorded hand."""
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.lay("box2", "Qh Qc 4d 4h 9c")
    answer = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "win", "amount": 100}}
    small_kiosk.act("answer", {"box": 2, "bets": answer}, "t")
    small_kiosk.act("reveal", {}, "t")
    keep("r-000007")
    return small_kiosk


@pytest.fixture
def pages(busy: Any, app: Flask) -> tuple[str, ...]:
    """Every page's path, those of what somebody did too."""
    data = kept_data(app)
    return (*PAGES, *(path.format(**data) for path in OF_DATA))


def walk(
    visitor: Any, pages: tuple[str, ...], language: str, **more: Any
) -> Iterator[tuple[str, Page]]:
    """Every page, one after the other, in one browser profile."""
    visitor.expected = ("404",)
    stranger = visitor.open("", language=language, **more)
    page = visitor.open("drill", language=language, role=Role.ADMIN, **more)
    for path in pages:
        shown = stranger if path in STRANGERS else page
        answer = shown.goto(visitor.served.url + path, wait_until="load")
        assert answer.status == (404 if path == "audit/none" else 200), path
        if not path:
            shown.wait_for_selector(".box")
        yield path or "table", shown


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("ru", "bright")])
def test_axe_finds_nothing(visitor: Any, pages: tuple[str, ...], language: str, theme: str) -> None:
    faults = {}
    for path, page in walk(visitor, pages, language):
        themed(page, theme)
        if path.isalpha():
            visitor.shot(page, f"page-{path}-{language}-{theme}")
        if found := violations(page):
            faults[path] = found
    assert faults == {}


def test_every_page_has_a_key_that_switches_bright_and_dark(
    visitor: Any, pages: tuple[str, ...]
) -> None:
    """What is chosen on one page holds for the next."""
    chosen: dict[str, str] = {}
    for path, page in walk(visitor, pages, "ru", width=1024, height=768):
        who = "stranger" if path in STRANGERS or path == "table" else "admin"
        theme = page.evaluate("document.documentElement.dataset.theme")
        assert theme == chosen.get(who, "dark"), path
        if path == "table":
            page.locator(".menu-key").click()
        page.locator('[data-do="theme"]').click()
        chosen[who] = "bright" if theme == "dark" else "dark"
        assert page.evaluate("document.documentElement.dataset.theme") == chosen[who], path
    assert set(chosen) == {"stranger", "admin"}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768), (390, 844)])
def test_axe_finds_nothing_on_any_screen(
    visitor: Any, pages: tuple[str, ...], language: str, size: tuple[int, int]
) -> None:
    faults = {}
    for path, page in walk(visitor, pages, language, width=size[0], height=size[1]):
        for theme in ("dark", "bright"):
            themed(page, theme)
            if found := violations(page):
                faults[path, theme] = found
    assert faults == {}


def test_axe_sees_a_fault(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open()
    page.evaluate("document.querySelector('.menu-key').removeAttribute('aria-label')")
    page.evaluate("document.querySelector('.menu-key').removeAttribute('title')")
    page.evaluate("document.querySelector('.menu-key').textContent = ''")
    page.evaluate("document.querySelector('#stage b').style.color = '#123'")
    found = " ".join(violations(page))
    assert "button-name" in found
    assert "color-contrast" in found


def test_axe_finds_nothing_in_the_sheets(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open(role=Role.ADMIN)
    page.keyboard.press("1")
    faults = {}
    for sheet in ("bets", "answer", "void", "menu"):
        if sheet == "menu":
            page.locator(".menu-key").click()
        else:
            key(page, sheet[0])
        page.wait_for_selector("dialog[open]")
        if found := violations(page):
            faults[sheet] = found
        page.keyboard.press("Escape")
    assert faults == {}


def test_the_list_of_pages_is_whole(
    app: Flask, client: Any, keep: Any, pages: tuple[str, ...]
) -> None:
    """Every route with a page behind it is walked, those with gaps by what the gaps stand for."""
    data = {"hand_id": "r-000007", **kept_data(app)}
    walked = {re.sub(r"\?.*", "", path) for path in (*PAGES, *OF_DATA)}
    missing = []
    for rule in app.url_map.iter_rules():
        gaps = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        if "GET" not in (rule.methods or ()) or rule.rule.startswith("/api/"):
            continue
        if gaps in ("/events", "/stream.mjpg"):
            continue
        assert rule.arguments <= set(data) or gaps in FILES, f"{gaps}: fill its gap in web_pages.py"
        answer = client.get(gaps.format(**dict.fromkeys(rule.arguments, "1") | data))
        if answer.mimetype == "text/html" and answer.status_code == 200:
            path = gaps.removeprefix("/").replace("{hand_id}", "r-000007")
            missing += [] if path in walked else [path]
    assert missing == [], "list these pages in web_pages.py, so that they are checked"


def test_targets_are_large_enough_for_fingers(visitor: Any, pages: tuple[str, ...]) -> None:
    walked = walk(visitor, pages, "ru", width=1024, height=768)
    faults = {path: found for path, page in walked if (found := page.evaluate(SMALL, 44))}
    assert faults == {}


def test_everything_is_reached_and_seen_by_keyboard(visitor: Any, pages: tuple[str, ...]) -> None:
    faults = []
    for path, page in walk(visitor, pages, "ru", width=1024, height=768):
        met = set()
        for _ in range(12):
            page.keyboard.press("Tab")
            found = page.evaluate(FOCUS)
            if found is None:
                break
            met.add(found["name"])
            if not found["inside"] or not found["seen"]:
                faults.append((path, found))
        assert len(met) >= 2, path
    assert faults == [], "the focus is out of sight or cannot be seen"


def test_a_hand_is_played_by_keyboard_alone(visitor: Any, busy: Any) -> None:
    """Open the bets of a box, change one, confirm, look at the reason: no mouse, no finger."""
    busy.lay("box3", "Jh Jc 8d 8h Ad")
    page = visitor.open(role=Role.ADMIN)
    page.keyboard.press("3")
    expect(page.locator('.box[data-box="3"]')).to_have_class("box is-ready selected assumed")
    page.keyboard.press("b")
    expect(page.locator("#sheet")).to_be_visible()
    page.locator('#sheet .field[data-key="ante"] .key').last.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save and confirm").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator('.box[data-box="3"] .stamp.sure')).to_be_visible()
    assert busy.snapshot()["boxes"][2]["bets"]["ante"] == 200


def test_nothing_moves_for_people_who_ask_for_stillness(visitor: Any, busy: Any) -> None:
    page = visitor.open(reduced_motion="reduce")
    moving = page.evaluate(
        "document.getAnimations().filter(a => a.effect.getTiming().iterations === Infinity"
        " || a.effect.getComputedTiming().duration > 10).length"
    )
    assert moving == 0
