"""The trainee's own settlement, marked bet by bet (P1, P3, P6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiosk.rules import judging
from kiosk.rules.money import number
from kiosk.table.events import Given


def marks(answer: tuple[Given, ...], result: Mapping[str, Any]) -> dict[str, bool]:
    """Right or wrong for each bet of the result and each bet answered.

    Right: the same money moves. A bet that was left out is wrong, and so is money moved for one
    that was not placed.
    """
    return judging.marks(result["bets"], as_data(answer))


def all_right(answer: tuple[Given, ...], result: Mapping[str, Any]) -> bool:
    return all(marks(answer, result).values())


def as_data(answer: tuple[Given, ...]) -> dict[str, dict[str, Any]]:
    """The answer in the shape of the ``bets`` of a RESULT."""
    bets = {}
    for bet, word, amount, stake in answer:
        line: dict[str, Any] = {"result": word, "amount": number(amount)}
        if stake is not None:
            line["stake_taken"] = number(stake)
        bets[bet] = line
    return bets
