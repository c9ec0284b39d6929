"""What people's answers at the table came to: counted by the index of the terms alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from kiosk.record.clock import time_text
from kiosk.record.tables import hand_terms
from kiosk.record.terms import tally_term


@dataclass(frozen=True, slots=True)
class AtTable:
    """Hands that a person dealt or answered in training mode and that were settled and are over;
    in how many of them the person answered at least one box; boxes that the person answered right,
    wrong and not (or not before the reveal; a box that nobody answered is of who dealt); and how
    often each kind of mistake was made, most often first (P8)."""

    hands: int = 0
    answered: int = 0
    right: int = 0
    wrong: int = 0
    not_given: int = 0
    mistakes: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """Over all time, and since a time."""

    whole: AtTable = AtTable()
    recent: AtTable = AtTable()


def tallies(connection: Connection, persons: Iterable[str], since: datetime) -> dict[str, Tally]:
    """Person → tally, without those who have none. ``since`` is aware: else ValueError."""
    names = {tally_term(person): person for person in persons}
    recent = func.sum(case((hand_terms.c.time >= time_text(since), 1), else_=0))
    query = (
        select(hand_terms.c.term, hand_terms.c.value, func.count(), recent)
        .where(hand_terms.c.term.in_(names))
        .group_by(hand_terms.c.term, hand_terms.c.value)
    )
    found: dict[str, list[tuple[str, int, int]]] = {}
    for term, value, times, lately in connection.execute(query):
        found.setdefault(names[term], []).append((value, times, lately))
    return {
        person: Tally(
            _added((value, times) for value, times, _ in rows),
            _added((value, lately) for value, _, lately in rows),
        )
        for person, rows in found.items()
    }


def together(tables: Iterable[AtTable]) -> AtTable:
    """All of them as one."""
    of = list(tables)
    return AtTable(
        sum(each.hands for each in of),
        sum(each.answered for each in of),
        sum(each.right for each in of),
        sum(each.wrong for each in of),
        sum(each.not_given for each in of),
        _by_count(pair for each in of for pair in each.mistakes),
    )


def _added(rows: Iterable[tuple[str, int]]) -> AtTable:
    """The sum of tallies (`kiosk.record.hands.tally_term`), each so many times."""
    sums: Counter[str] = Counter()
    mistakes = []
    for value, times in rows:
        what, _, rest = value.partition(" ")
        if what == "answers":
            right, wrong, not_given = map(int, rest.split())
            sums["hands"] += times
            sums["answered"] += times if right or wrong else 0
            sums["right"] += right * times
            sums["wrong"] += wrong * times
            sums["not_given"] += not_given * times
        else:
            kind, _, count = rest.rpartition(" ")
            mistakes.append((kind, int(count) * times))
    return AtTable(**sums, mistakes=_by_count(mistakes))


def _by_count(pairs: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    counted: Counter[str] = Counter()
    for kind, count in pairs:
        counted[kind] += count
    rows = (pair for pair in counted.items() if pair[1])
    return tuple(sorted(rows, key=lambda pair: (-pair[1], pair[0])))
