"""What the routes of the table, the round and the panel give back."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from kiosk.web.shapes import Answer, CardName, Message, Money


class DoubtShown(Answer):
    """A place that may be a card: candidates with their chance, most likely first."""

    key: str
    box: list[float]
    candidates: list[tuple[CardName, float]]
    why: str


class CardSeen(Answer):
    """A card as read now; boxes in pixels of the picture."""

    card: CardName
    confidence: float
    boxes: list[list[float]]


class ZoneSeen(Answer):
    """What lies in a zone; its outline in pixels."""

    zone: str
    polygon: list[tuple[float, float]]
    cards: list[CardSeen]
    doubts: list[DoubtShown]
    bodies: int | None
    occluded: bool
    empty: bool


class TableSeen(Answer):
    """The table as read now. ``t_ms_age``: age of the newest picture in milliseconds."""

    t_ms_age: float | None
    trouble: str | None
    width: int | None
    height: int | None
    conflicts: list[str]
    zones: list[ZoneSeen]
    stray: list[DoubtShown]
    stage: str


class TableLimits(Answer):
    """Limits and chips of the table."""

    ante_min: Money
    ante_max: Money
    max_payout: Money | None
    currency: str
    chips: list[Money]


class DealerShown(Answer):
    """The dealer's hand; what it is worth is null until it may be shown."""

    cards: list[CardName]
    draws: list[CardName]
    read: int
    expected: int
    complete: bool
    combination: str | None
    game: bool | None


class AnswerShown(Answer):
    """The trainee's last answer; right or wrong is null until it may be shown."""

    bets: dict[str, Any]
    right: dict[str, bool] | None
    correct: bool | None
    times: int


class BetResult(Answer):
    """One bet settled."""

    result: str
    amount: Money


class BoxResult(Answer):
    """A box settled."""

    bets: dict[str, BetResult]
    paid: Money
    taken: Money


class BoxShown(Answer):
    """A box; what it is worth is null until it may be shown."""

    box: int
    zone: str
    in_play: bool
    cards: list[CardName]
    read: int
    expected: int
    bets: dict[str, Money]
    action: str
    confirmed: bool
    entries: str
    assumed: bool
    settled: bool
    revealed: bool
    overruled: str | None
    answer: AnswerShown | None
    combinations: list[str] | None
    result: BoxResult | None


class QuestionShown(Answer):
    """A question to a person and the actions that answer it."""

    id: str
    zone: str | None
    kind: str
    text: str
    card: CardName | None
    doubt: DoubtShown | None
    actions: list[str]


class OverruledBefore(Answer):
    """A box that was overruled; ``who``: id of the person, or where it was done."""

    box: int
    who: str
    reason: str


class RoundShown(Answer):
    """The round. ``version`` grows with every change.

    ``held``: the hand stays open. Either it is ``frozen`` by a person, until that is released, or
    the answers for the boxes in ``wrong`` must be corrected or overruled, or those ``unanswered``
    were shown without an answer and must be answered or overruled. ``overruled_before``: in the
    hand before, until a box of this one is answered or shown.
    """

    id: str
    stage: str
    house: str
    game: str
    mode: str
    held: bool
    frozen: bool
    wrong: list[int]
    unanswered: list[int]
    hold_reason: str
    revealed: bool
    version: int
    table: TableLimits
    dealer: DealerShown
    boxes: list[BoxShown]
    questions: list[QuestionShown]
    settlement: dict[str, Any] | None
    assumed: bool
    overruled: bool
    overruled_before: list[OverruledBefore]
    void: str | None


class Settled(Answer):
    """A settled CASE: the dealer, one line per bet, and the sums."""

    dealer: dict[str, Any]
    boxes: list[BoxResult]
    paid: Money
    taken: Money


class CaseRefused(Message):
    """A refused CASE: the kind, where in the case, and a clear line."""

    where: str


class Reading(Answer):
    """The cards of a photograph."""

    width: int
    height: int
    cards: list[dict[str, Any]]
    doubtful: list[dict[str, Any]]


class Held(Answer):
    """Whether the card was in the picture, so that it is held."""

    held: bool


class Kept(Answer):
    """The name of the picture that was kept."""

    kept: str


class PanelShown(Answer):
    """What the panel's display and lights show, and which box is chosen on it (null: none). A light
    is 0 off, 1 on, 2 slow and 3 fast blinking."""

    kind: str
    state: str
    text: str
    texts: dict[str, str] = Field(default={})
    display: list[str]
    lights: list[int]
    selected: int | None = None
