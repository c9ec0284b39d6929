"""Finding hands: what can be asked for, and the query that answers it from the indexes.

Among very many hands the order of the conditions decides between milliseconds and a walk through
all of them. A condition that few hands meet is therefore looked up first, be it on a term
(combination, box, person, mistake, amount) or on the hand (table, house …). When many hands meet
each condition, hands are walked in order of time, by the rarest of the terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select, tuple_

from kiosk.record.clock import time_text
from kiosk.record.hands import SEARCH_STATES, Hand
from kiosk.record.store import among, hand_of
from kiosk.record.tables import hand_terms, hands
from kiosk.record.terms import (
    BOX,
    MAX_INTEGER,
    OVERRULE,
    PERSON,
    amount_term,
    at,
    scaled,
    term_text,
)

ANY = "any"
"""As a mistake: any wrong answer, whatever its kind."""

_PAGE = 400
_FEW = 2000
"""A condition met by fewer hands is looked up before all others."""
_MANY = 100_000
"""Up to so many hands are counted to see by which of several terms to go through them."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The hand after which a list goes on."""

    time: str
    kiosk: str
    id: str

    def __str__(self) -> str:
        return f"{self.time}~{self.kiosk}~{self.id}"

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Raises ValueError for a text that is none."""
        parts = text.split("~")
        if len(parts) != 3 or not all(parts) or len(text) > 200:
            raise ValueError(f"{text[:60]!r} is no place in a list of hands")
        return cls(*parts)

    @classmethod
    def of(cls, hand: Hand) -> Cursor:
        """The place of this hand."""
        return cls(hand.time, hand.kiosk, hand.id)


@dataclass(frozen=True, slots=True)
class HandFilter:
    """Which hands are wanted; None means any. Times are aware, ``since`` included, ``until`` not.

    ``person`` dealt, or answered a box. ``state`` is one of SEARCH_STATES. ``mistake`` is the slug
    of a mistake, its category, or ANY.
    ``least`` and ``most`` bound an amount that the hand or one of its boxes was paid, or that was
    taken from it. Where a ``box`` is wanted, combination, mistake, amount and an overrule are those
    of that box. Raises ValueError for an unknown state, a naive time or a negative amount.
    """

    since: datetime | None = None
    until: datetime | None = None
    table: str | None = None
    person: str | None = None
    house: str | None = None
    game: str | None = None
    combination: str | None = None
    mistake: str | None = None
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
        for amount in (self.least, self.most):
            if amount is not None and not amount >= 0:
                raise ValueError(f"amount {amount}: expected 0 or more")

    @property
    def asks_for_worth(self) -> bool:
        """Whether being found tells something of what a hand is worth."""
        asked = (self.combination, self.mistake, self.least, self.most)
        return self.state == "assumed" or any(value is not None for value in asked)


def find(
    connection: Connection,
    wanted: HandFilter,
    *,
    newest_first: bool = True,
    limit: int | None = None,
    after: Cursor | None = None,
) -> Iterator[Hand]:
    """The wanted hands in order of time, from behind ``after``, read a page at a time."""
    query = _query(connection, wanted, after, newest_first)
    if limit is not None:
        query = query.limit(limit)
    result = connection.execute(query, execution_options={"yield_per": _PAGE})
    try:
        for rows in result.partitions(_PAGE):
            terms = _terms(connection, [(row.kiosk, row.id) for row in rows])
            for row in rows:
                yield hand_of(row, frozenset(terms.get((row.kiosk, row.id), ())))
    finally:
        result.close()


def _query(
    connection: Connection, wanted: HandFilter, after: Cursor | None, newest_first: bool
) -> Select[Any]:
    conditions = [*_of_hands(wanted), *_span(hands.c.time, wanted)]
    terms = _of_terms(wanted)
    # One exact term alone is walked in the order of its index: nothing is rarer, nothing sorted.
    alone = len(terms) == 1 and isinstance(terms[0], tuple) and not _of_hands(wanted)
    rare = None if alone else _rarest(connection, terms, wanted)
    lead = _leading(connection, terms, wanted) if rare is None else None
    source: Any = hands
    order = (hands.c.time, hands.c.kiosk, hands.c.id)
    joined = hand_terms.alias("wanted_term")
    mine = and_(joined.c.kiosk == hands.c.kiosk, joined.c.hand_id == hands.c.id)
    if rare is not None and rare.of_terms:
        few = select(hand_terms.c.kiosk, hand_terms.c.hand_id).where(rare.condition)
        found = few.distinct().subquery()
        at = and_(found.c.kiosk == hands.c.kiosk, found.c.hand_id == hands.c.id)
        source = found.join(hands, at)
    elif lead is not None:
        # One exact term, in the order that its index has.
        source = joined.join(hands, mine)
        conditions += [joined.c.term == lead[0], joined.c.value == lead[1]]
        conditions += _span(joined.c.time, wanted)
        order = (joined.c.time, joined.c.kiosk, joined.c.hand_id)
    conditions += [_has(term) for term in terms if term is not lead]
    if after is not None:
        conditions.append(_behind(order, after, newest_first))
    query = select(hands).select_from(source).where(*conditions)
    return query.order_by(*(column.desc() if newest_first else column for column in order))


def _behind(order: Any, after: Cursor, newest_first: bool) -> ColumnElement[bool]:
    """What comes later in the list. The bare condition on the time is what the index can use."""
    time, kiosk, hand_id = order
    names = tuple_(kiosk, hand_id)
    there = (after.kiosk, after.id)
    if newest_first:
        return and_(time <= after.time, or_(time < after.time, names < there))
    return and_(time >= after.time, or_(time > after.time, names > there))


def _of_hands(wanted: HandFilter) -> list[ColumnElement[bool]]:
    equal = {
        hands.c.table_name: wanted.table,
        hands.c.house: wanted.house,
        hands.c.game: wanted.game,
        hands.c.kiosk: wanted.kiosk,
    }
    conditions = [column == value for column, value in equal.items() if value is not None]
    if wanted.state in ("disputed", "overruled", "assumed"):
        conditions.append(hands.c[wanted.state] == 1)
    elif wanted.state is not None:
        conditions.append(hands.c.state == wanted.state)
    return conditions


def _span(time: ColumnElement[str], wanted: HandFilter) -> list[ColumnElement[bool]]:
    conditions = []
    if wanted.since is not None:
        conditions.append(time >= time_text(wanted.since))
    if wanted.until is not None:
        conditions.append(time < time_text(wanted.until))
    return conditions


_Exact = tuple[str, str]
_Range = ColumnElement[bool]


def _of_terms(wanted: HandFilter) -> list[_Exact | _Range]:
    """Conditions on terms: exact ones as (term, value), others, such as a range of amounts, as a
    condition. Bound to the box where one is wanted."""
    found: list[_Exact | _Range] = []
    if wanted.mistake is not None:
        is_any = wanted.mistake == ANY
        name, value = ("answer", "wrong") if is_any else ("mistake", wanted.mistake)
        found.append((_name(name, wanted), value))
    if wanted.combination is not None:
        found.append((_name("combination", wanted), wanted.combination))
    if wanted.box is not None and not found:
        # The others name the box themselves.
        found.append((BOX, str(wanted.box)))
    if wanted.person is not None:
        found.append((PERSON, term_text(wanted.person)))
    if wanted.box is not None and wanted.state == "overruled":
        found.append(hand_terms.c.term == at(OVERRULE, wanted.box))
    if wanted.least is not None or wanted.most is not None:
        least = amount_term(0 if wanted.least is None else scaled(wanted.least))
        most = amount_term(MAX_INTEGER if wanted.most is None else scaled(wanted.most))
        bounds = hand_terms.c.value.between(least, most)
        found.append(and_(hand_terms.c.term == _name("amount", wanted), bounds))
    return found


def _name(term: str, wanted: HandFilter) -> str:
    return term if wanted.box is None else at(term, wanted.box)


def _condition(term: _Exact | _Range) -> ColumnElement[bool]:
    if isinstance(term, tuple):
        return and_(hand_terms.c.term == term[0], hand_terms.c.value == term[1])
    return term


def _has(term: _Exact | _Range) -> ColumnElement[bool]:
    return exists().where(
        hand_terms.c.kiosk == hands.c.kiosk,
        hand_terms.c.hand_id == hands.c.id,
        _condition(term),
    )


@dataclass(frozen=True, slots=True)
class _Rare:
    """A condition that few hands meet: on a term, or on the hand itself."""

    condition: ColumnElement[bool]
    of_terms: bool


def _rarest(
    connection: Connection, terms: list[_Exact | _Range], wanted: HandFilter
) -> _Rare | None:
    """The condition that the fewest hands meet, None when many meet each of them."""
    tried = [_Rare(_spanned(term, wanted), True) for term in terms]
    if terms:
        # Without terms the database finds the best of its indexes by itself.
        span = _span(hands.c.time, wanted)
        tried += [_Rare(and_(each, *span), False) for each in _of_hands(wanted)]
    best, fewest = None, _FEW
    for each in tried:
        count = _count(connection, each, fewest)
        if count < fewest:
            best, fewest = each, count
    return best


def _leading(
    connection: Connection, terms: list[_Exact | _Range], wanted: HandFilter
) -> _Exact | None:
    """The exact term that the fewest hands have, as far as that is soon counted."""
    exact = [term for term in terms if isinstance(term, tuple)]
    if len(exact) < 2:
        return exact[0] if exact else None
    counts = [_count(connection, _Rare(_spanned(term, wanted), True), _MANY) for term in exact]
    return exact[counts.index(min(counts))]


def _spanned(term: _Exact | _Range, wanted: HandFilter) -> ColumnElement[bool]:
    return and_(_condition(term), *_span(hand_terms.c.time, wanted))


def _count(connection: Connection, of: _Rare, most: int) -> int:
    """How many rows meet the condition, counted up to ``most``."""
    table = hand_terms if of.of_terms else hands
    some = select(table.c.kiosk).where(of.condition).limit(most).subquery()
    return connection.scalar(select(func.count()).select_from(some)) or 0


def _terms(
    connection: Connection, keys: list[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    query = select(hand_terms).where(among(hand_terms.c.kiosk, hand_terms.c.hand_id, keys))
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in connection.execute(query):
        found.setdefault((row.kiosk, row.hand_id), []).append((row.term, row.value))
    return found
