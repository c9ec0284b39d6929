"""The panel on the live page: its window, its keys on the keyboard, the box chosen on both."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from visiting import box, key

from firmware_bridge.keyboard import KEYS

Wait = Callable[..., Any]


def test_the_simulated_panel_is_shown_and_pressed(
    visitor: Any, small_kiosk: Any, waiting: Wait
) -> None:
    page = visitor.open()
    expect(page.locator("#panel")).to_be_hidden()
    page.locator(".panel-sign").click()
    expect(page.locator(".display")).to_contain_text("BOX 1")
    expect(page.locator(".panel-keys .key")).to_have_count(16)
    expect(page.locator(".light")).to_have_count(6)
    page.locator('.panel-keys [data-button="reveal"]').click()
    small_kiosk.panel = {**small_kiosk.panel, "display": ["PAY 400", "", "", ""]}
    small_kiosk.publish("panel", small_kiosk.panel)
    expect(page.locator(".display")).to_contain_text("PAY 400")
    waiting(lambda: small_kiosk.presses == ["reveal"], what="one press")


def test_a_key_of_the_panels_window_can_be_held(
    visitor: Any, small_kiosk: Any, waiting: Wait
) -> None:
    page = visitor.open()
    page.locator(".panel-sign").click()
    hold = page.locator('[data-do="panel-hold"]')
    hold.click()
    expect(hold).to_have_attribute("aria-pressed", "true")
    page.locator('.panel-keys [data-button="next"]').click()
    expect(hold).to_have_attribute("aria-pressed", "false")
    page.locator('.panel-keys [data-button="sixth"]').click(delay=900)
    page.locator('.panel-keys [data-button="plus"]').click()
    waiting(lambda: len(small_kiosk.presses) == 3, what="three presses")
    assert small_kiosk.presses == ["next held", "sixth held", "plus"]


def test_page_and_panel_choose_the_same_box(visitor: Any, dealt: Any, waiting: Wait) -> None:
    page = visitor.open()
    dealt.panel_choose(2)
    expect(box(page, 2)).to_have_attribute("aria-current", "true")
    box(page, 1).locator(".box-number").click()
    waiting(lambda: dealt.panel["selected"] == 1, what="the choice on the panel")
    expect(box(page, 1)).to_have_class(re.compile("selected"))
    expect(box(page, 2)).not_to_have_class(re.compile("selected"))
    dealt.panel_choose(None)
    expect(page.locator(".box.selected")).to_have_count(0)
    page.reload()
    dealt.panel_choose(1)
    expect(box(page, 1)).to_have_class(re.compile("selected"))


@pytest.fixture
def confirmed(dealt: Any) -> Any:
    """Both hands confirmed: the page itself has nothing left for Enter."""
    for number in (1, 2):
        dealt.act("confirm", {"box": number}, "page")
    dealt.acts.clear()
    return dealt


def test_each_key_of_a_number_pad_presses_its_button_of_the_panel_once(
    visitor: Any, confirmed: Any, waiting: Wait
) -> None:
    page = visitor.open()
    expect(page.locator('.main-key[data-do="confirm"]')).to_contain_text("All confirmed")
    pad = {"+": "NumpadAdd", "-": "NumpadSubtract", "*": "NumpadMultiply", "/": "NumpadDivide"}
    wanted = []
    for pressed, button in KEYS.items():
        page.keyboard.press(pad.get(pressed, pressed))
        wanted.append(button)
        waiting(lambda: len(confirmed.presses) >= len(wanted), what=f"the press of {pressed}")
    page.wait_for_timeout(300)
    assert confirmed.presses == wanted
    assert confirmed.acts == [], "a key of the panel acted on the page as well"


def test_the_pages_own_letters_press_nothing_on_the_panel(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    key(page, "r")
    expect(box(page, 2).locator(".total.pay")).to_be_visible()
    key(page, "h")
    expect(page.locator("body")).to_have_class(re.compile("held"))
    assert [name for name, _, _ in dealt.acts] == ["reveal", "hold"] and dealt.presses == []


def test_enter_confirms_on_the_page_and_that_of_the_number_pad_on_the_panel(
    visitor: Any, dealt: Any, waiting: Wait
) -> None:
    page = visitor.open()
    page.keyboard.press("2")
    expect(box(page, 2)).to_have_class(re.compile("selected"))
    page.keyboard.press("NumpadEnter")
    waiting(lambda: dealt.presses == ["box2", "confirm"], what="both on the panel")
    assert dealt.acts == []
    page.keyboard.press("Enter")
    expect(box(page, 2).locator(".stamp.sure")).to_be_visible()
    assert [name for name, _, _ in dealt.acts] == ["confirm"]
    assert dealt.presses == ["box2", "confirm"]


def test_a_press_never_overtakes_the_one_before(visitor: Any, dealt: Any, waiting: Wait) -> None:
    page = visitor.open()
    on_the_way: list[Any] = []
    page.route("**/api/v1/panel/press", lambda route: on_the_way.append(route))
    page.keyboard.press("2")
    page.keyboard.press("NumpadEnter")
    page.wait_for_timeout(400)
    assert len(on_the_way) == 1, "the second press waits for the answer to the first"
    on_the_way[0].continue_()
    waiting(lambda: page.wait_for_timeout(50) or len(on_the_way) == 2, what="the second press")
    assert dealt.presses == ["box2"]
    on_the_way[1].continue_()
    waiting(lambda: len(dealt.presses) == 2, what="both presses on the panel")
    assert dealt.presses == ["box2", "confirm"]


def test_a_key_typed_into_a_sheet_or_held_down_presses_nothing(
    visitor: Any, dealt: Any, waiting: Wait
) -> None:
    page = visitor.open()
    page.keyboard.press("1")
    page.keyboard.press("b")
    expect(page.locator("#sheet")).to_be_visible()
    page.keyboard.press("+")
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    waiting(lambda: dealt.presses == ["box1"], what="the choice of the box alone")
    # A key held down repeats in the browser; on the panel it is pressed once.
    for _ in range(4):
        page.keyboard.down("NumpadAdd")
    page.keyboard.up("NumpadAdd")
    page.keyboard.press("NumpadSubtract")
    waiting(lambda: len(dealt.presses) >= 3, what="plus and minus")
    assert dealt.presses == ["box1", "plus", "minus"]
