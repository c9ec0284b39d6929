"""What the rules say of the boxes that are ready. Nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kiosk.rules import settle_case
from kiosk.table.case import Deal, case_of, deal_of
from kiosk.table.dealer import board_cards, box_complete, drawing_of, is_complete
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason
from kiosk.table.reasons import blocking, zone_reason
from kiosk.table.state import DEALER_SMALL, BoxState, Core, RoundSettings, hands_of, zone_of
from kiosk.table.texts import TEXTS

Result = Mapping[str, Any]

SECRET_ERRORS = frozenset(
    {
        "buy-not-needed",
        "draws-missing",
        "draws-extra",
        "insurance-not-eligible",
        "insurance-out-of-limits",
        "meter-missing",
    }
)
"""Errors whose message tells what a hand is worth: before the reveal they are only hinted at."""


def settled(
    core: Core, settings: RoundSettings, plan: Plan, boxes: Sequence[BoxState]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The CASE of these boxes and what the rules say of it: a settlement or an error.

    Both are read-only; they are worked out once for the same cards and entries.
    """
    return _settled(deal_of(core, plan, boxes), settings)


@lru_cache(maxsize=512)
def _settled(deal: Deal, settings: RoundSettings) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    plan = settings.plan
    case = case_of(deal, settings, plan)
    return case, settle_case(case, {plan.house.name: plan.file})


@dataclass(frozen=True, slots=True)
class Settlements:
    """``results``: box → RESULT. ``whole``: the settlement of these boxes together, None when
    there are none. ``errors``: what the rules refused."""

    results: Mapping[int, Result]
    case: Mapping[str, Any] | None
    whole: Mapping[str, Any] | None
    errors: tuple[Reason, ...]


NOTHING = Settlements({}, None, None, ())


def settle_boxes(
    core: Core, settings: RoundSettings, plan: Plan, reasons: tuple[Reason, ...]
) -> Settlements:
    """Settles every box that is ready: known, unquestioned, its purchase carried out.

    Each box is settled alone first, so that a bad entry of one box holds up that box only.
    """
    if core.voided is not None or not is_complete(core):
        return NOTHING
    ready = [box for box in core.boxes if _ready(core, plan, box, reasons)]
    good: list[BoxState] = []
    errors: list[Reason] = []
    waiting: list[str] = []
    in_doubt = False
    for box in ready:
        _, answer = settled(core, settings, plan, [box])
        if answer.get("error") == "dealer-small-missing":
            waiting.append(zone_of(box.box))
        elif answer.get("error") == "buy-not-needed":
            # Either the entry is wrong, or the hand that lies there was drawn, not dealt.
            in_doubt = True
            errors.append(_error(answer, box.box, frozenset(settings.zones)))
        elif "error" in answer:
            errors.append(_error(answer, box.box, frozenset({zone_of(box.box)})))
        else:
            good.append(box)
    if waiting:
        errors.append(_small_missing(frozenset(waiting), settings))
    if not good or in_doubt:
        return Settlements({}, None, None, tuple(errors))
    case, whole = settled(core, settings, plan, good)
    if "error" in whole:
        touched = frozenset(zone_of(box.box) for box in good)
        errors.append(_error(whole, good[0].box, touched, alone=False))
        return Settlements({}, None, None, tuple(errors))
    results = {result["box"]: result for result in whole["boxes"]}
    return Settlements(results, case, whole, tuple(errors))


def _ready(core: Core, plan: Plan, box: BoxState, reasons: tuple[Reason, ...]) -> bool:
    if not core.in_play(box) or not box_complete(core, box, plan):
        return False
    if any(blocking(core, reasons, zone) for zone, _ in hands_of(box, plan.shape)):
        return False
    state = drawing_of(core, plan)
    waiting = state is not None and box.buy is True and box.action == "play" and state.due
    return not waiting


def _small_missing(touched: frozenset[str], settings: RoundSettings) -> Reason:
    """SP-DEAL-2: there is a game, and no small hand to compare with."""
    return zone_reason(
        DEALER_SMALL,
        "small-missing",
        "count",
        delay=settings.question_after,
        steady=True,
        actions=("enter-card",),
        touches=touched,
    )


def _error(
    answer: Mapping[str, Any], box: int, touched: frozenset[str], alone: bool = True
) -> Reason:
    """What the rules refused, of one box or (not ``alone``) of the boxes together."""
    where = str(answer.get("where", ""))
    message = str(answer.get("message", answer["error"])).removeprefix(f"{where}: ")
    return Reason(
        id=f"q-{zone_of(box)}-input" if alone else "q-round-input",
        kind="input-error",
        zone=zone_of(box) if alone else None,
        text=TEXTS["entry" if alone else "entry-round"],
        values=(("message", message), ("error", str(answer["error"])), ("box", box)),
        touches=touched,
        actions=ACTIONS.get(str(answer["error"]), ("enter-bets",)),
        secret_text=TEXTS["entry-secret"] if answer["error"] in SECRET_ERRORS else None,
    )


ACTIONS = {
    "dealt-missing": ("enter-dealt",),
    "cards-missing": ("enter-dealt",),
    "dealt-mismatch": ("enter-dealt", "enter-bets"),
    "exchange-touches-bonus": ("enter-dealt", "enter-bets"),
    "meter-missing": ("enter-meter",),
}
"""What helps against an error of the rules, where it is not the bets."""


def is_assumed(core: Core, box: BoxState, plan: Plan) -> bool:
    """No person has confirmed the box, or nobody said whether it buys a missing game."""
    if not box.confirmed:
        return True
    state = drawing_of(core, plan)
    open_choice = plan.buy and box.action == "play" and box.buy is None
    first = plan.has_game(core.dealer.cards, board_cards(core)) if state is not None else True
    return open_choice and not first


def seems_assumed(core: Core, box: BoxState, plan: Plan) -> bool:
    """As is_assumed, without giving away whether the dealer has a game."""
    open_choice = plan.buy and box.action == "play" and box.buy is None
    return not box.confirmed or (open_choice and is_complete(core))
