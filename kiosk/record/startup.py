"""What is looked at when a record is opened for writing, and what is noted about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from kiosk.record import heads, store
from kiosk.record.chain import Entry, fault_of, genesis
from kiosk.record.clock import Moment, parse_time
from kiosk.record.draft import Draft
from kiosk.record.errors import record_error
from kiosk.record.hands import Hand
from kiosk.record.heads import HeadFiles, Key

TAIL_CHECK = 200
"""How many of the newest entries are checked at each start."""

INTEGRITY_FAULTS = {
    "tail-cut": "entries were missing at its end when the kiosk started",
    "head-lost": "the file with its newest head was gone when the kiosk started",
    "head-damaged": "the file with its newest head was damaged when the kiosk started",
    "key-lost": "the signing key was gone when the kiosk started, and a new one was made",
    "chain-broken": "an entry near its end did not fit when the kiosk started",
}
"""Faults noted at a start (``payload.what`` of a *fault* entry) that `verify` does not forgive."""


def chain_faults(
    connection: Connection, kiosk: str, last: Entry | None, path: Path
) -> list[dict[str, Any]]:
    """A *chain-broken* fault when the newest entries do not hold together.

    Raises RecordError ``corrupt`` when not even a number for the next entry can be told.
    """
    if last is None:
        return []
    if not isinstance(last.seq, int) or not isinstance(last.hash, str):
        raise record_error("corrupt", path, "the newest entry has no number")
    start = max(0, last.seq - TAIL_CHECK)
    entries = store.page(connection, kiosk, start - 1, TAIL_CHECK + 1)
    before = None
    if start > 0 and entries and entries[0].seq == start:
        before = entries.pop(0)
    for entry in entries:
        fault = fault_of(entry, before)
        if fault is not None:
            return [{"what": "chain-broken", "seq": entry.seq, "fault": fault}]
        before = entry
    return []


def key_of(data: Path, last: Entry | None) -> tuple[Key, list[dict[str, Any]]]:
    """The signing key; a new one where there is none, with a fault when there had been one."""
    key = heads.load_key(data)
    if key is not None:
        return key, []
    key = heads.make_key(data)
    return key, [] if last is None else [{"what": "key-lost", "key_id": key.id}]


def head_faults(
    files: HeadFiles,
    last: Entry | None,
    day_heads: list[heads.Head],
    entry_at: Callable[[int], Entry | None],
    first_head: heads.Head,
) -> list[dict[str, Any]]:
    """Compares the head files with the chain before they are written anew, so that a cut tail
    stays noted in the record for ever. Adds day heads that a crash kept from the file, and writes
    ``first_head`` before there is any entry, so that a missing file is always a finding."""
    try:
        newest, days = files.newest(), files.days()
    except ValueError:
        return [{"what": "head-damaged"}]
    noted = max((head.seq for head in days), default=0)
    files.add_days([head for head in day_heads if head.seq > noted])
    if newest is None:
        if last is not None:
            return [{"what": "head-lost"}]
        files.write_newest(first_head)
        return []
    if newest.seq == 0 and newest.hash == genesis(newest.kiosk):
        return []
    there = entry_at(newest.seq)
    if there is not None and there.hash == newest.hash:
        return []
    cut = {"what": "tail-cut", "seq": newest.seq, "hash": newest.hash, "day": newest.day}
    return [cut | {"signature": newest.signature, "key_id": newest.key_id}]


def clock_faults(last: Entry | None, now: Moment) -> list[Draft]:
    """A *clock-step* when the newest entry lies in the future."""
    try:
        ahead = last is not None and parse_time(last.time) - now.utc
    except (TypeError, ValueError):
        return []
    if last is None or not ahead or ahead.total_seconds() <= 0:
        return []
    payload = {"seconds": -ahead.total_seconds(), "before": last.time}
    return [Draft("clock-step", None, payload, now)]


def unfinished(open_hands: Iterable[Hand], now: Moment) -> list[Draft]:
    """An *unfinished* entry for each hand: its state is kept, and that nothing ended it is said."""
    return [
        Draft("unfinished", hand.id, {"state": hand.state, "last_seq": hand.last_seq}, now)
        for hand in open_hands
    ]
