"""What the drills' routes give back: the round that is asked about, and what an answer is worth."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, RootModel, WithJsonSchema

from kiosk.web.shapes import CardName, Money, Whole

Word = Literal["win", "lose", "push", "not-paid", "returned"]
Cards = list[CardName]
Signed = Annotated[Decimal, WithJsonSchema({"type": "number"})]
"""An amount that may lie below zero."""


class RoundLimits(Whole):
    """Limits that the round is dealt under; currency and chips where the table has them."""

    ante_min: Money
    ante_max: Money
    max_payout: Money | None
    currency: str = ""
    chips: list[Money] = Field(default=[])


class RoundDealer(Whole):
    """The dealer's cards, those drawn when the game was bought, and the small hand."""

    cards: Cards
    draws: Cards = Field(default=[])
    small: Cards = Field(default=[])


class RoundBox(Whole):
    """A box of the round. ``dealt``: its cards before an exchange or a purchase; cards are left out
    where the box shows none."""

    box: int = Field(ge=1)
    action: Literal["play", "fold"]
    bets: dict[str, Money]
    cards: Cards = Field(default=[])
    dealt: Cards = Field(default=[])
    small: Cards = Field(default=[])
    exchanged: int = Field(default=0, ge=0)


class SettledLine(Whole):
    """One bet settled. ``stake_taken``: what is taken of it although it is paid."""

    result: Word
    amount: Money
    stake_taken: Money | None = None


class TestPlace(Whole):
    """How far a test is."""

    __test__ = False
    done: int
    count: int


class DrillRound(Whole):
    """A round to be answered; nothing in it tells the answer. ``seconds``: target once speed
    counts, else null.

    ``asks``: bets to answer; ``options``: combinations to choose from; ``second``: whether a second
    one may be named; ``bet``: the bet to work out; ``steps``: to be put in order, ``seats`` of the
    table or bets of the box, whose ``results`` are given; ``told``: what is told of the hand.
    ``test``: of a test alone.
    """

    id: str
    form: Literal["hand", "game", "settle", "amount", "order"]
    house: str
    game: str
    title: str
    seconds: float | None
    table: RoundLimits
    meter: Money | None
    dealer: RoundDealer
    board: Cards
    boxes: list[RoundBox]
    box: int
    asks: list[str]
    options: list[str]
    second: bool
    bet: str | None
    steps: list[str]
    seats: bool
    told: list[str]
    results: dict[str, SettledLine]
    test: TestPlace | None = None


class SaidLine(Whole):
    """What was said of a bet; empty when nothing was."""

    result: Word | None = None
    amount: Money | None = None
    stake_taken: Money | None = None


class SlipTold(Whole):
    """A usual slip that leads to the answer given, and the rule that it breaks."""

    mistake: str
    rule: str
    text: str


class BetTold(Whole):
    """A bet answered. ``kind``, ``mistakes`` (likeliest first) and ``difference`` (what the player
    got too much; below zero: too little) where it was wrong."""

    right: bool
    said: SaidLine
    kind: str | None = None
    mistakes: list[SlipTold] = Field(default=[])
    difference: Signed | None = None


class RoundTold(Whole):
    """What an answer is worth. ``kept``: it stands on disk. ``seconds`` and ``target`` once speed
    counts, else null; ``newly_unlocked``: it counts from now on."""

    right: bool
    kinds: list[str]
    bets: dict[str, BetTold]
    lines: list[str]
    topic: str
    item: str
    seconds: float | None
    target: float | None
    unlocked: bool
    newly_unlocked: bool
    kept: bool


class HandTold(RoundTold):
    """Of a round that asks for the hand: what it is, and the cards that make it."""

    combinations: list[str]
    names: list[str]
    significant: list[Cards]
    said: list[str]


class GameTold(RoundTold):
    """Of a round that asks whether the dealer has a game."""

    game: bool
    said: bool
    dealer: list[Cards]


class OrderTold(RoundTold):
    """Of a round that asks for the order of steps or seats."""

    order: list[str]
    said: list[str]


class BoxTold(RoundTold):
    """Of a round that asks for a settlement or one payment: what is ``due`` and ``why``, bet by
    bet. A ``damaged`` round has no sums: the ``floor`` must be called."""

    due: dict[str, SettledLine]
    why: dict[str, str]
    significant: list[Cards]
    dealer: list[Cards]
    combinations: list[str] = Field(default=[])
    paid: Money | None = None
    taken: Money | None = None
    damaged: bool = False
    floor: bool = False


class TestStands(TestPlace):
    """How far a test is after an answer, and whether it is over."""

    id: str
    finished: bool


class TestTold(Whole):
    """In a test nothing is told but how far it is."""

    __test__ = False
    test: TestStands
    kept: bool


class DrillTold(RootModel[HandTold | GameTold | OrderTold | BoxTold | TestTold]):
    """What an answer is worth, by the form of the round; in a test only how far it is."""
