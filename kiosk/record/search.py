"""Finding hands: what can be asked for, and the query that answers it from the indexes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Select, exists, or_, select, tuple_

from kiosk.record.clock import time_text
from kiosk.record.hands import SEARCH_STATES, Hand, scaled
from kiosk.record.store import hand_of
from kiosk.record.tables import hand_terms, hands

_PAGE = 400


@dataclass(frozen=True, slots=True)
class HandFilter:
    """Which hands are wanted; None means any. Times are aware, ``since`` included, ``until`` not.

    ``state`` is one of SEARCH_STATES, ``least`` and ``most`` bound what was paid or taken in the
    hand. Raises ValueError for an unknown state or a naive time.
    """

    since: datetime | None = None
    until: datetime | None = None
    table: str | None = None
    person: str | None = None
    house: str | None = None
    game: str | None = None
    combination: str | None = None
    box: int | None = None
    state: str | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    kiosk: str | None = None

    def __post_init__(self) -> None:
        if self.state is not None and self.state not in SEARCH_STATES:
            raise ValueError(f"state {self.state!r}: expected one of {', '.join(SEARCH_STATES)}")
        for when in (self.since, self.until):
            if when is not None:
                time_text(when)


def find(
    connection: Connection,
    wanted: HandFilter,
    *,
    newest_first: bool,
    limit: int | None,
    offset: int,
) -> Iterator[Hand]:
    """The wanted hands in order of time, read a page at a time."""
    order = (hands.c.time, hands.c.kiosk, hands.c.id)
    query = _query(wanted).order_by(*(c.desc() if newest_first else c for c in order))
    if offset:
        query = query.offset(offset)
    if limit is not None:
        query = query.limit(limit)
    result = connection.execute(query, execution_options={"yield_per": _PAGE})
    for rows in result.partitions(_PAGE):
        terms = _terms(connection, [(row.kiosk, row.id) for row in rows])
        for row in rows:
            yield hand_of(row, frozenset(terms.get((row.kiosk, row.id), ())))


def _query(wanted: HandFilter) -> Select[Any]:
    query = select(hands)
    equal = {
        hands.c.table_name: wanted.table,
        hands.c.person: wanted.person,
        hands.c.house: wanted.house,
        hands.c.game: wanted.game,
        hands.c.kiosk: wanted.kiosk,
    }
    for column, value in equal.items():
        if value is not None:
            query = query.where(column == value)
    if wanted.since is not None:
        query = query.where(hands.c.time >= time_text(wanted.since))
    if wanted.until is not None:
        query = query.where(hands.c.time < time_text(wanted.until))
    for term, value in (
        ("combination", wanted.combination),
        ("box", None if wanted.box is None else str(wanted.box)),
    ):
        if value is not None:
            query = query.where(_has_term(term, value))
    if wanted.least is not None:
        least = scaled(wanted.least)
        query = query.where(or_(hands.c.paid_e4 >= least, hands.c.taken_e4 >= least))
    if wanted.most is not None:
        most = scaled(wanted.most)
        query = query.where(hands.c.paid_e4 <= most, hands.c.taken_e4 <= most)
    return _in_state(query, wanted.state)


def _in_state(query: Select[Any], state: str | None) -> Select[Any]:
    if state is None:
        return query
    if state == "disputed":
        return query.where(hands.c.disputed == 1)
    if state == "overruled":
        return query.where(hands.c.overruled == 1)
    return query.where(hands.c.state == state)


def _has_term(term: str, value: str) -> Any:
    return exists().where(
        hand_terms.c.kiosk == hands.c.kiosk,
        hand_terms.c.hand_id == hands.c.id,
        hand_terms.c.term == term,
        hand_terms.c.value == value,
    )


def _terms(
    connection: Connection, keys: list[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    query = select(hand_terms).where(tuple_(hand_terms.c.kiosk, hand_terms.c.hand_id).in_(keys))
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in connection.execute(query):
        found.setdefault((row.kiosk, row.hand_id), []).append((row.term, row.value))
    return found
