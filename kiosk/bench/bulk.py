"""A large synthetic record, made in bulk: real rounds of several houses, a real chain of hashes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection

from kiosk.record import store
from kiosk.record.canonical import canonical
from kiosk.record.chain import FORMAT, Entry, genesis
from kiosk.record.clock import time_text
from kiosk.record.hands import Hand, fold
from kiosk.record.tables import events, hand_terms, hands
from kiosk.rules import settle_case
from kiosk.rules.generate import generate
from kiosk.rules.judging import KINDS

HOUSES = ("russian-a", "russian-b", "oasis-a", "three-a")
TABLES, PEOPLE = 12, 80
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SECONDS_A_HAND = 20
KIOSK = "bench"

_ROUNDS = 400
_TABLES = (events, hands, hand_terms)
_PORTION = 20_000
_TABLE, _PERSON = "~table~", "~person~"

Writing = Callable[[], AbstractContextManager[Connection]]


_OVERRULED = '{"box":1,"reason":"agreed","who":"page"}'
_Folded = tuple[dict[str, Any], tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class _Round:
    """One round to be repeated: its payloads as texts with gaps, and the hands they add up to,
    without an overrule and with one: a row and its terms."""

    started: str
    settled: str
    plain: _Folded
    overruled: _Folded


def fill(writing: Writing, count: int, seed: int = 1) -> None:
    """Writes ``count`` hands of three or four entries each, with all that is derived from them;
    ``writing`` begins a transaction."""
    random = Random(seed)
    rounds = [_round(number) for number in range(_ROUNDS)]
    indexes = [index for table in _TABLES for index in table.indexes]
    with writing() as connection:
        for index in indexes:
            index.drop(connection)
    chain = _Chain()
    for first in range(0, count, _PORTION):
        for number in range(first, min(count, first + _PORTION)):
            table = f"Table {random.randrange(TABLES) + 1}"
            person = f"p-{random.randrange(PEOPLE):012x}"
            chain.add_hand(number, rounds[random.randrange(_ROUNDS)], table, person)
        with writing() as connection:
            _hasten(connection)
            for kept in _TABLES:
                columns = [column.name for column in kept.columns]
                _insert(connection, kept.name, columns, chain.rows[kept.name])
        chain.clear()
    with writing() as connection:
        # Made at the end: sorted once instead of row by row.
        for index in indexes:
            index.create(connection)


def _hasten(connection: Connection) -> None:
    """Leaves out what a chain made here need not be checked for."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")


def _round(number: int) -> _Round:
    house = HOUSES[number % len(HOUSES)]
    case = generate(house, number)
    place = {
        "table": _TABLE, "person": _PERSON, "house": house, "house_hash": "ab" * 32,
        "game": case["game"], "mode": "training", "limits": case["table"],
    }  # fmt: skip
    wrong = number % 7 == 0
    kind = KINDS[number % len(KINDS)]
    mistakes = [{"bet": "bet", "kind": kind, "mistake": None, "difference": 5}] if wrong else []
    verdict = "wrong" if wrong else "right"
    settled = place | {
        "case": case,
        "settlement": settle_case(case),
        "cards": {},
        "confirmed": [box["box"] for box in case["boxes"]] if number % 5 else [],
        "versions": {"software": "bench", "model": "cd" * 32},
        "complete": True,
        "answers": [[case["boxes"][0]["box"], {"verdict": verdict, "mistakes": mistakes}]],
    }
    texts = canonical(place), canonical(settled)
    steps = list(zip(("round-started", "settled"), texts, strict=True))
    return _Round(*texts, _folded(steps), _folded([*steps, ("overruled", _OVERRULED)]))


def _folded(steps: list[tuple[str, str]]) -> _Folded:
    hand: Hand | None = None
    for step, (kind, text) in enumerate([*steps, ("round-finished", "{}")], 1):
        hand = fold(hand, Entry(*_entry(step, kind, "r-1", text, BEGIN, "")))
    assert hand is not None
    return store.hand_row(hand), tuple(sorted(hand.terms))


def _entry(
    seq: int, kind: str, round_id: str, text: str, when: datetime, previous: str
) -> tuple[Any, ...]:
    """The fields of an entry, sealed as `kiosk.record.chain` does, but quicker."""
    fields = (
        KIOSK, seq, f"{seq:032x}", time_text(when), 180, 1, seq * 1000, kind, round_id, text,
        previous,
    )  # fmt: skip
    sealed = json.dumps([FORMAT, *fields], ensure_ascii=False, separators=(",", ":"))
    return (*fields, hashlib.sha256(sealed.encode()).hexdigest())


class _Chain:
    """The end of the chain so far, and the rows that wait to be written."""

    def __init__(self) -> None:
        self.seq = 0
        self.previous = genesis(KIOSK)
        self.rows: dict[str, list[tuple[Any, ...]]] = {}
        self.clear()

    def clear(self) -> None:
        """The rows are written."""
        self.rows = {table.name: [] for table in _TABLES}

    def add_hand(self, number: int, chosen: _Round, table: str, person: str) -> None:
        """One hand: its entries, and what is derived from them."""
        started, settled = (
            text.replace(_TABLE, table).replace(_PERSON, person)
            for text in (chosen.started, chosen.settled)
        )
        steps = [("round-started", started), ("settled", settled)]
        disputed, overruled = number % 9973 == 1, number % 501 == 1
        steps += [("held", '{"reason":"chips moved","who":"page"}')] * disputed
        steps += [("overruled", _OVERRULED)] * overruled
        steps.append(("round-finished", "{}"))
        when = BEGIN + timedelta(seconds=number * SECONDS_A_HAND)
        round_id, first = f"r-{number + 1:07d}", self.seq + 1
        for step, (kind, text) in enumerate(steps):
            self.seq += 1
            now = when + timedelta(seconds=step)
            entry = _entry(self.seq, kind, round_id, text, now, self.previous)
            self.previous = entry[-1]
            self.rows["events"].append(entry)
        time = time_text(when)
        folded, terms = chosen.overruled if overruled else chosen.plain
        row = folded | {
            "kiosk": KIOSK, "id": round_id, "time": time, "table_name": table, "person": person,
            "disputed": int(disputed), "was_disputed": int(disputed),
            "first_seq": first, "last_seq": self.seq, "settled_seq": first + 1,
        }  # fmt: skip
        self.rows["hands"].append(tuple(row[column.name] for column in hands.columns))
        self.rows["hand_terms"] += [
            (KIOSK, round_id, term.replace(_PERSON, person), value.replace(_PERSON, person), time)
            for term, value in terms
        ]


def _insert(
    connection: Connection, table: str, columns: list[str], rows: list[tuple[Any, ...]]
) -> None:
    names = ", ".join(columns)
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        gaps = ", ".join("?" * len(columns))
        driver.executemany(f"INSERT INTO {table} ({names}) VALUES ({gaps})", rows)
        return
    with driver.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
