"""The record of one kiosk: entries go in durably and never change, hands are found again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from kiosk.errors import user_path
from kiosk.record import pictures, startup, store
from kiosk.record.canonical import canonical
from kiosk.record.chain import Entry, genesis, is_kiosk_name
from kiosk.record.clock import Clock, Moment, SystemClock
from kiosk.record.database import Database, FileLock, open_database
from kiosk.record.draft import Draft
from kiosk.record.errors import RecordError, record_error
from kiosk.record.findings import VerifyReport
from kiosk.record.heads import HeadFiles, Key
from kiosk.record.linking import Linked, link
from kiosk.record.paths import make_folder, parse_target
from kiosk.record.pictures import Picture
from kiosk.record.reading import RecordReader
from kiosk.record.tables import events
from kiosk.record.tables import pictures as pictures_table
from kiosk.record.verify import verify

_ROUND_ID = re.compile(r"r-(\d{1,15})")
_LONGEST_COUNTED = len("r-") + 15


class Record(RecordReader):
    """The open record. All methods may be called from any thread."""

    def __init__(
        self, database: Database, data: Path, kiosk: str, clock: Clock, lock: FileLock | None
    ) -> None:
        """Use `Record.open`."""
        super().__init__(database, data, kiosk)
        self.database = database
        self._clock = clock
        self._file_lock = lock
        self._heads = HeadFiles(data, kiosk)
        self._key: Key | None = None
        self._mutex = threading.RLock()
        self._before: Moment | None = None
        self._round_number = 0

    @classmethod
    def open(
        cls,
        target: str | os.PathLike[str] | None,
        data_dir: str | os.PathLike[str],
        *,
        kiosk_id: str = "kiosk",
        clock: Clock | None = None,
        read_only: bool = False,
        software: str = "",
    ) -> Record:
        """Opens the record, creating it when there is none, unless ``read_only``.

        ``target`` as in `parse_target` (None: DATA/record.db). For writing: one process at a time;
        the file is checked and migrated, rounds that a crash left open get an *unfinished* entry,
        and *opened* is noted. Raises RecordError, and ValueError for a bad kiosk name.
        """
        if not is_kiosk_name(kiosk_id):
            raise ValueError(f"kiosk name {kiosk_id!r}: expected letters, digits, '.', '_' or '-'")
        data = user_path(data_dir).absolute()
        path = parse_target(target, data).path
        clock = clock or SystemClock()
        if read_only:
            return cls(open_database(path, read_only=True), data, kiosk_id, clock, None)
        make_folder(data)
        make_folder(path.parent)
        lock = FileLock(path.with_name(path.name + ".lock"))
        lock.take()
        try:
            record = cls(open_database(path, read_only=False), data, kiosk_id, clock, lock)
        except BaseException:
            lock.free()
            raise
        try:
            record._start(software)
        except BaseException:
            record.let_go()
            raise
        return record

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def append(
        self,
        kind: str,
        round_id: str | None,
        payload: Mapping[str, Any],
        pictures: Sequence[Picture] = (),
    ) -> Entry:
        """Stores one entry and returns it once it is durable: a power cut cannot take it back.

        Raises RecordError when it could not be stored, ValueError for what `Draft` refuses.
        """
        draft = Draft(kind, round_id, payload, self._clock(), tuple(pictures))
        return self.append_drafts([draft])[0]

    def append_drafts(self, drafts: Sequence[Draft]) -> tuple[Entry, ...]:
        """Stores several entries in one transaction: all of them or none. As `append`."""
        if self._key is None:
            raise record_error("read-only", self.database.path)
        with self._mutex:
            ready = [(draft, canonical(self._with_pictures(draft))) for draft in drafts]
            with self.database.writing() as connection:
                linked = link(connection, self.kiosk, ready, self._before, self._key)
            moments = [draft.moment for draft in drafts if draft.this_run]
            self._before = moments[-1] if moments else self._before
            self._write_heads(linked)
        return linked.entries

    def keep_rule_card(self, content: Mapping[str, Any]) -> str:
        """Stores a house's rule card once and returns the hash by which hands refer to it."""
        name = rule_card_hash(content)
        with self._mutex:
            if self.rule_card(name) is None:
                self.append("rule-card", None, {"hash": name, "content": dict(content)})
        return name

    def new_round_id(self) -> str:
        """An id for the next round, ``r-000124``: never one that the record holds already."""
        with self._mutex:
            self._round_number += 1
            return f"r-{self._round_number:06d}"

    def skip_round_id(self, round_id: str) -> None:
        """Makes sure that `new_round_id` never gives this one (it waits to be stored)."""
        match = _ROUND_ID.fullmatch(round_id)
        with self._mutex:
            self._round_number = max(self._round_number, int(match[1]) if match else 0)

    def mark_unfinished(self, round_ids: Collection[str]) -> None:
        """Notes *unfinished* for those of the rounds that nothing has finished."""
        with self._mutex, self.database.reading() as connection:
            open_hands = store.open_hands(connection, self.kiosk)
        self.append_drafts(
            startup.unfinished([h for h in open_hands if h.id in round_ids], self._clock())
        )

    def delete_pictures(self, files: Sequence[str], why: str) -> Entry | None:
        """Deletes pictures (files as in the payloads): first an entry says so, then they go.

        None when there were none to delete.
        """
        if not files:
            return None
        with self._mutex:
            payload = {"files": sorted(set(files)), "why": why}
            entry = self.append("picture-deleted", None, payload)
            pictures.remove(self.picture_folder, files)
        return entry

    def rebuild(self) -> int:
        """Makes all searchable tables again from the entries; returns the number of entries."""
        with self._mutex, self.database.writing() as connection:
            return store.rebuild(connection)

    def learn(self) -> None:
        """Now and then, so that searching stays fast as hands pile up. Raises RecordError."""
        with self._mutex:
            self.database.learn()

    def end(self) -> None:
        """Notes *closed* where that is still possible."""
        with self._mutex, contextlib.suppress(RecordError):
            # Where it cannot be written the next start notes that it was not closed.
            if self._file_lock is not None:
                self.append("closed", None, {})

    def close(self) -> None:
        """Notes *closed* where that is still possible and lets go of the file."""
        with self._mutex:
            try:
                self.end()
            finally:
                self.let_go()

    def let_go(self) -> None:
        """Closes without a word in the record, as a crash would."""
        self.database.close()
        if self._file_lock is not None:
            self._file_lock.free()
            self._file_lock = None

    def verify(self, known_heads: Sequence[str] = ()) -> VerifyReport:
        """Checks everything; names the first bad entry. See `kiosk.record.verify.verify`."""
        return verify(self.database, self.data, known_heads=known_heads)

    def _with_pictures(self, draft: Draft) -> dict[str, Any]:
        payload = dict(draft.payload)
        if draft.pictures:
            day = draft.moment.day
            kept = [pictures.keep(self.picture_folder, day, picture) for picture in draft.pictures]
            payload["pictures"] = [picture.as_json() for picture in kept]
        return payload

    def _write_heads(self, linked: Linked) -> None:
        """Outside the transaction: a head that stays behind is no fault, one ahead would be."""
        if linked.newest is None or self._key is None:
            return
        try:
            self._heads.add_days(linked.finished_days)
            self._heads.write_newest(self._key.sign(linked.newest))
        except RecordError as error:
            # The entries are durable, so they are acknowledged; the day heads get into the file at
            # the next start.
            self._warning = (error.sentence, error.advice)
        else:
            self._warning = None

    def _start(self, software: str) -> None:
        with self.database.reading() as connection:
            last = store.last_entry(connection, self.kiosk)
            faults = startup.chain_faults(connection, self.kiosk, last, self.database.path)
            self._round_number = _last_round_number(connection, self.kiosk)
            open_hands = store.open_hands(connection, self.kiosk)
            day_heads = store.load_day_heads(connection, self.kiosk)
        now = self._clock()
        self._key, key_faults = startup.key_of(self.data, last)
        first_head = self._key.sign_point(self.kiosk, 0, now.day, genesis(self.kiosk))
        faults += key_faults
        faults += startup.head_faults(self._heads, last, day_heads, self.entry, first_head)
        drafts = [Draft("fault", None, fault, now) for fault in faults]
        drafts += startup.clock_faults(last, now)
        drafts += startup.unfinished(open_hands, now)
        clean = last is None or last.kind == "closed"
        drafts.append(Draft("opened", None, {"software": software, "clean": clean}, now))
        self.append_drafts(drafts)
        pictures.remove(self.picture_folder, self._left_by_deletion())

    def _left_by_deletion(self) -> list[str]:
        """Files whose deletion was noted last, in case a crash came before they went."""
        with self.database.reading() as connection:
            newest = connection.scalars(
                select(events.c.payload)
                .where(events.c.kiosk == self.kiosk, events.c.kind == "picture-deleted")
                .order_by(events.c.seq.desc())
                .limit(2)
            )
            found = {file for text in newest for file in store.deleted_files_of(text)}
            kept = connection.scalars(
                select(pictures_table.c.file).where(
                    pictures_table.c.file.in_(found), pictures_table.c.deleted_seq.is_(None)
                )
            ).all()
        return sorted(found - set(kept))


def rule_card_hash(content: Mapping[str, Any]) -> str:
    """The hash by which hands refer to a house's rule card."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def _last_round_number(connection: Connection, kiosk: str) -> int:
    query = (
        select(events.c.round_id)
        .where(events.c.kiosk == kiosk, events.c.kind == "round-started")
        # Ids made from the time, while the record could not be asked, are longer.
        .where(func.length(events.c.round_id) <= _LONGEST_COUNTED)
        .order_by(events.c.seq.desc())
        .limit(100)
    )
    found = (_ROUND_ID.fullmatch(round_id or "") for round_id in connection.scalars(query))
    return max((int(match[1]) for match in found if match), default=0)
