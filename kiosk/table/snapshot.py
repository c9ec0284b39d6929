"""The state of a round as JSON-able data (``GET /api/v1/round``, event ``round``).

Before the reveal nothing in it tells what a hand is worth: combinations, game and results are
None, the stage ``no-game`` reads ``dealer-complete`` in training, errors are only hinted at.
Amounts are int when whole, else Decimal (``kiosk.rules.jsonio`` writes them).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kiosk.rules import jsonio
from kiosk.rules.explain import explain
from kiosk.rules.money import number
from kiosk.sightings import Doubt
from kiosk.table.answers import as_data, marks
from kiosk.table.case import case_of as _case_of
from kiosk.table.case import deal_of
from kiosk.table.dealer import board_cards
from kiosk.table.entries import entries_mark
from kiosk.table.hand_data import board_data, hand_data, names, shared_data, small_data, worth
from kiosk.table.placed import bets_of, judged
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason
from kiosk.table.reasons import question_text
from kiosk.table.round_state import RoundState
from kiosk.table.settlement import is_assumed, seems_assumed
from kiosk.table.stages import unanswered_boxes, wrong_boxes
from kiosk.table.state import BoxState, hands_of, zone_of
from kiosk.table.verdicts import in_time, mistakes, next_box, out_of_order, working_order
from kiosk.table.zones import OPENED


def snapshot(
    state: RoundState,
    revealed_view: bool | None = None,
    language: str = "en",
) -> dict[str, Any]:
    """The round as data. ``revealed_view``: None shows what has been revealed, True all (for the
    record), False nothing. ``language`` of questions and explanations: ``en`` or ``ru``."""
    core, settings, derived = state.core, state.settings, state.derived
    playing = [box for box in core.boxes if core.in_play(box)]
    shown = {b.box: _shown(b.revealed, revealed_view) for b in core.boxes}
    results = derived.settlements.results
    everything = bool(results) and all(shown[box] for box in results)
    dealer_shown = _shown(core.shown, revealed_view)
    whole = derived.settlements.whole if everything and derived.complete else None
    texts = _explained(state, language) if any(shown[box] for box in results) else {}
    assumed = is_assumed if everything else seems_assumed
    return {
        "id": state.id,
        "stage": _stage(state, dealer_shown),
        "house": state.plan.house.name,
        "game": state.plan.house.game,
        "mode": settings.mode,
        "held": state.held,
        "frozen": core.held,
        "wrong": list(wrong_boxes(core, results)),
        "unanswered": list(unanswered_boxes(core, settings, results)),
        "hold_reason": core.hold_reason,
        "order": list(working_order(state)),
        "next_box": next_box(state),
        "revealed": everything,
        "version": state.version,
        "table": _table(state),
        "dealer": _dealer(state, dealer_shown, texts.get("dealer")),
        "board": board_data(state),
        "meter": None if core.meter is None else number(core.meter),
        "boxes": [
            _box(state, box, shown[box.box], texts.get(box.box), language) for box in core.boxes
        ],
        "questions": [
            _question(reason, not dealer_shown, language) for reason in derived.questions(core)
        ],
        "settlement": copy.deepcopy(whole),
        "assumed": any(assumed(core, box, state.plan) for box in playing),
        "overruled": any(box.overruled for box in playing),
        "overruled_before": _overruled_before(state),
        "void": None if core.voided is None else core.voided[0],
    }


def _overruled_before(state: RoundState) -> list[dict[str, Any]]:
    """What was overruled in the hand before, until a box of this one is answered or shown: a hand
    that is overruled may leave the page at once."""
    if any(box.answers or box.revealed for box in state.core.boxes):
        return []
    return [
        {"box": box, "who": who, "reason": reason} for box, who, reason in state.overruled_before
    ]


def case_of(state: RoundState) -> dict[str, Any]:
    """The CASE of the round: the dealer and every box in play, as far as they are known."""
    playing = [box for box in state.core.boxes if state.core.in_play(box)]
    deal = deal_of(state.core, state.plan, playing)
    return _case_of(deal, state.settings, state.plan)


def _shown(revealed: bool, revealed_view: bool | None) -> bool:
    return revealed if revealed_view is None else revealed_view


def _stage(state: RoundState, shown: bool) -> str:
    stage = state.derived.stage
    if stage == "no-game" and state.settings.mode == "training" and not shown:
        return "dealer-complete"
    return stage


def _table(state: RoundState) -> dict[str, Any]:
    settings = state.settings
    cap = settings.max_payout
    return {
        "ante_min": number(settings.ante_min),
        "ante_max": number(settings.ante_max),
        "max_payout": None if cap is None else number(cap),
        "currency": settings.currency,
        "chips": [number(chip) for chip in settings.chips],
    }


def _dealer(state: RoundState, shown: bool, lines: list[str] | None) -> dict[str, Any]:
    core, shape = state.core, state.plan.shape
    zone = core.dealer
    data: dict[str, Any] = {
        **hand_data(zone, shape.dealer_cards),
        "complete": zone.fixed,
        "draws": [str(held.card) for held in core.draws],
        "small": shared_data(core.dealer_small, shape.small_cards),
        "combination": None,
        "game": None,
        "after_buy": None,
        "significant": None,
        "explanation": None,
    }
    drawing = state.derived.drawing
    if not shown or drawing is None:
        return data
    whole = state.derived.settlements.whole
    value = worth(state, zone.cards)
    data["combination"] = value["combinations"][0]
    data["significant"] = _groups(value["significant"])
    data["game"] = state.plan.has_game(zone.cards, board_cards(core))
    data["after_buy"] = None if whole is None else whole["dealer"].get("after_buy")
    data["explanation"] = lines
    return data


def _groups(sets: Any) -> list[list[str]]:
    return [names(cards) for cards in sets]


def _box(
    state: RoundState,
    box: BoxState,
    shown: bool,
    texts: Mapping[str, Any] | None,
    language: str,
) -> dict[str, Any]:
    core, plan = state.core, state.plan
    zone = core.zone(zone_of(box.box))
    result = state.derived.settlements.results.get(box.box)
    in_play = core.in_play(box)
    data: dict[str, Any] = {
        "box": box.box,
        **hand_data(zone, hands_of(box, plan.shape)[0][1]),
        "in_play": in_play,
        "opened": len(zone.hand) >= OPENED,
        "small": small_data(core.small(box.box), plan.shape.small_cards),
        "dealt": names(zone.dealt) if judged(box, state.settings, plan) else [],
        "bets": {n: number(v) for n, v in bets_of(box, state.settings, plan).items()},
        "action": box.action,
        "exchanged": box.exchanged,
        "sixth": box.sixth,
        "extra_two": box.extra_two,
        "prizes": [{"name": name, "amount": number(sum)} for name, sum in box.prizes],
        "buy": box.buy,
        "confirmed": box.confirmed,
        "entries": entries_mark(box, state.settings, plan),
        "assumed": in_play and (is_assumed if shown else seems_assumed)(core, box, plan),
        "settled": result is not None,
        "revealed": shown,
        "overruled": None if box.overruled is None else box.overruled[1],
        "answer": _answer(state, box, result if shown else None, language),
        "unanswered": shown and _asks(state) and in_play and not in_time(box),
        "combinations": None,
        "significant": None,
        "result": None,
    }
    board = core.board is None or core.board.fixed
    whole = zone.known and len(zone.hand) == data["expected"] and board
    if shown and whole and box.action == "play":
        value = worth(state, zone.cards)
        data["combinations"] = list(value["combinations"])
        data["significant"] = _groups(value["significant"])
    if shown and result is not None:
        data["result"] = {**copy.deepcopy(dict(result)), "explanation": texts}
    return data


def _asks(state: RoundState) -> bool:
    """Whether the trainee's answer comes first."""
    return state.settings.mode == "training"


def _answer(
    state: RoundState, box: BoxState, result: Mapping[str, Any] | None, language: str
) -> dict[str, Any] | None:
    """``mistakes``: each wrong bet with its kind; ``out_of_order``: another box came first."""
    if not box.answers:
        return None
    given = box.answers[-1]
    right = None if result is None else marks(given, result)
    return {
        "bets": as_data(given),
        "right": right,
        "correct": None if right is None else all(right.values()),
        "mistakes": None if result is None else mistakes(state, box, given, language),
        "out_of_order": box.box in out_of_order(state),
        "times": len(box.answers),
    }


def _question(reason: Reason, secret: bool, language: str) -> dict[str, Any]:
    return {
        "id": reason.id,
        "zone": reason.zone,
        "kind": reason.kind,
        "text": question_text(reason, secret, language),
        "card": None if reason.card is None else str(reason.card),
        "doubt": None if reason.doubt is None else doubt_data(reason.doubt),
        "actions": list(reason.actions),
    }


def doubt_data(doubt: Doubt) -> dict[str, Any]:
    """A doubt as data: key, box in pixels, candidates, why."""
    return {
        "key": doubt.key,
        "box": [round(side, 1) for side in doubt.box],
        "candidates": [[str(card), round(chance, 3)] for card, chance in doubt.candidates],
        "why": doubt.why,
    }


def _explained(state: RoundState, language: str) -> dict[Any, Any]:
    """Explanations by box number, the dealer's lines under ``dealer``."""
    settlements = state.derived.settlements
    if settlements.case is None or settlements.whole is None:
        return {}
    found = _explanation(
        jsonio.dumps(settlements.case),
        jsonio.dumps(settlements.whole),
        state.plan,
        language,
    )
    texts: dict[Any, Any] = {"dealer": list(found["dealer"])}
    for box in found["boxes"]:
        texts[box["box"]] = {"bets": dict(box.get("bets", {})), "lines": list(box["lines"])}
    return texts


@lru_cache(maxsize=128)
def _explanation(case: str, settlement: str, plan: Plan, language: str) -> Mapping[str, Any]:
    houses = {plan.house.name: plan.file}
    return explain(jsonio.loads(case), jsonio.loads(settlement), language, houses)
