"""Checking the tables that are derived from the entries: hands, terms, pictures, rule cards.

Every row must be the one that the entries make, column by column as it is stored: what searches
and pages read are these rows. Read in portions, so that a record of any size can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Connection, Row, Table, func, or_, select

from kiosk.record import store
from kiosk.record.chain import Entry, is_hash
from kiosk.record.findings import Chain, Finding
from kiosk.record.hands import Hand, fold
from kiosk.record.tables import events, hand_terms, hands, pictures, rule_cards

DERIVED: tuple[Table, ...] = (hands, hand_terms, pictures, rule_cards)
"""All tables that the entries can make again."""

_PORTION = 200
_PAGE = 500
_Term = tuple[Any, Any, Any]


def check_derived(connection: Connection, chain: Chain) -> None:
    """Notes every row of the derived tables that says something else than the chain's entries,
    which must be whole. Raises DBAPIError when a table cannot be read."""
    _check_hands(connection, chain)
    _check_pictures(connection, chain)
    _check_rule_cards(connection, chain)


def check_strangers(connection: Connection, kiosks: Sequence[str]) -> list[Finding]:
    """A finding for each table with rows of a kiosk that has no entries: no chain accounts for
    them. Raises DBAPIError."""
    found = []
    for table in DERIVED:
        query = select(table.c.kiosk).where(table.c.kiosk.not_in(kiosks)).limit(1)
        for kiosk in connection.scalars(query):
            sentence = f"the table {table.name} lists something of {kiosk}, which has no entries"
            found.append(Finding(str(kiosk), None, "derived", sentence))
    return found


def _check_hands(connection: Connection, chain: Chain) -> None:
    missing = made = terms = 0
    before = len(chain.findings)
    hands_made = _made_hands(connection, chain)
    while portion := list(islice(hands_made, _PORTION)):
        listed = _listed_hands(connection, chain.kiosk, portion)
        for hand in portion:
            row, listed_terms = listed.get(hand.id, (None, set()))
            right = _terms_of(hand)
            made, terms = made + 1, terms + len(right)
            if row is None:
                missing += 1
                sentence = f"hand {hand.id} of {chain.kiosk} is not listed"
                chain.note(hand.first_seq, "derived", sentence)
            elif row != store.hand_row(hand) or listed_terms != right:
                sentence = (
                    f"hand {hand.id} of {chain.kiosk} is listed otherwise than its entries say"
                )
                chain.note(hand.first_seq, "derived", sentence)
    if _count(connection, hands, chain) != made - missing:
        _name_strange_hand(connection, chain)
    elif len(chain.findings) == before and _count(connection, hand_terms, chain) != terms:
        sentence = f"words to search by are listed for hands that {chain.kiosk} never had"
        chain.note(None, "derived", sentence)


def _made_hands(connection: Connection, chain: Chain) -> Iterator[Hand]:
    query = (
        select(events)
        .where(events.c.kiosk == chain.kiosk, events.c.round_id.is_not(None))
        .where(events.c.seq <= chain.length)
        .order_by(events.c.round_id, events.c.seq)
    )
    for _round, entries in groupby(store.stream(connection, query), lambda e: e.round_id):
        hand: Hand | None = None
        for entry in entries:
            hand = fold(hand, entry)
        if hand is not None:
            yield hand


def _listed_hands(
    connection: Connection, kiosk: str, portion: Sequence[Hand]
) -> dict[str, tuple[dict[str, Any], set[_Term]]]:
    """The rows of these hands with their terms, as they are stored."""
    ids = [hand.id for hand in portion]
    mine = select(hands).where(hands.c.kiosk == kiosk, hands.c.id.in_(ids))
    found: dict[str, tuple[dict[str, Any], set[_Term]]] = {
        row.id: (dict(row._mapping), set()) for row in connection.execute(mine)
    }
    theirs = select(hand_terms).where(hand_terms.c.kiosk == kiosk, hand_terms.c.hand_id.in_(ids))
    for row in connection.execute(theirs):
        if row.hand_id in found:
            found[row.hand_id][1].add((row.term, row.value, row.time))
    return found


def _terms_of(hand: Hand) -> set[_Term]:
    return {(row["term"], row["value"], row["time"]) for row in store.term_rows(hand)}


def _name_strange_hand(connection: Connection, chain: Chain) -> None:
    """Notes the first listed hand that has no entries."""
    entries = select(events.c.seq).where(
        events.c.kiosk == hands.c.kiosk, events.c.round_id == hands.c.id
    )
    query = select(hands.c.id).where(hands.c.kiosk == chain.kiosk, ~entries.exists())
    strange = connection.scalar(query.order_by(hands.c.id).limit(1))
    sentence = f"hand {strange} of {chain.kiosk} is listed and has no entries"
    chain.note(None, "derived", sentence)


def _check_pictures(connection: Connection, chain: Chain) -> None:
    """Holds the rows of pictures to the entries that name them, in their order; each picture not
    deleted yet waits for the entry that says so."""
    waiting: dict[str, list[tuple[int, Any]]] = {}
    listed = _Rows(connection, chain)
    for entry in _naming_pictures(connection, chain):
        rows = listed.of(entry.seq)
        for picture in store.pictures_in(entry.payload):
            right = store.picture_row(entry, picture)
            row = rows.pop(right["file"], None)
            if row is None:
                _strange_picture(chain, entry.seq, right["file"], "is not listed")
                continue
            waiting.setdefault(right["file"], []).append((entry.seq, row["deleted_seq"]))
            if {**row, "deleted_seq": None} != right:
                _strange_picture(chain, entry.seq, right["file"])
        for file in rows:
            _strange_picture(chain, entry.seq, file, "is listed and not named by it")
        if entry.kind == "picture-deleted":
            for file in store.deleted_files(entry.payload):
                _take_deleted(chain, waiting, file, entry.seq)
    listed.finish()
    for file, pairs in waiting.items():
        for seq, deleted in pairs:
            if deleted is not None:
                _strange_picture(chain, seq, file, "is listed as deleted, and no entry says so")


def _take_deleted(
    chain: Chain, waiting: dict[str, list[tuple[int, Any]]], file: str, deleting: int
) -> None:
    pairs = waiting.pop(file, [])
    for seq, deleted in pairs:
        if seq == deleting:
            # An entry deletes what was named before it.
            waiting[file] = [(seq, deleted)]
        elif deleted != deleting:
            what = f"is not listed as deleted by entry {deleting}"
            _strange_picture(chain, seq, file, what)


def _strange_picture(
    chain: Chain, seq: int, file: object, what: str = "is listed otherwise than the entry says"
) -> None:
    sentence = f"entry {seq} of {chain.kiosk}: its picture {file} {what}"
    chain.note(seq, "derived", sentence)


def _naming_pictures(connection: Connection, chain: Chain) -> Iterator[Entry]:
    """The entries that name pictures or delete them. What is stored is canonical, so that a name
    has one form only."""
    query = (
        select(events)
        .where(events.c.kiosk == chain.kiosk, events.c.seq <= chain.length)
        .where(or_(events.c.kind == "picture-deleted", events.c.payload.contains('"pictures":[')))
        .order_by(events.c.seq)
    )
    return store.stream(connection, query)


class _Rows:
    """The rows of pictures of one kiosk in the order of their entries; rows that no entry names
    are noted as they are passed."""

    def __init__(self, connection: Connection, chain: Chain) -> None:
        query = (
            select(pictures)
            .where(pictures.c.kiosk == chain.kiosk)
            .order_by(pictures.c.seq, pictures.c.file)
        )
        self._chain = chain
        self._result = connection.execute(query, execution_options={"yield_per": _PAGE})
        self._rows: Iterator[Row[Any]] = iter(self._result)
        self._next = next(self._rows, None)

    def of(self, seq: int) -> dict[Any, dict[str, Any]]:
        """The rows of an entry by file."""
        found = {}
        while self._next is not None and self._goes_before(seq + 1):
            if self._next.seq == seq:
                found[self._next.file] = dict(self._next._mapping)
            else:
                self._note_strange(self._next)
            self._next = next(self._rows, None)
        return found

    def finish(self) -> None:
        """Notes the rows that are left."""
        while self._next is not None:
            self._note_strange(self._next)
            self._next = next(self._rows, None)
        self._result.close()

    def _goes_before(self, seq: int) -> bool:
        """A number that is none sorts behind all numbers."""
        number = getattr(self._next, "seq", None)
        return isinstance(number, int | float) and number < seq

    def _note_strange(self, row: Row[Any]) -> None:
        chain = self._chain
        sentence = f"the picture {row.file} of {chain.kiosk} is listed and no entry names it"
        chain.note(row.seq if isinstance(row.seq, int) else None, "derived", sentence)


def _check_rule_cards(connection: Connection, chain: Chain) -> None:
    right = _made_rule_cards(connection, chain)
    query = select(rule_cards).where(rule_cards.c.kiosk == chain.kiosk).order_by(rule_cards.c.seq)
    for row in connection.execute(query):
        seq = right.pop(row.hash, None)
        if seq is None:
            sentence = f"the rule card {row.hash} of {chain.kiosk} is listed and no entry keeps it"
            chain.note(None, "derived", sentence)
        elif seq != row.seq:
            sentence = (
                f"entry {seq} of {chain.kiosk} keeps the rule card {row.hash}, "
                f"which is listed as entry {row.seq}"
            )
            chain.note(seq, "derived", sentence)
    for card_hash, seq in right.items():
        sentence = f"entry {seq} of {chain.kiosk}: its rule card {card_hash} is not listed"
        chain.note(seq, "derived", sentence)


def _made_rule_cards(connection: Connection, chain: Chain) -> dict[Any, int]:
    """Hash of each rule card → the first entry that keeps it."""
    query = (
        select(events)
        .where(events.c.kiosk == chain.kiosk, events.c.kind == "rule-card")
        .where(events.c.seq <= chain.length)
        .order_by(events.c.seq)
    )
    found: dict[Any, int] = {}
    for entry in store.stream(connection, query):
        payload: Mapping[str, Any] = entry.payload
        if is_hash(payload.get("hash")):
            found.setdefault(payload["hash"], entry.seq)
    return found


def _count(connection: Connection, table: Table, chain: Chain) -> int:
    query = select(func.count()).select_from(table).where(table.c.kiosk == chain.kiosk)
    return connection.scalar(query) or 0
