"""The line of entries on their way into the record: in memory, in the spool, or both.

Used by one storing thread; other threads only `add` and look at the counts.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, replace
from pathlib import Path

from kiosk.record import spool
from kiosk.record.chain import Entry
from kiosk.record.draft import Draft
from kiosk.record.errors import RecordError, record_error
from kiosk.record.spool import Spool

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What may wait in memory when not even the spool can be written, and how often to retry."""

    entries: int = 10_000
    picture_bytes: int = 64 * 1024 * 1024
    retry_seconds: float = 1.0


@dataclass(slots=True)
class Waiting:
    """One entry: in memory (``draft``) or in the spool (``path``)."""

    future: Future[Entry]
    draft: Draft | None
    path: Path | None = None
    this_run: bool = True

    @property
    def picture_bytes(self) -> int:
        """Bytes of pictures held in memory."""
        return sum(len(picture.jpeg) for picture in self.draft.pictures) if self.draft else 0

    def forget_file(self) -> None:
        """The entry is durable, its file in the spool not needed any more."""
        if self.path is not None:
            # Left behind it would be stored again, which its token makes harmless.
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def stored(self, entry: Entry) -> None:
        """The entry is durable: its future is done."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_result(entry)

    def failed(self, error: RecordError) -> None:
        """It will not be stored in this run."""
        with contextlib.suppress(InvalidStateError):
            self.future.set_exception(error)


class WaitingLine:
    """First in, first out. Begins with what an earlier run left in the spool."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.lost = 0
        self.pictures_lost = 0
        self.folder = folder
        self._limits = limits
        self._spool = Spool(folder)
        self._lock = threading.Lock()
        self._line = deque(
            Waiting(Future(), None, path, this_run=False) for path in self._spool.left()
        )

    def __len__(self) -> int:
        return len(self._line)

    def add(self, draft: Draft) -> Future[Entry]:
        """Puts a draft at the end."""
        waiting = Waiting(Future(), draft)
        with self._lock:
            self._line.append(waiting)
        return waiting.future

    def first(self, count: int) -> list[tuple[Waiting, Draft]]:
        """Up to ``count`` entries from the front, without taking them out, each with its draft.

        Files of the spool that are damaged are set aside and counted as lost.
        """
        with self._lock:
            batch = [self._line[index] for index in range(min(count, len(self._line)))]
        ready = []
        for waiting in batch:
            draft = self._draft_of(waiting)
            if draft is not None:
                ready.append((waiting, draft))
        return ready

    def take_out(self, waiting: Waiting) -> None:
        """Removes one entry (near the front)."""
        with self._lock, contextlib.suppress(ValueError):
            self._line.remove(waiting)

    def rounds_left(self) -> set[str]:
        """The rounds of the entries that an earlier run left."""
        with self._lock:
            old = [waiting for waiting in self._line if not waiting.this_run]
        rounds = set()
        for waiting in old:
            if waiting.path is not None:
                with contextlib.suppress(OSError, ValueError):
                    rounds.add(spool.load(waiting.path, this_run=False).round_id or "")
        return rounds - {""}

    def is_kept(self) -> bool:
        """Whether everything that waits is at least in the spool."""
        with self._lock:
            return all(waiting.path is not None for waiting in self._line)

    def spool_all(self) -> None:
        """Brings what waits in memory into the spool; what finds no room there stays in memory,
        bounded: first pictures are given up, oldest first, then the newest entries."""
        with self._lock:
            held = [waiting for waiting in self._line if waiting.path is None]
        for waiting in held:
            if waiting.draft is None:
                continue
            try:
                waiting.path = self._spool.put(waiting.draft)
            except (OSError, RecordError):
                break
            waiting.draft = None
        self._bound_memory([waiting for waiting in held if waiting.path is None])

    def lose(self, waiting: Waiting) -> None:
        """Gives an entry up, and says so."""
        self.take_out(waiting)
        self.lost += 1
        waiting.failed(record_error("lost", self._spool.folder))

    def refuse(self, waiting: Waiting, draft: Draft) -> None:
        """Sets aside an entry that the record can never take, so that the others can go on."""
        try:
            self._spool.set_aside(waiting.path or self._spool.put(draft))
        except (OSError, RecordError) as error:
            _log.error("A refused entry could not be set aside: %s", error)
        self.lose(waiting)

    def abandon(self) -> None:
        """At the end of a run: what is in the spool is stored by the next one."""
        with self._lock:
            left = list(self._line)
        for waiting in left:
            if waiting.path is None:
                self.lost += 1
            waiting.failed(record_error("stopped", self._spool.folder))

    def _draft_of(self, waiting: Waiting) -> Draft | None:
        if waiting.draft is not None or waiting.path is None:
            return waiting.draft
        try:
            return spool.load(waiting.path, this_run=waiting.this_run)
        except (OSError, ValueError) as error:
            _log.error("A waiting entry cannot be read: %s", error)
        try:
            self._spool.set_aside(waiting.path)
        except OSError as error:
            _log.error("It cannot be set aside: %s", error)
        self.lose(waiting)
        return None

    def _bound_memory(self, held: list[Waiting]) -> None:
        for waiting in held[self._limits.entries :]:
            self.lose(waiting)
        held = held[: self._limits.entries]
        size = sum(waiting.picture_bytes for waiting in held)
        for waiting in held:
            draft = waiting.draft
            if size > self._limits.picture_bytes and draft is not None and draft.pictures:
                size -= waiting.picture_bytes
                count = len(draft.pictures)
                payload = dict(draft.payload) | {"pictures_lost": count}
                waiting.draft = replace(draft, payload=payload, pictures=())
                self.pictures_lost += count
