"""Writing without making the table wait, and going on when the record cannot be written.

`RecordWriter.submit` returns at once; a thread stores what was submitted, in order. While the
record cannot be written the entries wait as files in the spool (or, where even that cannot be
written, in bounded memory) and are stored as soon as it works again, also after a restart. Until
an entry's future is done the entry is *not* acknowledged, and `RecordWriter.state` says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.record.chain import Entry
from kiosk.record.clock import Clock, SystemClock
from kiosk.record.database import FileLock, lock_folder
from kiosk.record.draft import Draft
from kiosk.record.errors import RecordError, record_error
from kiosk.record.outbox import Outbox, OutboxState
from kiosk.record.paths import parse_target
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.waiting import Limits, WaitingLine

_log = logging.getLogger(__name__)
SPOOL = "spool"
_LAST_SECONDS = 2.0
_BATCH = 50


@dataclass(frozen=True, slots=True)
class WriterState:
    """``status`` is ``starting``, ``ok`` or ``failing``; while failing ``sentence`` and ``advice``
    say why. ``waiting`` entries are not stored yet; ``lost`` entries could not be kept, and
    ``pictures_lost`` pictures were given up to keep entries (both since the start)."""

    status: str
    sentence: str = ""
    advice: str = ""
    waiting: int = 0
    lost: int = 0
    pictures_lost: int = 0


def start_writer(
    target: str | None,
    data: Path,
    *,
    kiosk_id: str = "kiosk",
    software: str = "",
    clock: Clock | None = None,
    on_change: Callable[[WriterState], None] | None = None,
) -> RecordWriter:
    """The writer for what ``--record`` names (see `parse_target`). Returns at once; how opening
    went is in its state. Raises RecordError ``bad-target``, and ``busy`` when another kiosk uses
    the data folder."""
    address = parse_target(target, data)
    lock = lock_folder(data)

    def open_record() -> Record:
        return Record.open(address.path, data, kiosk_id=kiosk_id, clock=clock, software=software)

    def open_reader() -> Record:
        return Record.open(address.path, data, kiosk_id=kiosk_id, clock=clock, read_only=True)

    return RecordWriter(
        open_record,
        data,
        clock=clock,
        on_change=on_change,
        server=address.server,
        lock=lock,
        open_reader=open_reader,
        kiosk=kiosk_id,
    )


class RecordWriter:
    """Stores entries in a thread of its own. All methods may be called from any thread."""

    def __init__(
        self,
        open_record: Callable[[], Record],
        data: Path,
        *,
        clock: Clock | None = None,
        limits: Limits | None = None,
        on_change: Callable[[WriterState], None] | None = None,
        server: str | None = None,
        lock: FileLock | None = None,
        open_reader: Callable[[], Record] | None = None,
        kiosk: str = "kiosk",
    ) -> None:
        """``open_record`` is called in the thread, again and again while it raises RecordError;
        ``on_change`` is told each change between working and failing, from the thread;
        ``server`` is the address of a server that gets copies of all entries; ``lock`` is freed
        at the end; ``open_reader`` opens the file for reading only, ``kiosk`` is its name."""
        self._open_record = open_record
        self._clock = clock or SystemClock()
        self._limits = limits or Limits()
        self._on_change = on_change
        self._line = WaitingLine(data / SPOOL, self._limits)
        self._left_rounds = self._line.rounds_left()
        self._lost_noted = 0
        self._wake = threading.Condition()
        self._status = WriterState("starting")
        self._closing = False
        self._busy = False
        self._record: Record | None = None
        self._server = server
        self._lock = lock
        self._open_reader = open_reader
        self.kiosk = kiosk
        self._outbox: Outbox | None = None
        self._thread = threading.Thread(target=self._run, name="record", daemon=True)
        self._thread.start()

    @property
    def record(self) -> Record | None:
        """The open record, for reading; None while it could not be opened."""
        return self._record

    def open_for_reading(self) -> Record:
        """The file as it can be read while it cannot be written. Raises RecordError."""
        if self._open_reader is None:
            raise record_error("failed", self._line.folder, "it is not open yet")
        return self._open_reader()

    @property
    def state(self) -> WriterState:
        """How it stands now."""
        status, line = self._status, self._line
        return WriterState(
            status.status,
            status.sentence,
            status.advice,
            waiting=len(line),
            lost=line.lost,
            pictures_lost=line.pictures_lost,
        )

    @property
    def outbox_state(self) -> OutboxState | None:
        """How sending to the server stands; None without a server or before the record is open."""
        return None if self._outbox is None else self._outbox.state

    def tell_pit(self, note: Mapping[str, Any]) -> None:
        """What a pit's page is to know of this kiosk now (plain data); without a pit nothing."""
        if self._outbox is not None:
            self._outbox.tell(note)

    def submit(
        self,
        kind: str,
        round_id: str | None,
        payload: Mapping[str, Any],
        pictures: Sequence[Picture] = (),
    ) -> Future[Entry]:
        """Takes an entry and returns at once. The future is done when the entry is durable in the
        record, and fails with RecordError ``lost`` when it could not be kept (``stopped`` when
        the writer was closed before; it is stored at the next start then).

        Raises ValueError for what `Draft` refuses, RuntimeError after `close`.
        """
        draft = Draft(kind, round_id, payload, self._clock(), tuple(pictures))
        with self._wake:
            if self._closing:
                raise RuntimeError("the record writer is closed")
            future = self._line.add(draft)
            self._wake.notify_all()
        return future

    def append(
        self,
        kind: str,
        round_id: str | None,
        payload: Mapping[str, Any],
        pictures: Sequence[Picture] = (),
        *,
        timeout: float = 60.0,
    ) -> Entry:
        """As `submit`, and waits. Raises TimeoutError when it is not stored in time (it still
        waits then), RecordError as the future."""
        return self.submit(kind, round_id, payload, pictures).result(timeout)

    def new_round_id(self) -> str:
        """An id for a round; while the record cannot be asked, one made from the time."""
        record = self._record
        if record is not None:
            return record.new_round_id()
        return f"r-{self._clock().utc:%Y%m%d%H%M%S%f}"

    def wait_until_settled(self, timeout: float) -> WriterState:
        """Waits until everything is stored, or storing fails and the rest is spooled; at most
        ``timeout`` seconds."""
        with self._wake:
            self._wake.wait_for(self._is_settled, timeout)
        return self.state

    def close(self, timeout: float = 60.0) -> WriterState:
        """Stores what can be stored, spools the rest, closes the record. On a busy machine that
        takes its time: what was not stored or spooled by the end of the process would be lost."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        self._thread.join(timeout)
        return self.state

    # What follows runs in the thread.

    def _is_settled(self) -> bool:
        if self._busy or self._status.status == "starting":
            return False
        return self._line.is_kept() if self._status.status == "failing" else not len(self._line)

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_work)
                closing = self._closing
                known = len(self._line)
                self._busy = True
            good = self._try_once()
            with self._wake:
                self._busy = False
                self._wake.notify_all()
            if closing and (not good or not len(self._line)):
                break
            if not good:
                with self._wake:
                    self._wake.wait_for(self._more_than(known), self._limits.retry_seconds)
        self._line.abandon()
        if self._record is not None:
            self._record.end()
            if self._outbox is not None and self._outbox.state.status == "ok":
                self._outbox.wait_until_sent(self._record.newest_seq(), _LAST_SECONDS)
        if self._outbox is not None:
            self._outbox.close()
        if self._record is not None:
            self._record.let_go()
        if self._lock is not None:
            self._lock.free()

    def _has_work(self) -> bool:
        return self._status.status != "ok" or len(self._line) > 0 or self._closing

    def _more_than(self, known: int) -> Callable[[], bool]:
        return lambda: self._closing or len(self._line) > known

    def _try_once(self) -> bool:
        """One step: opens the record, stores a batch. False when that failed."""
        try:
            if self._record is None:
                self._record = self._opened()
            self._store_some(self._record)
            self._add_notes(self._record)
        except RecordError as error:
            self._line.spool_all()
            self._change(WriterState("failing", error.sentence, error.advice))
            return False
        except Exception as error:
            # A defect must not end the thread silently: it is shown, and tried again.
            _log.exception("Storing entries failed")
            self._line.spool_all()
            problem = record_error("failed", self._line.folder, repr(error))
            self._change(WriterState("failing", problem.sentence, problem.advice))
            return False
        self._change(WriterState("ok"))
        return True

    def _opened(self) -> Record:
        record = self._open_record()
        for round_id in self._left_rounds:
            record.skip_round_id(round_id)
        if self._server is not None:
            self._outbox = Outbox(record, self._server)
        return record

    def _store_some(self, record: Record) -> None:
        ready = self._line.first(_BATCH)
        if not ready:
            return
        try:
            entries = record.append_drafts([draft for _waiting, draft in ready])
        except RecordError:
            raise
        except Exception:
            # One of them may be at fault: the first alone tells.
            _log.exception("A batch of %d entries was refused", len(ready))
            ready = ready[:1]
            try:
                entries = record.append_drafts([ready[0][1]])
            except RecordError:
                raise
            except Exception:
                self._line.refuse(*ready[0])
                return
        # Whoever is told that an entry is stored may ask next how the record stands.
        self._change(WriterState("ok"))
        for (waiting, _draft), entry in zip(ready, entries, strict=True):
            waiting.forget_file()
            self._line.take_out(waiting)
            waiting.stored(entry)

    def _add_notes(self, record: Record) -> None:
        """Says in the record itself what was lost, and which rounds of an earlier run, known only
        from the spool, have no end."""
        if len(self._line):
            return
        lost = self._line.lost - self._lost_noted
        if lost:
            record.append("fault", None, {"what": "entries-lost", "count": lost})
            self._lost_noted += lost
        if self._left_rounds:
            record.mark_unfinished(self._left_rounds)
            self._left_rounds = set()

    def _change(self, status: WriterState) -> None:
        with self._wake:
            before, self._status = self._status, status
            self._wake.notify_all()
        if before == status:
            return
        if status.status == "failing":
            _log.error("%s; %s. %d entries wait.", status.sentence, status.advice, len(self._line))
        elif before.status == "failing":
            _log.info("The record is written again.")
        if self._on_change is not None:
            self._on_change(self.state)
