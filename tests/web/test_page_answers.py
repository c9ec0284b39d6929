"""Answers on the live page: given, judged, shown wrong and put right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from visiting import box, key

Wait = Callable[..., Any]


def test_p4_a_wrong_answer_holds_the_hand_until_it_is_right(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    box(page, 2).get_by_role("button", name="Answer").click()
    give_answer(page, "300")
    expect(box(page, 2)).to_contain_text("Answered")
    expect(page.locator(".total")).to_have_count(0)
    key(page, "r")
    expect(page.locator("#stage")).to_contain_text("WRONG ANSWER")
    expect(page.locator("#stage")).to_contain_text("box 2")
    expect(box(page, 2).locator(".answer.wrong")).to_contain_text("PAY 300")
    expect(box(page, 2).locator(".answer.wrong")).to_contain_text("arithmetic")
    visitor.shot(page, "web-wrong-answer")
    box(page, 2).locator(".why-key").click()
    why = page.locator("#sheet .answer.wrong")
    expect(why).to_contain_text("100 too little for the player")
    visitor.shot(page, "web-wrong-why")
    page.keyboard.press("Escape")
    visitor.expected = ("409",)
    key(page, "n")
    expect(page.locator("#toast")).to_contain_text("wrong")
    box(page, 2).get_by_role("button", name="Answer again").click()
    give_answer(page, "400")
    expect(page.locator("#stage")).not_to_contain_text("WRONG ANSWER")
    expect(box(page, 2).locator(".answer.right")).to_have_count(2)


@pytest.mark.parametrize(
    ("language", "title", "owed", "next_key"),
    [
        ("en", "NO ANSWER", "Box 1, 2 was shown without an answer", "without an answer"),
        ("ru", "НЕТ ОТВЕТА", "Бокс 1, 2 показан без ответа", "без ответа"),
    ],
)
def test_p4_boxes_shown_without_an_answer_hold_the_hand(
    visitor: Any, dealt: Any, language: str, title: str, owed: str, next_key: str
) -> None:
    page = visitor.open(language=language)
    key(page, "r")
    expect(page.locator("#stage")).to_contain_text(title)
    expect(page.locator("#stage")).to_contain_text(owed)
    visitor.shot(page, f"web-no-answer-{language}")
    visitor.expected = ("409",)
    key(page, "n")
    expect(page.locator("#toast")).to_contain_text(next_key)
    for number in (1, 2):
        bets = dealt.snapshot()["boxes"][number - 1]["result"]["bets"]
        dealt.act("answer", {"box": number, "bets": bets}, "t")
    expect(page.locator("#stage")).not_to_contain_text(title)
    expect(page.locator('[data-do="next"].due')).to_have_count(1)


def test_p8_the_slip_behind_a_wrong_answer_is_named_in_both_languages(
    visitor: Any, dealt: Any
) -> None:
    bets = {"ante": {"result": "push"}, "bet": {"result": "win", "amount": 600}}
    dealt.act("answer", {"box": 2, "bets": bets}, "t")
    dealt.act("reveal", {}, "t")
    for language, kind, slip in (
        ("en", "arithmetic", "The stake was counted into the payment."),
        ("ru", "арифметика", "[COM-RES-1]"),
    ):
        page = visitor.open(language=language)
        expect(box(page, 2).locator(".answer.wrong")).to_contain_text(kind)
        expect(box(page, 1)).to_contain_text("not answered" if language == "en" else "без ответа")
        box(page, 2).locator(".why-key").click()
        expect(page.locator("#sheet .answer.wrong").first).to_contain_text(slip)
        visitor.shot(page, f"web-mistake-{language}")


@pytest.mark.parametrize("taken", [True, False])
def test_p8_the_stake_of_a_winning_bonus_is_asked_for(
    visitor: Any, small_kiosk: Any, taken: bool
) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.act("bets", {"box": 1, "bets": {"bonus": 10}}, "t")
    small_kiosk.lay("box1", "7h 7c 7s Kc Ac")
    page = visitor.open()
    box(page, 1).get_by_role("button", name="Answer").click()
    sheet = page.locator("#sheet")
    sheet.locator('[data-name="ante"][data-value="push"]').click()
    for bet, amount in (("bet", "800"), ("bonus", "600")):
        sheet.locator(f'[data-name="{bet}"][data-value="win"]').click()
        page.keyboard.type(amount)
    if taken:
        sheet.locator('[data-do="stake"]').click()
    sheet.get_by_role("button", name="Give the answer").click()
    expect(box(page, 1)).to_contain_text("Answered")
    key(page, "r")
    expect(box(page, 1).locator(".answer.right")).to_have_count(3 if taken else 2)
    if not taken:
        expect(box(page, 1).locator(".answer.wrong")).to_contain_text("side bet missed")


def test_p7_boxes_are_asked_in_the_order_of_the_house(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    expect(page.locator("#stage")).to_contain_text("Answer box 2, 1")
    right = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}
    dealt.act("answer", {"box": 1, "bets": right}, "t")
    won = {"ante": {"result": "push"}, "bet": {"result": "win", "amount": 400}}
    dealt.act("answer", {"box": 2, "bets": won}, "t")
    key(page, "r")
    expect(box(page, 1)).to_contain_text("answered out of order")
    expect(box(page, 2)).not_to_contain_text("answered out of order")


def test_a_keyboard_types_the_amount_and_right_bets_stay(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    box(page, 2).get_by_role("button", name="Answer").click()
    give_answer(page, "300")
    expect(box(page, 2)).to_contain_text("Answered")
    key(page, "r")
    expect(page.locator("#stage")).to_contain_text("WRONG ANSWER")
    box(page, 2).get_by_role("button", name="Answer again").click()
    sheet = page.locator("#sheet")
    kept = sheet.locator('[data-name="ante"][data-value="push"]')
    expect(kept).to_have_attribute("aria-pressed", "true")
    sheet.locator('[data-name="bet"][data-value="win"]').click()
    page.keyboard.type("4009")
    page.keyboard.press("Backspace")
    sheet.get_by_role("button", name="Give the answer").click()
    expect(box(page, 2).locator(".answer.right")).to_have_count(2)


def give_answer(page: Page, amount: str) -> None:
    """Ante: left; bet: pay the amount."""
    sheet = page.locator("#sheet")
    sheet.locator('[data-name="ante"][data-value="push"]').click()
    sheet.locator('[data-name="bet"][data-value="win"]').click()
    for digit in amount:
        sheet.locator(f'.keypad [data-value="{digit}"]').click()
    sheet.get_by_role("button", name="Give the answer").click()


def test_an_answer_with_an_open_bet_is_not_sent(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    box(page, 2).get_by_role("button", name="Answer").click()
    page.locator("#sheet").get_by_role("button", name="Give the answer").click()
    expect(page.locator("#toast")).to_contain_text("Still open: Ante, Bet")
    assert dealt.acts == []
