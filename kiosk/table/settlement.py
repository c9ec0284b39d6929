"""From the state of a round to a CASE and what the rules say of it. Nothing here is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from kiosk.cards import Card
from kiosk.rules import load_house_file, settle_case
from kiosk.rules.money import number
from kiosk.table.dealer import box_complete, drawing_of, is_complete
from kiosk.table.plan import FEES, Plan, plan_for
from kiosk.table.reasons import Reason, blocking
from kiosk.table.state import BoxState, Core, RoundSettings, zone_of
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


def bets_of(box: BoxState, settings: RoundSettings, plan: Plan) -> dict[str, Decimal]:
    """All bets of the box as placed: entered amounts, defaults for the rest.

    ANTE defaults to the table minimum, BET to its multiple, fees follow from the actions. A
    folded box has no BET.
    """
    entered = dict(box.bets)
    ante = entered.get("ante", settings.ante_min)
    bets = {"ante": ante}
    if box.action == "play":
        bets["bet"] = entered.get("bet", plan.bet_of(ante))
    done = {"exchange": box.exchanged > 0, "sixth": box.sixth, "buy": box.buy is True}
    for name in plan.bets:
        if name in entered:
            bets.setdefault(name, entered[name])
        elif name in FEES and done[name]:
            fee = plan.fee_of(name, ante, box.exchanged)
            if fee is not None:
                bets[name] = fee
    if box.action == "fold":
        bets.pop("bet", None)
    return {name: bets[name] for name in plan.bets if name in bets}


def case_of(
    core: Core, settings: RoundSettings, plan: Plan, boxes: Sequence[BoxState]
) -> dict[str, Any]:
    """The CASE (rules data README) of these boxes against the dealer, draws only if one bought."""
    bought = any(box.buy for box in boxes)
    draws = tuple(held.card for held in core.draws) if bought else ()
    keys = tuple((box, core.zone(zone_of(box.box)).cards) for box in boxes)
    return _case(core.dealer.cards, draws, keys, settings, plan)


def _case(
    cards: tuple[Card, ...],
    draws: tuple[Card, ...],
    boxes: tuple[BoxKey, ...],
    settings: RoundSettings,
    plan: Plan,
) -> dict[str, Any]:
    dealer: dict[str, Any] = {"cards": [str(card) for card in cards]}
    if draws:
        dealer["draws"] = [str(card) for card in draws]
    cap = settings.max_payout
    return {
        "game": plan.house.game,
        "house": plan.house.name,
        "table": {
            "ante_min": number(settings.ante_min),
            "ante_max": number(settings.ante_max),
            "max_payout": None if cap is None else number(cap),
            "chips": [number(chip) for chip in settings.chips],
            "currency": settings.currency,
        },
        "dealer": dealer,
        "boxes": [_box_case(box, hand, settings, plan) for box, hand in boxes],
    }


def _box_case(
    box: BoxState, hand: tuple[Card, ...], settings: RoundSettings, plan: Plan
) -> dict[str, Any]:
    case: dict[str, Any] = {"box": box.box, "action": box.action}
    if box.action == "play":
        case["cards"] = [str(card) for card in hand]
    if box.exchanged:
        case["exchanged"] = box.exchanged
    bets = bets_of(box, settings, plan)
    case["bets"] = {name: number(amount) for name, amount in bets.items()}
    return case


BoxKey = tuple[BoxState, tuple[Card, ...]]


def settled(
    core: Core, settings: RoundSettings, plan: Plan, boxes: Sequence[BoxState]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The CASE of these boxes and what the rules say of it: a settlement or an error.

    Both are read-only; they are worked out once for the same cards and entries.
    """
    keys = tuple((_entries(box), core.zone(zone_of(box.box)).cards) for box in boxes)
    bought = any(box.buy for box in boxes)
    draws = tuple(held.card for held in core.draws) if bought else ()
    return _settled(core.dealer.cards, draws, keys, settings)


def _entries(box: BoxState) -> BoxState:
    """The box without what does not touch its settlement."""
    return BoxState(
        box.box,
        action=box.action,
        exchanged=box.exchanged,
        sixth=box.sixth,
        buy=box.buy,
        bets=box.bets,
    )


@lru_cache(maxsize=512)
def _settled(
    dealer: tuple[Card, ...],
    draws: tuple[Card, ...],
    boxes: tuple[BoxKey, ...],
    settings: RoundSettings,
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    case = _case(dealer, draws, boxes, settings, plan_for(settings.house))
    file = load_house_file(settings.house)
    return case, settle_case(case, {file.house.name: file})


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
    for box in ready:
        _, answer = settled(core, settings, plan, [box])
        if "error" in answer:
            errors.append(_error(answer, box.box, frozenset({zone_of(box.box)})))
        else:
            good.append(box)
    if not good:
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
    if blocking(core, reasons, zone_of(box.box)):
        return False
    state = drawing_of(core, plan)
    waiting = state is not None and box.buy is True and box.action == "play" and state.due
    return not waiting


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
        actions=("enter-bets",),
        secret_text=TEXTS["entry-secret"] if answer["error"] in SECRET_ERRORS else None,
    )


def is_assumed(core: Core, box: BoxState, plan: Plan) -> bool:
    """No person has confirmed the box, or nobody said whether it buys a missing game."""
    if not box.confirmed:
        return True
    state = drawing_of(core, plan)
    open_choice = plan.buy and box.action == "play" and box.buy is None
    return open_choice and state is not None and not plan.has_game(core.dealer.cards)


def seems_assumed(core: Core, box: BoxState, plan: Plan) -> bool:
    """As is_assumed, without giving away whether the dealer has a game."""
    open_choice = plan.buy and box.action == "play" and box.buy is None
    return not box.confirmed or (open_choice and is_complete(core))
