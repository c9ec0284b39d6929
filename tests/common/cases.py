"""A round of Russian poker as a CASE, for tests to which only its cards matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LIMITS = {"ante_min": 100, "ante_max": 1000, "max_payout": 50000}
LOW = {"ante_min": 1, "ante_max": 500, "max_payout": None}


def russian_case(
    dealer: str,
    *hands: str,
    house: str = "russian-a",
    ante: int = 100,
    limits: Mapping[str, Any] = LIMITS,
) -> dict[str, Any]:
    """Boxes 1, 2, … play ``hands``, each with ``ante`` and twice as much as its bet.

    A hand of six cards has bought its sixth for an ante.
    """
    boxes = []
    for number, hand in enumerate(hands, 1):
        cards = hand.split()
        bought = {"sixth": ante} if len(cards) == 6 else {}
        bets = {"ante": ante, "bet": 2 * ante} | bought
        boxes.append({"box": number, "cards": cards, "action": "play", "bets": bets})
    return {
        "game": "russian",
        "house": house,
        "table": dict(limits),
        "dealer": {"cards": dealer.split()},
        "boxes": boxes,
    }
