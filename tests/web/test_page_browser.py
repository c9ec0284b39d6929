"""The live page in a real browser: what people see, tap and type."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from pace import Pace
from playwright.sync_api import expect
from visiting import box, key

from kiosk.cards import Card
from kiosk.people import Role
from kiosk.sightings import Doubt

Wait = Callable[..., Any]


def test_cards_come_by_events_and_nothing_is_polled(
    visitor: Any, small_kiosk: Any, waiting: Wait
) -> None:
    page = visitor.open()
    visitor.asked.clear()
    small_kiosk.lay("dealer", "Ks")
    expect(page.locator("#dealer .card[data-card=Ks]")).to_be_visible()
    # Not a sleep: while Playwright waits it takes in what the page asks.
    page.wait_for_timeout(2500)
    assert visitor.asked == [], "the page polls"


def test_p3_nothing_is_shown_before_the_reveal_and_all_after_it(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    expect(box(page, 2).locator(".card[data-card]")).to_have_count(5)
    for hidden in (".total", ".combo", ".verdict", ".bet-result", ".reason", ".card.counts"):
        expect(page.locator(hidden)).to_have_count(0)
    key(page, "r")
    expect(box(page, 2).locator(".total.pay .total-amount")).to_contain_text("400")
    expect(box(page, 1).locator(".total.take .total-amount")).to_contain_text("300")
    expect(box(page, 1).locator(".combination")).to_contain_text("pair")
    expect(box(page, 1).locator(".combination")).to_contain_text("ace-king")
    expect(box(page, 1).locator(".card.counts")).to_have_count(4)
    expect(page.locator(".verdict")).to_contain_text("GAME")
    expect(box(page, 2).locator(".bet.r-win .bet-result")).to_have_text("PAY 400")
    expect(box(page, 2).locator(".bet.r-win .reason")).to_contain_text("2:1")
    expect(box(page, 2).locator(".chip-count")).to_contain_text("4×")


def test_a_settlement_is_marked_assumed_until_confirmed_with_one_key(
    visitor: Any, dealt: Any
) -> None:
    page = visitor.open()
    expect(page.locator(".stamp.maybe")).to_have_count(2)
    expect(page.locator('.main-key[data-do="confirm"]')).to_contain_text("Confirm box 1")
    page.keyboard.press("2")
    expect(box(page, 2)).to_have_class(re.compile("selected"))
    page.keyboard.press("Enter")
    expect(box(page, 2).locator(".stamp.sure")).to_be_visible()
    page.keyboard.press("Enter")
    expect(box(page, 1).locator(".stamp.sure")).to_be_visible()
    expect(page.locator('.main-key[data-do="confirm"]')).to_contain_text("All confirmed")
    assert [name for name, _, _ in dealt.acts] == ["confirm", "confirm"]


def test_bets_that_changed_unseen_are_not_confirmed(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    expect(page.locator('.main-key[data-do="confirm"]')).to_contain_text("Confirm box 1")
    # The panel enters something of which the page has not heard yet.
    seen = dealt.snapshot()["boxes"][0]["entries"]
    page.route("**/round/confirm", lambda route: route.continue_(post_data=old(seen)))
    dealt.act("bets", {"box": 1, "bets": {"ante": 500}}, "panel")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("were changed meanwhile")
    expect(box(page, 1).locator(".stamp.maybe")).to_be_visible()
    visitor.expected = ("409",)


def old(entries: str) -> str:
    """The body of a page that has not heard of a change yet."""
    return json.dumps({"box": 1, "entries": entries})


def test_bets_confirmed_early_stay_assumed_until_it_is_said_who_buys(
    visitor: Any, small_kiosk: Any
) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.act("confirm", {"box": 1}, "page")
    page = visitor.open()
    expect(box(page, 1).locator(".stamp.sure")).to_be_visible()
    small_kiosk.lay("dealer", "Kd Jc 9h 5s 3c")
    key(page, "r")
    expect(box(page, 1).locator(".total")).to_be_visible()
    expect(box(page, 1).locator(".stamp.maybe")).to_be_visible()
    page.keyboard.press("Enter")
    expect(box(page, 1).locator(".stamp.sure")).to_be_visible()


def test_v17_a_card_is_corrected_in_two_taps(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    box(page, 1).locator(".card[data-card=Ac]").click()
    page.locator("#sheet .card[data-card=Ad]").click()
    expect(box(page, 1).locator(".card[data-card=Ad][data-person]")).to_be_visible()
    assert dealt.acts[-1][:2] == ("cards", {"zone": "box1", "card": "Ad", "was": "Ac"})


def test_a_doubt_is_asked_with_its_picture_and_answered_with_one_tap(
    visitor: Any, dealt: Any
) -> None:
    nine, six = Card.parse("9s"), Card.parse("6s")
    doubt = Doubt("d-7", (1, 2, 30, 40), ((nine, 0.55), (six, 0.31)), "low-confidence")
    done, data = cv2.imencode(".jpg", np.full((120, 120, 3), 200, np.uint8))
    assert done
    dealt.doubts["d-7"] = bytes(data)
    dealt.lay("box3", "Jh Jc 8d 8h", (doubt,))
    dealt.look(4)
    page = visitor.open()
    ask = page.locator(".ask")
    expect(ask).to_contain_text("Which is it?")
    expect(page.locator(".ask-picture")).to_have_js_property("naturalWidth", 120)
    expect(box(page, 3)).to_have_class(re.compile("asked"))
    expect(box(page, 3).locator(".card.doubtful")).to_have_count(1)
    visitor.shot(page, "web-question")
    ask.locator(".candidate .card").nth(1).click()
    expect(box(page, 3).locator(".card[data-card='6s']")).to_be_visible()
    assert dealt.acts[-1][1]["doubt"] == "d-7"


def test_the_sixth_card_question_is_answered_with_one_tap(visitor: Any, dealt: Any) -> None:
    dealt.lay("box3", "3s 5s 7s Js As Ah")
    dealt.look(4)
    page = visitor.open()
    page.get_by_role("button", name="Sixth card bought").click()
    expect(page.locator(".ask")).to_have_count(0)
    assert dealt.snapshot()["boxes"][2]["bets"]["sixth"] == 100


def test_bets_and_actions_are_entered_on_touch_alone(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    box(page, 2).get_by_role("button", name="Bets").click()
    sheet = page.locator("#sheet")
    ante = sheet.locator('.field[data-key="ante"]')
    ante.get_by_role("button", name="more").click()
    expect(ante.locator(".amount")).to_have_text("200")
    for digit in ("1", "5", "0"):
        sheet.locator(f'.keypad [data-value="{digit}"]').click()
    expect(ante.locator(".amount")).to_have_text("150")
    sheet.locator('[data-name="bonus"][data-value="true"]').click()
    sheet.get_by_role("button", name="Save and confirm").click()
    expect(box(page, 2).locator(".stamp.sure")).to_be_visible()
    entered = dealt.snapshot()["boxes"][1]
    # COM-RND-2: an ante of 150 asks for a bonus of 20.
    assert entered["bets"] == {"ante": 150, "bet": 300, "bonus": 20}
    assert entered["confirmed"]


def test_p5_the_freeze_is_one_key_and_is_seen(visitor: Any, dealt: Any) -> None:
    visitor.expected = ("409",)
    page = visitor.open(role=Role.SUPERVISOR)
    key(page, "h")
    expect(page.locator("#stage")).to_contain_text("HELD")
    page.locator('.main-key[data-do="hold"]').click()
    page.get_by_role("button", name="Dispute settled").click()
    expect(page.locator("#stage")).not_to_contain_text("HELD")


def test_a_misdeal_needs_a_reason_and_voids_the_round(visitor: Any, dealt: Any) -> None:
    page = visitor.open(role=Role.SUPERVISOR)
    key(page, "v")
    page.locator("#sheet").get_by_role("button", name="A card was exposed").click()
    expect(page.locator("#stage")).to_contain_text("Misdeal")
    assert dealt.snapshot()["void"] == "A card was exposed"


def test_russian_keyboards_reach_the_same_keys(visitor: Any, dealt: Any) -> None:
    page = visitor.open(language="ru")
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        "{key: 'к', code: 'KeyR', bubbles: true}))"
    )
    expect(box(page, 2).locator(".total.pay")).to_contain_text("ОПЛАТИТЬ")
    expect(box(page, 2).locator(".bet.r-win .reason")).to_contain_text("Старше")


def test_a_refusal_is_shown_as_one_line(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open()
    key(page, "r")
    expect(page.locator("#toast")).to_contain_text("No box is settled yet.")
    visitor.expected = ("409",)


def test_w4_a_lost_server_is_seen_and_the_page_comes_back_by_itself(
    visitor: Any, served: Any, dealt: Any
) -> None:
    page = visitor.open()
    served.stop()
    expect(page.locator("#lost")).to_contain_text("Connection lost")
    expect(page.locator("#veil")).to_contain_text("Connection lost")
    expect(page.locator("#veil")).to_contain_text("Picture of")
    visitor.shot(page, "web-connection-lost")
    key(page, "h")
    expect(page.locator("#toast")).to_contain_text("nothing was entered")
    page.wait_for_timeout(1500)
    dealt.lay("box3", "Jh")
    served.start()
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#veil")).to_be_hidden()
    expect(box(page, 3).locator(".card[data-card=Jh]")).to_be_visible()
    expect(page.locator("#live")).to_have_js_property("naturalWidth", 1280)
    visitor.expected = ("ERR_",)


def test_w4_after_a_restart_the_page_shows_nothing_of_the_start_before(
    visitor: Any, served: Any, small_kiosk: Any, kiosk_of: Callable[..., Any]
) -> None:
    small_kiosk.dealing = small_kiosk.people.named("trainee").id
    page = visitor.open()
    expect(page.locator("#signs")).to_contain_text("Deals: trainee")
    expect(page.locator("#asks")).to_contain_text("Russian Poker A")
    served.stop()
    expect(page.locator("#lost")).to_be_visible()
    served.kiosk = kiosk_of(house="russian-b")
    served.start()
    expect(page.locator("#signs")).to_contain_text("Who deals?")
    expect(page.locator("#signs")).not_to_contain_text("trainee")
    expect(page.locator("#asks")).to_contain_text("Russian Poker B")
    expect(page.locator("#lost")).to_be_hidden()
    visitor.expected = ("ERR_",)


def test_c1_c6_a_lost_camera_is_veiled_with_its_time(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    expect(page.locator("#veil")).to_be_hidden()
    dealt.age_ms = 30_000.0
    pace = Pace()
    expect(page.locator("#veil")).to_contain_text("Picture is old")
    assert pace.within(2)
    expect(page.locator("#veil")).to_contain_text("Picture of")
    dealt.parts["camera"] = {"ok": False, "text": "the camera is unplugged"}
    dealt.publish("health", dealt.health())
    expect(page.locator("#veil")).to_contain_text("Camera lost")
    expect(page.locator(".trouble")).to_contain_text("the camera is unplugged")
    visitor.shot(page, "web-camera-lost")
    dealt.parts["camera"] = {"ok": True, "text": ""}
    dealt.publish("health", dealt.health())
    dealt.new_frame()
    expect(page.locator("#veil")).to_be_hidden()


def test_c7_the_page_works_with_no_camera_at_all(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.age_ms = None
    page = visitor.open()
    expect(page.locator("#veil")).to_contain_text("No picture yet")
    box(page, 1).get_by_role("button", name="Put in play").click()
    expect(box(page, 1).get_by_role("button", name="Bets")).to_be_visible()


def test_the_live_picture_is_live(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open()
    expect(page.locator("#live")).to_have_js_property("naturalWidth", 1280)
    done, data = cv2.imencode(".jpg", np.full((90, 160, 3), 60, np.uint8))
    assert done
    small_kiosk.new_frame(bytes(data))
    expect(page.locator("#live")).to_have_js_property("naturalWidth", 160)


def test_a_bought_game_shows_the_drawn_card_and_the_new_verdict(
    visitor: Any, small_kiosk: Any
) -> None:
    small_kiosk.lay("dealer", "Ks Jd 9h 6c 2d")
    small_kiosk.act("bets", {"box": 1, "in_play": True, "buy": True}, "test")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.lay("dealer", "Jd 9h 6c 2d")
    small_kiosk.lay("dealer", "Jd 9h 6c 2d 2s")
    small_kiosk.look(4)
    page = visitor.open()
    expect(page.locator(".draws .card[data-card='2s']")).to_be_visible()
    small_kiosk.act("reveal", {}, "test")
    expect(page.locator(".verdict")).to_contain_text("The game was bought")
    expect(box(page, 1).locator(".bet[data-key=buy] .bet-result")).to_contain_text("TAKE 100")
