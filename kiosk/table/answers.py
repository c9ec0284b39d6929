"""The trainee's own settlement, marked bet by bet (P1, P3, P6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiosk.rules.money import number
from kiosk.table.events import Given


def marks(answer: tuple[Given, ...], result: Mapping[str, Any]) -> dict[str, bool]:
    """Right or wrong for each bet of the result and each bet answered.

    Right: the result word and the amount agree; the stake taken counts where the answer names it.
    A bet that was left out is wrong, and so is one that was not placed.
    """
    given = {bet: (word, amount, stake) for bet, word, amount, stake in answer}
    lines: Mapping[str, Mapping[str, Any]] = result["bets"]
    found = {}
    for bet in dict.fromkeys((*lines, *given)):
        if bet not in lines or bet not in given:
            found[bet] = False
            continue
        word, amount, stake = given[bet]
        line = lines[bet]
        right = word == line["result"] and amount == line["amount"]
        found[bet] = right and (stake is None or stake == line.get("stake_taken", 0))
    return found


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
