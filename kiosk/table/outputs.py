"""What a round tells the rest of the kiosk: frozen values for page, panel and record.

Every output carries the id of its round. Settlements in here are secret until revealed: whoever
passes an output on to people uses ``snapshot``; the record takes all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiosk.table.events import PersonEvent

SLIP = "slip-of-the-finger"
"""The reason of an undo for which nobody gave another."""

NO_LONGER_CERTAIN = "no-longer-certain"
"""Why a recorded settlement counts no more: something stands in the way of it again."""


@dataclass(frozen=True, slots=True)
class RecordedCard:
    """One card as the record keeps it: the machine's value beside the person's.

    ``card``: what counts. ``seen``: what the machine named there, None when it named nothing.
    ``source``: ``machine`` or ``person``.
    """

    card: str
    confidence: float | None
    source: str
    seen: str | None


@dataclass(frozen=True, slots=True)
class StageChanged:
    round: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CardsAccepted:
    """The known hand of a zone changed; ``cards`` is the whole hand now."""

    round: str
    zone: str
    cards: tuple[RecordedCard, ...]


@dataclass(frozen=True, slots=True)
class BoxSettled:
    """A box has a settlement, new or changed. ``result``: RESULT shape of the rules data."""

    round: str
    box: int
    result: Mapping[str, Any]
    assumed: bool


@dataclass(frozen=True, slots=True)
class BoxUnsettled:
    """A box that was settled is no more; ``why``: ids of what stands against it."""

    round: str
    box: int
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionRaised:
    round: str
    id: str
    zone: str | None
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionCleared:
    round: str
    id: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The settlement of these boxes may be shown from now on."""

    round: str
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HandHeld:
    """The freeze was set or lifted. ``reason``: why it holds; of a release why it was released, or
    why the freeze was taken back."""

    round: str
    held: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """An event of a person was taken back by ``who``; ``reason`` is theirs, else ``SLIP``."""

    round: str
    who: str
    event: PersonEvent
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Every box in play is settled or overruled.

    ``case`` and ``settlement`` are None when every box was overruled. ``corrected``: an earlier
    settlement of the same round is replaced. ``assumed``: boxes not confirmed by a person.
    ``overruled``: box, who, reason. ``answers``: box, the answer, right per bet.
    ``hands``: zone and its cards, the dealer's draws as zone ``draws``.
    """

    round: str
    case: Mapping[str, Any] | None
    settlement: Mapping[str, Any] | None
    assumed: tuple[int, ...]
    overruled: tuple[tuple[int, str, str], ...]
    answers: tuple[tuple[int, Mapping[str, Any]], ...]
    hands: tuple[tuple[str, tuple[RecordedCard, ...]], ...]
    corrected: bool


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """The round is over. ``complete``: every box in play was settled or overruled."""

    round: str
    complete: bool


@dataclass(frozen=True, slots=True)
class RoundVoided:
    round: str
    reason: str
    who: str


Output = (
    StageChanged
    | CardsAccepted
    | BoxSettled
    | BoxUnsettled
    | QuestionRaised
    | QuestionCleared
    | Revealed
    | HandHeld
    | Undone
    | RoundSettled
    | RoundFinished
    | RoundVoided
)
