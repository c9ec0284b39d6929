"""A trainee's answer held against a settlement: right or wrong per bet, and the kind of mistake.

What counts is the money that moves: take, pay, or neither. Over- and underpayment count alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from kiosk.rules.houses import HouseFile
from kiosk.rules.mistakes import name_mistakes
from kiosk.rules.money import ZERO, decimal_of, number
from kiosk.rules.slip_texts import CATEGORIES

LEFT_OUT, NOT_PLACED, OTHER = "left-out", "not-placed", "other"
ORDER, CARD_COUNT = "order", "card-count"

KINDS = (*CATEGORIES, LEFT_OUT, NOT_PLACED, OTHER, ORDER, CARD_COUNT)
"""Kinds of mistakes by which errors are counted (P8)."""

_STILL = frozenset({"push", "not-paid", "returned"})
_MAIN = frozenset({"ante", "bet"})

Line = Mapping[str, Any]


def agrees(line: Line, given: Line) -> bool:
    """Whether an answer moves the same money as the settled line.

    Both hold ``result``, ``amount`` and perhaps ``stake_taken``; an answer that does not name the
    stake taken leaves it open. Stand-off, not paid and returned count as one another.
    """
    word, said = line["result"], given.get("result")
    if word in _STILL or said in _STILL:
        return word in _STILL and said in _STILL
    if word != said or _amount(line) != _amount(given):
        return False
    taken = given.get("stake_taken")
    return taken is None or decimal_of(taken) == (decimal_of(line.get("stake_taken")) or ZERO)


def marks(lines: Mapping[str, Line], answer: Mapping[str, Line]) -> dict[str, bool]:
    """Right or wrong for each bet of the settlement and each bet answered.

    A bet left out is wrong; so is money moved for one that was not placed.
    """
    found = {}
    for bet in dict.fromkeys((*lines, *answer)):
        if bet not in answer:
            found[bet] = False
        elif bet not in lines:
            found[bet] = answer[bet].get("result") in _STILL
        else:
            found[bet] = agrees(lines[bet], answer[bet])
    return found


def judge(
    case: Mapping[str, Any],
    lines: Mapping[str, Line],
    box: int,
    answer: Mapping[str, Line],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> dict[str, dict[str, Any]]:
    """Every wrong bet of an answer: what kind of mistake it is, and by how much.

    ``lines``: the settled bets of the box. Gives bet → ``{"kind", "mistakes": [{"mistake",
    "rule", "text"}], "difference"}``; ``difference`` is what the player got too much (below zero:
    too little). ``mistakes``, likeliest first, are the usual slips that lead to this very answer.
    """
    wrong = [bet for bet, right in marks(lines, answer).items() if not right]
    if not wrong:
        return {}
    named = name_mistakes(case, box, answer, language, houses)
    found = {}
    for bet in wrong:
        slips = named.get(bet, [])
        found[bet] = {
            "kind": slips[0]["category"] if slips else _kind(bet, lines.get(bet), answer.get(bet)),
            "mistakes": [{key: slip[key] for key in ("mistake", "rule", "text")} for slip in slips],
            "difference": number(_moved(answer.get(bet)) - _moved(lines.get(bet))),
        }
    return found


def _kind(bet: str, line: Line | None, given: Line | None) -> str:
    """The kind of a wrong bet that no usual slip explains."""
    if line is None:
        return NOT_PLACED
    if given is None:
        return LEFT_OUT if bet in _MAIN else "side-bet"
    if line["result"] == given.get("result"):
        return "arithmetic"
    return OTHER if bet in _MAIN else "side-bet"


def _amount(line: Line) -> Decimal:
    return decimal_of(line.get("amount", 0)) or ZERO


def _moved(line: Line | None) -> Decimal:
    """Money that goes to the player; below zero: to the house."""
    if line is None or line.get("result") in _STILL:
        return ZERO
    amount = _amount(line)
    if line.get("result") == "lose":
        return -amount
    return amount - (decimal_of(line.get("stake_taken") or 0) or ZERO)
