"""The button panel of a running kiosk: what its house sells, and presses that come from a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from firmware_bridge.panel import WHO, Panel
from firmware_bridge.protocol import BUTTONS
from firmware_bridge.simulated import SimulatedPanelError
from firmware_bridge.texts import translator
from firmware_bridge.view import Offer, box_of
from kiosk.errors import ActionError
from kiosk.owner import Allowed, TableOwner
from kiosk.people import People, PeopleError
from kiosk.table.plan import FEES, Plan
from kiosk.table.round import RoundState

LANGUAGES = ("en", "ru")

SWITCHES = ("extra_two", "buy")
"""Fees that are bought or not on a field of the panel; the others have buttons of their own."""

HELD_MS = 900
"""As long is a held button of the simulated panel kept down."""


@lru_cache(maxsize=16)
def offer_of(plan: Plan) -> Offer:
    """What a house sells on the panel."""
    bonus = plan.house.bonus
    fixed = bonus.kind == "double-on-ace-king"
    return Offer(
        bets=tuple(bet for bet in plan.bets if bet not in FEES),
        switches=tuple(bet for bet in SWITCHES if bet in plan.bets),
        exchanges=(0, *sorted(plan.house.exchange.fees)),
        sixth=plan.sixth,
        ante_bonus=bool(plan.house.pay.ante_bonus),
        bonus_ratio=bonus.ratio if fixed else None,
        bonus_by_ante=dict(bonus.overrides) if fixed else {},
    )


def told(panel: Panel) -> dict[str, str]:
    """The state of the line in each language; of the simulated panel nothing while it works."""
    state = panel.state
    if state.connected and panel.simulated is not None:
        return dict.fromkeys(LANGUAGES, "")
    return {language: state.told(translator(language)) for language in LANGUAGES}


def rights(people: People) -> Allowed | None:
    """What may be entered on the panel, which asks for no PIN: all, and once there is an admin
    only what everybody may."""
    try:
        open_to_all = not people.has_admin()
    except PeopleError:
        open_to_all = False
    return None if open_to_all else lambda _right: False


def enter(owner: TableOwner, people: People, name: str, body: dict[str, Any]) -> RoundState:
    """What is entered on the panel. It has no letters: where a reason is due, the reason is that
    it was entered there. ActionError when it cannot be done."""
    allowed = rights(people)
    try:
        return owner.act(name, body, WHO, allowed)
    except ActionError as problem:
        if problem.kind != "reason-needed":
            raise
    return owner.act(name, body | {"reason": WHO}, WHO, allowed)


def press(panel: Panel, button: str, held: bool = False) -> None:
    """A press from a page: by the simulated panel's contact, without one by the action itself.
    ActionError for a button that no panel has."""
    if button not in BUTTONS:
        raise ActionError("bad-input", f"no button {button[:20]!r} on the panel", 400)
    simulated = panel.simulated
    if simulated is None or not panel.state.connected:
        panel.press(button, held)
        return
    try:
        if held:
            simulated.press(button, HELD_MS)
        else:
            simulated.press(button)
    except SimulatedPanelError as problem:
        raise ActionError("panel", f"the simulated panel does not answer: {problem}") from None


def choose(panel: Panel, box: int | None, snapshot: Mapping[str, Any]) -> None:
    """The box chosen on a page is the one chosen on the panel. ActionError: no such box."""
    if box is not None and box_of(snapshot, box) is None:
        raise ActionError("bad-input", f"box: there is no box {box} on this table", 400)
    panel.choose(box)
