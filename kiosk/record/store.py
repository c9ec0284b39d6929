"""Reading and writing the tables: rows to values and back. No rules, no checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    false,
    insert,
    or_,
    select,
    update,
)

from kiosk.record.canonical import parse
from kiosk.record.chain import Entry, is_hash
from kiosk.record.hands import Hand, fold
from kiosk.record.heads import Head
from kiosk.record.tables import day_heads, events, hand_terms, hands, pictures, rule_cards
from kiosk.record.terms import AMOUNT_SCALE, scaled

_PAGE = 500

K = TypeVar("K", str, int)


def entry_of(row: Row[Any]) -> Entry:
    """The entry of a row of ``events``."""
    return Entry(*(value for value in row))


def last_entry(connection: Connection, kiosk: str) -> Entry | None:
    """The newest entry of a kiosk."""
    query = select(events).where(events.c.kiosk == kiosk).order_by(events.c.seq.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else entry_of(row)


def entry_with_token(connection: Connection, kiosk: str, token: str) -> Entry | None:
    """The entry that was stored under this token, if any."""
    query = select(events).where(events.c.kiosk == kiosk, events.c.token == token)
    row = connection.execute(query).one_or_none()
    return None if row is None else entry_of(row)


def page(connection: Connection, kiosk: str, after: int, limit: int) -> list[Entry]:
    """The entries of a kiosk that follow number ``after``, at most ``limit``."""
    query = (
        select(events)
        .where(events.c.kiosk == kiosk, events.c.seq > after)
        .order_by(events.c.seq)
        .limit(limit)
    )
    return [entry_of(row) for row in connection.execute(query)]


def entries_of_round(connection: Connection, kiosk: str, round_id: str) -> list[Entry]:
    """All entries of a round, oldest first."""
    query = (
        select(events)
        .where(events.c.kiosk == kiosk, events.c.round_id == round_id)
        .order_by(events.c.seq)
    )
    return [entry_of(row) for row in connection.execute(query)]


def entries_of_rounds(
    connection: Connection, keys: Sequence[tuple[str, str]], kinds: Sequence[str] | None
) -> dict[tuple[str, str], list[Entry]]:
    """The entries of rounds by kiosk and id, oldest first. ``kinds``: only of these."""
    found: dict[tuple[str, str], list[Entry]] = {}
    for first in range(0, len(keys), _PAGE):
        some = keys[first : first + _PAGE]
        query = select(events).where(among(events.c.kiosk, events.c.round_id, some))
        if kinds is not None:
            query = query.where(events.c.kind.in_(kinds))
        for row in connection.execute(query.order_by(events.c.kiosk, events.c.seq)):
            found.setdefault((row.kiosk, row.round_id), []).append(entry_of(row))
    return found


def entries_at(
    connection: Connection, keys: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Entry]:
    """Entries by kiosk and number."""
    found: dict[tuple[str, int], Entry] = {}
    for first in range(0, len(keys), _PAGE):
        some = keys[first : first + _PAGE]
        query = select(events).where(among(events.c.kiosk, events.c.seq, some))
        for row in connection.execute(query):
            found[row.kiosk, row.seq] = entry_of(row)
    return found


def among(
    kiosk: Column[str], name: Column[K], keys: Sequence[tuple[str, K]]
) -> ColumnElement[bool]:
    """Rows of these keys (kiosk, name).

    Written kiosk by kiosk: SQLite walks through a whole table for ``(kiosk, name) IN (…)``.
    """
    names: dict[str, list[K]] = {}
    for whose, each in keys:
        names.setdefault(whose, []).append(each)
    return or_(false(), *(and_(kiosk == whose, name.in_(some)) for whose, some in names.items()))


def stream(connection: Connection, query: Any) -> Iterator[Entry]:
    """The entries of a query over ``events``, a page at a time."""
    result = connection.execute(query, execution_options={"yield_per": _PAGE})
    try:
        for row in result:
            yield entry_of(row)
    finally:
        result.close()


def kiosks(connection: Connection) -> list[str]:
    """All kiosks with entries here."""
    return list(connection.scalars(select(events.c.kiosk).distinct().order_by(events.c.kiosk)))


def insert_entry(connection: Connection, entry: Entry) -> None:
    """Adds the entry and all that is derived from it."""
    values = asdict(entry)
    values["payload"] = values.pop("payload_text")
    connection.execute(insert(events).values(values))
    derive(connection, entry)


def derive(connection: Connection, entry: Entry) -> None:
    """Brings the searchable tables up to date with one entry."""
    if entry.round_id is not None:
        before = load_hand(connection, entry.kiosk, entry.round_id)
        after = fold(before, entry)
        if after is not None:
            save_hand(connection, before, after)
    payload = entry.payload
    for picture in pictures_in(payload):
        connection.execute(insert(pictures).values(picture_row(entry, picture)))
    if entry.kind == "picture-deleted":
        mark_deleted(connection, entry)
    if entry.kind == "rule-card" and is_hash(payload.get("hash")):
        known = select(rule_cards.c.seq).where(
            rule_cards.c.kiosk == entry.kiosk, rule_cards.c.hash == payload["hash"]
        )
        if connection.execute(known).first() is None:
            connection.execute(
                insert(rule_cards).values(kiosk=entry.kiosk, hash=payload["hash"], seq=entry.seq)
            )


def pictures_in(payload: Any) -> list[dict[str, Any]]:
    """The pictures that a payload names, each file once."""
    listed = payload.get("pictures") if isinstance(payload, dict) else None
    found = {
        picture["file"]: picture
        for picture in (listed if isinstance(listed, list) else [])
        if isinstance(picture, dict)
        and isinstance(picture.get("file"), str)
        and is_hash(picture.get("sha256"))
    }
    return list(found.values())


def picture_row(entry: Entry, picture: dict[str, Any]) -> dict[str, Any]:
    """The row of ``pictures`` for a picture named by this entry."""
    return {
        "kiosk": entry.kiosk,
        "seq": entry.seq,
        "file": picture["file"],
        "role": str(picture.get("role", "")),
        "sha256": picture["sha256"],
        "round_id": entry.round_id,
        "day": picture["file"].split("/")[0],
        "deleted_seq": None,
    }


def deleted_files(payload: Any) -> list[str]:
    """The files that a *picture-deleted* payload names."""
    files = payload.get("files") if isinstance(payload, dict) else None
    return [file for file in files if isinstance(file, str)] if isinstance(files, list) else []


def deleted_files_of(text: str) -> list[str]:
    """The same of a payload as stored; a damaged one names none."""
    try:
        return deleted_files(parse(text))
    except (TypeError, ValueError):
        return []


def mark_deleted(connection: Connection, entry: Entry) -> None:
    """Notes that the files named by the entry are gone."""
    for file in deleted_files(entry.payload):
        connection.execute(
            update(pictures)
            .where(
                pictures.c.kiosk == entry.kiosk,
                pictures.c.file == file,
                pictures.c.deleted_seq.is_(None),
                pictures.c.seq < entry.seq,
            )
            .values(deleted_seq=entry.seq)
        )


def load_hand(connection: Connection, kiosk: str, hand_id: str) -> Hand | None:
    """One hand with its terms."""
    query = select(hands).where(hands.c.kiosk == kiosk, hands.c.id == hand_id)
    found = list(with_terms(connection, connection.execute(query).all()))
    return found[0] if found else None


def with_terms(connection: Connection, rows: Iterable[Row[Any]]) -> Iterator[Hand]:
    """Hands of rows of ``hands``, the terms added."""
    for row in rows:
        query = select(hand_terms.c.term, hand_terms.c.value).where(
            hand_terms.c.kiosk == row.kiosk, hand_terms.c.hand_id == row.id
        )
        yield hand_of(row, frozenset((term, value) for term, value in connection.execute(query)))


def hand_of(row: Row[Any], terms: frozenset[tuple[str, str]]) -> Hand:
    """The hand of a row of ``hands``."""
    values = dict(row._mapping)
    values["table"] = values.pop("table_name")
    for name in ("paid", "taken"):
        amount = values.pop(f"{name}_e4")
        values[name] = None if amount is None else Decimal(amount) / AMOUNT_SCALE
    for name in ("finished", "disputed", "was_disputed", "overruled", "assumed"):
        values[name] = bool(values[name])
    return Hand(**values, terms=terms)


def hand_row(hand: Hand) -> dict[str, Any]:
    """The row of ``hands`` for a hand."""
    values = asdict(hand)
    del values["terms"]
    values["table_name"] = values.pop("table")
    for name in ("paid", "taken"):
        amount = values.pop(name)
        values[f"{name}_e4"] = None if amount is None else scaled(amount)
    for name in ("finished", "disputed", "was_disputed", "overruled", "assumed"):
        values[name] = int(values[name])
    return values


def save_hand(connection: Connection, before: Hand | None, after: Hand) -> None:
    """Stores the hand in place of what it was before."""
    row = hand_row(after)
    if before is None:
        connection.execute(insert(hands).values(row))
    else:
        mine = (hands.c.kiosk == after.kiosk) & (hands.c.id == after.id)
        connection.execute(update(hands).where(mine).values(row))
    old = frozenset() if before is None else before.terms
    if old != after.terms:
        mine = (hand_terms.c.kiosk == after.kiosk) & (hand_terms.c.hand_id == after.id)
        connection.execute(delete(hand_terms).where(mine))
        if after.terms:
            connection.execute(insert(hand_terms), term_rows(after))


def term_rows(hand: Hand) -> list[dict[str, Any]]:
    """The rows of ``hand_terms`` for a hand, in a fixed order."""
    return [
        {"kiosk": hand.kiosk, "hand_id": hand.id, "term": term, "value": value, "time": hand.time}
        for term, value in sorted(hand.terms)
    ]


def clear_derived(connection: Connection) -> None:
    """Empties the tables that can be made again from the entries."""
    for table in (hand_terms, hands, pictures, rule_cards):
        connection.execute(delete(table))


def rebuild(connection: Connection) -> int:
    """Makes all searchable tables again from the entries; returns the number of entries."""
    clear_derived(connection)
    count = 0
    for kiosk in kiosks(connection):
        last = 0
        while entries := page(connection, kiosk, last, _PAGE):
            for entry in entries:
                derive(connection, entry)
            count, last = count + len(entries), entries[-1].seq
    return count


def open_hands(connection: Connection, kiosk: str) -> list[Hand]:
    """Hands that nothing has finished, oldest first."""
    query = (
        select(hands)
        .where(hands.c.kiosk == kiosk, hands.c.finished == 0)
        .order_by(hands.c.first_seq)
    )
    return list(with_terms(connection, connection.execute(query).all()))


def insert_day_head(connection: Connection, head: Head) -> None:
    """Notes the head of a finished day."""
    connection.execute(insert(day_heads).values(asdict(head)))


def load_day_heads(connection: Connection, kiosk: str) -> list[Head]:
    """Heads of finished days, oldest first."""
    query = select(day_heads).where(day_heads.c.kiosk == kiosk).order_by(day_heads.c.seq)
    return [Head(**row._mapping) for row in connection.execute(query)]
