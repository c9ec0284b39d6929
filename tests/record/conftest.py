"""Shared pieces of the record's tests: a clock that the test owns, and rounds to store."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cases import russian_case
from written_record import Written

from kiosk.record.clock import Moment
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.schema import CardRead, Place, SettledRound, Versions


class OwnedClock:
    """Stands still unless moved; each look takes a millisecond."""

    def __init__(self) -> None:
        self.utc = datetime(2031, 5, 17, 18, 0, tzinfo=UTC)
        self.steady = 1_000_000

    def __call__(self) -> Moment:
        self.move(0.001)
        return Moment(self.utc, 180, True, self.steady)

    def move(self, seconds: float) -> None:
        """Time passes."""
        self.utc += timedelta(seconds=seconds)
        self.steady += round(seconds * 1_000_000)

    def step(self, seconds: float) -> None:
        """Someone sets the wall clock."""
        self.utc += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> OwnedClock:
    return OwnedClock()


@pytest.fixture
def open_record(tmp_path: Path, clock: OwnedClock) -> Iterator[Callable[..., Record]]:
    """Opens a record in ``tmp_path`` (or ``data``); what is left open is closed at the end."""
    opened: list[Record] = []

    def build(data: Path | None = None, **options: Any) -> Record:
        record = Record.open(None, data or tmp_path, clock=clock, **options)
        opened.append(record)
        return record

    yield build
    for record in opened:
        record.let_go()


@pytest.fixture
def picture() -> Callable[..., Picture]:
    """Makes pictures, each with its own content (the record looks at no more than the start)."""
    numbers = itertools.count()

    def build(role: str = "after", size: int = 2000) -> Picture:
        start = b"\xff\xd8" + next(numbers).to_bytes(8, "big")
        return Picture(role, start + os.urandom(size))

    return build


@pytest.fixture
def place() -> Place:
    limits = {"ante_min": 50, "ante_max": 1000, "max_payout": 50000, "currency": "₽"}
    return Place("Table 4", "trainee-7", "russian-a", "ab" * 32, "russian", "training", limits)


@pytest.fixture
def settled(place: Place) -> Callable[..., SettledRound]:
    """A settled round: two pair in box 1 against the dealer's pair."""

    def build(paid: Decimal | int = 400, slug: str = "two-pair", **changes: Any) -> SettledRound:
        case = russian_case("2c 2d 5h 8s 9c", "7h 7d Ts Td Qc", limits=place.limits)
        result = {
            "box": 1,
            "combinations": [slug],
            "bets": {
                "ante": {"result": "not-paid", "amount": 0},
                "bet": {"result": "win", "amount": paid},
            },
            "paid": paid,
            "taken": 0,
        }
        settlement = {
            "dealer": {"combination": "pair", "game": True},
            "paid": paid,
            "taken": 0,
            "boxes": [result],
        }
        reads = tuple(
            CardRead(card, Decimal("0.991"), "machine", card)
            for card in ("7h", "7d", "Ts", "Td", "Qc")
        )
        values: dict[str, Any] = {
            "place": place,
            "case": case,
            "settlement": settlement,
            "cards": {"box1": reads},
            "confirmed": frozenset({1}),
            "versions": Versions("0.1.0", "cd" * 32),
        }
        return SettledRound(**(values | changes))

    return build


@pytest.fixture
def play(place: Place, settled: Callable[..., SettledRound]) -> Callable[..., str]:
    """Stores a whole round and gives its id."""

    def build(record: Record, pictures: tuple[Picture, ...] = (), **changes: Any) -> str:
        round_id = record.new_round_id()
        record.append("round-started", round_id, place.as_json())
        record.append("settled", round_id, settled(**changes).to_payload(), pictures)
        record.append("round-finished", round_id, {})
        return round_id

    return build


_template: list[Path] = []


@pytest.fixture
def written(
    tmp_path_factory: pytest.TempPathFactory,
    tmp_path: Path,
    open_record: Callable[..., Record],
    play: Callable[..., str],
    picture: Callable[..., Picture],
    clock: Any,
) -> Written:
    """Written once, copied for each test. The clock stands where it was closed."""
    if not _template:
        data = tmp_path_factory.mktemp("template") / "data"
        record = open_record(data)
        for _ in range(3):
            play(record, (picture(),))
            play(record, (picture(),))
            clock.move(24 * 3600)
        record.close()
        _template.append(data)
    else:
        clock.move(3 * 24 * 3600 + 1)
    shutil.copytree(_template[0], tmp_path, dirs_exist_ok=True)
    return Written(tmp_path)
