"""Checking the whole record: the chain, its heads, the searchable tables, the pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from kiosk.record import heads, pictures, store
from kiosk.record.chain import Entry, fault_of, genesis
from kiosk.record.clock import local_day
from kiosk.record.database import Database
from kiosk.record.errors import RecordError, from_database_error
from kiosk.record.findings import MAX_FINDINGS, Chain, Finding, VerifyReport
from kiosk.record.heads import Head, HeadFiles, Key
from kiosk.record.startup import INTEGRITY_FAULTS
from kiosk.record.tables import events
from kiosk.record.tables import pictures as pictures_table
from kiosk.record.verify_lists import check_derived, check_strangers

_HANGING = ("derived", "picture")


@dataclass(frozen=True, slots=True)
class _Files:
    """The head files of one kiosk, as read before the entries were."""

    newest: Head | None
    days: tuple[Head, ...]
    damaged: bool


def verify(database: Database, data: Path, *, known_heads: Sequence[str] = ()) -> VerifyReport:
    """Checks the record in ``database`` with the files in ``data``.

    ``known_heads`` are hashes noted elsewhere earlier; each must be in the chain. A kiosk may go
    on writing meanwhile. Raises RecordError only when the record cannot be read at all.
    """
    # Heads first: they may lag behind the entries read after them, never run ahead.
    files = {kiosk: _read_files(data, kiosk) for kiosk in heads.kiosks_with_heads(data)}
    key, key_fault = _read_key(data)
    chains: list[Chain] = []
    findings: list[Finding] = []
    unknown = set(known_heads)
    with database.reading() as connection:
        for kiosk in sorted({*store.kiosks(connection), *files}):
            mine = files.get(kiosk, _Files(None, (), damaged=False))
            chains.append(_check_kiosk(connection, database.path, kiosk, mine, key, unknown))
        findings += _check_rest(connection, database.path, [chain.kiosk for chain in chains])
    for chain in chains:
        _check_pictures(database, chain, data / pictures.FOLDER)
        findings += chain.findings
    if key_fault and any(chain.length for chain in chains):
        findings.append(Finding("", None, "key", key_fault))
    for head in sorted(unknown):
        findings.append(Finding("", None, "head", f"no entry has the hash {head} noted elsewhere"))
    # The chain before what hangs on it; an entry moved to a kiosk that never was, at its own.
    findings.sort(
        key=lambda f: (f.seq is None, f.what in _HANGING, f.kiosk not in files, f.seq or 0)
    )
    return VerifyReport(
        entries=sum(chain.length for chain in chains),
        pictures=sum(len(chain.pictures) for chain in chains),
        findings=tuple(findings[:MAX_FINDINGS]),
        newest=tuple(newest_heads(chains, key)),
        days=tuple(head for chain in chains for head in chain.days),
    )


def _check_kiosk(
    connection: Connection,
    path: Path,
    kiosk: str,
    files: _Files,
    key: Key | None,
    unknown: set[str],
) -> Chain:
    chain = Chain(kiosk)
    try:
        chain.days = store.load_day_heads(connection, kiosk)
        signed = (*chain.days, *files.days, *([files.newest] if files.newest else []))
        chain.wanted = {head.seq for head in signed}
        walk(connection, chain, unknown)
        _check_heads(chain, files, key)
        if chain.whole:
            check_derived(connection, chain)
    except DBAPIError as error:
        chain.whole = False
        seq = chain.length + 1
        reason = from_database_error(error, path).sentence
        chain.note(seq, "damaged", f"entry {seq} of {kiosk} or its lists cannot be read: {reason}")
    return chain


def _check_rest(connection: Connection, path: Path, kiosks: Sequence[str]) -> list[Finding]:
    """What belongs to none of the chains, and the file as a whole."""
    found: list[Finding] = []
    try:
        found = check_strangers(connection, kiosks)
        result = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    except DBAPIError as error:
        result = from_database_error(error, path).sentence
    if result != "ok":
        found.append(Finding("", None, "damaged", f"the file {path} is damaged: {result}"))
    return found


def newest_heads(chains: Sequence[Chain], key: Key | None) -> Iterator[Head]:
    for chain in chains:
        if chain.newest is not None:
            entry = chain.newest
            day = local_day(entry.time, entry.offset_minutes)
            yield key.sign(entry) if key else Head(entry.kiosk, entry.seq, day, entry.hash, "", "")


def _read_files(data: Path, kiosk: str) -> _Files:
    files = HeadFiles(data, kiosk)
    try:
        return _Files(files.newest(), tuple(files.days()), damaged=False)
    except (ValueError, RecordError):
        return _Files(None, (), damaged=True)


def _read_key(data: Path) -> tuple[Key | None, str]:
    try:
        key = heads.load_key(data)
    except RecordError as error:
        return None, f"the heads cannot be checked: {error.sentence}"
    return key, "" if key else f"the heads cannot be checked: {heads.key_path(data)} is missing"


def walk(connection: Connection, chain: Chain, unknown: set[str]) -> None:
    """Follows the chain to its end or to the first entry that does not fit; takes the hashes it
    meets out of ``unknown``."""
    query = select(events).where(events.c.kiosk == chain.kiosk).order_by(events.c.seq)
    try:
        for entry in store.stream(connection, query):
            if not _step(chain, entry, unknown):
                chain.whole = False
                return
    except DBAPIError:
        # Many rows are read at once: one by one they lead to the one that cannot be read.
        while page := store.page(connection, chain.kiosk, chain.length, 1):
            if not _step(chain, page[0], unknown):
                chain.whole = False
                return


def _step(chain: Chain, entry: Entry, unknown: set[str]) -> bool:
    fault = fault_of(entry, chain.newest)
    if fault is not None:
        seq = chain.length + 1
        chain.note(seq, "chain", f"entry {seq} of {chain.kiosk}: {fault}")
        return False
    if chain.newest is not None and _day(chain.newest) != _day(entry):
        chain.day_ends.append(chain.newest)
    chain.newest = entry
    if entry.seq in chain.wanted:
        chain.hashes[entry.seq] = entry.hash
    unknown.discard(entry.hash)
    if entry.kind == "fault":
        noted = INTEGRITY_FAULTS.get(str(entry.payload.get("what")))
        if noted is not None:
            chain.note(entry.seq, "noted", f"entry {entry.seq} of {chain.kiosk} notes that {noted}")
    if entry.kind == "picture-deleted":
        for file in store.deleted_files(entry.payload):
            chain.pictures.pop(file, None)
    for picture in store.pictures_in(entry.payload):
        chain.pictures[picture["file"]] = (picture["sha256"], entry.seq)
    return True


def _day(entry: Entry) -> str:
    return local_day(entry.time, entry.offset_minutes)


def _check_heads(chain: Chain, files: _Files, key: Key | None) -> None:
    if files.damaged:
        chain.note(None, "head", f"the head files of {chain.kiosk} are damaged")
    elif files.newest is None:
        chain.note(None, "head", f"the file with the newest head of {chain.kiosk} is missing")
    else:
        _check_head(chain, files.newest, "newest head", key)
    for head in files.days:
        _check_head(chain, head, f"head of {head.day}", key)
    for head in chain.days:
        _check_head(chain, head, f"head of {head.day} (in the database)", key)
    signed = {head.seq for head in chain.days}
    for entry in chain.day_ends:
        if entry.seq not in signed:
            sentence = f"the head of {_day(entry)} of {chain.kiosk} is missing in the database"
            chain.note(entry.seq, "day-head", sentence)


def _check_head(chain: Chain, head: Head, name: str, key: Key | None) -> None:
    name = f"the {name} of {chain.kiosk}"
    if head.kiosk != chain.kiosk or (key is not None and not key.made(head)):
        chain.note(None, "head", f"{name} is not signed by this kiosk's key")
    elif head.seq == 0:
        if head.hash != genesis(chain.kiosk):
            chain.note(None, "head", f"{name} does not fit")
    elif head.seq > chain.length:
        if chain.whole:
            seq = chain.length + 1
            sentence = f"entry {seq} of {chain.kiosk} is missing: {name} is entry {head.seq}"
            chain.note(seq, "cut", sentence)
            chain.whole = False
    elif chain.hashes.get(head.seq) != head.hash:
        chain.note(head.seq, "head", f"entry {head.seq} of {chain.kiosk}: {name} has another hash")


def _check_pictures(database: Database, chain: Chain, folder: Path) -> None:
    for file, (sha256, seq) in chain.pictures.items():
        fault = pictures.fault_of_file(folder, file, sha256)
        if fault and not _deleted_meanwhile(database, chain, file):
            sentence = f"entry {seq} of {chain.kiosk}: its picture {file} {fault}"
            chain.note(seq, "picture", sentence)


def _deleted_meanwhile(database: Database, chain: Chain, file: str) -> bool:
    """Whether an entry that came after the walk says that the picture was deleted."""
    query = select(pictures_table.c.deleted_seq).where(
        pictures_table.c.kiosk == chain.kiosk, pictures_table.c.file == file
    )
    with database.reading() as connection:
        found = connection.scalars(query).all()
        if not found or any(seq is None or seq <= chain.length for seq in found):
            return False
        entries = [store.page(connection, chain.kiosk, seq - 1, 1) for seq in found]
    return all(page and file in store.deleted_files(page[0].payload) for page in entries)
