"""What the page must know of the rule card in force to offer the right entries."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kiosk.errors import UserError
from kiosk.rules import load_house


@lru_cache(maxsize=16)
def rule_card(house: str) -> dict[str, Any]:
    """Title and offered entries of a house by name or file.

    ``exchanges``: numbers of cards that may be exchanged. ``bonus``: None, or the kind, and for a
    bonus of a fixed size its share of the ante with the exceptions (COM-RND-2).
    """
    try:
        card = load_house(house)
    except UserError:
        return {"title": house, "insurance": True, "sixth": True, "buy": True, "exchanges": [0]}
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
    }
