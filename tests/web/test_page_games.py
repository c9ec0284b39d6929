"""Every game played on the page in a real browser: its places drawn, its bets and cards entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from visiting import key
from web_games import HANDS, deal

BOXES = (1, 2, 3, 4, 5, 6)


@pytest.fixture
def small_kiosk(request: pytest.FixtureRequest, kiosk_of: Callable[..., Any]) -> Any:
    return kiosk_of(house=request.param, boxes=BOXES)


def played_on(house: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("small_kiosk", [house], indirect=True)


def box(page: Page, number: int) -> Any:
    return page.locator(f'.box[data-box="{number}"]')


def cards_of(place: Any) -> list[str]:
    found: list[str] = place.locator(".card[data-card]").evaluate_all(
        "cards => cards.map(card => card.dataset.card)"
    )
    return found


@played_on("texas-a")
def test_the_board_is_drawn_and_a_flop_that_was_not_seen_is_named(
    visitor: Any, small_kiosk: Any
) -> None:
    small_kiosk.act("bets", {"box": 1, "bets": {"bonus": 50}}, "test")
    for zone, cards in HANDS["texas-a"].lay[1:4]:
        small_kiosk.lay(zone, cards)
    small_kiosk.look(2)
    page = visitor.open()
    groups = page.locator("#dealer .hand-group")
    expect(groups).to_have_count(2)
    assert cards_of(groups.nth(1)) == "As 7c 9d 2h Js".split()
    page.locator('.ask [data-do="enter-dealt"]').click()
    sheet = page.locator("#sheet")
    for card in ("As", "7c", "9d"):
        sheet.locator(f'.card[data-card="{card}"]').click()
    sheet.locator('[data-do="save"]').click()
    expect(page.locator(".ask")).to_have_count(0)
    expect(groups.nth(1)).to_contain_text("Flop, turn, river")
    assert small_kiosk.snapshot()["board"]["flop"] == ["As", "7c", "9d"]
    key(page, "r")
    expect(box(page, 1).locator('.bet[data-key="bonus"] .bet-result')).to_have_text(
        "PAY 350, TAKE 50"
    )


@played_on("split-a")
def test_small_hands_are_drawn_and_three_pair_is_named(visitor: Any, small_kiosk: Any) -> None:
    deal(small_kiosk, "split-a")
    page = visitor.open()
    assert cards_of(box(page, 1).locator(".small-hand")) == ["4h", "4s"]
    assert cards_of(page.locator("#dealer .hand-group").nth(1)) == ["Qh", "Jc"]
    expect(box(page, 3).locator(".small-hand")).to_have_count(0)
    key(page, "r")
    expect(box(page, 1).locator(".paid-as")).to_have_text("paid as three pair")
    page.locator('.box[data-box="1"] [data-do="fix-card"][data-card="4s"]').click()
    expect(page.locator("#sheet h2")).to_contain_text("Box 1, small hand")


@played_on("three-a")
def test_pair_plus_is_entered_and_the_ante_bonus_answered(visitor: Any, small_kiosk: Any) -> None:
    hand = HANDS["three-a"]
    for zone, cards in hand.lay:
        small_kiosk.lay(zone, cards)
    page = visitor.open()
    box(page, 1).locator('[data-do="bets"].key').click()
    sheet = page.locator("#sheet")
    sheet.locator('[data-do="focus"][data-name="pair_plus"]').click()
    page.keyboard.type("50")
    sheet.locator('[data-do="save-confirm"]').click()
    expect(box(page, 1).locator('.bet[data-key="pair_plus"] .bet-stake')).to_have_text("50")
    box(page, 1).locator('[data-do="answer"]').click()
    for name, amount in {"ante": 100, "bet": 100, "pair_plus": 300, "ante_bonus": 100}.items():
        row = sheet.locator(f'.field[data-key="{name}"]')
        row.locator('[data-do="choose"][data-value="win"]').click()
        page.keyboard.type(str(amount))
    sheet.locator('[data-do="save"]').click()
    expect(sheet).not_to_be_visible()
    key(page, "r")
    expect(box(page, 1).locator(".answer.right")).to_have_count(4)
    assert small_kiosk.snapshot()["boxes"][0]["result"]["paid"] == 600


@played_on("oasis-a")
def test_tokens_an_exchange_and_the_deal_are_entered(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Tc 2s")
    page = visitor.open()
    box(page, 1).locator('[data-do="bets"].key').click()
    sheet = page.locator("#sheet")
    sheet.locator('[data-do="choose"][data-name="progressive"][data-value="10"]').click()
    sheet.locator('[data-do="choose"][data-name="exchanged"][data-value="1"]').click()
    sheet.locator('[data-do="save-confirm"]').click()
    page.locator('.ask [data-do="enter-dealt"]').click()
    for card in "7h 7d Ts Tc Ac".split():
        sheet.locator(f'.card[data-card="{card}"]').click()
    sheet.locator('[data-do="save"]').click()
    expect(page.locator(".ask")).to_have_count(0)
    assert set(cards_of(box(page, 1).locator(".dealt"))) == set("7h 7d Ts Tc Ac".split())
    shown = small_kiosk.snapshot()["boxes"][0]
    assert shown["bets"] == {"ante": 100, "bet": 200, "progressive": 10, "exchange": 100}
    assert shown["settled"]
