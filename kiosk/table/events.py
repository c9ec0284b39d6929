"""What can happen to a round: frozen values, each with its time ``t`` (monotonic seconds).

Events of people carry ``who``. The log of a round is a list of these and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from kiosk.cards import Card
from kiosk.sightings import TableView

Action = Literal["play", "fold"]

Given = tuple[str, str, Decimal, Decimal | None]
"""One line of an answer: bet, result word, amount, stake taken (None when not said)."""


Prize = tuple[str, Decimal]
"""A jackpot prize: its name and its amount."""


@dataclass(frozen=True, slots=True)
class ViewSeen:
    """The camera's table view of one moment."""

    view: TableView

    @property
    def t(self) -> float:
        return self.view.t


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed and nothing new was seen."""

    t: float


@dataclass(frozen=True, slots=True)
class BetsEntered:
    """Bets and actions of one box. What is None was not said.

    ``bets``: pairs of bet name and amount; an amount of None takes the bet back to its default.
    ``prizes``: all jackpot prizes of the box. ``reason``: why they are entered so late (after the
    settlement was shown).
    """

    t: float
    who: str
    box: int
    bets: tuple[tuple[str, Decimal | None], ...] = ()
    action: Action | None = None
    exchanged: int | None = None
    sixth: bool | None = None
    buy: bool | None = None
    in_play: bool | None = None
    extra_two: bool | None = None
    prizes: tuple[Prize, ...] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MeterEntered:
    """The jackpot's meter of this round; None: not known."""

    t: float
    who: str
    amount: Decimal | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The bets and actions of the box stand as shown. ``entries``: the mark of what was shown
    (``entries_mark``); None: not said."""

    t: float
    who: str
    box: int
    entries: str | None = None


@dataclass(frozen=True, slots=True)
class CardEntered:
    """A card of a zone put right: ``was`` and ``card`` replaces, one alone removes or adds.

    ``reason``, here and below: why it is entered so late (after the settlement was shown).
    """

    t: float
    who: str
    zone: str
    was: Card | None
    card: Card | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DealtEntered:
    """The cards of a zone that were dealt first: a box's deal, or the flop on the board."""

    t: float
    who: str
    zone: str
    cards: tuple[Card, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DoubtAnswered:
    """A doubt named by a person; ``card`` None: it is no card."""

    t: float
    who: str
    zone: str | None
    key: str
    card: Card | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class QuestionDismissed:
    """A person has looked: the question is void as long as the table stays as it is."""

    t: float
    who: str
    question: str


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """The trainee's own settlement of a box."""

    t: float
    who: str
    box: int
    bets: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class RevealPressed:
    """Show the settlement of every box that has one."""

    t: float
    who: str


@dataclass(frozen=True, slots=True)
class NextPressed:
    """End this round and begin the next, whose id counts up."""

    t: float
    who: str


@dataclass(frozen=True, slots=True)
class HoldSet:
    """Freeze the round, or let it go on."""

    t: float
    who: str
    held: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Overruled:
    """A person takes a box (None: all) as settled by hand, with a reason."""

    t: float
    who: str
    box: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class VoidCalled:
    """Misdeal: the round does not count."""

    t: float
    who: str
    reason: str


@dataclass(frozen=True, slots=True)
class UndoPressed:
    """Take back the last event of a person that can be taken back. ``reason`` empty: it was a slip
    of the finger."""

    t: float
    who: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ShownKept:
    """An undo leaves what was shown as it was. ``boxes``: box and how many of its answers were
    given before its settlement was shown, None where it was not. Only a round writes it."""

    t: float
    boxes: tuple[tuple[int, int | None], ...]


PersonEvent = (
    BetsEntered
    | MeterEntered
    | Confirmed
    | CardEntered
    | DealtEntered
    | DoubtAnswered
    | QuestionDismissed
    | AnswerGiven
    | RevealPressed
    | NextPressed
    | HoldSet
    | Overruled
    | VoidCalled
    | UndoPressed
)

Event = ViewSeen | Tick | PersonEvent

Logged = Event | ShownKept
"""What stands in the log of a round."""
