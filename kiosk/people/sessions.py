"""Sessions: a random token at the person's browser, its hash here. They end by themselves."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, delete, insert, select, update

from kiosk.people.accounts import Person, by_id, person_of
from kiosk.people.roles import BY_PASSWORD, Role, may
from kiosk.people.tables import sessions

Via = Literal["password", "pin", "deal"]


@dataclass(frozen=True, slots=True)
class Kind:
    """How long sessions of one way of signing in last, in seconds, and the most they may do."""

    idle: int
    whole: int
    most: Role


KINDS: Mapping[str, Kind] = {
    "password": Kind(30 * 60, 12 * 3600, Role.ADMIN),
    "pin": Kind(10 * 60, 2 * 3600, Role.SUPERVISOR),
    "deal": Kind(4 * 3600, 12 * 3600, Role.TRAINEE),
}
"""``password``: signed in with it. ``pin``: at the kiosk itself; accounts and settings stay shut.
``deal``: who deals now, left open on the table for a shift."""

SEEN_EVERY_S = 30
"""How exactly the last use is kept: not each request needs a write."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody signed in. ``role``: what this session may do, at most the person's own role."""

    person: Person
    role: Role
    via: str
    csrf: str
    token_hash: str

    @property
    def by_password(self) -> bool:
        """Whether the password was given, not a mere PIN."""
        return self.via == "password"

    def may(self, right: str) -> bool:
        """Whether this session has the right. KeyError for an unknown right."""
        return may(self.role, right) and (self.by_password or right not in BY_PASSWORD)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def begin(connection: Connection, person: Person, via: Via, now: int) -> str:
    """A new session; returns the token, which is told to the browser and kept nowhere."""
    token = secrets.token_urlsafe(32)
    connection.execute(
        insert(sessions).values(
            token_hash=hashed(token),
            person_id=person.id,
            via=via,
            csrf=secrets.token_urlsafe(32),
            created=now,
            seen=now,
        )
    )
    tidy(connection, now)
    return token


def find(connection: Connection, token: str, now: int) -> tuple[Session, int] | None:
    """The session of a token and when it was last used, None when there is none any more."""
    found = connection.execute(
        select(sessions).where(sessions.c.token_hash == hashed(token))
    ).first()
    if found is None or _over(found.via, found.created, found.seen, now):
        return None
    row = by_id(connection, found.person_id)
    if row is None or row.erased is not None:
        return None
    person = person_of(row)
    role = min(person.role, KINDS[found.via].most)
    return Session(person, role, found.via, found.csrf, found.token_hash), found.seen


def _over(via: str, created: int, seen: int, now: int) -> bool:
    kind = KINDS.get(via)
    if kind is None or seen > now + 300:
        return True
    return now - seen > kind.idle or now - created > kind.whole


def touch(connection: Connection, token_hash: str, now: int) -> None:
    """The session is in use."""
    connection.execute(update(sessions).where(sessions.c.token_hash == token_hash).values(seen=now))


def end(connection: Connection, token: str) -> None:
    """Ends one session; harmless for a token that is none."""
    connection.execute(delete(sessions).where(sessions.c.token_hash == hashed(token)))


def end_all_of(connection: Connection, person_id: str) -> None:
    """Ends all sessions of a person."""
    connection.execute(delete(sessions).where(sessions.c.person_id == person_id))


def tidy(connection: Connection, now: int) -> None:
    """Sessions that are over go."""
    longest = max(kind.whole for kind in KINDS.values())
    connection.execute(delete(sessions).where(sessions.c.created < now - longest))
    for via, kind in KINDS.items():
        over = (sessions.c.via == via) & (sessions.c.seen < now - kind.idle)
        connection.execute(delete(sessions).where(over))


__all__ = ["KINDS", "SEEN_EVERY_S", "Session", "Via", "begin", "end", "end_all_of", "find", "touch"]
