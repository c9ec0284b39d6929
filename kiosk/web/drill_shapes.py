"""What the drills' routes take, and where a trainee stands."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from kiosk.web.shapes import Body, Money, Query, Whole

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


class StandingShown(Whole):
    """Where somebody stands in a topic. ``recent``: share of right answers among the newest;
    ``seconds``: their median once speed counts, ``fast``: share of them within the target."""

    asked: int
    right: int
    recent: float | None
    unlocked: bool
    seconds: float | None
    fast: float | None


class StandingsShown(Whole):
    """Topic → standing, and how many things are to be repeated now."""

    topics: dict[str, StandingShown]
    due: int


class TestBegun(Whole):
    """A test that has begun."""

    __test__ = False
    id: str
    count: int
    needed: int
