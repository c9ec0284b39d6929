"""The owner of the round: ids, views that cannot be taken, a camera side that falls silent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from kiosk import owner as owner_module
from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.owner import TableOwner
from kiosk.sightings import ReadCard, TableView, ZoneView
from kiosk.table.events import HoldSet, NextPressed
from kiosk.table.snapshot import snapshot
from kiosk.table.state import RoundSettings

SETTINGS = RoundSettings(mode="demo", clear_after=0.2, linger=0.0)
DEALER = "2c 2d 5h 8s 9c"
BOX = "Ah Ad 4c 4s 8h"


@pytest.fixture(autouse=True)
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """The camera side may be silent for long, on a machine however busy."""
    monkeypatch.setattr(owner_module, "SILENT", 3600.0)


@pytest.fixture
def owner() -> Iterator[TableOwner]:
    made = TableOwner(SETTINGS, "r-000007", lambda *_step: None)
    made.start()
    yield made
    made.stop()


def until(holds: Callable[[], bool], what: str) -> None:
    """Waits until it holds; fails after some minutes."""
    limit = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


def view(**hands: str) -> TableView:
    """Cards lying in zones, the rest of the felt bare."""
    zones = []
    for name in SETTINGS.zones:
        cards = tuple(
            ReadCard(Card.parse(card), 0.99, ((40.0 * n, 0.0, 40.0 * n + 20, 30.0),))
            for n, card in enumerate(hands.get(name, "").split())
        )
        zones.append(ZoneView(name, cards, (), len(cards), False, not cards))
    return TableView(time.monotonic(), tuple(zones))


def bare(owner: TableOwner) -> None:
    """Bare felt is seen for a while."""
    for _ in range(2):
        owner.see(view())
        until(lambda: owner._view is None, "it is taken")
        time.sleep(0.4)


def questions(owner: TableOwner) -> list[str]:
    found: list[dict[str, Any]] = snapshot(owner.state)["questions"]
    return [question["kind"] for question in found]


def test_no_round_gets_an_id_that_another_had(owner: TableOwner) -> None:
    """Rounds that end by themselves and rounds that a person ends count on from each other."""
    ids = [owner.state.id]
    for by_person in (False, False, True, False, True):
        owner.see(view(dealer=DEALER, box1=BOX))
        until(lambda: owner.state.derived.complete, "the hand is settled")
        owner.see(view())
        if by_person:
            owner.act("next", {}, "Vera")
        until(lambda: owner.state.id != ids[-1], "the next round has begun")
        bare(owner)
        ids.append(owner.state.id)
    assert ids == [f"r-{number:06d}" for number in range(7, 13)]


def test_a_view_that_cannot_be_taken_becomes_a_question(owner: TableOwner) -> None:
    owner.see(view(dealer=DEALER))
    until(lambda: len(owner.state.core.dealer.hand) == 5, "the hand is read")
    broken: Any = None
    good = view(dealer=DEALER)
    owner.see(replace(good, zones=(replace(good.zones[0], cards=broken), *good.zones[1:])))
    until(lambda: "trouble" in questions(owner), "people are asked")
    time.sleep(0.5)
    assert owner.failure is not None, "time that passes does not make it good"
    assert "trouble" in questions(owner)
    owner.see(view(dealer=DEALER))
    until(lambda: "trouble" not in questions(owner), "the next view is taken")
    until(lambda: owner.failure is None, "nothing is wrong any more")


def test_a_camera_side_that_falls_silent_becomes_a_question(
    owner: TableOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "trouble" not in questions(owner)
    owner.see(view(dealer=DEALER))
    until(lambda: len(owner.state.core.dealer.hand) == 5, "the hand is read")
    monkeypatch.setattr(owner_module, "SILENT", 0.5)
    until(lambda: "trouble" in questions(owner), "people are asked")
    assert len(owner.state.core.dealer.hand) == 5, "what was read stays"
    monkeypatch.setattr(owner_module, "SILENT", 3600.0)
    owner.see(view(dealer=DEALER))
    until(lambda: "trouble" not in questions(owner), "a new view ends it")


def test_actions_after_the_end_are_refused() -> None:
    made = TableOwner(SETTINGS, "r-000001", lambda *_step: None)
    made.start()
    made.stop()
    with pytest.raises(ActionError, match="being stopped"):
        made.act("undo", {}, "Vera")


def test_an_action_whose_turn_has_come_is_not_said_to_be_given_up(
    owner: TableOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is told to try again has done nothing; what is being done is waited for."""
    begun, go_on, applied = threading.Event(), threading.Event(), owner_module.apply

    def slow(state: Any, event: Any) -> Any:
        if isinstance(event, HoldSet):
            begun.set()
            assert go_on.wait(200)
        return applied(state, event)

    monkeypatch.setattr(owner_module, "apply", slow)
    monkeypatch.setattr(owner_module, "_ANSWER_WITHIN", 0.05)
    with ThreadPoolExecutor(1) as another:
        first = another.submit(owner.act, "hold", {"held": True}, "Vera")
        assert begun.wait(200)
        with pytest.raises(ActionError, match="too busy"):
            owner.act("hold", {"held": False}, "Vera")
        go_on.set()
        assert first.result(200).held
    until(lambda: not owner._actions, "the table has gone on")
    assert owner.state.held, "what was given up is not done"


def test_rules_that_took_force_are_told_though_newer_ones_came_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Newer rules may be set between the last look at what waits and the next round's beginning."""
    told: list[str] = []
    older = replace(SETTINGS, currency="older")
    newer = replace(SETTINGS, currency="newer", boxes=(1, 2))
    made = TableOwner(SETTINGS, "r-000001", lambda *_step: None)
    applied = owner_module.apply

    def late(state: Any, event: Any) -> Any:
        if isinstance(event, NextPressed):
            made.set_settings(newer, lambda: told.append("newer"))
        return applied(state, event)

    made.start()
    try:
        made.see(view(dealer=DEALER, box1=BOX))
        until(lambda: made.state.derived.complete, "the hand is settled")
        made.set_settings(older, lambda: told.append("older"))
        until(lambda: made.state.next_settings is not None, "they wait for the next round")
        monkeypatch.setattr(owner_module, "apply", late)
        made.act("next", {}, "Vera")
        assert made.state.settings.currency == "older" and told == ["older"]
        assert made.state.settings.zones != newer.zones
        until(lambda: made.state.next_settings is None, "the newer ones need bare felt")
        bare(made)
        until(lambda: told == ["older", "newer"], "bare felt brings the newer ones")
    finally:
        made.stop()


def test_a_round_goes_on_though_what_hears_of_new_rules_fails() -> None:
    steps: list[str] = []
    made = TableOwner(SETTINGS, "r-000001", lambda _b, after, _e, _o: steps.append(after.id))
    made.start()
    try:
        made.see(view(dealer=DEALER, box1=BOX))
        until(lambda: made.state.derived.complete, "the hand is settled")
        made.set_settings(replace(SETTINGS, currency="other"), lambda: 1 / 0)
        made.act("next", {}, "Vera")
        assert steps[-1] == "r-000002" and made.state.settings.currency == "other"
    finally:
        made.stop()


def test_what_was_on_its_way_while_the_hand_changed_changes_nothing(owner: TableOwner) -> None:
    owner.see(view(dealer=DEALER, box1=BOX))
    until(lambda: owner.state.derived.complete, "the hand is settled")
    owner.act("next", {"round": owner.state.id}, "Vera")
    before = owner.state
    with pytest.raises(ActionError, match="Another hand"):
        owner.act("hold", {"held": True, "reason": "", "round": "r-000007"}, "Vera")
    assert owner.state.id == before.id == "r-000008" and not owner.state.held
    owner.act("hold", {"held": True, "reason": "", "round": "r-000008"}, "Vera")
    assert owner.state.held
