"""What else is listed from the record: faults, names to search by, tables of a pit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, func, select

from kiosk.record import store
from kiosk.record.canonical import parse
from kiosk.record.chain import Entry
from kiosk.record.hands import Hand
from kiosk.record.tables import events, hand_terms, hands, presence
from kiosk.record.terms import PERSON

FAULT_KINDS = ("fault", "clock-step", "opened", "closed", "unfinished", "picture-deleted")
"""Kinds of entries that the log of faults shows."""

BEGUN, OVER = "part-fault", "part-good"
"""``payload.what`` of a *fault* entry: a part of the kiosk failed, and works again."""

_MOST_NAMES = 500
_FAULTS_LOOKED_AT = 2000


def faults(connection: Connection, kiosk: str, before: int | None, limit: int) -> list[Entry]:
    """The newest entries of the log of faults, older than number ``before``."""
    found: list[Entry] = []
    for kind in FAULT_KINDS:
        # Asked for all kinds at once, SQLite walks back through every entry of the kiosk.
        query = select(events).where(events.c.kiosk == kiosk, events.c.kind == kind)
        if before is not None:
            query = query.where(events.c.seq < before)
        query = query.order_by(events.c.seq.desc()).limit(limit)
        found += [store.entry_of(row) for row in connection.execute(query)]
    return sorted(found, key=lambda entry: entry.seq, reverse=True)[:limit]


def standing_faults(connection: Connection, kiosk: str) -> dict[str, Entry]:
    """Parts whose newest entry says that they fail → that entry."""
    query = (
        select(events)
        .where(events.c.kiosk == kiosk, events.c.kind == "fault")
        .order_by(events.c.seq.desc())
        .limit(_FAULTS_LOOKED_AT)
    )
    newest: dict[str, Entry] = {}
    for row in connection.execute(query):
        entry = store.entry_of(row)
        payload = entry.payload
        part = payload.get("part")
        if payload.get("what") in (BEGUN, OVER) and isinstance(part, str):
            newest.setdefault(part, entry)
    return {part: entry for part, entry in newest.items() if entry.payload["what"] == BEGUN}


def faults_during(connection: Connection, hand: Hand) -> list[Entry]:
    """Faults and clock steps noted between the first and the last entry of a hand."""
    query = (
        select(events)
        .where(events.c.kiosk == hand.kiosk, events.c.kind.in_(("fault", "clock-step")))
        .where(events.c.seq > hand.first_seq, events.c.seq < hand.last_seq)
        .order_by(events.c.seq)
        .limit(200)
    )
    return [store.entry_of(row) for row in connection.execute(query)]


def names(connection: Connection) -> dict[str, list[str]]:
    """The tables, persons, houses and games that hands were played with, to choose from."""
    return {
        "table": _different(connection, hands.c.table_name),
        "person": _different(connection, hand_terms.c.value, hand_terms.c.term == PERSON),
        "house": _different(connection, hands.c.house),
        "game": _different(connection, hands.c.game),
    }


def _different(
    connection: Connection, column: Column[Any], *among: ColumnElement[bool]
) -> list[str]:
    """The values of an indexed column, hopping from one to the next: their number counts, not
    that of the hands."""
    found: list[str] = []
    last = ""
    while len(found) < _MOST_NAMES:
        next_one = connection.scalar(select(func.min(column)).where(*among, column > last))
        if next_one is None:
            break
        found.append(next_one)
        last = next_one
    return found


@dataclass(frozen=True, slots=True)
class TableNow:
    """A kiosk as it stands: ``age_ms`` since it was last heard of (None: never), how many of its
    entries are on their way, what it says of itself, and its newest hand."""

    kiosk: str
    age_ms: int | None
    waiting: int
    note: dict[str, Any]
    hand: Hand | None


def tables_now(connection: Connection, now_ms: int) -> list[TableNow]:
    """Every kiosk that was ever heard of or has hands here, by name."""
    heard = {row.kiosk: row for row in connection.execute(select(presence))}
    found = []
    for kiosk in sorted({*_different(connection, events.c.kiosk), *heard}):
        row = heard.get(kiosk)
        newest = (
            select(hands).where(hands.c.kiosk == kiosk).order_by(hands.c.first_seq.desc()).limit(1)
        )
        hand = next(store.with_terms(connection, connection.execute(newest).all()), None)
        if row is None:
            found.append(TableNow(kiosk, None, 0, {}, hand))
        else:
            age = max(0, now_ms - row.seen_ms)
            found.append(TableNow(kiosk, age, row.waiting, _note(row.note), hand))
    return found


def _note(text: str) -> dict[str, Any]:
    try:
        note = parse(text)
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
