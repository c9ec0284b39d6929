"""The drills in a real browser: by finger and by keyboard, in both languages, on both screens."""

from __future__ import annotations

from importlib import resources
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sat_tests import sit
from web_people import person_of, signed_in

from kiosk.people import Role
from kiosk.rules import settle_case
from kiosk.rules.mistakes import usual_mistakes
from kiosk.teach.drills import Trainee
from kiosk.teach.exercise import Exercise
from kiosk.teach.grading import NOTHING
from kiosk.web.texts import translations

SIZES = {"monitor": (1920, 1080), "phone": (390, 844)}

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

WIDER = """() => [...document.querySelectorAll('#at-table table')]
  .map(e => [e, e.parentElement].map(each => each.getBoundingClientRect().right))
  .filter(([table, block]) => table > block)"""

SMALL = """least => [...document.querySelectorAll('#drill button, #drill a')]
  .filter(e => e.checkVisibility())
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, r]) => r.width < least || r.height < least)
  .map(([e, r]) => `${e.className} ${Math.round(r.width)}x${Math.round(r.height)}`)"""


AXE = """() => axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'],
  }).then(found => found.violations.flatMap(rule => rule.nodes.map(node =>
    `${rule.id}: ${node.target.join(' ')}`)))"""


@pytest.fixture
def drills(small_kiosk: Any) -> Any:
    """Drills whose rounds are the same at each run of the tests."""
    seeds = count(11)
    object.__setattr__(small_kiosk.drills._sources, "seed", lambda: next(seeds))
    return small_kiosk.drills


def shown(drills: Any) -> Exercise:
    """The exercise on the page: there is one visitor."""
    return list(drills._pending.values())[-1].exercise  # type: ignore[no-any-return]


def choose(page: Page, house: str, topic: str) -> None:
    """A house and one topic, then the first round."""
    page.locator(f'[data-do="house"][data-value="{house}"]').click()
    page.locator(f'[data-do="topic"][data-value="{topic}"]').click()
    page.locator('[data-do="begin"]').click()
    expect(page.locator(".desk")).to_be_visible()


def due(exercise: Exercise, bet: str) -> Any:
    return settle_case(exercise.case)["boxes"][0]["bets"].get(bet, NOTHING)


def until(page: Page, drills: Any, fits: Any) -> Exercise:
    """Goes on, answering anything, until a round fits."""
    for _ in range(40):
        exercise = shown(drills)
        if fits(exercise):
            return exercise
        if exercise.form == "hand":
            page.locator('[data-name="first"]').first.click()
            page.locator('[data-name="second"]').first.click()
            page.locator('[data-do="give"]').click()
        else:
            page.keyboard.press("f")
        expect(page.locator(".drill-told")).to_be_visible()
        page.locator('[data-do="next"]').click()
        expect(page.locator(".drill-told")).to_have_count(0)
        expect(page.locator(".drill-asks")).to_be_visible()
    raise AssertionError("no such round came")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p1_a_box_is_settled_bet_by_bet_by_finger(visitor: Any, drills: Any, language: str) -> None:
    page = visitor.open("drill", language=language)
    expect(page.locator(".chooser")).to_be_visible()
    visitor.shot(page, f"drill-choose-{language}")
    choose(page, "russian-a", "doubles")
    exercise = until(page, drills, second_missed)
    assert page.locator(".drill-told, .counts").count() == 0
    wrong = next(
        m
        for m in usual_mistakes(exercise.case)
        if m["mistake"] == "second-missed" and m["bet"] == "bet"
    )
    for bet in exercise.case["boxes"][0]["bets"]:
        line = wrong if bet == "bet" else due(exercise, bet)
        word = line["result"] if line["result"] in ("win", "lose") else "push"
        page.locator(f'.choice[data-name="{bet}"][data-value="{word}"]').click()
        if word == "win":
            for digit in str(line["amount"]):
                page.locator(f'.keypad [data-value="{digit}"]').click()
    visitor.shot(page, f"drill-answer-{language}")
    page.locator('[data-do="give"]').click()
    told = page.locator(".drill-told")
    expect(told).to_contain_text("Wrong" if language == "en" else "Неверно")
    expect(told.locator(".told-kinds")).to_contain_text(
        "second combination" if language == "en" else "вторая комбинация"
    )
    slip = "The second combination was missed." if language == "en" else "RP-DBL-1"
    expect(told.locator(".told-slip").first).to_contain_text(slip)
    expect(page.locator(".felt-box .card.counts").first).to_be_visible()
    assert page.locator(".tag-2").count() > 0, "the second combination is marked as such"
    visitor.shot(page, f"drill-told-{language}")
    page.locator('[data-do="next"]').click()
    expect(page.locator(".drill-told")).to_have_count(0)


def second_missed(exercise: Exercise) -> bool:
    return exercise.form == "settle" and any(
        m["mistake"] == "second-missed" and m["bet"] == "bet" for m in usual_mistakes(exercise.case)
    )


def test_all_is_done_by_keyboard(visitor: Any, drills: Any) -> None:
    page = visitor.open("drill")
    choose(page, "russian-a", "no-game")
    exercise = until(page, drills, lambda found: not found.damaged)
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("Still open")
    for bet in exercise.case["boxes"][0]["bets"]:
        line = due(exercise, bet)
        page.keyboard.press({"win": "p", "lose": "t"}.get(line["result"], "l"))
        if line["result"] == "win":
            page.keyboard.type(str(line["amount"]))
            if line.get("stake_taken"):
                page.keyboard.press("s")
    page.keyboard.press("Enter")
    expect(page.locator(".drill-told")).to_contain_text("Right")
    page.keyboard.press("Enter")
    expect(page.locator(".drill-told")).to_have_count(0)
    expect(page.locator(".drill-asks")).to_be_visible()


def test_the_stake_of_a_bonus_is_asked_for_and_judged(visitor: Any, drills: Any) -> None:
    page = visitor.open("drill")
    choose(page, "russian-a", "side-bets")
    for taken, word in ((True, "Right"), (False, "side bet missed")):
        exercise = until(page, drills, lambda found: due(found, "bonus").get("stake_taken"))
        for bet in exercise.case["boxes"][0]["bets"]:
            line = due(exercise, bet)
            page.keyboard.press({"win": "p", "lose": "t"}.get(line["result"], "l"))
            if line["result"] == "win":
                page.keyboard.type(str(line["amount"]))
        if taken:
            page.locator('[data-do="stake"]').click()
        visitor.shot(page, "drill-stake")
        page.locator('[data-do="give"]').click()
        expect(page.locator(".drill-told")).to_contain_text(word)
        page.locator('[data-do="next"]').click()
        expect(page.locator(".drill-asks")).to_be_visible()


def test_p11_the_floor_is_called_with_one_key(visitor: Any, drills: Any) -> None:
    page = visitor.open("drill")
    choose(page, "three-a", "card-count")
    exercise = shown(drills)
    page.keyboard.press("f")
    right = "Right" if exercise.damaged else "Wrong"
    expect(page.locator(".drill-told")).to_contain_text(right)


@pytest.mark.parametrize("size", SIZES)
def test_every_form_fits_its_screen_with_large_keys(visitor: Any, drills: Any, size: str) -> None:
    width, height = SIZES[size]
    page = visitor.open("drill", width=width, height=height, language="ru")
    for topic in ("hands", "paying", "order", "side-bets", "qualification"):
        page.evaluate("sessionStorage.clear()")
        page.reload()
        choose(page, "oasis-a", topic)
        visitor.shot(page, f"drill-{size}-{topic}", whole=True)
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(SMALL, 59.5) == []
        if size == "monitor":
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            give = page.locator('[data-do="give"]').bounding_box()
            assert give is not None
            assert give["y"] + give["height"] <= height


def test_axe_finds_nothing_while_drilling(visitor: Any, drills: Any) -> None:
    page = visitor.open("drill")
    page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    choose(page, "russian-b", "whole-box")
    faults = {}
    for screen in ("asking", "told"):
        for theme in ("dark", "bright"):
            page.evaluate("to => { document.documentElement.dataset.theme = to; }", theme)
            faults[screen, theme] = page.evaluate(AXE)
        page.keyboard.press("f")
        expect(page.locator(".drill-told")).to_be_visible()
    visitor.shot(page, "drill-told-bright")
    assert not any(faults.values()), faults


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_of_a_test_tells_nothing_on_the_way(
    visitor: Any, drills: Any, language: str
) -> None:
    t = translations(language).gettext
    short_tests(drills)
    page = visitor.open("drill", role=Role.TRAINEE, language=language)
    expect(page.locator(".chooser")).to_contain_text("trainee")
    page.locator('[data-do="test"]').click()
    for n in (1, 2):
        note = t("Test: round {n} of {count}").format(n=n, count=2)
        expect(page.locator(".desk-note")).to_have_text(note)
        answer_anything(page, shown(drills))
    expect(page.locator(".score")).to_contain_text("/ 2")
    exam = drills.exams(of_trainee(drills))[0]
    result = t("passed") if exam.passed else t("not passed")
    expect(page.locator(".score")).to_have_text(f"{result} — {exam.right} / 2")
    visitor.shot(page, f"drill-test-result-{language}")
    assert page.locator(".drill-told").count() == 0
    again = page.get_by_role("heading", name=t("What to drill again"))
    assert again.count() == (exam.right < 2)
    page.get_by_role("link", name=t("Back to the drills")).click()
    expect(page.locator(".chooser")).to_be_visible()
    assert page.locator('[data-do="resume"]').count() == 0


def short_tests(drills: Any) -> None:
    """Tests of two rounds."""
    object.__setattr__(drills.rules, "aims", drills.rules.aims.__class__(questions=2))


def forget_rounds(drills: Any) -> None:
    """As a kiosk started anew has forgotten them."""
    drills._pending.clear()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_test_broken_off_is_gone_on_with_at_once(
    visitor: Any, drills: Any, language: str
) -> None:
    t = translations(language).gettext
    short_tests(drills)
    page = visitor.open("drill", role=Role.TRAINEE, language=language)
    page.locator('[data-do="house"][data-value="three-a"]').click()
    page.locator('[data-do="test"]').click()
    expect(page.locator(".desk")).to_be_visible()
    answer_anything(page, shown(drills))
    second = t("Test: round {n} of {count}").format(n=2, count=2)
    expect(page.locator(".desk-note")).to_have_text(second)
    page.locator('[data-do="leave"]').click()
    resume = page.locator('[data-do="resume"]')
    house = t("Three Card Poker A")
    expect(resume).to_have_text(t("Go on with the test: {house}").format(house=house))
    visitor.shot(page, f"drill-test-open-{language}")
    resume.click()
    expect(page.locator(".desk-note")).to_have_text(second)
    answer_anything(page, shown(drills))
    expect(page.locator(".score")).to_contain_text("/ 2")
    assert len(drills.exams(of_trainee(drills))) == 1, "no second test was begun"


def of_trainee(drills: Any) -> Any:
    """The signed-in trainee, who alone was asked."""
    return Trainee(next(iter(drills._last)), guest=False)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_round_that_the_kiosk_forgot_gives_way_to_the_next(
    visitor: Any, drills: Any, language: str
) -> None:
    visitor.expected = ("409",)
    page = visitor.open("drill", language=language)
    choose(page, "three-a", "card-count")
    forget_rounds(drills)
    page.keyboard.press("f")
    told = translations(language).gettext("This round is over: take the next one.")
    expect(page.locator(".desk-body")).to_have_text(told)
    assert page.locator('[data-do="give"], .drill-asks').count() == 0
    visitor.shot(page, f"drill-over-{language}")
    page.locator('[data-do="next"]').click()
    expect(page.locator(".drill-asks")).to_be_visible()
    page.keyboard.press("f")
    expect(page.locator(".drill-told")).to_be_visible()


def test_a_question_of_a_test_that_the_kiosk_forgot_is_asked_again(
    visitor: Any, drills: Any
) -> None:
    visitor.expected = ("409",)
    short_tests(drills)
    page = visitor.open("drill", role=Role.TRAINEE)
    page.locator('[data-do="test"]').click()
    expect(page.locator(".desk-note")).to_contain_text("1 of 2")
    before = shown(drills)
    forget_rounds(drills)
    answer_anything(page, before)
    expect(page.locator("#toast")).to_contain_text("asked again")
    assert shown(drills) == before
    if before.form == "settle":
        page.keyboard.press("f")
    else:
        page.locator('[data-do="give"]').click()
    expect(page.locator(".desk-note")).to_contain_text("2 of 2")


def test_a_test_that_is_over_is_not_offered_again(visitor: Any, drills: Any) -> None:
    visitor.expected = ("409",)
    short_tests(drills)
    page = visitor.open("drill")
    page.locator('[data-do="test"]').click()
    expect(page.locator(".desk-note")).to_contain_text("1 of 2")
    guest = next(iter(drills._pending))
    drills.forget(guest)
    page.locator('[data-do="leave"]').click()
    page.locator('[data-do="resume"]').click()
    expect(page.locator("#toast")).to_have_text("This test is over.")
    expect(page.locator('[data-do="resume"]')).to_have_count(0)
    expect(page.locator(".chooser")).to_be_visible()


def answer_anything(page: Page, exercise: Exercise) -> None:
    """Some answer to any form of round."""
    if exercise.form == "settle":
        page.keyboard.press("f")
        return
    if exercise.form == "hand":
        page.locator('[data-name="first"]').first.click()
        second = page.locator('[data-name="second"]')
        if second.count():
            second.first.click()
    elif exercise.form == "game":
        page.keyboard.press("y")
    elif exercise.form == "amount":
        page.keyboard.type("5")
    else:
        for step in page.locator(".step").all():
            step.click()
    page.locator('[data-do="give"]').click()


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("ru", "bright")])
def test_progress_and_class_are_readable(
    visitor: Any, app: Any, drills: Any, small_kiosk: Any, language: str, theme: str
) -> None:
    t = translations(language).gettext
    short_tests(drills)
    sit(signed_in(app, Role.TRAINEE), small_kiosk, "p-", wrong=1)
    theme_now = {"name": "theme", "value": theme, "url": visitor.served.url}
    house = t("Three Card Poker A")
    page = visitor.open("drill/progress", role=Role.TRAINEE, language=language)
    page.context.add_cookies([theme_now])
    page.get_by_role("link", name=house).click()
    expect(page.locator("h1")).to_have_text(t("Your progress"))
    told = t("{asked} answers, {due} to repeat now").partition(",")[0]
    expect(page.locator(".lead").first).to_contain_text(told.format(asked=2))
    for heading in ("Right answers by day", "Right answers by topic", "Topics", "Tests"):
        expect(page.get_by_role("heading", name=t(heading), exact=True)).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0
    visitor.shot(page, f"drill-progress-{language}-{theme}", whole=True)
    page.get_by_role("link", name=t("not passed")).click()
    expect(page.locator(".score")).to_have_text(f"{t('not passed')} — 1 / 2")

    page = visitor.open("drill/class", role=Role.INSTRUCTOR, language=language)
    page.context.add_cookies([theme_now])
    page.get_by_role("link", name=house).click()
    expect(page.locator("h1")).to_have_text(t("Class"))
    expect(page.get_by_role("heading", name=t("Lately right, by topic"))).to_be_visible()
    expect(page.locator("th", has_text=t("Topics mastered"))).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0
    visitor.shot(page, f"drill-class-{language}-{theme}", whole=True)
    page.get_by_role("link", name="trainee").click()
    expect(page.locator("h1")).to_have_text(t("Progress of {name}").format(name="trainee"))


@pytest.mark.parametrize("size", SIZES)
def test_p8_mistakes_at_the_table_fit_the_screen(
    visitor: Any, drills: Any, keep: Any, small_kiosk: Any, size: str
) -> None:
    width, height = SIZES[size]
    kinds = ("misread-hand", "second-combination", "wrong-row", "qualification", "card-count")
    answer = {"verdict": "wrong", "mistakes": [{"kind": kind} for kind in kinds]}
    for role in (Role.TRAINEE, Role.INSTRUCTOR):
        person = person_of(small_kiosk.people, role).id
        keep(f"r-{role:06d}", person=person, answers=[[1, answer]])
    axe = (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    for role, path in ((Role.TRAINEE, "drill/progress"), (Role.INSTRUCTOR, "drill/class")):
        page = visitor.open(path, role=role, width=width, height=height, language="ru")
        expect(page.locator("#at-table h2")).to_have_text("За столом")
        page.locator("#at-table").scroll_into_view_if_needed()
        visitor.shot(page, f"at-table-{path.replace('/', '-')}-{size}", whole=True)
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(WIDER) == []
        page.evaluate(axe)
        assert page.evaluate(AXE) == []
