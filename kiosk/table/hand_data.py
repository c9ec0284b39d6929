"""Hands as data for the snapshot: what lies in a zone, and what a hand is worth."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from kiosk.cards import Card
from kiosk.rules.describe import describe
from kiosk.table.dealer import board_cards, flop_of
from kiosk.table.plan import Plan
from kiosk.table.round_state import RoundState
from kiosk.table.state import ZoneState
from kiosk.table.zones import OPENED


@lru_cache(maxsize=256)
def _described(cards: tuple[Card, ...], board: tuple[Card, ...], plan: Plan) -> Mapping[str, Any]:
    found: Mapping[str, Any] = describe(cards, plan.house, board)
    return found


def worth(state: RoundState, cards: tuple[Card, ...]) -> Mapping[str, Any]:
    """What a hand is, the board counted in (``describe``). To be shown after the reveal only."""
    return copy.deepcopy(_described(cards, board_cards(state.core), state.plan))


def names(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def hand_data(zone: ZoneState, expected: int) -> dict[str, Any]:
    """What any zone tells: its cards and how sure they are."""
    return {
        "zone": zone.zone,
        "cards": names(zone.cards),
        "read": len(zone.hand),
        "expected": expected,
        "bodies": zone.view.bodies,
        "collected": _collected(zone),
        "by_person": [str(held.card) for held in zone.hand if held.source == "person"],
    }


def shared_data(zone: ZoneState | None, expected: int) -> dict[str, Any] | None:
    """A hand that counts for every box; None in games without it."""
    if zone is None:
        return None
    return {**hand_data(zone, expected), "complete": zone.fixed}


def small_data(zone: ZoneState | None, expected: int) -> dict[str, Any] | None:
    """A box's small hand; None in games without one."""
    return None if zone is None else hand_data(zone, expected)


def board_data(state: RoundState) -> dict[str, Any] | None:
    """The board: expected are the cards of the flop until a hand opens or more are laid.

    ``flop``: the cards dealt first, as far as they are known.
    """
    core, plan = state.core, state.plan
    zone = core.board
    if zone is None:
        return None
    opened = len(core.dealer.hand) >= plan.opened or any(
        len(core.zone(f"box{box.box}").hand) >= OPENED for box in core.boxes
    )
    expected = plan.board_cards if opened or len(zone.hand) > plan.flop else plan.flop
    data = {**hand_data(zone, expected), "complete": zone.fixed, "flop": names(flop_of(core))}
    data["cards"] = names(board_cards(core))
    return data


def _collected(zone: ZoneState) -> bool:
    """The hand was seen and no card of it lies there any more."""
    return bool(zone.hand) and not zone.lying and not zone.view.bodies and not zone.view.occluded
