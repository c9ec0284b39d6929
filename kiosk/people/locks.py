"""Failed sign-ins: counted for each account and each address, with a lock that grows.

The kiosk itself is one address that many people share: it has more free tries and a short lock, so
that one person's wrong PINs keep no other from the table. What an account bears stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from kiosk.people.database import PeopleError
from kiosk.people.tables import failures

FREE_TRIES = 5
FIRST_LOCK_S = 30
LONGEST_LOCK_S = 15 * 60
AT_KIOSK = "kiosk"
"""Stands for the address of every request that comes from the kiosk itself."""

KIOSK_FREE_TRIES = 20
KIOSK_LONGEST_LOCK_S = 60
FORGET_S = 24 * 3600
"""Failures are forgotten when none came for so long."""

MOST_KEYS = 10_000
PIN_DEAD_AFTER = 30
"""Failures in a row after which a PIN must be set anew: slow guessing ends there."""


def address_key(address: str) -> str:
    return f"address:{address}"


KIOSK_KEY = address_key(AT_KIOSK)


def lock_of(count: int, key: str = "") -> int:
    """Seconds of the lock after ``count`` failures in a row, of the kiosk itself or of others.

    >>> [lock_of(n) for n in (4, 5, 6, 7, 30)]
    [0, 30, 60, 120, 900]
    >>> [lock_of(n, KIOSK_KEY) for n in (19, 20, 21, 30)]
    [0, 30, 60, 60]
    """
    free = KIOSK_FREE_TRIES if key == KIOSK_KEY else FREE_TRIES
    if count < free:
        return 0
    return min(_longest(key), FIRST_LOCK_S << min(count - free, 10))


def begin_try(connection: Connection, keys: Iterable[str], now: int, of: str | None = None) -> int:
    """Counts a failure in advance, for each key; returns the count of the key ``of``.

    Counted before the secret is looked at, so that guesses at the same time gain nothing; a right
    secret takes it back with ``succeed``. Raises PeopleError ``locked`` and counts nothing while
    one of the keys is locked.
    """
    wanted = list(keys)
    found = {
        row.key: row
        for row in connection.execute(select(failures).where(failures.c.key.in_(wanted)))
    }
    # A clock set back must not keep a lock for ever.
    waits = [min(row.until - now, _longest(row.key)) for row in found.values()]
    if any(wait > 0 for wait in waits):
        seconds = max(waits)
        raise PeopleError(
            "locked", "Too many wrong tries. Try again in {n} seconds.", 429, n=seconds
        )
    result = 0
    for key in wanted:
        row = found.get(key)
        fresh = row is None or now - row.last > FORGET_S
        count = 1 if fresh or row is None else row._mapping["count"] + 1
        result = count if key == of else result
        values = {"key": key, "count": count, "last": now, "until": now + lock_of(count, key)}
        connection.execute(
            insert(failures)
            .values(values)
            .on_conflict_do_update(index_elements=["key"], set_=values)
        )
    _bound(connection, now)
    return result


def succeed(connection: Connection, keys: Iterable[str]) -> None:
    """The secret was right: these keys begin anew."""
    connection.execute(delete(failures).where(failures.c.key.in_(list(keys))))


def _longest(key: str) -> int:
    return KIOSK_LONGEST_LOCK_S if key == KIOSK_KEY else LONGEST_LOCK_S


def _bound(connection: Connection, now: int) -> None:
    """Made-up names and many addresses must not fill the disk."""
    many = connection.scalar(select(func.count()).select_from(failures)) or 0
    if many <= MOST_KEYS:
        return
    connection.execute(delete(failures).where(failures.c.last < now - FORGET_S))
    oldest = select(failures.c.key).order_by(failures.c.last).limit(MOST_KEYS // 2)
    connection.execute(delete(failures).where(failures.c.until <= now, failures.c.key.in_(oldest)))
