"""What people send is checked before anything changes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_desk import settled_table

from kiosk.errors import ActionError
from kiosk.table import events as e
from kiosk.table.bodies import READERS, event_from, for_hand
from kiosk.table.round import apply

BAD = [
    ("bets", {}),
    ("bets", {"box": 1}),
    ("bets", {"box": "1", "bets": {"ante": 200}}),
    ("bets", {"box": True, "bets": {"ante": 200}}),
    ("bets", {"box": 1.0, "bets": {"ante": 200}}),
    ("bets", {"box": 9, "bets": {"ante": 200}}),
    ("bets", {"box": -1, "bets": {"ante": 200}}),
    ("bets", {"box": 10**30, "bets": {"ante": 200}}),
    ("bets", {"box": 1, "bets": [["ante", 200]]}),
    ("bets", {"box": 1, "bets": {"tip": 200}}),
    ("bets", {"box": 1, "bets": {"progressive": 5}}),
    ("bets", {"box": 1, "bets": {"ante": "200"}}),
    ("bets", {"box": 1, "bets": {"ante": True}}),
    ("bets", {"box": 1, "bets": {"ante": 0}}),
    ("bets", {"box": 1, "bets": {"ante": -100}}),
    ("bets", {"box": 1, "bets": {"ante": 100.005}}),
    ("bets", {"box": 1, "bets": {"ante": float("inf")}}),
    ("bets", {"box": 1, "bets": {"ante": float("nan")}}),
    ("bets", {"box": 1, "bets": {"ante": Decimal("1e400")}}),
    ("bets", {"box": 1, "bets": {"ante": 10**400}}),
    ("bets", {"box": 1, "bets": {"ante": {"amount": 1}}}),
    ("bets", {"box": 1, "bets": {"insurance": -1}}),
    ("bets", {"box": 1, "action": "raise"}),
    ("bets", {"box": 1, "action": 1}),
    ("bets", {"box": 1, "exchanged": 6}),
    ("bets", {"box": 1, "exchanged": -1}),
    ("bets", {"box": 1, "exchanged": 1.5}),
    ("bets", {"box": 1, "exchanged": True}),
    ("bets", {"box": 1, "sixth": "yes"}),
    ("bets", {"box": 1, "buy": 1}),
    ("bets", {"box": 1, "in_play": "no"}),
    ("bets", {"box": 1, "bet": {"ante": 200}}),
    ("cards", {}),
    ("cards", {"zone": "box1"}),
    ("cards", {"zone": "box9", "card": "Ah"}),
    ("cards", {"zone": 1, "card": "Ah"}),
    ("cards", {"card": "Ah"}),
    ("cards", {"zone": "box1", "card": "1h"}),
    ("cards", {"zone": "box1", "card": "ah"}),
    ("cards", {"zone": "box1", "card": "AhKh"}),
    ("cards", {"zone": "box1", "card": ["Ah"]}),
    ("cards", {"zone": "box1", "was": 7, "card": "Ah"}),
    ("cards", {"zone": "box1", "doubt": 3, "card": "Ah"}),
    ("cards", {"zone": "box1", "doubt": "d1", "was": "7h", "card": "Ah"}),
    ("confirm", {}),
    ("confirm", {"box": None}),
    ("answer", {"box": 1}),
    ("answer", {"box": 1, "bets": {}}),
    ("answer", {"box": 1, "bets": {"bet": 400}}),
    ("answer", {"box": 1, "bets": {"bet": {"result": "won", "amount": 400}}}),
    ("answer", {"box": 1, "bets": {"bet": {"result": "win", "amount": "400"}}}),
    ("answer", {"box": 1, "bets": {"bet": {"result": "win", "amount": -1}}}),
    ("answer", {"box": 1, "bets": {"bet": {"result": ["win"], "amount": 1}}}),
    ("answer", {"box": 1, "bets": {"bet": {"result": "win", "amount": 1, "why": 1}}}),
    ("hold", {}),
    ("hold", {"held": "yes"}),
    ("hold", {"held": True, "reason": 5}),
    ("hold", {"held": True, "reason": "x" * 501}),
    ("overrule", {}),
    ("overrule", {"box": 1, "reason": ""}),
    ("overrule", {"box": "1", "reason": "so"}),
    ("overrule", {"box": 7, "reason": "so"}),
    ("void", {}),
    ("void", {"reason": "  "}),
    ("void", {"reason": None}),
    ("void", {"reason": "half a character \ud800"}),
    ("hold", {"held": True, "reason": "\udfff"}),
    ("next", {"now": True}),
    ("undo", {"n": 2}),
]


@pytest.mark.parametrize(("name", "body"), BAD, ids=[f"{n}-{i}" for i, (n, _) in enumerate(BAD)])
def test_a_bad_body_is_refused_in_one_line_and_changes_nothing(
    name: str, body: dict[str, Any]
) -> None:
    refusal = settled_table().refused(name, **body)
    assert (refusal.kind, refusal.status) == ("bad-input", 400)
    assert "\n" not in str(refusal)
    assert len(str(refusal)) < 200


@pytest.mark.parametrize("body", [None, [], "next", 5])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    with pytest.raises(ActionError, match="expected an object") as caught:
        event_from("next", body, 0.0, "Vera")
    assert caught.value.status == 400


def test_an_unknown_action_is_refused() -> None:
    with pytest.raises(ActionError) as caught:
        event_from("launch", {}, 0.0, "Vera")
    assert (caught.value.kind, caught.value.status) == ("unknown-action", 404)


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("bets", {"box": 1, "bets": {"ante": 50}}, "ante-out-of-limits"),
        ("bets", {"box": 1, "bets": {"ante": 5000}}, "ante-out-of-limits"),
        ("bets", {"box": 1, "action": "fold", "buy": True}, "folded"),
        ("confirm", {"box": 2}, "not-in-play"),
        ("overrule", {"box": 2, "reason": "so"}, "not-in-play"),
        ("cards", {"zone": "box1", "was": "9h", "card": "6h"}, "no-such-card"),
        ("cards", {"zone": "box1", "card": "7h"}, "duplicate-card"),
        ("cards", {"zone": "box1", "doubt": "d1", "card": "7h"}, "no-such-doubt"),
        ("cards", {"zone": None, "doubt": "d1"}, "no-such-doubt"),
        ("dismiss", {"question": "q-box1-count"}, "no-such-question"),
        ("hold", {"held": False}, "hold"),
        ("undo", {}, "nothing-to-undo"),
    ],
)
def test_an_action_that_cannot_be_done_says_why(name: str, body: dict[str, Any], kind: str) -> None:
    refusal = settled_table().refused(name, **body)
    assert (refusal.kind, refusal.status) == (kind, 409)
    assert "\n" not in str(refusal)


def test_a_question_that_needs_an_answer_cannot_be_dismissed() -> None:
    table = settled_table().lay("box2", "3h 4h 5c 6d").look(4)
    assert table.refused("dismiss", question="q-box2-count").kind == "cannot-dismiss"


KEYS = st.sampled_from(
    "box bets action exchanged sixth buy in_play zone was card doubt held reason question "
    "ante bet insurance result amount stake_taken".split()
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.text(max_size=8)
    | st.sampled_from(["Ah", "7h", "box1", "dealer", "play", "fold", "win", "ante", "d1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)


TABLE = settled_table()


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(READERS)), st.dictionaries(KEYS, JSON, max_size=5))
def test_any_body_is_an_event_or_a_refusal(name: str, body: dict[str, Any]) -> None:
    """Nothing else comes out: no other exception, no half-made change."""
    state = TABLE.state
    try:
        event = event_from(name, body, 100.0, "Vera")
        apply(state, event)
    except ActionError as refusal:
        assert refusal.status in (400, 404, 409)
        assert "\n" not in str(refusal)


def test_amounts_are_exact() -> None:
    event = event_from("bets", {"box": 1, "bets": {"ante": 150.1}}, 0.0, "Vera")
    assert isinstance(event, e.BetsEntered)
    assert event.bets == (("ante", Decimal("150.1")),)


def test_what_was_entered_for_another_hand_does_not_count_for_this_one() -> None:
    with pytest.raises(ActionError, match="Another hand") as refused:
        for_hand({"box": 1, "round": "r-000001"}, "r-000002")
    assert refused.value.status == 409
    assert for_hand({"box": 1, "round": "r-000002"}, "r-000002") == {"box": 1}
    assert for_hand({"box": 1}, "r-000002") == {"box": 1}
    with pytest.raises(ActionError, match="round: expected the id of a hand"):
        for_hand({"round": 2}, "r-000002")
