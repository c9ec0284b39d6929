"""The rule card, open to everybody at the table and at the drills."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from kiosk.rules import list_houses
from kiosk.saved import Wish
from kiosk.web.texts import translations

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SIZES = {"monitor": (1920, 1080), "tablet": (1024, 768), "phone": (390, 844)}


def rows_of(page: Page, table: str) -> dict[str, str]:
    """Row → what it pays, of the pay table of that name."""
    found = page.locator("table.pay", has=page.locator("caption", has_text=table))
    rows = found.locator("tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].map(c => c.innerText))"
    )
    return dict(rows)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", SIZES)
def test_p16_a_stranger_opens_the_rule_card_in_force_at_the_table(
    visitor: Any, small_kiosk: Any, language: str, size: str
) -> None:
    t = translations(language).gettext
    width, height = SIZES[size]
    page = visitor.open(language=language, width=width, height=height)
    card = page.locator("#asks a.rule-card")
    expect(card).to_contain_text("Russian Poker A" if language == "en" else "Русский покер A")
    box = card.bounding_box()
    assert box is not None and box["height"] >= 44
    card.click()
    page.wait_for_selector("#rule-card")
    expect(page.locator("#in-force")).to_have_text(t("In force at this table."))
    pays = small_kiosk.rulebook.now.house.house.pay.bet
    rows = rows_of(page, t("Bet pays"))
    assert rows[t("flush")] == str(pays["flush"]) and len(rows) == len(pays)
    facts = page.locator("#rule-card").inner_text()
    for option in ("Table limits", "Smallest ante", "Dealer's lowest game", "Sixth card"):
        assert t(option) in facts
    assert page.locator("#rule-card form, #rule-card a, #rule-card input").count() == 0
    assert page.evaluate(OVERFLOW) <= 0
    visitor.shot(page, f"rules-{size}-{language}", whole=True)
    page.get_by_role("link", name=t("Back to the table")).click()
    page.wait_for_selector(".box")


def test_p16_the_card_is_a_key_beside_a_question_too(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box3", "Jh Jc 8d 8h")
    small_kiosk.look(6)
    for width, height in SIZES.values():
        page = visitor.open(width=width, height=height, language="ru")
        expect(page.locator(".ask").first).to_be_visible()
        box = page.locator("#asks a.rule-card").bounding_box()
        assert box is not None and box["height"] >= 43.9, width


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_card_of_the_drilled_house_is_open_at_the_drills(visitor: Any, language: str) -> None:
    t = translations(language).gettext
    page = visitor.open("drill", language=language)
    page.locator('[data-do="house"][data-value="three-a"]').click()
    page.get_by_role("link", name=t("Rule card"), exact=True).click()
    expect(page.locator("#in-force")).to_have_text(
        t("For the drills: another card is in force at this table.")
    )
    assert rows_of(page, t("Pair plus pays"))
    visitor.shot(page, f"rules-drill-{language}", whole=True)
    page.get_by_role("link", name=t("Back to the drills")).click()
    chosen = page.locator('[data-do="house"][aria-pressed="true"]')
    expect(chosen).to_have_attribute("data-value", "three-a")


@pytest.mark.parametrize("house", list_houses())
def test_every_drilled_house_has_its_card(stranger: FlaskClient, house: str) -> None:
    page = stranger.get(f"/rules?house={house}").get_data(as_text=True)
    assert "<caption>" in page and f"· {house}" in page
    hints = ("In force at this table.", "For the drills: another card is in force")
    assert hints[house != "russian-a"] in page and hints[house == "russian-a"] not in page
    assert ("Training:" in page) == (house == "russian-a"), "the mode is the table's"


def test_a_card_that_is_saved_is_shown_once_it_is_in_force(
    stranger: FlaskClient, small_kiosk: Any
) -> None:
    book = small_kiosk.rulebook
    before = stranger.get("/rules").get_data(as_text=True)
    waiting: list[Any] = []
    book.attach(lambda rules, done: waiting.append(done), lambda rules: None)
    wish = Wish(book.now.settings.house, {}, "Our own house", "training", {}, "")
    book.save(wish, "p-1")
    assert stranger.get("/rules").get_data(as_text=True) == before
    waiting[0]()
    after = stranger.get("/rules").get_data(as_text=True)
    assert "<b>Our own house</b> · russian-a-v1 · v1" in after


def test_an_unknown_house_is_told_on_a_page(stranger: FlaskClient) -> None:
    for name in ("nowhere", "../../etc/passwd", ""):
        answer = stranger.get("/rules", query_string={"house": name})
        assert answer.status_code == 400 and answer.mimetype == "text/html", name
