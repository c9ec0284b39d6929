"""Questions and cards on the panel, on rounds of the real table: every answer of the page is there,
with the same event underneath."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.answers import _ANSWERS, PAGE_ONLY, choices
from firmware_bridge.model import PanelModel
from firmware_bridge.protocol import BUTTONS
from firmware_bridge.texts import translator
from firmware_bridge.view import ascii_text
from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.sightings import Doubt
from kiosk.table.bodies import READERS

DEALER = "9h 9c Kd 7s 3d"
FOUR = "Jh Jd 4c 4s"
ROOM_FOR_AN_ANSWER = 15


def _doubt(*candidates: tuple[str, float], key: str = "d1") -> Doubt:
    found = tuple((Card.parse(card), chance) for card, chance in candidates)
    return Doubt(key, (10.0, 10.0, 30.0, 40.0), found, "low-confidence")


UNSURE = _doubt(("8h", 0.55), ("8d", 0.31))


@pytest.fixture
def table(desks: Any) -> Iterator[Any]:
    """A table that asks at once."""
    made = desks.Table(doubt_after=0.0, question_after=0.0, settle_after=0.0)
    yield made
    made.owner.stop()


@pytest.fixture
def asked(table: Any) -> Any:
    """A dealer's hand and a box whose last card is unsure."""
    table.see({"dealer": DEALER, "box1": FOUR}, {"box1": (UNSURE,)})
    table.see({"dealer": DEALER, "box1": FOUR}, {"box1": (UNSURE,)})
    assert "q-box1-doubt-d1" in table.questions()
    return table


def _to(hand: Any, question: str) -> None:
    """Open the questions and go on to this one."""
    hand("plus")
    for _ in range(20):
        if hand.model._view.ask.question == question:
            return
        hand("bet")
    raise AssertionError((question, hand.display()))


def _choose(hand: Any, label: str) -> None:
    """Turn to the answer of that label."""
    seen: set[str] = set()
    while not hand.display()[3].startswith(f">{label}"):
        assert hand.display()[3] not in seen, seen
        seen.add(hand.display()[3])
        hand("plus")


def test_a_doubt_is_read_and_answered_with_one_of_its_candidates(asked: Any, hand: Any) -> None:
    assert hand.display()[3] == "QUESTION Box 1: +"
    _to(hand, "q-box1-doubt-d1")
    first = hand.display()
    assert re.fullmatch(r"\? Box 1 .*\d/\d", first[0]) and first[1].startswith("a card cannot")
    assert first[3].startswith(">8h 55%")
    hand("plus")
    assert hand.display()[3].startswith(">8d 31%")
    hand("minus")
    body = {"zone": "box1", "card": "8h", "doubt": "d1"}
    assert hand("confirm") == [("cards", body)]
    assert "8h" in asked.box()["cards"] and "q-box1-doubt-d1" not in asked.questions()
    assert not hand.display()[0].startswith("?")
    assert hand.model._view.ask is None


def test_a_doubt_can_be_no_card(asked: Any, hand: Any) -> None:
    _to(hand, "q-box1-doubt-d1")
    _choose(hand, "No card")
    assert hand("confirm") == [("cards", {"zone": "box1", "card": None, "doubt": "d1"})]
    assert asked.box()["cards"] == FOUR.split()


def test_a_doubt_can_be_another_card(asked: Any, hand: Any) -> None:
    _to(hand, "q-box1-doubt-d1")
    _choose(hand, "Another card")
    assert hand("confirm") == []
    assert hand.display()[0] == "Cards Box 1      4/5" and hand.display()[2] == "= 8h"
    hand("plus", "exchange", "exchange", "exchange")
    assert hand.display()[2] == "= 9s"
    assert hand("confirm") == [("cards", {"zone": "box1", "card": "9s", "doubt": "d1"})]
    assert asked.box()["cards"] == [*FOUR.split(), "9s"]
    assert hand.display()[0] != "Cards Box 1      5/5"


def test_the_rest_of_a_long_text_and_the_next_question_come_with_bet(asked: Any, hand: Any) -> None:
    hand("plus")
    seen, text = [hand.model._view.ask.question], []
    for _ in range(30):
        text.append(" ".join(hand.display()[1:3]))
        hand("bet")
        if hand.model._view.ask.question != seen[-1]:
            seen.append(hand.model._view.ask.question)
        if len(seen) > len(asked.questions()):
            break
    assert seen == [*asked.questions(), seen[0]]
    for question in asked.snapshot()["questions"]:
        words = question["text"].partition(": ")[2].split()
        assert words == " ".join(text).split()[: len(words)] or " ".join(words) in " ".join(text)


def test_a_question_that_goes_by_itself_takes_no_answer_and_confirms_nothing(
    asked: Any, hand: Any
) -> None:
    _to(hand, "q-box1-doubt-d1")
    asked.see({"dealer": DEALER, "box1": FOUR + " 8h"})
    assert hand.display()[1] == "No longer asked"
    assert hand("confirm") == [] and not asked.box()["confirmed"]
    assert hand.model._view.ask is None


def test_an_answer_that_is_no_longer_offered_is_not_given(asked: Any, hand: Any) -> None:
    _to(hand, "q-box1-doubt-d1")
    other = _doubt(("6h", 0.6), ("8h", 0.2))
    now = asked.snapshot()
    question = next(q for q in now["questions"] if q["id"] == "q-box1-doubt-d1")
    question["doubt"]["candidates"] = [[str(card), p] for card, p in other.candidates]
    hand("plus")
    assert hand.model.display(now)[3].rstrip() == "PLUS: choose answer"
    assert hand.model.press("confirm", now) == []
    assert hand.model.display(now)[3].rstrip() == "Choose an answer"


def test_a_stray_card_is_dismissed_or_given_a_place(table: Any, hand: Any) -> None:
    stray = _doubt(("Qs", 0.9), key="s1")
    table.see({"dealer": DEALER, "box1": FOUR}, stray=(stray,))
    table.see({"dealer": DEALER, "box1": FOUR}, stray=(stray,))
    _to(hand, "q-stray-s1")
    _choose(hand, "In Box 1")
    hand("confirm")
    assert hand.display()[2] == "= Qs"
    assert hand("confirm") == [("cards", {"zone": "box1", "card": "Qs", "doubt": "s1"})]
    assert table.box()["cards"] == [*FOUR.split(), "Qs"]
    hand.hold("exchange")
    _to(hand, "q-stray-s1")
    _choose(hand, "Seen, go on")
    assert hand("confirm") == [("dismiss", {"question": "q-stray-s1"})]
    assert "q-stray-s1" not in table.questions()


def test_cards_are_replaced_removed_and_added(table: Any, hand: Any) -> None:
    table.deal({"dealer": DEALER, "box1": FOUR})
    hand("box1")
    hand.hold("sixth")
    assert hand.display() == (
        "Cards Box 1      4/5",
        ">Jh Jd 4c 4s +",
        "Jh",
        "+- rank  EXCH: suit",
    )
    hand("bet", "plus", "exchange")
    assert hand.display()[1:3] == (" Jh>Jd 4c 4s +", "Jd = Qc")
    assert hand("confirm") == [("cards", {"zone": "box1", "was": "Jd", "card": "Qc"})]
    hand("fold")
    assert hand.display()[2] == "Qc = no card"
    assert hand("confirm") == [("cards", {"zone": "box1", "was": "Qc", "card": None})]
    assert sorted(table.box()["cards"]) == ["4c", "4s", "Jh"]
    hand("bet", "bet", "bet", "minus")
    assert hand.display()[2] == "= Ks"
    assert hand("confirm") == [("cards", {"zone": "box1", "card": "Ks", "was": None})]
    assert "Ks" in table.box()["cards"]
    hand.hold("sixth")
    assert hand.display()[0].startswith("Box 1 play") and hand.model.selected == 1


def test_a_card_that_lies_elsewhere_is_said_before_it_is_entered(table: Any, hand: Any) -> None:
    table.deal({"dealer": DEALER, "box1": FOUR})
    hand.hold("sixth")
    assert hand.display()[0] == "Cards Dealer     5/5"
    hand("plus", "plus")
    assert hand.display()[2] == "9h = Jh  ! Box 1"


def test_unchanged_cards_are_left_alone_and_a_box_button_leaves(table: Any, hand: Any) -> None:
    table.deal({"dealer": DEALER, "box1": FOUR})
    hand.hold("sixth")
    assert (
        hand("confirm") == [] and hand.display()[0] == "Dealing"
    ) or hand.model._view.pick is None
    hand.hold("sixth")
    hand("box2")
    assert hand.display()[0] == "Box 2" and hand.model.selected == 2


def _round_with(question: dict[str, Any], **places: Any) -> dict[str, Any]:
    base = {"id": "r-1", "mode": "training", "dealer": {"zone": "dealer", "cards": []}, "boxes": []}
    return {**base, "questions": [question], **places}


def test_the_flop_is_named_among_the_cards_of_the_board() -> None:
    board = {"zone": "board", "cards": "2h 3h 4h 5h 6h".split(), "read": 5, "expected": 5}
    question = {"id": "q-flop", "zone": "board", "text": "Which?", "actions": ["name-flop"]}
    now, model = _round_with(question, board=board), PanelModel()

    def press(*buttons: str) -> list[Any]:
        return [action for button in buttons for action in model.press(button, now)]

    assert press("plus", "confirm") == []
    assert model.display(now)[0] == "Dealt Board      0/3"
    assert press("confirm", "plus", "confirm") == []
    assert model.display(now)[1].rstrip() == "2h 4h"
    assert press("minus", "confirm") == []
    assert model.display(now)[3].rstrip() == "Already taken"
    press("fold")
    assert model.display(now)[1].rstrip() == "2h"
    assert press("plus", "confirm") == []
    taken = model.display(now)[1].split()
    (action,) = press("plus", "confirm")
    assert action[0] == "cards" and action[1]["zone"] == "board"
    assert action[1]["dealt"][:2] == taken and len(set(action[1]["dealt"])) == 3
    assert set(action[1]["dealt"]) <= {*"2h 3h 4h 5h 6h".split()}


def test_cards_dealt_before_more_were_bought_are_entered_for_the_box() -> None:
    box = {
        "box": 1, "zone": "box1", "cards": "Jh Jd 4c 4s 8h 2c".split(), "in_play": True,
        "read": 6, "expected": 6, "sixth": True, "exchanged": 0,
    }  # fmt: skip
    question = {"id": "q-dealt", "zone": "box1", "text": "Box 1: x", "actions": ["enter-dealt"]}
    now, model = _round_with(question, boxes=[box]), PanelModel()
    for button in ("plus", "confirm", *["confirm"] * 4):
        assert model.press(button, now) == []
    assert model.display(now)[0] == "Dealt Box 1      4/5"
    (action,) = model.press("confirm", now)
    assert action == ("cards", {"zone": "box1", "dealt": "Jh Jd 4c 4s 8h".split()})
    gone = {**now, "questions": []}
    assert not model.display(gone)[0].startswith("Dealt")


def test_a_confirm_names_the_entries_that_were_seen() -> None:
    """What was changed elsewhere since the display was last known to be right is not confirmed."""
    box = {"box": 1, "zone": "box1", "in_play": True, "entries": "one", "bets": {"ante": 100}}
    now: dict[str, Any] = {
        "id": "r-1", "mode": "training", "dealer": {}, "boxes": [box], "questions": [],
    }  # fmt: skip
    model = PanelModel()
    model.display(now)
    assert model.press("confirm", now) == [("confirm", {"box": 1})]
    model.seen()
    later = {**now, "boxes": [{**box, "entries": "two"}]}
    model.display(later)
    assert model.press("confirm", later) == [("confirm", {"box": 1, "entries": "one"})]
    assert not model.saw(1)
    model.seen()
    assert model.saw(1)
    model.entered(1, {**now, "boxes": [{**box, "entries": "three"}]})
    assert model.press("confirm", later) == [("confirm", {"box": 1, "entries": "three"})]


MOVES = st.one_of(
    st.tuples(st.sampled_from(["press", "press", "press", "hold"]), st.sampled_from(BUTTONS)),
    st.tuples(st.just("see"), st.sampled_from(["sure", "unsure", "stray", "bare"])),
)


@given(st.lists(MOVES, max_size=30))
@settings(max_examples=20, deadline=None)
def test_any_presses_among_questions_give_actions_that_the_table_knows(
    desks: Any, moves: list[tuple[str, str]]
) -> None:
    """Questions come and go between the presses: no action is one that no page could post."""
    table = desks.Table(doubt_after=0.0, question_after=0.0, settle_after=0.0)
    seen = {
        "sure": ({"dealer": DEALER, "box1": FOUR + " 8h"}, {}, ()),
        "unsure": ({"dealer": DEALER, "box1": FOUR}, {"box1": (UNSURE,)}, ()),
        "stray": ({"dealer": DEALER}, {}, (_doubt(("Qs", 0.9), key="s1"),)),
        "bare": ({}, {}, ()),
    }
    model = PanelModel()
    try:
        for what, name in [("see", "unsure"), ("press", "plus"), *moves]:
            if what == "see":
                table.see(*seen[name])
                continue
            do = model.press if what == "press" else model.long
            for action, body in do(name, table.snapshot()):
                try:
                    table.act(action, body, "panel")
                except ActionError as refusal:
                    assert refusal.kind not in ("internal", "bad-input"), (action, body, refusal)
            lines = model.display(table.snapshot())
            assert all(len(line) == 20 and line.isascii() for line in lines)
    finally:
        table.owner.stop()


def _page_answers() -> set[str]:
    page = resources.files("kiosk.web") / "static" / "js" / "askview.js"
    found = re.search(r"^const ANSWERS = \{(.*?)^\};", page.read_text("utf-8"), re.M | re.S)
    assert found is not None
    return set(re.findall(r'^  "?([a-z-]+)"?:', found[1], re.M))


def test_the_panel_has_every_answer_of_the_page_and_no_other() -> None:
    assert set(_ANSWERS) | PAGE_ONLY == _page_answers()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_answer_fits_its_row(language: str) -> None:
    snapshot = {
        "dealer": {"zone": "dealer", "cards": ["9h"]},
        "boxes": [{"box": 6, "zone": "box6", "cards": ["9h"], "in_play": True, "action": "play"}],
    }
    for card in ("9h", None):
        for zone in ("box6", "dealer", None):
            doubt = {"key": "k", "candidates": [["9h", 0.99]]}
            question = {
                "id": "q", "zone": zone, "card": card, "doubt": doubt, "actions": list(_ANSWERS),
            }  # fmt: skip
            for choice in choices(question, snapshot, translator(language)):
                assert len(ascii_text(choice.label)) <= ROOM_FOR_AN_ANSWER, choice


def test_every_action_of_the_page_is_there_on_the_panel(asked: Any, hand: Any) -> None:
    """One hand in which the buttons cause every event that a page can post."""
    _to(hand, "q-box1-doubt-d1")
    hand("confirm", "box1", "plus")
    assert asked.box()["bets"]["ante"] == 200
    hand.hold("exchange")
    hand("confirm")
    assert asked.box()["settled"]
    hand("plus", "bet", "plus", "confirm", "reveal")
    hand("hold", "hold")
    hand.hold("reveal")
    hand("next")
    names = {name for name, _, who in asked.done if who == "panel"}
    asked.see({"dealer": DEALER}, stray=(_doubt(("Qs", 0.9), key="s2"),))
    asked.see({"dealer": DEALER}, stray=(_doubt(("Qs", 0.9), key="s2"),))
    _to(hand, "q-stray-s2")
    _choose(hand, "Seen, go on")
    hand("confirm")
    asked.deal({"box1": "2c 3c"})
    hand.hold("next")
    names |= {name for name, _, who in asked.done if who == "panel"}
    assert names == set(READERS)
