"""Putting drafts at the end of the chain, inside one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import Connection

from kiosk.record import store
from kiosk.record.canonical import canonical
from kiosk.record.chain import Entry, genesis, seal
from kiosk.record.clock import Moment, clock_step, local_day
from kiosk.record.draft import Draft
from kiosk.record.heads import Head, Key


@dataclass(frozen=True, slots=True)
class Linked:
    """What the transaction added: the entry of each draft in order (for a repeated draft the one
    stored before), the heads of days that are over now, the newest entry of the chain."""

    entries: tuple[Entry, ...]
    finished_days: tuple[Head, ...]
    newest: Entry | None


def link(
    connection: Connection,
    kiosk: str,
    drafts: Sequence[tuple[Draft, str]],
    before: Moment | None,
    key: Key,
) -> Linked:
    """Adds the drafts, each with its payload in canonical form; *clock-step* entries go between
    where the wall clock jumped since ``before`` (the moment of the last entry of this run)."""
    last = first = store.last_entry(connection, kiosk)
    entries: list[Entry] = []
    added: list[Entry] = []
    for draft, text in drafts:
        known = store.entry_with_token(connection, kiosk, draft.token)
        if known is not None:
            entries.append(known)
            continue
        step = _step_note(before, draft)
        for item, item_text in (*([step] if step else []), (draft, text)):
            last = _seal(kiosk, item, item_text, last)
            store.insert_entry(connection, last)
            added.append(last)
        entries.append(added[-1])
        before = draft.moment if draft.this_run else before
    days = _finished_days([*([first] if first else []), *added], key)
    for head in days:
        store.insert_day_head(connection, head)
    return Linked(tuple(entries), days, last)


def _step_note(before: Moment | None, draft: Draft) -> tuple[Draft, str] | None:
    step = None if before is None or not draft.this_run else clock_step(before, draft.moment)
    if step is None or before is None:
        return None
    payload = {"seconds": step.total_seconds(), "before": before.text}
    return Draft("clock-step", None, payload, draft.moment), canonical(payload)


def _seal(kiosk: str, draft: Draft, text: str, last: Entry | None) -> Entry:
    return seal(
        kiosk=kiosk,
        seq=1 if last is None else last.seq + 1,
        token=draft.token,
        time=draft.moment.text,
        offset_minutes=draft.moment.offset_minutes,
        synchronised=draft.moment.synchronised,
        monotonic_us=draft.moment.monotonic_us,
        kind=draft.kind,
        round_id=draft.round_id,
        payload_text=text,
        previous=genesis(kiosk) if last is None else last.hash,
    )


def _finished_days(chain: Sequence[Entry], key: Key) -> tuple[Head, ...]:
    """Heads of the entries after which another day begins (each link is looked at only once)."""
    return tuple(
        key.sign(earlier)
        for earlier, later in pairwise(chain)
        if _day(earlier) not in ("", _day(later))
    )


def _day(entry: Entry) -> str:
    try:
        return local_day(entry.time, entry.offset_minutes)
    except (TypeError, ValueError):
        # A damaged entry has no day; verify names it.
        return ""
