"""The order in which a dealer works on a box (SPEC.md section 8)."""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.rules.results import Line, Result, Why

_STAGES = {
    Result.LOSE: 4,
    Result.PUSH: 5,
    Result.NOT_PAID: 5,
    Result.WIN: 6,
    Result.RETURNED: 7,
}
OPENED = 4
"""Stages below this one are over before the dealer opens a box (SPEC.md section 8, 3 and 6)."""


def stage(line: Line, game: str) -> int:
    """When the dealer deals with a bet: bonuses judged on the deal, fees, insurance on no game,
    the purchase; then take, leave, pay, return (SPEC.md section 8, 3, 6 and 7)."""
    if line.why in (Why.BONUS_PAID, Why.BONUS_LOST) and game != "texas":
        return 0
    if line.why is Why.FEE:
        return 3 if line.bet == "buy" else 1
    return 2 if line.why is Why.INSURANCE_WON else _STAGES[line.result]


def in_dealing_order(lines: Sequence[Line], game: str) -> list[tuple[int, Line]]:
    """The bets of a box with their stages, in the order in which a dealer works."""
    return sorted(((stage(line, game), line) for line in lines), key=lambda pair: pair[0])
