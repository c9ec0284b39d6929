"""The reading side of the record: hands, entries, pictures, rule cards, health."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, select

from kiosk.record import lists, pictures, search, store
from kiosk.record.chain import Entry
from kiosk.record.errors import RecordError
from kiosk.record.findings import VerifyReport
from kiosk.record.hands import Hand, is_undecided
from kiosk.record.heads import Head
from kiosk.record.lists import TableNow
from kiosk.record.search import Cursor, HandFilter
from kiosk.record.tables import pictures as pictures_table
from kiosk.record.tables import rule_cards
from kiosk.record.tally import Tally, tallies
from kiosk.record.verify_pit import verify_chains

LOW_DISK_BYTES = 200 * 1024 * 1024
"""Less free space than this is reported before it runs out."""


@dataclass(frozen=True, slots=True)
class HandPicture:
    """A picture of a hand: its file (absolute), and whether retention has deleted it."""

    role: str
    path: Path
    sha256: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class HandDetail:
    """One hand with everything: all entries in order, the newest settlement's payload (None while
    there is none), the pictures."""

    hand: Hand
    entries: tuple[Entry, ...]
    settled: Mapping[str, Any] | None
    pictures: tuple[HandPicture, ...]


@dataclass(frozen=True, slots=True)
class RecordHealth:
    """Whether the record can be trusted and written; ``sentence`` and ``advice`` say what not.

    ``entries`` counts those of this kiosk.
    """

    ok: bool
    sentence: str
    advice: str
    entries: int
    newest_time: str | None
    free_bytes: int | None


class Readable(Protocol):
    """Where a record is read from: this kiosk's file, or a server."""

    def reading(self) -> AbstractContextManager[Connection]:
        """One consistent view, not disturbed by writing. Raises RecordError."""

    def free_bytes(self) -> int | None:
        """Room left on its disk, None when that cannot be told."""

    def now_ms(self, connection: Connection) -> int:
        """Milliseconds of its own clock."""


class RecordReader:
    """Reads a record. All methods may be called from any thread and raise RecordError."""

    def __init__(self, database: Readable, data: Path, kiosk: str) -> None:
        """Use `Record.open`."""
        self.kiosk = kiosk
        self.data = data
        self._readable = database
        self.picture_folder = data / pictures.FOLDER
        self._warning: tuple[str, str] | None = None

    def hands(
        self,
        wanted: HandFilter | None = None,
        *,
        newest_first: bool = True,
        limit: int | None = None,
        after: Cursor | None = None,
    ) -> Iterator[Hand]:
        """Hands that fit the filter, in order of time, from behind ``after``, read as they are
        taken."""
        wanted = wanted or HandFilter()
        with self._readable.reading() as connection:
            yield from search.find(
                connection, wanted, newest_first=newest_first, limit=limit, after=after
            )

    def kiosks(self) -> list[str]:
        """Names of all kiosks with entries in this record."""
        with self._readable.reading() as connection:
            return store.kiosks(connection)

    def hand(self, hand_id: str, *, kiosk: str | None = None) -> HandDetail | None:
        """One hand in full, None when there is none of this id (``kiosk``: whose; default own)."""
        whose = kiosk or self.kiosk
        with self._readable.reading() as connection:
            hand = store.load_hand(connection, whose, hand_id)
            if hand is None:
                return None
            entries = tuple(store.entries_of_round(connection, whose, hand_id))
            files = connection.execute(
                select(pictures_table)
                .where(pictures_table.c.kiosk == whose, pictures_table.c.round_id == hand_id)
                .order_by(pictures_table.c.seq, pictures_table.c.role)
            ).all()
        settled = next((e.payload for e in entries if e.seq == hand.settled_seq), None)
        kept = tuple(
            HandPicture(
                row.role, self.picture_folder / row.file, row.sha256, row.deleted_seq is not None
            )
            for row in files
        )
        return HandDetail(hand, entries, settled, kept)

    def settled(self, hand: Hand) -> Mapping[str, Any] | None:
        """The payload of a hand's newest settlement."""
        if hand.settled_seq is None:
            return None
        found = self.entry(hand.settled_seq, kiosk=hand.kiosk)
        return None if found is None else found.payload

    def settled_of(self, found: Sequence[Hand]) -> list[Mapping[str, Any] | None]:
        """The payloads of the newest settlements of many hands, in their order."""
        keys = [(hand.kiosk, hand.settled_seq) for hand in found if hand.settled_seq is not None]
        with self._readable.reading() as connection:
            entries = store.entries_at(connection, keys)
        return [
            entry.payload if (entry := entries.get((hand.kiosk, hand.settled_seq or 0))) else None
            for hand in found
        ]

    def entries_of(
        self, found: Sequence[Hand], kinds: Sequence[str] | None = None
    ) -> list[list[Entry]]:
        """The entries of many hands, in their order, each oldest first. ``kinds``: only of
        these."""
        keys = [(hand.kiosk, hand.id) for hand in found]
        with self._readable.reading() as connection:
            entries = store.entries_of_rounds(connection, keys, kinds)
        return [entries.get(key, []) for key in keys]

    def hidden(self, found: Sequence[Hand]) -> set[tuple[str, str]]:
        """Kiosk and id of those that go on in training and were not shown yet: what they are worth
        must not be told (P3)."""
        going_on = [hand for hand in found if is_undecided(hand)]
        shown = self.entries_of(going_on, ("revealed",))
        pairs = zip(going_on, shown, strict=True)
        return {(hand.kiosk, hand.id) for hand, entries in pairs if not entries}

    def events(self, round_id: str, *, kiosk: str | None = None) -> list[Entry]:
        """All entries of a round, oldest first."""
        with self._readable.reading() as connection:
            return store.entries_of_round(connection, kiosk or self.kiosk, round_id)

    def entry(self, seq: int, *, kiosk: str | None = None) -> Entry | None:
        """One entry by its number."""
        with self._readable.reading() as connection:
            page = store.page(connection, kiosk or self.kiosk, seq - 1, 1)
        return page[0] if page and page[0].seq == seq else None

    def entries_after(self, seq: int, limit: int) -> list[Entry]:
        """The own entries that follow ``seq``, at most ``limit``."""
        with self._readable.reading() as connection:
            return store.page(connection, self.kiosk, seq, limit)

    def newest_seq(self) -> int:
        """The number of the newest own entry, 0 when there is none."""
        with self._readable.reading() as connection:
            newest = store.last_entry(connection, self.kiosk)
        return 0 if newest is None else newest.seq

    def rule_card(self, card_hash: str, *, kiosk: str | None = None) -> Mapping[str, Any] | None:
        """The content of the rule card kept under this hash."""
        with self._readable.reading() as connection:
            seq = connection.scalar(
                select(rule_cards.c.seq).where(
                    rule_cards.c.kiosk == (kiosk or self.kiosk), rule_cards.c.hash == card_hash
                )
            )
        found = None if seq is None else self.entry(int(seq), kiosk=kiosk)
        return None if found is None else found.payload.get("content")

    def faults(
        self, *, before: int | None = None, limit: int = 100, kiosk: str | None = None
    ) -> list[Entry]:
        """The log of faults, newest first, older than entry ``before``."""
        with self._readable.reading() as connection:
            return lists.faults(connection, kiosk or self.kiosk, before, limit)

    def standing_faults(self, *, kiosk: str | None = None) -> dict[str, Entry]:
        """Parts that failed and were not said to work again → the entry that says so."""
        with self._readable.reading() as connection:
            return lists.standing_faults(connection, kiosk or self.kiosk)

    def faults_during(self, hand: Hand) -> list[Entry]:
        """Faults and clock steps in the course of a hand."""
        with self._readable.reading() as connection:
            return lists.faults_during(connection, hand)

    def names(self) -> dict[str, list[str]]:
        """``table``, ``person``, ``house``, ``game``: what there is to search by."""
        with self._readable.reading() as connection:
            return lists.names(connection)

    def tallies(self, persons: Iterable[str], since: datetime) -> dict[str, Tally]:
        """What the answers of these people at the table came to. See `kiosk.record.tally`."""
        with self._readable.reading() as connection:
            return tallies(connection, persons, since)

    def day_heads(self, *, kiosk: str | None = None) -> list[Head]:
        """The signed heads of finished days, oldest first."""
        with self._readable.reading() as connection:
            return store.load_day_heads(connection, kiosk or self.kiosk)

    def tables_now(self) -> list[TableNow]:
        """Every kiosk of a pit's server as it stands."""
        with self._readable.reading() as connection:
            return lists.tables_now(connection, self._readable.now_ms(connection))

    def verify(self, known_heads: Sequence[str] = ()) -> VerifyReport:
        """Checks the chains of all kiosks here. See `kiosk.record.verify_pit.verify_chains`."""
        return verify_chains(self._readable, known_heads=known_heads)

    def health(self) -> RecordHealth:
        """Whether the record works; never raises."""
        try:
            with self._readable.reading() as connection:
                newest = store.last_entry(connection, self.kiosk)
            free = self._readable.free_bytes()
        except RecordError as error:
            return RecordHealth(False, error.sentence, error.advice, 0, None, None)
        count, time = (0, None) if newest is None else (newest.seq, newest.time)
        sentence, advice = self._warning or ("", "")
        if not sentence and free is not None and free < LOW_DISK_BYTES:
            sentence = f"The disk is nearly full: {free // 2**20} MiB are free"
            advice = "make room on it before the record cannot be written"
        return RecordHealth(not sentence, sentence, advice, count, time, free)
