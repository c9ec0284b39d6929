"""Checking the chains of many kiosks on a pit's server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection

from kiosk.record import store
from kiosk.record.findings import MAX_FINDINGS, Chain, Finding, VerifyReport
from kiosk.record.verify import newest_heads, walk
from kiosk.record.verify_lists import check_derived, check_strangers


class Readable(Protocol):
    """Where a record is read from."""

    def reading(self) -> AbstractContextManager[Connection]:
        """One consistent view. Raises RecordError."""


def verify_chains(source: Readable, *, known_heads: Sequence[str] = ()) -> VerifyReport:
    """Checks the chains and lists of all kiosks on a pit's server. Head files and pictures lie on
    the kiosks and are checked there; ``known_heads`` as for `verify`."""
    unknown = set(known_heads)
    chains: list[Chain] = []
    with source.reading() as connection:
        for kiosk in store.kiosks(connection):
            chain = Chain(kiosk)
            walk(connection, chain, unknown)
            if chain.whole:
                check_derived(connection, chain)
            chains.append(chain)
        strangers = check_strangers(connection, [chain.kiosk for chain in chains])
    findings = [finding for chain in chains for finding in chain.findings] + strangers
    findings += [
        Finding("", None, "head", f"no entry has the hash {head} noted elsewhere")
        for head in sorted(unknown)
    ]
    return VerifyReport(
        entries=sum(chain.length for chain in chains),
        pictures=0,
        findings=tuple(findings[:MAX_FINDINGS]),
        newest=tuple(newest_heads(chains, None)),
        days=(),
    )
