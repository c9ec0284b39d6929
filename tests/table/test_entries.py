"""Bets are confirmed as they were seen: an entry that slipped in between is not."""

from __future__ import annotations

import pytest

from kiosk.errors import ActionError
from kiosk.table.bodies import event_from
from kiosk.table.round import apply, new_round, snapshot
from kiosk.table.round_state import RoundState
from kiosk.table.state import RoundSettings


def entered(state: RoundState, name: str, **body: object) -> RoundState:
    after, _ = apply(state, event_from(name, body, state.now + 1, "t"))
    return after


def mark(state: RoundState, box: int = 1) -> str:
    return str(snapshot(state)["boxes"][box - 1]["entries"])


@pytest.fixture
def playing() -> RoundState:
    """Box 1 in play with its default bets."""
    return entered(new_round(RoundSettings(), "r-000001"), "bets", box=1, in_play=True)


@pytest.mark.parametrize(
    "change",
    [{"bets": {"ante": 200}}, {"bets": {"bonus": 20}}, {"action": "fold"}, {"exchanged": 1}],
)
def test_bets_changed_meanwhile_are_not_confirmed(
    playing: RoundState, change: dict[str, object]
) -> None:
    seen = mark(playing)
    changed = entered(playing, "bets", box=1, **change)
    assert mark(changed) != seen
    with pytest.raises(ActionError, match="The bets of box 1 were changed meanwhile") as caught:
        entered(changed, "confirm", box=1, entries=seen)
    assert (caught.value.kind, caught.value.status) == ("changed", 409)
    assert not snapshot(changed)["boxes"][0]["confirmed"]
    after = entered(changed, "confirm", box=1, entries=mark(changed))
    assert snapshot(after)["boxes"][0]["confirmed"]


def test_another_box_and_taken_back_entries_do_not_matter(playing: RoundState) -> None:
    seen = mark(playing)
    other = entered(playing, "bets", box=2, bets={"ante": 500}, in_play=True)
    there_and_back = entered(entered(other, "bets", box=1, bets={"ante": 300}), "undo")
    assert mark(there_and_back) == seen
    after = entered(there_and_back, "confirm", box=1, entries=seen)
    assert snapshot(after)["boxes"][0]["confirmed"]


def test_who_says_nothing_of_what_was_seen_confirms_what_is_there(playing: RoundState) -> None:
    changed = entered(playing, "bets", box=1, bets={"ante": 200})
    assert snapshot(entered(changed, "confirm", box=1))["boxes"][0]["confirmed"]


@pytest.mark.parametrize("value", [7, "", "x" * 501])
def test_a_mark_that_is_none_is_refused(playing: RoundState, value: object) -> None:
    with pytest.raises(ActionError, match="entries"):
        entered(playing, "confirm", box=1, entries=value)
