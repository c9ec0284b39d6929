"""What each POST takes, as one table: it checks the bodies and describes them in openapi.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kiosk.cards import BadCardError, Card
from kiosk.errors import ActionError

BET_NAMES = (
    "ante",
    "bet",
    "exchange",
    "sixth",
    "extra_two",
    "insurance",
    "bonus",
    "pair_plus",
    "progressive",
    "buy",
)
RESULTS = ("win", "lose", "push", "not-paid", "returned")
ZONES = ("dealer", "box1", "box2", "box3", "box4", "box5", "box6")
MAX_AMOUNT = Decimal(10) ** 9
MAX_TEXT = 300

Check = Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True)
class Field:
    """One named value of a body: how it is checked, and its JSON schema."""

    check: Check
    schema: Mapping[str, Any]
    required: bool = False


def bad(where: str, expected: str) -> ActionError:
    """The one line about a wrong field."""
    return ActionError("bad-input", f"{where}: expected {expected}", 400)


def amount(value: Any, where: str) -> int | Decimal:
    """Money: not negative, at most two decimals."""
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise bad(where, "an amount, such as 100 or 37.5")
    exact = Decimal(value)
    if not exact.is_finite() or exact < 0 or exact > MAX_AMOUNT:
        raise bad(where, f"an amount from 0 to {MAX_AMOUNT}")
    if exact != exact.quantize(Decimal("0.01")):
        raise bad(where, "an amount with at most two decimals")
    return int(exact) if exact == exact.to_integral_value() else exact


def text(value: Any, where: str) -> str:
    """A short line of text."""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise bad(where, f"a text of at most {MAX_TEXT} characters")
    return " ".join(value.split())


def reason(value: Any, where: str) -> str:
    """A reason that says something."""
    line = text(value, where)
    if not line:
        raise bad(where, "a reason in words")
    return line


def boolean(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise bad(where, "true or false")
    return value


def optional(check: Check) -> Check:
    """The same check, with null allowed."""

    def inner(value: Any, where: str) -> Any:
        return None if value is None else check(value, where)

    return inner


def whole(low: int, high: int) -> Check:
    """A whole number of a range."""

    def inner(value: Any, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise bad(where, f"a whole number from {low} to {high}")
        return value

    return inner


def one_of(words: tuple[str, ...]) -> Check:
    """One of some words."""

    def inner(value: Any, where: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise bad(where, f"one of {', '.join(words)}")
        return value

    return inner


def card(value: Any, where: str) -> str:
    """A card, such as ``As``."""
    try:
        return str(Card.parse(value))
    except BadCardError as problem:
        raise ActionError("bad-card", f"{where}: {problem}", 400) from None


def bets(value: Any, where: str) -> dict[str, int | Decimal]:
    """Bet name → amount."""
    if not isinstance(value, dict):
        raise bad(where, "an object of bet names and amounts")
    _refuse_unknown(value, BET_NAMES, where)
    return {name: amount(inner, f"{where}.{name}") for name, inner in value.items()}


def answers(value: Any, where: str) -> dict[str, dict[str, Any]]:
    """Bet name → what the trainee would do with it: result and amount."""
    if not isinstance(value, dict):
        raise bad(where, "an object of bet names and answers")
    _refuse_unknown(value, BET_NAMES, where)
    return {name: _one_answer(inner, f"{where}.{name}") for name, inner in value.items()}


def _one_answer(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise bad(where, "an object with result and amount")
    _refuse_unknown(value, ("result", "amount"), where)
    if "result" not in value:
        raise bad(f"{where}.result", f"one of {', '.join(RESULTS)}")
    return {
        "result": one_of(RESULTS)(value["result"], f"{where}.result"),
        "amount": amount(value.get("amount", 0), f"{where}.amount"),
    }


_KEY = re.compile(r"[\w.:-]{1,80}", re.ASCII)


def key(value: Any, where: str) -> str:
    """The key of a doubt or the id of a question."""
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise bad(where, "an id of letters, digits and - . : _")
    return value


_AMOUNT = {"type": "number", "minimum": 0, "multipleOf": 0.01}
_CARD = {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
_TEXT = {"type": "string", "maxLength": MAX_TEXT}
_BOX = {"type": "integer", "minimum": 1, "maximum": 6}


def _nullable(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [dict(schema), {"type": "null"}]}


_ANSWER = {
    "type": "object",
    "properties": {"result": {"enum": list(RESULTS)}, "amount": _AMOUNT},
    "required": ["result"],
    "additionalProperties": False,
}


def _by_bet(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: dict(schema) for name in BET_NAMES},
        "additionalProperties": False,
    }


BOX = Field(whole(1, 6), _BOX, required=True)
REASON = Field(reason, {**_TEXT, "minLength": 1}, required=True)

ACTIONS: Mapping[str, Mapping[str, Field]] = {
    "bets": {
        "box": BOX,
        "bets": Field(bets, _by_bet(_AMOUNT)),
        "action": Field(one_of(("play", "fold")), {"enum": ["play", "fold"]}),
        "exchanged": Field(whole(0, 5), {"type": "integer", "minimum": 0, "maximum": 5}),
        "sixth": Field(boolean, {"type": "boolean"}),
        "buy": Field(optional(boolean), _nullable({"type": "boolean"})),
        "in_play": Field(boolean, {"type": "boolean"}),
    },
    "cards": {
        "zone": Field(one_of(ZONES), {"enum": list(ZONES)}, required=True),
        "was": Field(optional(card), _nullable(_CARD)),
        "card": Field(optional(card), _nullable(_CARD)),
        "doubt": Field(optional(key), _nullable({"type": "string", "maxLength": 80})),
    },
    "dismiss": {
        "question": Field(key, {"type": "string", "maxLength": 80}, required=True),
    },
    "confirm": {"box": BOX},
    "answer": {"box": BOX, "bets": Field(answers, _by_bet(_ANSWER), required=True)},
    "reveal": {},
    "next": {},
    "hold": {
        "held": Field(boolean, {"type": "boolean"}, required=True),
        "reason": Field(text, _TEXT),
    },
    "overrule": {"box": Field(optional(whole(1, 6)), _nullable(_BOX)), "reason": REASON},
    "void": {"reason": REASON},
    "undo": {},
}
"""Action of ``POST /api/v1/round/…`` → its fields."""


def check_body(action: str, body: Any) -> dict[str, Any]:
    """The body of an action with every field checked.

    Raises ActionError (400) naming the first field that is missing, unknown or wrong.
    """
    fields = ACTIONS[action]
    if not isinstance(body, dict):
        raise ActionError("bad-input", "the body: expected a JSON object", 400)
    _refuse_unknown(body, tuple(fields), "the body")
    for name, known in fields.items():
        if known.required and name not in body:
            raise ActionError("bad-input", f"{name}: missing", 400)
    checked = {name: fields[name].check(value, name) for name, value in body.items()}
    if action == "cards" and not {"was", "card", "doubt"} & checked.keys():
        raise ActionError("bad-input", "the body: expected was, card or doubt besides zone", 400)
    return checked


def _refuse_unknown(body: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in body:
        if name not in known:
            expected = ", ".join(known) if known else "nothing"
            raise ActionError(
                "unknown-field", f"{where}: unknown {name[:40]!r}, expected {expected}", 400
            )
