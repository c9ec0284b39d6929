"""Which entries need an instructor's leave, and when (P4, P5)."""

from __future__ import annotations

from typing import Any

import pytest
from table_desk import SECOND_DEALER, settled_table

from kiosk.errors import ActionError
from kiosk.owner import check_right
from kiosk.people.roles import NEEDS
from kiosk.table import outputs as out
from kiosk.table.bodies import event_from
from kiosk.table.deeds import RIGHTS, WITH_REASON, check_reason, right_of

RIGHT: dict[str, Any] = {
    "ante": {"result": "not-paid", "amount": 0},
    "bet": {"result": "win", "amount": 200},
}


def needed(table: Any, name: str, **body: Any) -> str | None:
    return right_of(table.state, event_from(name, body, table.t, "page"))


def test_every_right_of_the_table_is_in_the_table_of_roles() -> None:
    assert set(RIGHTS.values()) <= set(NEEDS)


@pytest.mark.parametrize("mode", ["training", "demo"])
def test_what_ends_a_dispute_always_needs_leave(mode: str) -> None:
    table = settled_table(mode=mode)
    assert needed(table, "overrule", reason="x") == "round.overrule"
    assert needed(table, "void", reason="x") == "round.void"
    assert needed(table, "hold", held=True) is None
    assert needed(table, "hold", held=False) == "round.release"
    table.do("hold", held=True)
    assert needed(table, "undo") == "round.undo-shown", "undo would release the hand"


@pytest.mark.parametrize("deed", ["overrule", "void"])
@pytest.mark.parametrize("mode", ["training", "demo"])
def test_an_instructor_s_act_is_not_undone_without_leave(mode: str, deed: str) -> None:
    table = settled_table(mode=mode)
    table.do(deed, reason="by hand")
    assert needed(table, "undo") == "round.undo-shown"


def test_a_trainee_changes_freely_what_was_not_shown_yet() -> None:
    table = settled_table(mode="training")
    table.do("bets", box=1, bets={"ante": 200})
    assert needed(table, "undo") is None
    assert needed(table, "bets", box=1, bets={"ante": 300}) is None
    assert needed(table, "cards", zone="box1", was="7h", card="8h") is None
    assert needed(table, "answer", box=1, bets=RIGHT) is None


def test_bets_are_late_once_the_box_was_shown() -> None:
    table = settled_table(mode="training").do("confirm", box=1).do("reveal")
    assert needed(table, "bets", box=1, bets={"ante": 200}) == "round.late-bets"
    assert needed(table, "bets", box=2, in_play=True) is None
    assert needed(table, "undo") == "round.undo-shown"
    event = event_from("bets", {"box": 1, "bets": {"ante": 200}}, table.t, "page")
    with pytest.raises(ActionError, match="reason"):
        check_reason("round.late-bets", event)
    said = event_from(
        "bets", {"box": 1, "bets": {"ante": 200}, "reason": "two chips"}, table.t, "page"
    )
    check_reason("round.late-bets", said)


def test_p4_cards_under_a_shown_settlement_are_not_changed_without_leave() -> None:
    """Other cards would make a wrong answer right, and let the hand go on."""
    table = settled_table(mode="training")
    wrong = {name: {"result": "lose", "amount": 100 * n} for n, name in enumerate(RIGHT, 1)}
    table.do("answer", box=1, bets=wrong).do("reveal")
    assert table.shown()["held"]
    assert needed(table, "cards", zone="box1", was="7h", card="6h") == "round.late-cards"
    assert needed(table, "cards", zone="dealer", was="2c", card=None) == "round.late-cards"
    assert needed(table, "cards", zone="box1", dealt="7h 7d Ts Kc Ad".split()) == "round.late-cards"
    assert needed(table, "cards", zone="dealer", doubt="k", card="7h") == "round.late-cards"
    assert needed(table, "cards", zone="box2", was=None, card="7h") is None, "box 2 was not shown"
    assert needed(settled_table(mode="demo"), "cards", zone="box1", was="7h", card="6h") is None


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("hold", {"held": False}),
        ("cards", {"zone": "box1", "was": "7h", "card": "6h"}),
        ("cards", {"zone": "box1", "dealt": ["7h", "7d", "Ts", "Kc", "Ad"]}),
        ("cards", {"zone": "box1", "doubt": "k", "card": "6h"}),
        ("bets", {"box": 1, "bets": {"ante": 200}}),
        ("bets", {"meter": 500}),
        ("undo", {}),
    ],
)
def test_p5_what_changes_a_shown_or_held_hand_has_a_reason(name: str, body: dict[str, Any]) -> None:
    table = settled_table(mode="training").do("confirm", box=1).do("reveal").do("hold", held=True)
    right = needed(table, name, **body)
    assert right in WITH_REASON
    for said in ({}, {"reason": "  "}):
        with pytest.raises(ActionError, match="reason") as refused:
            check_right(table.state, event_from(name, body | said, table.t, "page"), None)
        assert refused.value.kind == "reason-needed"
    event = event_from(name, body | {"reason": "two chips"}, table.t, "page")
    check_right(table.state, event, None)
    with pytest.raises(ActionError, match="PIN"):
        check_right(table.state, event, lambda _right: False)


def test_p5_a_release_says_why_whoever_lifts_the_freeze() -> None:
    table = settled_table().do("hold", held=True, reason="chips moved")
    table.do("hold", held=False, reason="counted again")
    table.do("undo", reason="not counted").do("undo", reason="by mistake")
    assert [(held.held, held.reason) for held in table.heard(out.HandHeld)] == [
        (True, "chips moved"),
        (False, "counted again"),
        (True, "chips moved"),
        (False, "by mistake"),
    ]


def test_an_undo_without_a_reason_was_a_slip_of_the_finger() -> None:
    table = settled_table().do("bets", box=1, bets={"ante": 200}).do("undo")
    table.do("bets", box=1, bets={"ante": 300}).do("undo", reason="misheard")
    assert [undone.reason for undone in table.heard(out.Undone)] == [out.SLIP, "misheard"]


def test_v15_bets_are_late_once_the_next_deal_lies_whatever_was_shown() -> None:
    """They may be meant for the hand that lies there, and would settle the one before anew."""
    table = settled_table(mode="training").take("box1").look(1)
    table.lay("dealer", SECOND_DEALER).look(1)
    assert "q-open-hand" in table.asked()
    assert needed(table, "bets", box=1, bets={"ante": 200}) == "round.late-bets"
    assert needed(table, "bets", box=2, bets={"ante": 200}) == "round.late-bets"
    table.do("reveal").do("next").look(1)
    assert needed(table, "bets", box=1, bets={"ante": 200}) is None


def test_the_demo_shows_by_itself_so_bets_come_after_it() -> None:
    table = settled_table(mode="demo")
    table.look(1)
    assert table.box(1)["revealed"]
    assert needed(table, "bets", box=1, bets={"ante": 200}) is None
    table.do("bets", box=1, bets={"ante": 200})
    assert needed(table, "undo") is None
