"""What the routes of the table take: one model a body.

The round room reads and checks the bodies (``kiosk.table.bodies``); a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from kiosk.web.shapes import Body, BoxNumber, CardName, Money, Reason, Text

Result = Literal["win", "lose", "push", "not-paid", "returned"]
Zone = Annotated[str, Field(pattern="^(dealer(-small)?|board|box[1-6](-small)?)$")]


class Entry(Body):
    """What a person enters. ``round``: the hand that it was entered for; once another one is on
    the table it is refused (409)."""

    round: Text | None = None


class Nothing(Entry):
    """Nothing more."""


class Prize(Body):
    """A jackpot prize as its system announced it."""

    name: Reason
    amount: Money


class BetsBody(Entry):
    """Bets and actions of a box; what is left out stays as it is. Or the table's meter, alone."""

    box: BoxNumber | None = None
    bets: dict[str, Money | None] = Field(default={}, description="null takes one back")
    action: Literal["play", "fold"] | None = None
    exchanged: int | None = Field(default=None, ge=0, le=5)
    sixth: bool | None = None
    buy: bool | None = None
    in_play: bool | None = None
    extra_two: bool | None = Field(default=None, description="two extra cards bought (split)")
    prizes: list[Prize] | None = Field(default=None, max_length=8)
    meter: Money | None = Field(default=None, description="the jackpot's meter, without a box")
    reason: Text = Field(default="", description="why so late: after the settlement was shown")


class CardsBody(Entry):
    """A card put right: ``was`` and ``card`` replaces, one alone removes or adds; or a doubt.

    ``dealt``: which cards of the zone were dealt first (the flop, a box's hand before it took
    more).
    """

    zone: Zone | None = None
    was: CardName | None = None
    card: CardName | None = None
    doubt: Text | None = None
    dealt: list[CardName] | None = Field(default=None, max_length=5)
    reason: Text = Field(default="", description="why so late: after the settlement was shown")


class DismissBody(Entry):
    """The id of a question."""

    question: Reason


class ConfirmBody(Entry):
    """A box. ``entries``: what the box showed under that name, so that bets that were changed
    meanwhile are not confirmed unseen (409)."""

    box: BoxNumber
    entries: Text | None = None


class AnswerLine(Body):
    """What a bet is owed in the trainee's eyes."""

    result: Result
    amount: Money = Field(default=0)  # type: ignore[assignment]
    stake_taken: Money | None = None


class AnswerBody(Entry):
    """The trainee's own settlement of a box."""

    box: BoxNumber
    bets: dict[str, AnswerLine] = Field(min_length=1)


class HoldBody(Entry):
    """Freeze, or let go on."""

    held: bool
    reason: Text = Field(default="", description="why; needed to let a held round go on")


class OverruleBody(Entry):
    """A box, or all of them."""

    box: BoxNumber | None = None
    reason: Reason


class UndoBody(Entry):
    """Why: needed once the settlement was shown; before that a slip of the finger without it."""

    reason: Text = ""


class VoidBody(Entry):
    """Why the round does not count."""

    reason: Reason


class Case(Body):
    """A CASE to settle: the rules, the limits, the dealer's cards and the boxes."""

    model_config = ConfigDict(extra="allow", frozen=True)

    game: str
    house: str
    table: dict[str, Any]
    dealer: dict[str, Any]
    boxes: list[dict[str, Any]]


class Looked(Body):
    """A card as it was read, or the key of a doubtful place."""

    was: CardName | None = None
    doubt: Annotated[str, Field(max_length=40)] | None = None


class Misread(Body):
    """A card that was read wrongly or not for certain, and what it really is; null: no card."""

    card: CardName | None
    was: CardName | None = None
    doubt: Annotated[str, Field(max_length=40)] | None = None


class Press(Body):
    """The name of a button; ``held``: kept down until it means something else."""

    button: str
    held: bool = False


class Chosen(Body):
    """The box chosen, null for none."""

    box: BoxNumber | None


ACTIONS: Mapping[str, tuple[str, type[Entry]]] = {
    "bets": ("Enters the bets and actions of a box", BetsBody),
    "cards": ("Corrects, adds or removes a card, or names a doubtful one", CardsBody),
    "dismiss": ("Says that a person has looked at a question and it is void", DismissBody),
    "confirm": ("Says that the bets and actions of a box stand", ConfirmBody),
    "answer": ("Enters the trainee's own settlement of a box", AnswerBody),
    "reveal": ("Shows combinations and settlement", Nothing),
    "next": ("Goes on to the next round", Nothing),
    "hold": ("Freezes the round, or lets it go on", HoldBody),
    "overrule": ("Lets a hand pass as settled by hand", OverruleBody),
    "void": ("Voids the round (misdeal)", VoidBody),
    "undo": ("Takes back the last entry", UndoBody),
}
"""Name of the action → what it does, and its body."""
