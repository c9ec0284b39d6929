"""JSON schemas of what the POST routes take, for openapi.json.

The round room reads and checks the bodies (``kiosk.table.bodies``); a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Schema = Mapping[str, Any]

RESULTS = ("win", "lose", "push", "not-paid", "returned")
ZONES = ("dealer", "box1", "box2", "box3", "box4", "box5", "box6")

AMOUNT: Schema = {"type": "number", "minimum": 0, "multipleOf": 0.01}
BOX: Schema = {"type": "integer", "minimum": 1, "maximum": 6}
CARD: Schema = {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
FLAG: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string", "maxLength": 500}
REASON: Schema = {**TEXT, "minLength": 1}


def nullable(schema: Schema) -> Schema:
    """The schema, with null allowed."""
    return {"anyOf": [dict(schema), {"type": "null"}]}


def by_name(schema: Schema) -> Schema:
    """An object of bet names."""
    return {"type": "object", "additionalProperties": dict(schema)}


ANSWER: Schema = {
    "type": "object",
    "properties": {"result": {"enum": list(RESULTS)}, "amount": AMOUNT, "stake_taken": AMOUNT},
    "required": ["result"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Action:
    """One action of ``POST /api/v1/round/…``: what it does and the fields of its body."""

    text: str
    fields: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the body."""
        return {
            "type": "object",
            "properties": {name: dict(schema) for name, schema in self.fields.items()},
            "required": list(self.required),
            "additionalProperties": False,
        }


ACTIONS: Mapping[str, Action] = {
    "bets": Action(
        "Enters the bets and actions of a box",
        {
            "box": BOX,
            "bets": by_name(nullable(AMOUNT)),
            "action": {"enum": ["play", "fold"]},
            "exchanged": {"type": "integer", "minimum": 0, "maximum": 5},
            "sixth": FLAG,
            "buy": nullable(FLAG),
            "in_play": FLAG,
        },
        ("box",),
    ),
    "cards": Action(
        "Corrects, adds or removes a card, or names a doubtful one",
        {
            "zone": nullable({"enum": list(ZONES)}),
            "was": nullable(CARD),
            "card": nullable(CARD),
            "doubt": nullable(TEXT),
        },
    ),
    "dismiss": Action(
        "Says that a person has looked at a question and it is void",
        {"question": REASON},
        ("question",),
    ),
    "confirm": Action("Says that the bets and actions of a box stand", {"box": BOX}, ("box",)),
    "answer": Action(
        "Enters the trainee's own settlement of a box",
        {"box": BOX, "bets": by_name(ANSWER)},
        ("box", "bets"),
    ),
    "reveal": Action("Shows combinations and settlement"),
    "next": Action("Goes on to the next round"),
    "hold": Action(
        "Freezes the round, or lets it go on", {"held": FLAG, "reason": TEXT}, ("held",)
    ),
    "overrule": Action(
        "Lets a hand pass as settled by hand", {"box": nullable(BOX), "reason": REASON}, ("reason",)
    ),
    "void": Action("Voids the round (misdeal)", {"reason": REASON}, ("reason",)),
    "undo": Action("Takes back the last entry"),
}
"""Name of the action → what it is."""
