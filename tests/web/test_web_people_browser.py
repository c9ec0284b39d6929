"""Signing in, people, who deals and leave in a real browser, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from visiting import key

from kiosk.people import open_people
from kiosk.web.texts import translations

PASSWORD = "correct horse battery"


def pin(page: Any, digits: str) -> None:
    """Taps a PIN on the pad."""
    for digit in digits:
        page.click(f".pin-side [data-value='{digit}']")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_who_deals_and_who_allows_at_the_table(
    visitor: Any, small_kiosk: Any, waiting: Callable[..., Any], language: str
) -> None:
    t = translations(language).gettext
    visitor.expected = ("403",)
    page = visitor.open(language=language)
    page.click(f".dealer-sign:has-text('{t('Who deals?')}')")
    page.click(".face-key:has-text('trainee')")
    pin(page, "0852")
    page.click("[data-do=begin]")
    page.wait_for_selector(f"#toast:has-text('{t('The PIN is wrong.')}')")
    pin(page, "2580")
    visitor.shot(page, f"who-deals-{language}")
    page.click("[data-do=begin]")
    page.wait_for_selector(".dealer-sign:has-text('trainee')")
    assert small_kiosk.people.name_of(small_kiosk.dealing) == "trainee"
    # A hand shown in error is taken back only with an instructor and a reason.
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "As Ah Ad 7c 4s")
    small_kiosk.look(1)
    page.wait_for_selector("[data-key=confirm].good")
    key(page, "Enter")
    page.wait_for_selector("[data-key=confirm][disabled]")
    key(page, "r")
    page.wait_for_selector("body.wrong")
    key(page, "u")
    page.wait_for_selector(f"#sheet:has-text('{t('An instructor must allow this')}')")
    page.click(".face-key:has-text('instructor')")
    pin(page, "258036")
    page.click("[data-do=allow]")
    page.wait_for_selector(f"#toast:has-text('{t('A reason is needed.')}')")
    page.fill(".leave .reason-input", "bets misheard")
    visitor.shot(page, f"leave-{language}")
    page.click("[data-do=allow]")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    waiting(lambda: small_kiosk.acts[-1][0] == "undo", what="the taking back")
    name, body, who = small_kiosk.acts[-1]
    assert (name, body["reason"]) == ("undo", "bets misheard")
    assert small_kiosk.people.name_of(who) == "instructor"
    # Nobody deals any more.
    page.click(".dealer-sign")
    page.click("[data-do=nobody]")
    page.wait_for_selector(f".dealer-sign:has-text('{t('Who deals?')}')")
    assert small_kiosk.dealing is None


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_first_admin_adds_people_and_signs_out(
    visitor: Any, small_kiosk: Any, tmp_path: Any, language: str
) -> None:
    t = translations(language).gettext
    people = small_kiosk.people = open_people(tmp_path / "fresh")
    page = visitor.open(language=language)
    page.click(f"a.sign:has-text('{t('No admin yet: set up')}')")
    page.fill("[name=code]", people.setup.text)
    page.fill("[name=name]", "Vera")
    page.fill("[name=password]", PASSWORD)
    page.fill("[name=again]", PASSWORD)
    visitor.shot(page, f"setup-{language}", whole=True)
    page.click(f"button:has-text('{t('Make the first admin')}')")
    page.wait_for_selector(f"h1:has-text('{t('People')}')")
    page.fill("[name=name] >> nth=0", "Lucky 7")
    page.fill("[name=pin] >> nth=0", "2580")
    page.click(f"button:has-text('{t('Add')}') >> nth=0")
    page.wait_for_selector("summary:has-text('Lucky 7')")
    visitor.shot(page, f"people-{language}", whole=True)
    page.click("summary:has-text('Lucky 7')")
    page.click(f"summary:has-text('{t('Erase…')}')")
    page.click("button.warn")
    page.wait_for_selector("summary:has-text('Lucky 7')", state="detached")
    assert [person.name for person in people.everybody()] == ["Vera"]
    page.click(f"button:has-text('{t('Sign out')}')")
    page.wait_for_selector(".box")
    page.goto(visitor.served.url + "audit")
    assert "/signin?next=%2Faudit" in page.url
    page.fill("[name=name]", "vera")
    page.fill("[name=password]", PASSWORD)
    page.click(f"button:has-text('{t('Sign in')}')")
    page.wait_for_url("**/audit")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_an_admin_changes_a_pay_table_and_prints_the_card(
    visitor: Any, small_kiosk: Any, language: str
) -> None:
    t = translations(language).gettext
    page = visitor.open("settings", language=language)
    page.click(f"a:has-text('{t('Change rules and table')}')")
    visitor.expected = ("400",)
    page.fill("[name='cell:pay.bet:flush']", "1")
    page.fill("[name=note]", "new card")
    page.click(f"button:has-text('{t('Save')}')")
    page.wait_for_selector("#problem:has-text('pay.bet.flush')")
    assert page.input_value("[name='cell:pay.bet:flush']") == "1", "what was typed stays"
    page.fill("[name='cell:pay.bet:flush']", "6")
    visitor.shot(page, f"settings-edit-{language}", whole=True)
    page.click(f"button:has-text('{t('Save')}')")
    page.wait_for_selector("#versions:has-text('new card')")
    visitor.shot(page, f"settings-{language}", whole=True)
    assert small_kiosk.rulebook.now.house.house.pay.bet["flush"] == 6
    page.click(f"a:has-text('{t('Rule card for printing')}')")
    page.wait_for_selector("#rule-card")
    page.emulate_media(media="print")
    assert page.is_hidden("header.bar") and page.is_hidden("[data-print]")
    assert len(page.pdf()) > 10_000
    visitor.shot(page, f"rule-card-print-{language}", whole=True)


def test_a_pin_at_the_sign_in_page_and_the_way_back(visitor: Any) -> None:
    page = visitor.open("signin?next=/audit")
    page.click(".face:has-text('supervisor')")
    for digit in "147036":
        page.click(f".pad button:has-text('{digit}')")
    page.click(".door:has(.pin) button[type=submit]")
    page.wait_for_url("**/audit")
