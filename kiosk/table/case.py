"""From the state of a round to a CASE (rules data README)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kiosk.cards import Card
from kiosk.rules.money import number
from kiosk.table.dealer import board_cards, dealer_small
from kiosk.table.placed import bets_of, judged
from kiosk.table.plan import Plan
from kiosk.table.state import BoxState, Core, RoundSettings, zone_of

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class BoxCards:
    """A box as its settlement sees it: what was entered, and its cards."""

    box: BoxState
    cards: Cards
    small: Cards
    dealt: Cards


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything a settlement depends on beside the settings: equal deals settle alike."""

    dealer: Cards
    draws: Cards
    small: Cards
    board: Cards
    meter: Decimal | None
    boxes: tuple[BoxCards, ...]


def deal_of(core: Core, plan: Plan, boxes: Sequence[BoxState]) -> Deal:
    """These boxes against the dealer, draws only if one of them bought."""
    bought = any(box.buy for box in boxes)
    return Deal(
        core.dealer.cards,
        tuple(held.card for held in core.draws) if bought else (),
        dealer_small(core),
        board_cards(core),
        core.meter,
        tuple(_box_cards(core, box, plan) for box in boxes),
    )


def _box_cards(core: Core, box: BoxState, plan: Plan) -> BoxCards:
    zone, small = core.zone(zone_of(box.box)), core.small(box.box)
    entries = BoxState(
        box.box,
        action=box.action,
        exchanged=box.exchanged,
        sixth=box.sixth,
        extra_two=box.extra_two,
        buy=box.buy,
        bets=box.bets,
        prizes=box.prizes,
    )
    return BoxCards(entries, zone.cards, small.cards if small else (), dealt_to(core, box, plan))


def dealt_to(core: Core, box: BoxState, plan: Plan) -> Cards:
    """The cards the box was dealt: as noted, or its hand where nothing changed it."""
    zone = core.zone(zone_of(box.box))
    if zone.dealt:
        return zone.dealt
    whole = zone.known and len(zone.hand) == plan.shape.box_cards
    return zone.cards if whole and not (box.exchanged or box.sixth) else ()


def case_of(deal: Deal, settings: RoundSettings, plan: Plan) -> dict[str, Any]:
    """The CASE of a deal."""
    cap = settings.max_payout
    case: dict[str, Any] = {
        "game": plan.house.game,
        "house": plan.house.name,
        "table": {
            "ante_min": number(settings.ante_min),
            "ante_max": number(settings.ante_max),
            "max_payout": None if cap is None else number(cap),
            "chips": [number(chip) for chip in settings.chips],
            "currency": settings.currency,
        },
        "dealer": {"cards": _names(deal.dealer)},
        "boxes": [_box_case(box, settings, plan) for box in deal.boxes],
    }
    if deal.draws:
        case["dealer"]["draws"] = _names(deal.draws)
    if deal.small:
        case["dealer"]["small"] = _names(deal.small)
    if deal.board:
        case["board"] = _names(deal.board)
    if deal.meter is not None:
        case["meter"] = number(deal.meter)
    return case


def _names(cards: Cards) -> list[str]:
    return [str(card) for card in cards]


def _box_case(given: BoxCards, settings: RoundSettings, plan: Plan) -> dict[str, Any]:
    box = given.box
    folded = box.action == "fold"
    case: dict[str, Any] = {"box": box.box, "action": box.action}
    if not folded:
        case["cards"] = _names(given.cards)
    if given.small and not folded:
        case["small"] = _names(given.small)
    took = box.exchanged > 0 or box.sixth
    if given.dealt and (folded or took) and judged(box, settings, plan):
        case["dealt"] = _names(given.dealt)
    if box.exchanged:
        case["exchanged"] = box.exchanged
    bets = bets_of(box, settings, plan)
    case["bets"] = {name: number(amount) for name, amount in bets.items()}
    if box.prizes:
        case["prizes"] = [{"name": name, "amount": number(sum)} for name, sum in box.prizes]
    return case
