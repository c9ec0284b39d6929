"""What the page must know of the rule card in force to offer the right entries."""

from __future__ import annotations

from typing import Any

from kiosk.rules.options import House
from kiosk.table.plan import SHAPES


def rule_card(card: House) -> dict[str, Any]:
    """Title and offered entries of a house.

    ``exchanges``: numbers of cards that may be exchanged. ``bonus``: None, or the kind, and for a
    bonus of a fixed size its share of the ante with the exceptions (COM-RND-2). ``cards``: of a
    box's deal. ``tokens``: what a jackpot token costs and how many a box may drop, None where
    there is no jackpot. ``ante_bonus``: there is a payment without a stake of its own.
    """
    bonus: dict[str, Any] | None = None
    if card.bonus.kind != "none":
        bonus = {"kind": card.bonus.kind, "ratio": None, "overrides": {}}
    if card.bonus.kind == "double-on-ace-king":
        bonus = {
            "kind": card.bonus.kind,
            "ratio": card.bonus.ratio,
            "overrides": {str(ante): stake for ante, stake in card.bonus.overrides.items()},
        }
    return {
        "title": card.title,
        "insurance": card.insurance.enabled,
        "sixth": card.sixth.fee is not None,
        "buy": card.buy.enabled,
        "exchanges": [0, *sorted(card.exchange.fees)],
        "bonus": bonus,
        "game": card.game,
        "cards": SHAPES[card.game].box_cards,
        "extra_two": card.extra_two.fee is not None,
        "pair_plus": card.game == "three_card",
        "ante_bonus": bool(card.pay.ante_bonus),
        "tokens": _tokens(card),
    }


def _tokens(card: House) -> dict[str, Any] | None:
    if not card.progressive.enabled:
        return None
    return {"price": card.progressive.token, "most": card.progressive.max_tokens}
