"""Folding entries into the row by which a hand is found."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.record.canonical import canonical
from kiosk.record.chain import KINDS, Entry, genesis, seal
from kiosk.record.hands import STATES, Hand, fold
from kiosk.record.schema import Place, SettledRound
from kiosk.record.terms import scaled

ENTRY: dict[str, Any] = {
    "kiosk": "k",
    "token": "0" * 32,
    "time": "2031-05-17T18:00:00.000000Z",
    "offset_minutes": 0,
    "synchronised": True,
    "monotonic_us": 1,
    "previous": genesis("k"),
}


def hand_after(*steps: tuple[str, dict[str, Any]], round_id: str | None = "r-1") -> Hand | None:
    hand: Hand | None = None
    for seq, (kind, payload) in enumerate(steps, 1):
        entry: Entry = seal(
            **ENTRY, seq=seq, kind=kind, round_id=round_id, payload_text=canonical(payload)
        )
        hand = fold(hand, entry)
    return hand


def states(*steps: tuple[str, dict[str, Any]]) -> tuple[str, bool]:
    hand = hand_after(*steps)
    assert hand is not None
    return hand.state, hand.finished


START: tuple[str, dict[str, Any]] = ("round-started", {"table": "T", "house": "russian-a"})
SETTLED: tuple[str, dict[str, Any]] = ("settled", {"settlement": {"paid": 400, "boxes": []}})
OVERRULE: tuple[str, dict[str, Any]] = ("overruled", {"box": 1, "who": "v", "reason": "torn"})


def test_a_settled_round_can_be_found_by_all_that_it_says(
    place: Place, settled: Callable[..., SettledRound]
) -> None:
    hand = hand_after(
        ("round-started", place.as_json()),
        ("settled", settled(paid=Decimal("400.5")).to_payload()),
        ("round-finished", {}),
    )
    assert hand is not None
    assert (hand.table, hand.person, hand.house) == ("Table 4", "trainee-7", "russian-a")
    assert (hand.game, hand.mode) == ("russian", "training")
    assert (hand.state, hand.finished, hand.assumed) == ("settled", True, False)
    assert (hand.paid, hand.taken) == (Decimal("400.5"), 0)
    assert hand.terms == {
        ("person", "trainee-7"),
        ("box", "1"),
        ("combination", "two-pair"),
        ("combination@1", "two-pair"),
        ("combination", "pair"),
        ("amount", "0000000000004005000"),
        ("amount@1", "0000000000004005000"),
    }
    assert (hand.first_seq, hand.settled_seq, hand.last_seq) == (1, 2, 3)


def test_a_box_without_confirmation_makes_the_hand_assumed(
    settled: Callable[..., SettledRound],
) -> None:
    hand = hand_after(START, ("settled", settled(confirmed=frozenset()).to_payload()))
    assert hand is not None and hand.assumed


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([START], ("open", False)),
        ([START, SETTLED], ("settled", False)),
        ([START, ("settled", {**SETTLED[1], "complete": False})], ("open", False)),
        ([START, SETTLED, ("round-finished", {})], ("settled", True)),
        ([START, ("voided", {"reason": "x"})], ("void", True)),
        ([START, ("voided", {}), ("undone", {"what": "voided"})], ("open", False)),
        ([START, SETTLED, ("voided", {}), ("undone", {"what": "voided"})], ("settled", False)),
        ([START, SETTLED, ("undone", {"what": "settled"})], ("open", False)),
        ([START, ("round-finished", {"complete": False})], ("unfinished", True)),
        ([START, OVERRULE, ("round-finished", {"complete": True})], ("by-hand", True)),
        ([START, OVERRULE, ("round-finished", {"complete": False})], ("unfinished", True)),
        ([START, OVERRULE, ("voided", {}), ("round-finished", {})], ("void", True)),
        ([START, ("unfinished", {})], ("unfinished", True)),
        ([START, SETTLED, ("unfinished", {})], ("settled", True)),
        ([START, ("unfinished", {}), SETTLED], ("settled", True)),
    ],
)
def test_states(steps: list[tuple[str, dict[str, Any]]], expected: tuple[str, bool]) -> None:
    assert states(*steps) == expected


def test_an_overrule_lasts_until_it_is_taken_back() -> None:
    overrule: tuple[str, dict[str, Any]] = ("overruled", {"box": 1, "reason": "agreed"})
    back: tuple[str, dict[str, Any]] = ("undone", {"what": "overruled"})
    for steps, expected in (
        ([overrule], True),
        ([overrule, SETTLED], True),
        ([overrule, back], False),
        ([overrule, SETTLED, back], False),
        ([overrule, overrule, back], True),
        ([overrule, overrule, SETTLED, back, back], False),
        ([overrule, back, overrule], True),
        ([overrule, ("undone", {"what": "voided"})], True),
        ([back], False),
    ):
        hand = hand_after(START, *steps)
        assert hand is not None and hand.overruled is expected, steps
        assert any(term == "overrule" for term, _ in hand.terms) is expected


def boxes(*steps: tuple[str, dict[str, Any]]) -> set[str]:
    hand = hand_after(START, *steps)
    assert hand is not None
    return {value for term, value in hand.terms if term == "box"}


CARDS: tuple[str, dict[str, Any]] = ("cards-accepted", {"zone": "box2", "cards": [{"card": "As"}]})
OUT_OF_PLAY: tuple[str, dict[str, Any]] = ("bets-entered", {"box": 2, "in_play": False})


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([("bets-entered", {"box": 2, "bets": [["ante", 50]]})], {"2"}),
        ([("answer", {"box": 3, "bets": []}), ("confirmed", {"box": 1})], {"1", "3"}),
        ([CARDS, ("cards-accepted", {"zone": "box4-small", "cards": [{}]})], {"2", "4"}),
        ([("cards-accepted", {"zone": "dealer", "cards": [{}]})], set()),
        ([("cards-accepted", {"zone": "box2", "cards": []})], set()),
        ([CARDS, OUT_OF_PLAY], set()),
        (
            [CARDS, OUT_OF_PLAY, ("undone", {"what": OUT_OF_PLAY[0], "event": OUT_OF_PLAY[1]})],
            {"2"},
        ),
        ([OVERRULE, CARDS], {"1", "2"}),
        ([CARDS, SETTLED], set()),
        ([CARDS, ("settled", {**SETTLED[1], "overruled": [[2, "v", "torn"]]})], {"2"}),
        ([CARDS, ("settled", {**SETTLED[1], "answers": [[2, {}]]})], {"2"}),
    ],
)
def test_p13_a_hand_has_the_boxes_in_play_settled_or_not(
    steps: list[tuple[str, dict[str, Any]]], expected: set[str]
) -> None:
    assert boxes(*steps) == expected


def test_p13_what_belongs_to_a_box_is_bound_to_it(settled: Callable[..., SettledRound]) -> None:
    slip = {"kind": "wrong-row", "mistake": "row-above"}
    answers = [
        [1, {"verdict": "right", "mistakes": []}],
        [2, {"verdict": "wrong", "mistakes": [slip]}],
    ]
    payload = settled().to_payload() | {"answers": answers, "overruled": [[2, "v", "torn"]]}
    hand = hand_after(START, ("overruled", {"box": 2, "reason": "torn"}), ("settled", payload))
    assert hand is not None
    bound = {term for term in hand.terms if "@" in term[0]}
    assert bound == {
        ("combination@1", "two-pair"), ("amount@1", "0000000000004000000"), ("answer@1", "right"),
        ("answer@2", "wrong"), ("mistake@2", "wrong-row"), ("mistake@2", "row-above"),
        ("overrule@2", "1"),
    }  # fmt: skip


def test_p13_an_overrule_is_bound_to_its_box_until_it_is_taken_back() -> None:
    one, both = ("overruled", {"box": 1}), ("overruled", {"box": None})
    back = ("undone", {"what": "overruled", "event": {"box": None}})
    entered = [("confirmed", {"box": box}) for box in (1, 2)]
    for steps, expected in (
        ([one], {"overrule@1"}),
        ([both], {"overrule@1", "overrule@2"}),
        ([one, both, back], {"overrule@1"}),
        ([both, back], set()),
        ([one, SETTLED], {"overrule@1"}),
    ):
        hand = hand_after(START, *entered, *steps)
        assert hand is not None
        bound = {term for term, _ in hand.terms if term.startswith("overrule@")}
        assert bound == expected, steps


def test_a_dispute_lasts_until_released_and_is_remembered() -> None:
    held = hand_after(START, ("held", {"reason": "count"}))
    assert held is not None and held.disputed and held.was_disputed
    released = hand_after(START, ("held", {}), ("released", {}))
    assert released is not None and not released.disputed and released.was_disputed


def test_an_entry_of_no_round_makes_no_hand() -> None:
    assert hand_after(("fault", {}), round_id=None) is None


def test_amounts_are_searched_in_ten_thousandths() -> None:
    assert scaled(Decimal("12.5")) == 125_000
    assert scaled(3) == 30_000
    assert scaled(10**30) == 2**63 - 1
    assert scaled(-(10**30)) == -(2**63 - 1)


def test_what_a_database_could_not_hold_is_cut_for_the_lists() -> None:
    long = {"box": "1\0" * 99, "combinations": ["x\0" * 99]}
    settlement = {"paid": 10**25, "boxes": [long]}
    hand = hand_after(("settled", {"table": "a\0b", "person": "\0", "settlement": settlement}))
    assert hand is not None
    assert (hand.table, hand.person, hand.paid) == ("ab", None, 10**25)
    assert all(len(value) <= 64 and "\0" not in value for _term, value in hand.terms)


anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "settlement boxes dealer combination combinations paid box confirmed person "
                "table what after_buy complete answers overruled mistakes verdict zone "
                "cards in_play event".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(st.tuples(st.sampled_from(sorted(KINDS)), anything), min_size=1, max_size=6))
def test_no_payload_can_keep_a_hand_from_being_listed(steps: list[tuple[str, Any]]) -> None:
    safe = [(kind, data if isinstance(data, dict) else {"data": data}) for kind, data in steps]
    hand = hand_after(*safe)
    assert hand is not None
    assert hand.state in STATES
    assert hand.last_seq == len(steps)
