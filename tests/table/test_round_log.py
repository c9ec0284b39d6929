"""The log is the only history: replay, undo, its length, settings."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from table_desk import PAIR_OF_TWOS, Table, Zone, cards, settled_table

from kiosk.errors import ActionError, UserError
from kiosk.table import events as e
from kiosk.table.outputs import Undone
from kiosk.table.round import (
    LONGEST_LOG,
    apply,
    can,
    case_of,
    count_up,
    new_round,
    replay,
    with_settings,
)
from kiosk.table.state import RoundSettings


def test_undo_takes_back_the_last_entry_of_a_person() -> None:
    table = settled_table().do("bets", box=1, bets={"ante": 200}).do("confirm", box=1)
    table.do("cards", zone="box1", was="Ad", card="4d")
    table.take("box1")
    assert table.paid(1) == (400, 0)  # 1:1 on BET 400
    table.do("undo")
    assert table.box(1)["cards"][-1] == "Ad"
    assert table.box(1)["collected"]
    assert table.paid(1) == (800, 0)
    table.do("undo")
    assert not table.box(1)["confirmed"]
    table.do("undo")
    assert table.paid(1) == (400, 0)
    assert table.refused("undo").kind == "nothing-to-undo"
    taken = [type(o.event) for o in table.heard(Undone)]
    assert taken == [e.CardEntered, e.Confirmed, e.BetsEntered]


def test_an_entry_that_changed_nothing_is_an_entry_to_undo() -> None:
    table = settled_table().do("confirm", box=1)
    before = {**table.shown(), "version": 0}
    table.do("confirm", box=1).do("undo")
    assert {**table.shown(), "version": 0} == before


def test_looking_at_the_same_table_adds_nothing_to_the_log() -> None:
    table = settled_table().look(1)
    log, version = table.state.log, table.state.version
    table.look(5)
    assert (table.state.log, table.state.version) == (log, version)


def test_v12_the_log_of_an_idle_table_stays_short() -> None:
    table = Table(step=0.35)
    table.look().do("bets", box=1, bets={"ante": 300})
    for turn in range(LONGEST_LOG + 200):
        table.zones["box1"].occluded = turn % 2 == 0
        table.look(0)
        table.t += 0.05
    state = table.state
    assert len(state.log) <= LONGEST_LOG
    assert replay(state.base, state.log, state.settings) == state.core
    assert table.box(1)["bets"]["ante"] == 300


def test_the_version_grows_with_every_change_and_over_rounds() -> None:
    table = settled_table()
    versions = [table.state.version]
    for name, body in [
        ("bets", {"box": 1, "bets": {"ante": 200}}),
        ("undo", {}),
        ("reveal", {}),
        ("next", {}),
    ]:
        table.do(name, **body)
        versions.append(table.state.version)
    assert versions == sorted(set(versions))


def test_can_says_what_apply_would_do() -> None:
    table = settled_table()
    assert can(table.state, e.Confirmed(table.t, "Vera", 1))
    assert not can(table.state, e.Confirmed(table.t, "Vera", 2))


def test_the_next_id_counts_up() -> None:
    assert count_up("r-000009") == "r-000010"
    assert count_up("r-999") == "r-1000"
    assert count_up("night") == "night-2"
    table = settled_table().do("reveal")
    state, _ = apply(table.state, e.NextPressed(table.t, "Vera"))
    assert state.id == count_up(table.state.id)


def test_case_of_holds_every_box_in_play() -> None:
    table = settled_table().do("bets", box=1, bets={"ante": Decimal("150.5")})
    case = case_of(table.state)
    assert case["dealer"]["cards"] == PAIR_OF_TWOS.split()
    assert [box["box"] for box in case["boxes"]] == [1]
    assert case["boxes"][0]["bets"] == {"ante": Decimal("150.5"), "bet": 301}


def test_settings_change_between_hands_only() -> None:
    table = Table()
    table.look()
    other = replace(table.settings, house="russian-c", mode="demo")
    changed = with_settings(table.state, other)
    assert changed.settings.house == "russian-c"
    assert changed.id == table.state.id
    assert changed.version > table.state.version
    with pytest.raises(ActionError, match="must be finished"):
        with_settings(settled_table().state, other)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"house": "russian-z"}, "russian-z"),
        ({"boxes": (1, 2, 3, 4, 5)}, "allows 4"),
        ({"boxes": ()}, "at least one"),
        ({"boxes": (1, 1)}, "different"),
        ({"ante_min": Decimal(0)}, "ante limits"),
        ({"ante_min": Decimal(2000)}, "ante limits"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_line(
    wrong: dict[str, object], says: str
) -> None:
    with pytest.raises(UserError, match=says) as caught:
        new_round(RoundSettings(**wrong), "r-1")  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_a_hand_never_seen_all_at_once_is_asked_about() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", PAIR_OF_TWOS)
    table.lay("box1", "7h 7d Ts Kc")
    table.zones["box1"] = Zone(cards("7h 7d Ts Kc Ad"), 5)
    table.look(0.0)
    table.lay("box1", "7d Ts Kc Ad")
    assert table.paid(1) is None
    table.look(3.5)
    assert "q-box1-unsteady" in table.asked()
    table.do("dismiss", question="q-box1-unsteady")
    assert table.paid(1) == (400, 0)
