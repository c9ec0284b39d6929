"""Hands as JSON, CSV and text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from kiosk.record.canonical import canonical
from kiosk.record.hands import Hand
from kiosk.record.terms import answerers

BASE_COLUMNS = (
    "id", "time", "kiosk", "table", "person", "house", "game", "mode", "state", "disputed",
    "overruled", "assumed", "boxes", "combinations", "paid", "taken",
)  # fmt: skip


WITHHELD = "worth not told before it is shown or over"


def hand_json(hand: Hand, settled: Mapping[str, Any] | None) -> dict[str, Any]:
    """A hand as one JSON object: what it is found by, the boxes of its case, its settlement
    (None while there is none), how sure it is and what computed it."""
    settled = settled or {}
    case = settled.get("case") or {}
    return {
        "id": hand.id,
        "time": hand.time,
        "kiosk": hand.kiosk,
        "table": hand.table,
        "person": hand.person,
        "answered_by": answerers(hand.terms),
        "house": hand.house,
        "game": hand.game,
        "mode": hand.mode,
        "state": hand.state,
        "disputed": hand.disputed,
        "overruled": hand.overruled,
        "assumed": hand.assumed,
        "dealer": case.get("dealer"),
        "boxes": case.get("boxes", []),
        "settlement": settled.get("settlement"),
        "cards": settled.get("cards"),
        "versions": settled.get("versions"),
    }


def told_hand(hand: Hand, settled: Mapping[str, Any] | None, *, hidden: bool) -> dict[str, Any]:
    """The same; ``hidden``: without what it is worth. Whether bets were assumed can hang on the
    dealer's game: hidden as well."""
    if not hidden:
        return hand_json(hand, settled)
    return hand_json(hand, None) | {"assumed": None}


def base_row(hand: Hand) -> list[str]:
    """A hand in the order of BASE_COLUMNS; yes and no as 1 and 0."""
    return [
        hand.id,
        hand.time,
        hand.kiosk,
        safe(hand.table),
        safe(hand.person or ""),
        safe(hand.house),
        safe(hand.game),
        hand.mode,
        hand.state,
        str(int(hand.disputed)),
        str(int(hand.overruled)),
        str(int(hand.assumed)),
        " ".join(_values(hand, "box")),
        " ".join(_values(hand, "combination")),
        _amount(hand.paid),
        _amount(hand.taken),
    ]


def text_line(hand: Hand, names: Mapping[str, str], *, hidden: bool = False) -> str:
    """A hand in one line for people. ``names``: person id → name; ``hidden``: without what it is
    worth."""
    marks = [hand.state]
    marks += [
        name
        for name, is_set in (
            ("disputed", hand.disputed),
            ("overruled", hand.overruled),
            ("assumed", hand.assumed and not hidden),
        )
        if is_set
    ]
    money = "" if hand.paid is None else f"paid {_amount(hand.paid)}, taken {_amount(hand.taken)}"
    money = WITHHELD if hidden else money
    who = names.get(hand.person or "", hand.person or "-")
    others = [names.get(one, one) for one in answerers(hand.terms) if one != hand.person]
    who += f", answered by {', '.join(others)}" if others else ""
    when = local_time(hand.time)
    return f"{hand.id}  {when}  {hand.table}  {who}  {hand.house}  {' '.join(marks)}  {money}"


def local_time(time: str) -> str:
    """A recorded time for people, to the second, by this machine's clock, as ``--from`` takes it:
    ``2031-05-17 18:30:05+03:00``."""
    return datetime.fromisoformat(time).astimezone().isoformat(" ", "seconds")


def _values(hand: Hand, term: str) -> list[str]:
    return sorted(value for name, value in hand.terms if name == term)


def _amount(amount: Decimal | None) -> str:
    return "" if amount is None else canonical(amount)


def safe(text: str) -> str:
    """Keeps a spreadsheet from taking a text that people entered for a formula."""
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
