"""Entries of the record and the chain of hashes that holds them together. Pure.

The hash of an entry is SHA-256 over the canonical list of the format name and all its other
fields, the hash of the entry before among them; the payload goes in as the text that is stored.
The first entry of a kiosk points at a value made from the kiosk's name.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, fields
from typing import Any

from kiosk.record.canonical import CanonicalError, canonical, is_canonical, parse
from kiosk.record.clock import parse_time

FORMAT = "dealer-kiosk record/1"

KINDS = frozenset(
    """round-started cards-accepted bets-entered confirmed card-corrected answer revealed settled
    overruled dismissed held released voided undone round-finished fault unfinished picture-deleted
    clock-step rule-card opened closed""".split()
)
"""Every kind of entry."""

_KIOSK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TOKEN = re.compile(r"[0-9a-f]{32}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as it is stored.

    ``seq`` counts from 1 per kiosk without a gap, ``token`` makes storing it twice harmless,
    ``synchronised`` is 1, 0 or None (not known), ``payload_text`` canonical JSON.
    """

    kiosk: str
    seq: int
    token: str
    time: str
    offset_minutes: int
    synchronised: int | None
    monotonic_us: int
    kind: str
    round_id: str | None
    payload_text: str
    previous: str
    hash: str

    @property
    def payload(self) -> dict[str, Any]:
        """The payload as plain data, with Decimal for numbers that are not whole."""
        data: dict[str, Any] = parse(self.payload_text)
        return data

    def as_json(self) -> dict[str, Any]:
        """The entry as plain data, the payload opened."""
        data: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        del data["payload_text"]
        known = {None: None, 0: False, 1: True}
        return data | {"synchronised": known[self.synchronised], "payload": self.payload}


def is_kiosk_name(name: str) -> bool:
    """Whether the text can name a kiosk: letters, digits, ``. _ -``, at most 64."""
    return _KIOSK.fullmatch(name) is not None


def is_hash(value: object) -> bool:
    """Whether the value is a SHA-256 as the record writes it."""
    return _is_match(_HASH, value)


def genesis(kiosk: str) -> str:
    """What the first entry of this kiosk has as its previous hash."""
    return hashlib.sha256(canonical([FORMAT, "genesis", kiosk]).encode()).hexdigest()


def entry_hash(entry: Entry) -> str:
    """The hash that the entry must carry. Raises CanonicalError when a field is not plain data."""
    values = [getattr(entry, field.name) for field in fields(entry) if field.name != "hash"]
    return hashlib.sha256(canonical([FORMAT, *values]).encode()).hexdigest()


def seal(
    *,
    kiosk: str,
    seq: int,
    token: str,
    time: str,
    offset_minutes: int,
    synchronised: bool | None,
    monotonic_us: int,
    kind: str,
    round_id: str | None,
    payload_text: str,
    previous: str,
) -> Entry:
    """The entry with its hash. Raises CanonicalError when a field is not plain data."""
    known = None if synchronised is None else int(synchronised)
    bare = Entry(
        kiosk, seq, token, time, offset_minutes, known, monotonic_us, kind, round_id, payload_text,
        previous, "",
    )  # fmt: skip
    values = {field.name: getattr(bare, field.name) for field in fields(bare)}
    return Entry(**(values | {"hash": entry_hash(bare)}))


def fault_of(entry: Entry, before: Entry | None) -> str | None:
    """Why the entry cannot stand after ``before`` (None: as first), or None when it can.

    The sentence is complete but for naming the entry. Never raises, whatever the fields hold.
    """
    expected_seq = 1 if before is None else before.seq + 1
    if not _is_int(entry.seq) or entry.seq != expected_seq:
        return f"entry {expected_seq} is missing (the next one has the number {entry.seq!r})"
    shape = _bad_field(entry)
    if shape is not None:
        return f"its field {shape} does not have the form that the record writes"
    expected = genesis(entry.kiosk) if before is None else before.hash
    if entry.previous != expected:
        return "it does not point at the entry before it"
    try:
        right = entry_hash(entry)
    except CanonicalError as error:
        return f"its hash cannot be computed: {error}"
    return None if right == entry.hash else "its content does not fit its hash"


def _bad_field(entry: Entry) -> str | None:
    checks = {
        "kiosk": _is_match(_KIOSK, entry.kiosk),
        "token": _is_match(_TOKEN, entry.token),
        "time": _is_time(entry.time),
        "offset_minutes": _is_int(entry.offset_minutes),
        "synchronised": entry.synchronised is None
        or (_is_int(entry.synchronised) and entry.synchronised in (0, 1)),
        "monotonic_us": _is_int(entry.monotonic_us),
        "kind": isinstance(entry.kind, str),
        "round_id": entry.round_id is None or isinstance(entry.round_id, str),
        "payload": isinstance(entry.payload_text, str) and _is_object(entry.payload_text),
        "previous": _is_match(_HASH, entry.previous),
        "hash": _is_match(_HASH, entry.hash),
    }
    return next((name for name, good in checks.items() if not good), None)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_match(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(parse_time(value))
    except ValueError:
        return False


def _is_object(text: str) -> bool:
    return text.startswith("{") and is_canonical(text)
