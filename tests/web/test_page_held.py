"""What keeps a hand open is told apart: a freeze by a person, a wrong answer, a question."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from visiting import key
from web_people import person_of

from kiosk.people import Role

LOSES = {"ante": {"result": "lose", "amount": 100}, "bet": {"result": "lose", "amount": 200}}


@pytest.fixture
def wrong(small_kiosk: Any) -> Any:
    """A box that wins, answered as lost."""
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "Qh Qc 4d 4h 9c")
    small_kiosk.act("confirm", {"box": 1}, "t")
    small_kiosk.act("answer", {"box": 1, "bets": LOSES}, "t")
    small_kiosk.act("reveal", {}, "t")
    return small_kiosk


def test_p5_a_freeze_over_a_wrong_answer_is_a_state_of_its_own(visitor: Any, wrong: Any) -> None:
    round_now = wrong.snapshot()
    assert (round_now["held"], round_now["frozen"], round_now["wrong"]) == (True, False, [1])
    visitor.expected = ("409",)
    page = visitor.open(role=Role.INSTRUCTOR)
    title, hint, hold = page.locator("#stage b"), page.locator("#stage span"), page.locator("#keys")
    expect(title).to_have_text("WRONG ANSWER")
    expect(hint).to_contain_text("box 1 is wrong: correct it or overrule it")
    visitor.shot(page, "held-wrong")

    key(page, "h")
    expect(title).to_have_text("HELD")
    expect(hint).to_contain_text("Nothing moves until it is released. The answer for box 1")
    expect(hold.get_by_role("button", name="Release")).to_be_visible()
    visitor.shot(page, "held-frozen")
    round_now = wrong.snapshot()
    assert (round_now["frozen"], round_now["wrong"]) == (True, [1])

    key(page, "h")
    expect(page.get_by_role("dialog")).to_contain_text("Why?")
    page.get_by_role("button", name="Allow").click()
    expect(page.locator(".toast")).to_contain_text("A reason is needed.")
    assert wrong.snapshot()["frozen"]
    visitor.shot(page, "held-why")
    page.get_by_role("button", name="Counted again").click()
    expect(title).to_have_text("WRONG ANSWER")
    assert wrong.acts[-1][:2] == ("hold", {"held": False, "reason": "Counted again"})
    expect(hold.get_by_role("button", name="Hold")).to_be_visible()
    wrong.act("overrule", {"box": 1, "reason": "paid by the floor"}, "t")
    expect(title).to_have_text("Round is settled")
    assert not wrong.snapshot()["held"]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p5_an_overrule_that_takes_the_hand_off_the_page_is_told(
    visitor: Any, wrong: Any, language: str
) -> None:
    supervisor = person_of(wrong.people, Role.SUPERVISOR)
    page: Page = visitor.open(language=language)
    wrong.clear()
    wrong.lay("dealer", "9s 9d 7c 6h 2c")
    wrong.act("overrule", {"box": 1, "reason": "paid by the floor"}, supervisor.id)
    wrong.look(1)
    told = page.locator(".stage-before")
    said = "Last hand: box 1 overruled" if language == "en" else "бокс 1 решён вручную"
    expect(told).to_contain_text(said)
    expect(told).to_contain_text("paid by the floor")
    if supervisor.has_pin:
        expect(told).to_contain_text(supervisor.name)
    visitor.shot(page, f"overruled-before-{language}")
    wrong.lay("box2", "Jh Jc 8d 8h 3s")
    wrong.act("confirm", {"box": 2}, "t")
    wrong.act("reveal", {}, "t")
    expect(told).to_have_count(0)


def test_a_freeze_says_why_and_from_where(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    page = visitor.open(language="ru", role=Role.INSTRUCTOR)
    for reason, told in (("panel", "Остановлено с пульта"), ("спор о ставке", "спор о ставке")):
        small_kiosk.act("hold", {"held": True, "reason": reason}, "t")
        expect(page.locator("#stage b")).to_have_text("СТОП")
        expect(page.locator("#stage span")).to_have_text(told)
        small_kiosk.act("hold", {"held": False, "reason": "улажено"}, "t")


LYING_OVER = """() => {
  const card = document.querySelector('.rule-card').getBoundingClientRect();
  const open = document.querySelector('.open-asks').getBoundingClientRect();
  const place = document.querySelector('#asks').getBoundingClientRect();
  const keys = [...document.querySelectorAll('.open-asks .key')]
    .map(e => e.getBoundingClientRect());
  return {
    over: open.bottom > card.top + 1,
    out: card.bottom > place.bottom + 1,
    shown: keys.filter(r => r.top < open.bottom - 20).length,
    text: document.querySelector('.rule-card').textContent,
  };
}"""


def asked(small_kiosk: Any) -> None:
    """A card in two places and two hands that are not whole."""
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box2", "Qh Qc 4d 4h 9c")
    small_kiosk.lay("box3", "Jh Jc 8d 8h")
    small_kiosk.lay("box4", "3c 3s 3h 9c")
    small_kiosk.look(6)
    small_kiosk.parts["deck"] = {"ok": False, "text": "deck not checked"}
    assert len(small_kiosk.snapshot()["questions"]) == 3


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (1024, 768)])
def test_p16_questions_lie_over_no_rule_card(
    visitor: Any, small_kiosk: Any, size: tuple[int, int]
) -> None:
    asked(small_kiosk)
    page: Page = visitor.open(width=size[0], height=size[1], language="ru")
    expect(page.locator(".ask")).to_be_visible()
    found = page.evaluate(LYING_OVER)
    visitor.shot(page, f"asked-{size[0]}")
    assert not found["over"] and not found["out"]
    assert "Русский покер A Анте" in found["text"], "texts do not run together"
    assert found["shown"] >= (6 if size[0] > 1100 else 4), "the answers are in sight"


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800)])
def test_the_sum_of_the_round_is_in_sight_beside_a_trouble(
    visitor: Any, small_kiosk: Any, size: tuple[int, int]
) -> None:
    small_kiosk.parts["deck"] = {"ok": False, "text": "deck not checked"}
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "Qh Qc 4d 4h 9c")
    small_kiosk.act("reveal", {}, "t")
    page = visitor.open(width=size[0], height=size[1])
    expect(page.locator(".whole-sum .take")).to_be_in_viewport(ratio=1)
    expect(page.locator(".trouble")).to_be_in_viewport(ratio=0.9)
    assert not page.evaluate(LYING_OVER)["over"]
