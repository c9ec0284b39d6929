"""The live page on a touch monitor and on a phone: sizes, contrast, nothing cut off."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

SIZES = {"monitor": (1920, 1080), "phone": (390, 844)}
SCREENS = {**SIZES, "laptop": (1280, 800), "tablet": (1024, 768)}

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

SMALL = """least => [...document.querySelectorAll('button, a, summary')]
  .filter(e => e.checkVisibility())
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, r]) => r.width < least || r.height < least)
  .map(([e, r]) => `${e.className} ${Math.round(r.width)}x${Math.round(r.height)}`)"""

CUT = """() => [...document.querySelectorAll(
    '.key, .main-key, .total, .stamp, .sign, .choice, .combination, .verdict, .box-head, .stage')]
  .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map(e => `${e.className}: ${e.textContent}`)"""

UNSEEN = """() => [...document.querySelectorAll(
    '.bets > .bet, .reason, .answer, .ask, .ask .key, .whole-sum > *, .trouble, .rule-card')]
  .filter(e => e.checkVisibility())
  .flatMap(e => {
    const { top, bottom } = e.getBoundingClientRect();
    for (let around = e.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowY === 'visible') continue;
      const edge = around.getBoundingClientRect();
      if (top < edge.top - 1 || bottom > edge.bottom + 1)
        return [`${e.className} in ${around.className}, ${Math.round(bottom - edge.bottom)} px: ` +
          e.textContent];
    }
    return [];
  })"""
"""What is cut by the edge of a place that scrolls."""

CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const found = rgba(getComputedStyle(e).backgroundColor);
      if (found[3] > 250) return found;
    }
    return rgba(getComputedStyle(document.documentElement).backgroundColor);
  };
  const poor = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.checkVisibility()) continue;
    if (e.closest('script')) continue;
    // What is not in play is dimmed as a whole and carries no information.
    if (e.closest('.is-empty, [data-lying], .veil, .picture-note')) continue;
    const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(getComputedStyle(e).fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) poor.push(`${e.className || e.tagName}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""


def shown(kiosk: Any) -> None:
    """A revealed round with everything on it: doubles, fees, a fold, a wrong answer."""
    kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    kiosk.lay("box1", "7h 7d Ts Kc Ac")
    kiosk.act("confirm", {"box": 1}, "t")
    kiosk.act("bets", {"box": 2, "bets": {"ante": 1000, "bonus": 100}, "sixth": True}, "t")
    kiosk.lay("box2", "3s 5s 7s Js As Ah")
    kiosk.lay("box3", "Qh Qc 4d 4h 9c")
    kiosk.act("bets", {"box": 4, "action": "fold", "in_play": True}, "t")
    answer = {
        "ante": {"result": "not-paid", "amount": 0},
        "bet": {"result": "win", "amount": 10000},
        "sixth": {"result": "lose", "amount": 1000},
        "bonus": {"result": "lose", "amount": 100},
    }
    kiosk.act("answer", {"box": 2, "bets": answer}, "t")
    kiosk.act("reveal", {}, "t")


@pytest.mark.parametrize(
    ("size", "language"),
    [
        ("monitor", "en"),
        ("monitor", "ru"),
        ("laptop", "ru"),
        ("tablet", "ru"),
        ("phone", "en"),
        ("phone", "ru"),
    ],
)
def test_the_page_fits_with_everything_on_it(
    visitor: Any, small_kiosk: Any, size: str, language: str
) -> None:
    width, height = SCREENS[size]
    shown(small_kiosk)
    page: Page = visitor.open(width=width, height=height, language=language)
    page.wait_for_selector(".total")
    visitor.shot(page, f"web-{size}-{language}", whole=True)
    assert page.evaluate(OVERFLOW) <= 0, "the page is wider than the screen"
    assert page.evaluate(SMALL, 44) == []
    assert page.evaluate(CUT) == []
    if size != "phone":
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        for selector in ("#keys", ".box .totals", "#dealer .hand", "#stage"):
            for place in page.locator(selector).all():
                found = place.bounding_box()
                assert found is not None
                assert found["y"] >= 0
                assert found["y"] + found["height"] <= height, selector


WRONG = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}
LOST, WON = "7h 7d Ts Kc 2c", "Ah Ad 8s 8c Jc"
FOUR, SIX = ("russian-a", (1, 2, 3, 4)), ("five-a", (1, 2, 3, 4, 5, 6))


@pytest.fixture
def small_kiosk(request: pytest.FixtureRequest, kiosk_of: Any) -> Any:
    house, boxes = getattr(request, "param", FOUR)
    return kiosk_of(house=house, boxes=boxes)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("hand", [WON, LOST], ids=["won", "lost"])
@pytest.mark.parametrize("small_kiosk", [FOUR, SIX], indirect=True, ids=["four", "six"])
def test_verdicts_and_questions_are_whole_when_new_cards_lie_already(
    visitor: Any, small_kiosk: Any, hand: str, language: str
) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", hand)
    small_kiosk.act("confirm", {"box": 1}, "t")
    wrong = WRONG if hand == WON else {**WRONG, "bet": {"result": "win", "amount": 200}}
    small_kiosk.act("answer", {"box": 1, "bets": wrong}, "t")
    small_kiosk.act("reveal", {}, "t")
    small_kiosk.clear()
    small_kiosk.lay("dealer", "9s 9d 7c 6h 2s")
    page: Page = visitor.open(language=language)
    expect(page.locator(".ask")).to_be_visible()
    expect(page.locator(".whole-sum")).to_be_visible()
    expect(page.locator(".box .answer.wrong").first).to_be_visible()
    boxes = len(small_kiosk.state.settings.boxes)
    visitor.shot(page, f"room-{boxes}-{'won' if hand == WON else 'lost'}-{language}")
    assert page.evaluate(UNSEEN) == []


MORE = """() => [...document.querySelectorAll('.bets, .open-asks')].map(e =>
  [e.scrollHeight - e.clientHeight - e.scrollTop > 2, e.hasAttribute('data-more')])"""


def test_what_lies_below_the_edge_is_marked_until_it_is_reached(
    visitor: Any, small_kiosk: Any
) -> None:
    for number, cards in enumerate(("Qh Qc 4d 4h", "Jh Jc 8d 8h", "3c 3s 3h 9c"), start=1):
        small_kiosk.lay(f"box{number}", cards)
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.look(6)
    small_kiosk.parts["deck"] = {"ok": False, "text": "deck not checked"}
    small_kiosk.parts["storage"] = {"ok": False, "text": "the record cannot be written"}
    page: Page = visitor.open(width=1280, height=800, language="ru")
    asks = page.locator(".open-asks")
    expect(asks).to_have_attribute("data-more", "")
    visitor.shot(page, "more-below")
    found = page.evaluate(MORE)
    assert all(more == marked for more, marked in found), found
    asks.evaluate("e => e.scrollTo(0, e.scrollHeight)")
    expect(asks).not_to_have_attribute("data-more", "")


def test_p7_the_boxes_are_numbered_in_the_picture_where_they_lie(
    visitor: Any, small_kiosk: Any
) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page: Page = visitor.open()
    marks = page.locator("#box-marks .box-mark")
    expect(marks).to_have_text(["1", "2", "3", "4"])
    left = [mark.bounding_box()["x"] for mark in marks.all()]
    assert left == sorted(left, reverse=True), "the camera stands opposite the dealer"
    frame = page.locator("#picture").bounding_box()
    for mark in marks.all():
        found = mark.bounding_box()
        assert found["x"] >= frame["x"] and found["y"] >= frame["y"]
        assert found["x"] + found["width"] <= frame["x"] + frame["width"] + 1
        assert found["y"] + found["height"] <= frame["y"] + frame["height"] + 1
    page.locator('.box[data-box="3"] .box-number').click()
    expect(page.locator(".box-mark.selected")).to_have_text("3")
    visitor.shot(page, "box-marks")


@pytest.mark.parametrize("size", SCREENS)
def test_main_keys_are_large_enough_for_gloves(visitor: Any, small_kiosk: Any, size: str) -> None:
    width, height = SCREENS[size]
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open(width=width, height=height)
    for key in page.locator(".main-key, .box .key").all():
        found = key.bounding_box()
        assert found is not None
        assert min(found["width"], found["height"]) >= 59.5, key.text_content()


def test_cards_are_readable_from_two_metres(visitor: Any, small_kiosk: Any) -> None:
    # 1/200 of the distance is comfortable; a 24" monitor shows 92 pixels an inch.
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open()
    height = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.box .card .rank')).fontSize)"
    )
    assert height / 92 * 25.4 >= 2000 / 200


@pytest.mark.parametrize("theme", ["dark", "bright"])
def test_text_stands_out_in_both_themes(visitor: Any, small_kiosk: Any, theme: str) -> None:
    shown(small_kiosk)
    page = visitor.open()
    if theme == "bright":
        page.locator(".menu-key").click()
        page.locator('[data-do="theme"]').click()
        page.reload()
        page.wait_for_selector(".total")
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    visitor.shot(page, f"web-theme-{theme}")
    assert page.evaluate(CONTRAST) == []


def test_suits_differ_by_shape_and_not_by_colour_alone(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("box1", "7c 7d 7h 7s")
    page = visitor.open()
    shapes = {
        page.locator(f'.box .card[data-card="7{suit}"] use').get_attribute("href")
        for suit in "cdhs"
    }
    assert len(shapes) == 4


@pytest.mark.parametrize(
    "path", ["audit", "audit/r-000007", "calibrate", "settings", "drill", "audit/none"]
)
@pytest.mark.parametrize("size", SIZES)
def test_plain_pages_fit(visitor: Any, small_kiosk: Any, keep: Any, size: str, path: str) -> None:
    width, height = SIZES[size]
    shown(small_kiosk)
    keep("r-000007")
    page = visitor.open(path, width=width, height=height)
    visitor.shot(page, f"web-{size}-{path.replace('/', '-')}")
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(CONTRAST) == []
    visitor.expected = ("404",)


@pytest.mark.parametrize("sheet", ["bets", "answer", "card", "void"])
@pytest.mark.parametrize("size", SIZES)
def test_sheets_fit(visitor: Any, small_kiosk: Any, size: str, sheet: str) -> None:
    width, height = SIZES[size]
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open(width=width, height=height, language="ru")
    opener = {
        "bets": '.box [data-do="bets"].key',
        "answer": '.box [data-do="answer"]',
        "card": ".box .card",
        "void": '.main-key[data-do="void"]',
    }[sheet]
    page.locator(opener).first.click()
    found = page.locator("#sheet").bounding_box()
    visitor.shot(page, f"web-{size}-sheet-{sheet}")
    assert found is not None
    assert found["x"] >= 0
    assert found["x"] + found["width"] <= width
    assert found["y"] + found["height"] <= height
    assert page.evaluate(CUT) == []
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
