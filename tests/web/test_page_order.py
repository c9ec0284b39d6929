"""What was asked or told earlier may come later: no page is left in the older state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from visiting import box, key, wait_for
from web_people import person_of

from kiosk.people import Role
from kiosk.teach.drills import Trainee
from kiosk.web import WebSettings

Wait = Callable[..., Any]


class Held:
    """What a page sends to a path of the API: it stays on the way until the test lets it go."""

    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(f"**/api/v1/{path}", lambda route: self.routes.append(route))

    def __getitem__(self, number: int) -> Route:
        """The request of that number, once it was sent."""
        found = lambda: self.page.wait_for_timeout(50) or len(self.routes) > number  # noqa: E731
        wait_for(found, what=f"request {number}")
        return self.routes[number]

    def none_after(self, count: int) -> None:
        """No more than so many are sent."""
        self.page.wait_for_timeout(400)
        assert len(self.routes) == count


def arrived(page: Page, let_go: Callable[[], None]) -> None:
    """Lets an answer go, and sees to it that the page has taken it in."""
    with page.expect_event("requestfinished"):
        let_go()
    page.wait_for_timeout(200)


def test_what_the_panel_told_before_undoes_no_choice(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    page.locator(".panel-sign").click()
    held = Held(page, "panel/choose")
    box(page, 2).locator(".box-number").click()
    on_its_way = held[0]
    dealt.panel = {**dealt.panel, "display": ["BEFORE", "", "", ""]}
    dealt.publish("panel", dealt.panel)
    expect(page.locator(".display")).to_contain_text("BEFORE")
    assert box(page, 2).get_attribute("aria-current") == "true", "Enter confirms this box"
    on_its_way.continue_()
    wait_for(lambda: dealt.panel["selected"] == 2)
    dealt.panel_choose(1)
    expect(box(page, 1)).to_have_attribute("aria-current", "true")
    expect(page.locator(".box.selected")).to_have_count(1)


def test_a_choice_that_never_reached_the_panel_does_not_last(visitor: Any, dealt: Any) -> None:
    visitor.expected = ("ERR_",)
    page = visitor.open()
    page.route("**/api/v1/panel/choose", lambda route: route.abort())
    box(page, 2).locator(".box-number").click()
    expect(page.locator("#toast")).to_contain_text("nothing was entered")
    expect(page.locator(".box.selected")).to_have_count(0)


def test_who_deals_is_told_by_the_newest_answer(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open()
    expect(page.locator("#signs")).to_contain_text("Who deals?")
    held = Held(page, "dealer")
    small_kiosk.deals(person_of(small_kiosk.people, Role.TRAINEE).id)
    of_before = held[0].fetch()
    small_kiosk.deals(person_of(small_kiosk.people, Role.INSTRUCTOR).id)
    held[1].continue_()
    expect(page.locator("#signs")).to_contain_text("Deals: instructor")
    arrived(page, lambda: held[0].fulfill(response=of_before))
    expect(page.locator("#signs")).to_contain_text("Deals: instructor")


@pytest.fixture
def silent(served: Any) -> Iterator[Any]:
    """The same kiosk, whose stream gives no sign of life after the first."""
    served.stop()
    served.settings = WebSettings(version="t1", beat_s=3600, long_connections=16)
    served.start()
    yield served


def test_a_silent_line_is_left_and_what_was_missed_is_asked(
    visitor: Any, silent: Any, small_kiosk: Any
) -> None:
    page = visitor.open()
    expect(page.locator("#lost")).to_be_visible()
    small_kiosk.dealing = person_of(small_kiosk.people, Role.TRAINEE).id
    expect(page.locator("#signs")).to_contain_text("Deals: trainee")
    small_kiosk.versions = replace(small_kiosk.versions, software="9.9.9")
    expect(page.locator(".versions")).to_contain_text("9.9.9")


def test_the_panel_is_told_as_it_is_when_it_is_told(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    page.locator(".panel-sign").click()
    before = dealt.panel
    dealt.panel = {**before, "display": ["NEWER", "", "", ""]}
    dealt.publish("panel", dealt.panel)
    expect(page.locator(".display")).to_contain_text("NEWER")
    # Another thread has looked before and publishes only now.
    dealt.publish("panel", before)
    dealt.lay("box3", "Jh")
    expect(box(page, 3).locator(".card[data-card=Jh]")).to_be_visible()
    expect(page.locator(".display")).to_contain_text("NEWER")


def test_an_answer_closes_its_own_sheet_alone(visitor: Any, dealt: Any) -> None:
    page = visitor.open(role=Role.SUPERVISOR)
    key(page, "v")
    held = Held(page, "round/void")
    page.locator("#sheet [data-do=usual]").first.click()
    on_its_way = held[0]
    page.keyboard.press("Escape")
    box(page, 2).get_by_role("button", name="Bets").click()
    expect(page.locator("#sheet h2")).to_contain_text("Box 2")
    arrived(page, on_its_way.continue_)
    expect(page.locator("#sheet h2")).to_contain_text("Box 2")
    expect(page.locator("#sheet")).to_be_visible()


def test_two_presses_of_one_key_of_a_sheet_are_one(visitor: Any, dealt: Any) -> None:
    visitor.expected = ("403",)
    dealt.act("confirm", {"box": 1}, "test")
    dealt.act("reveal", {}, "test")
    page = visitor.open()
    key(page, "u")
    page.locator("#sheet .face-key", has_text="instructor").click()
    page.locator("#sheet [data-do=usual]").first.click()
    page.keyboard.type("258036")
    held = Held(page, "approve")
    page.locator("#sheet [data-do=allow]").click()
    page.locator("#sheet [data-do=allow]").click()
    on_its_way = held[0]
    held.none_after(1)
    on_its_way.continue_()
    expect(page.locator("#sheet")).to_be_hidden()
    assert [name for name, _, _ in dealt.acts] == ["confirm", "reveal", "undo"]


def test_a_sheet_of_a_hand_ends_with_it(visitor: Any, dealt: Any) -> None:
    page = visitor.open()
    sheet = page.locator("#sheet")
    box(page, 2).get_by_role("button", name="Bets").click()
    expect(sheet.locator("h2")).to_contain_text("Box 2")
    dealt.act("void", {"reason": "misdeal"}, "test")
    expect(page.locator("#stage")).to_contain_text("Misdeal")
    expect(sheet).to_be_visible()
    dealt.clear()
    expect(page.locator("#signs")).to_contain_text("r-000002")
    expect(sheet).to_be_hidden()
    expect(page.locator("#toast")).to_contain_text("The hand is over: nothing was entered.")
    page.locator(".dealer-sign").click()
    dealt.lay("box1", "7h 7d Ts Kc Ac")
    dealt.act("void", {"reason": "misdeal"}, "test")
    dealt.clear()
    expect(page.locator("#signs")).to_contain_text("r-000003")
    expect(sheet).to_be_visible()


def test_what_was_changed_beside_an_open_sheet_is_not_confirmed_with_it(
    visitor: Any, dealt: Any
) -> None:
    visitor.expected = ("409",)
    page = visitor.open()
    box(page, 2).get_by_role("button", name="Bets").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator('.field[data-key="ante"] .amount')).to_have_text("100")
    dealt.act("bets", {"box": 2, "bets": {"ante": 500}}, "panel")
    sheet.locator('[data-name="sixth"][data-value="true"]').click()
    sheet.get_by_role("button", name="Save and confirm").click()
    expect(page.locator("#toast")).to_contain_text("were changed meanwhile")
    now = dealt.snapshot()["boxes"][1]
    assert now["sixth"] and not now["confirmed"]


def test_the_picture_of_a_misread_card_is_kept_before_the_card_is_put_right(
    visitor: Any, dealt: Any
) -> None:
    page = visitor.open()
    held = Held(page, "misread")
    box(page, 1).locator(".card[data-card=Ac]").click()
    page.locator("[data-do=keep]").click()
    page.locator("#sheet .card[data-card=Ad]").click()
    on_its_way = held[0]
    page.wait_for_timeout(400)
    assert dealt.acts == []
    on_its_way.continue_()
    expect(box(page, 1).locator(".card[data-card=Ad][data-person]")).to_be_visible()
    assert dealt.misreads.count() == 1


def test_two_presses_begin_one_test(visitor: Any, small_kiosk: Any) -> None:
    page = visitor.open("drill", role=Role.TRAINEE)
    held = Held(page, "drill/test")
    page.locator('[data-do="test"]').click()
    page.locator('[data-do="test"]').click()
    on_its_way = held[0]
    held.none_after(1)
    on_its_way.continue_()
    expect(page.locator(".desk-note")).to_contain_text("Test: round 1")
    trainee = Trainee(person_of(small_kiosk.people, Role.TRAINEE).id, guest=False)
    assert len(small_kiosk.drills.exams(trainee)) == 1


@pytest.mark.parametrize("path", ["drill/next", "drill/test"])
def test_what_comes_after_the_drill_was_left_opens_nothing(visitor: Any, path: str) -> None:
    page = visitor.open("drill", role=Role.TRAINEE)
    held = Held(page, path)
    page.locator(f'[data-do="{"begin" if path.endswith("next") else "test"}"]').click()
    on_its_way = held[0]
    page.locator('[data-do="house"][data-value="three-a"]').click()
    arrived(page, on_its_way.continue_)
    expect(page.locator(".chooser")).to_be_visible()
    expect(page.locator(".desk")).to_have_count(0)
    # A test that was begun all the same is not lost.
    expect(page.locator('[data-do="resume"]')).to_have_count(int(path.endswith("test")))
    page.unroute_all()
    page.locator('[data-do="begin"]').click()
    expect(page.locator(".felt-limits")).to_contain_text("Three Card Poker A")


def test_the_standing_is_that_of_the_house_that_is_chosen(visitor: Any) -> None:
    page = visitor.open("drill", role=Role.TRAINEE)
    expect(page.locator(".choices.topics small").first).to_be_visible()
    held = Held(page, "drill/standing*")
    page.locator('[data-do="house"][data-value="three-a"]').click()
    first = held[0]
    page.locator('[data-do="house"][data-value="russian-a"]').click()
    held[1].fulfill(json={"topics": {}, "due": 7})
    due = page.locator('[data-do="all-topics"] small')
    expect(due).to_have_text("7 to repeat")
    arrived(page, lambda: first.fulfill(json={"topics": {}, "due": 9}))
    expect(due).to_have_text("7 to repeat")


def test_an_older_look_at_the_deck_is_not_drawn_over_a_press(
    visitor: Any, small_kiosk: Any
) -> None:
    page = visitor.open("calibrate/deck")
    held = Held(page, "calibrate/deck")
    look = held[0]
    of_before = look.fetch()
    page.fill("#deck-name", "Club")
    page.click("[data-do=start]")
    expect(page.locator(".slot").first).to_be_visible()
    arrived(page, lambda: look.fulfill(response=of_before))
    expect(page.locator(".slot").first).to_be_visible()
    page.unroute_all()
    small_kiosk.decks.close()


def test_zones_changed_while_they_were_being_saved_are_not_called_saved(
    visitor: Any, small_kiosk: Any
) -> None:
    page = visitor.open("calibrate")
    page.locator('[data-do="forward"]:enabled').click()
    page.locator('[data-how="hand"]').click()
    page.locator('[data-do="as-is"]').click()
    for _ in range(2):
        page.locator('[data-do="forward"]:enabled').click()
    page.locator("#name").fill("small")
    page.locator("#name").blur()
    held = Held(page, "calibrate/layouts")
    page.locator('[data-do="save"]').click()
    on_its_way = held[0]
    page.locator('.zone[data-zone="dealer"]').focus()
    page.keyboard.press("ArrowRight")
    arrived(page, on_its_way.continue_)
    expect(page.locator('[data-do="save"]')).to_be_enabled()
    expect(page.locator("#saved")).to_have_count(0)
    page.unroute_all()
    page.locator('[data-do="save"]').click()
    expect(page.locator("#saved")).to_contain_text("version 2")


def test_corners_found_early_are_not_replaced_by_the_layout_s(
    visitor: Any, small_kiosk: Any
) -> None:
    page = visitor.open("drill", role=Role.ADMIN)
    held = Held(page, "calibrate/layouts/*")
    page.goto(visitor.served.url + "calibrate", wait_until="domcontentloaded")
    layout = held[0]
    corners = [[10.0, 20.0], [1200.0, 20.0], [1200.0, 700.0], [10.0, 700.0]]
    found = {
        "seen": [1, 2, 3, 4], "corners": corners, "good": True, "error_mm": 1.0, "board": True,
        "measured": [96, 54], "lens": None,
    }  # fmt: skip
    page.route("**/api/v1/calibrate/markers", lambda route: route.fulfill(json=found))
    page.locator('[data-do="forward"]:enabled').click()
    page.locator('[data-do="find"]').click()
    expect(page.locator("#found.good")).to_be_visible()
    expect(page.locator('[data-do="forward"]')).to_be_disabled()
    arrived(page, layout.continue_)
    page.locator('[data-do="forward"]:enabled').click()
    address = re.compile(r"corners=10%2C20%2C1200%2C20%2C1200%2C700%2C10%2C700")
    expect(page.locator("#stagebox img")).to_have_attribute("src", address)


def test_what_was_pressed_in_a_hand_counts_for_no_other(visitor: Any, dealt: Any) -> None:
    visitor.expected = ("409",)
    page = visitor.open()
    held = Held(page, "round/confirm")
    box(page, 1).locator(".box-number").click()
    page.keyboard.press("Enter")
    on_its_way = held[0]
    assert on_its_way.request.post_data_json["round"] == dealt.state.id
    dealt.state = replace(dealt.state, id="r-000099")
    dealt.publish_all()
    on_its_way.continue_()
    expect(page.locator(".toast")).to_contain_text("Another hand is on the table now")
    assert dealt.acts == []
