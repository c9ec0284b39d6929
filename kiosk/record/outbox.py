"""Sending a kiosk's entries to the pit's server, whenever it can be reached.

The kiosk's own record is the outbox: what the server does not have yet follows, in order, from the
number of its newest entry of this kiosk. Nothing has to be remembered here, so nothing can be
forgotten: an entry is sent until the server has it, and the server takes each (kiosk, number)
once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from sqlalchemy import Connection

from kiosk.record import store
from kiosk.record.canonical import canonical
from kiosk.record.chain import Entry
from kiosk.record.errors import RecordError, record_error
from kiosk.record.reading import RecordReader
from kiosk.record.server import ServerDatabase, be_present, lock, open_server

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OutboxLimits:
    """Seconds between looks for new entries, longest pause between attempts to reach the server,
    how many entries go into one transaction, and seconds between signs of life."""

    poll_seconds: float = 0.5
    longest_pause: float = 15.0
    batch: int = 200
    present_seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class OutboxState:
    """``status`` is ``starting``, ``ok`` or ``failing``; while failing ``sentence`` and ``advice``
    say why. ``sent`` is the number of the newest entry that the server has, ``waiting`` how many
    follow it here."""

    status: str
    sentence: str = ""
    advice: str = ""
    sent: int = 0
    waiting: int = 0


class Outbox:
    """Sends in a thread of its own until it is closed."""

    def __init__(
        self, record: RecordReader, address: str, limits: OutboxLimits | None = None
    ) -> None:
        self._record = record
        self._address = address
        self._limits = limits or OutboxLimits()
        self._state = OutboxState("starting")
        self._wake = threading.Condition()
        self._closing = False
        self._server: ServerDatabase | None = None
        self._note = "{}"
        self._told_at = float("-inf")
        self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
        self._thread.start()

    @property
    def state(self) -> OutboxState:
        """How it stands."""
        return self._state

    def tell(self, note: Mapping[str, Any]) -> None:
        """What the pit's page is to know of this kiosk now besides its entries (plain data)."""
        self._note = canonical(dict(note))

    def wait_until_sent(self, seq: int, timeout: float) -> bool:
        """Whether the server has entry ``seq`` within ``timeout`` seconds."""
        with self._wake:
            return self._wake.wait_for(lambda: self._state.sent >= seq, timeout)

    def close(self, timeout: float = 10.0) -> None:
        """Stops sending; what waits is sent by the next start."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        self._thread.join(timeout)

    def _run(self) -> None:
        pause = self._limits.poll_seconds
        while not self._closing:
            try:
                count = self._send()
            except RecordError as error:
                self._drop_server()
                self._change("failing", error.sentence, error.advice)
                self._sleep(pause)
                pause = min(pause * 2, self._limits.longest_pause)
                continue
            except Exception as error:
                # A defect must not end the thread silently.
                _log.exception("Sending entries failed")
                self._drop_server()
                problem = record_error("server", self._record.kiosk, repr(error))
                self._change("failing", problem.sentence, problem.advice)
                self._sleep(self._limits.longest_pause)
                continue
            pause = self._limits.poll_seconds
            if count < self._limits.batch:
                self._sleep(self._limits.poll_seconds)
        self._drop_server()

    def _send(self) -> int:
        """Sends one batch; returns how many entries it held."""
        if self._server is None:
            self._server = open_server(self._address)
        kiosk = self._record.kiosk
        with self._server.writing() as connection:
            # Two senders under one name would meet in the middle of a batch.
            lock(connection, crc32(kiosk.encode()))
            last = store.last_entry(connection, kiosk)
            self._check_same(last, self._server.name)
            sent = 0 if last is None else last.seq
            batch = self._record.entries_after(sent, self._limits.batch)
            _insert(connection, batch)
            sent = batch[-1].seq if batch else sent
            waiting = max(0, self._record.newest_seq() - sent)
            if time.monotonic() - self._told_at >= self._limits.present_seconds:
                be_present(connection, kiosk, waiting, self._note)
                self._told_at = time.monotonic()
        self._change("ok", "", "", sent=sent, waiting=waiting)
        return len(batch)

    def _check_same(self, last: Entry | None, name: str) -> None:
        if last is None:
            return
        mine = self._record.entry(last.seq)
        if mine is None:
            raise record_error("diverged", name, f"entry {last.seq} is not here")
        if mine.hash != last.hash:
            raise record_error("diverged", name, f"entry {last.seq} is another one here")

    def _drop_server(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _sleep(self, seconds: float) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._closing, seconds)

    def _change(
        self,
        status: str,
        sentence: str,
        advice: str,
        sent: int | None = None,
        waiting: int | None = None,
    ) -> None:
        before = self._state
        sent = before.sent if sent is None else sent
        if waiting is None:
            try:
                waiting = max(0, self._record.newest_seq() - sent)
            except RecordError:
                waiting = before.waiting
        with self._wake:
            self._state = OutboxState(status, sentence, advice, sent, waiting)
            self._wake.notify_all()
        if (before.status, before.sentence) != (status, sentence):
            level = logging.WARNING if status == "failing" else logging.INFO
            _log.log(level, "Record server: %s %s", status, sentence)


def _insert(connection: Connection, batch: list[Entry]) -> None:
    for entry in batch:
        store.insert_entry(connection, entry)
