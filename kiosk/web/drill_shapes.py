"""What the drills' routes take and give."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field

from kiosk.web.shapes import Answer, Body, Money, Query

Slug = Annotated[str, Field(min_length=1, max_length=60)]
HouseName = Annotated[str, Field(min_length=1, max_length=80)]


class DrillWish(Body):
    """Which rounds are wanted; no topics: all of the house. ``test``: the next of that test."""

    house: HouseName | None = None
    topics: list[Slug] = Field(default=[], max_length=30)
    test: Slug | None = None


class TestWish(Body):
    """A test over all topics of a house."""

    __test__ = False
    house: HouseName


class BetSaid(Body):
    """What is done with a bet: pay, take, or neither."""

    result: Literal["win", "lose", "push", "not-paid", "returned"]
    amount: Money = Decimal(0)
    stake_taken: Money | None = None


class DrillAnswer(Body):
    """An answer; each form of round uses its own part."""

    id: Slug
    bets: dict[Slug, BetSaid] = Field(default={}, max_length=30)
    floor: bool = False
    combinations: list[Slug] = Field(default=[], max_length=2)
    game: bool | None = None
    amount: Money | None = None
    order: list[Slug] = Field(default=[], max_length=30)


class HouseWish(Query):
    """Of which house."""

    house: HouseName


class DrillRound(Answer):
    """A round to be answered; nothing in it tells the answer. ``seconds``: target once speed
    counts, else null."""

    id: str
    form: Literal["hand", "game", "settle", "amount", "order"]
    house: str
    game: str
    seconds: float | None
    asks: list[str]
    options: list[str]
    steps: list[str]
    dealer: dict[str, Any]
    boxes: list[dict[str, Any]]


class DrillTold(Answer):
    """What an answer is worth; in a test only how far it is. ``kept``: it stands on disk."""

    kept: bool
    right: bool | None = None
    kinds: list[str] | None = None
    test: dict[str, Any] | None = None


class StandingShown(Answer):
    """Where somebody stands in a topic. ``recent``: share of right answers among the newest."""

    asked: int
    right: int
    recent: float | None
    unlocked: bool
    seconds: float | None


class StandingsShown(Answer):
    """Topic → standing, and how many things are to be repeated now."""

    topics: dict[str, StandingShown]
    due: int


class TestBegun(Answer):
    """A test that has begun."""

    __test__ = False
    id: str
    count: int
    needed: int
