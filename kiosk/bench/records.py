"""How long a supervisor waits for a hand among a million: on SQLite and on PostgreSQL."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from sqlalchemy import text

from kiosk.bench.bulk import BEGIN, KIOSK, SECONDS_A_HAND, fill
from kiosk.bench.figures import Figure
from kiosk.bench.pgserver import own_server
from kiosk.errors import UserError
from kiosk.record.database import open_database
from kiosk.record.reading import Readable, RecordReader
from kiosk.record.search import ANY, Cursor, HandFilter
from kiosk.record.server import open_server

PAGE = 50
RUNS = 5
MOST = 5_000_000


def searches(count: int) -> dict[str, HandFilter]:
    """What is looked for: name → filter."""
    middle = BEGIN + timedelta(seconds=count * SECONDS_A_HAND / 2)
    hour = middle + timedelta(hours=1)
    person = "p-00000000000b"
    return {
        "newest": HandFilter(),
        "an hour": HandFilter(since=middle, until=hour),
        "table and hour": HandFilter(table="Table 7", since=middle, until=hour),
        "table": HandFilter(table="Table 7"),
        "seat": HandFilter(box=4),
        "person": HandFilter(person=person),
        "game": HandFilter(game="oasis"),
        "house": HandFilter(house="russian-b"),
        "combination, frequent": HandFilter(combination="pair"),
        "combination, rare": HandFilter(combination="four-of-a-kind"),
        "combination that never was": HandFilter(combination="royal-flush"),
        "mistake": HandFilter(mistake="wrong-row"),
        "any mistake of a person": HandFilter(mistake=ANY, person=person),
        "amount": HandFilter(least=Decimal(700), most=Decimal(700)),
        "amount that never was": HandFilter(least=Decimal("123.45"), most=Decimal("123.45")),
        "amounts from 20000": HandFilter(least=Decimal(20000)),
        "amounts of a person": HandFilter(least=Decimal(100), most=Decimal(900), person=person),
        "disputed": HandFilter(state="disputed"),
        "overruled at a table": HandFilter(state="overruled", table="Table 7"),
        "two that never meet": HandFilter(combination="full-house", table="Table 99"),
        "seat, combination, mistake, house": HandFilter(
            box=1, combination="flush", mistake=ANY, house="oasis-a"
        ),
        "seat and combination": HandFilter(box=2, combination="pair"),
        "seat and rare combination": HandFilter(box=3, combination="flush"),
        "seat and mistake": HandFilter(box=1, mistake="wrong-row"),
        "seat and amounts": HandFilter(box=2, least=Decimal(400), most=Decimal(900)),
        "seat overruled": HandFilter(box=1, state="overruled"),
        "oldest match of four": HandFilter(
            box=2, combination="straight", table="Table 3", person=person, until=middle
        ),
    }


def records(args: argparse.Namespace) -> list[Figure]:
    """The figures of both databases. UserError for a number of hands that makes no sense."""
    count = args.hands
    if not 100 <= count <= MOST:
        raise UserError(f"--hands {count}: expected 100 to {MOST}")
    figures = []
    with tempfile.TemporaryDirectory(prefix="kiosk-bench-") as folder:
        figures += _sqlite(Path(folder), count)
    with own_server() as server:
        if server is None:
            figures.append(Figure("PostgreSQL", "there is no server here (Debian: postgresql)"))
        else:
            figures += _postgres(server.make_database("bench"), count)
    return figures


def _sqlite(folder: Path, count: int) -> list[Figure]:
    path = folder / "record.db"
    database = open_database(path, read_only=False)
    try:
        with _told("SQLite", count) as made:
            fill(database.writing, count)
        database.learn()
        size = sum(file.stat().st_size for file in folder.glob("record.db*")) / 2**30
        return [
            *made,
            Figure("SQLite, size", round(size, 2), "GiB"),
            *_measured("SQLite", database, folder, count),
        ]
    finally:
        database.close()


def _postgres(address: str, count: int) -> list[Figure]:
    server = open_server(address)
    try:
        with _told("PostgreSQL", count) as made:
            fill(server.writing, count)
        # What the server's own upkeep does by itself within the hour.
        with server.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))
        return [*made, *_measured("PostgreSQL", server, Path(), count)]
    finally:
        server.close()


@contextmanager
def _told(name: str, count: int) -> Iterator[list[Figure]]:
    print(f"making {count} hands on {name} …", file=sys.stderr)
    began = time.perf_counter()
    made: list[Figure] = []
    yield made
    made.append(Figure(f"{name}, making {count} hands", time.perf_counter() - began, "s"))


def _measured(name: str, database: Readable, folder: Path, count: int) -> list[Figure]:
    reader = RecordReader(database, folder, KIOSK)
    figures, slowest = [], 0.0
    for what, wanted in searches(count).items():
        first, rest, found = _times(reader, wanted)
        slowest = max(slowest, first, *rest)
        median = sorted(rest)[len(rest) // 2]
        figures.append(Figure(f"{name}, {what} ({found} found)", median, "ms"))
    figures.append(Figure(f"{name}, page 20 of the list", _page_20(reader), "ms"))
    began = time.perf_counter()
    assert reader.hand(f"r-{count // 2:07d}") is not None
    figures.append(Figure(f"{name}, one hand by its id", _since(began), "ms"))
    began = time.perf_counter()
    people = reader.names()["person"]
    figures.append(Figure(f"{name}, names to choose from", _since(began), "ms"))
    for what, persons in (("a trainee", people[:1]), (f"a class of {len(people)}", people)):
        began = time.perf_counter()
        reader.tallies(persons, BEGIN)
        figures.append(Figure(f"{name}, answers of {what}", _since(began), "ms"))
    figures.append(Figure(f"{name}, slowest search of all, first runs included", slowest, "ms"))
    return figures


def _times(reader: RecordReader, wanted: HandFilter) -> tuple[float, list[float], int]:
    """Milliseconds of the first page, as the page of the kiosk makes it: first run, later runs,
    and how many hands it has."""
    times = []
    found = 0
    for _ in range(RUNS + 1):
        began = time.perf_counter()
        page = list(reader.hands(wanted, limit=PAGE))
        reader.settled_of(page)
        times.append(_since(began))
        found = len(page)
    return times[0], times[1:], found


def _page_20(reader: RecordReader) -> float:
    after = None
    began = time.perf_counter()
    for _ in range(20):
        began = time.perf_counter()
        page = list(reader.hands(replace(HandFilter(), house="russian-a"), limit=PAGE, after=after))
        if not page:
            break
        after = Cursor.of(page[-1])
    return _since(began)


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
