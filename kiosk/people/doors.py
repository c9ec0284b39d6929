"""Signing in and out: names with passwords, persons with PINs, sessions, and the first admin."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, insert

from kiosk.people import accounts, hashing, locks, sessions, tables
from kiosk.people.accounts import Person
from kiosk.people.approvals import Approvals, SetupCode
from kiosk.people.database import Database, PeopleError
from kiosk.people.roles import Role
from kiosk.people.sessions import Session, Via

COMMAND_LINE = "command-line"
"""Who acts when an account is changed on the command line."""


class Doors:
    """The ways in, of ``People``. Every method raises PeopleError for what cannot be done.

    ``address``: where the request comes from, ``locks.AT_KIOSK`` for the kiosk itself.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self.approvals = Approvals(clock)
        self.setup = SetupCode()

    def first_admin(self, code: str, name: str, password: str, address: str) -> Person:
        """Makes the first admin for who knows the set-up code shown on the terminal."""
        with self._database.writing() as connection:
            locks.begin_try(connection, (f"setup:{address}",), self._now())
        if not self.setup.fits(code):
            raise PeopleError("wrong", "This is not the code shown on the terminal.", 403)
        kept = accounts.clean_name(name)
        hashed = hashing.hash_password(password, kept)
        with self._database.writing() as connection:
            # Looked at under the write lock: two at the same time make one admin.
            if accounts.admins(connection):
                raise PeopleError("set-up", "The kiosk is set up already.")
            person = accounts.create(connection, kept, Role.ADMIN, hashed, None, self._now())
            locks.succeed(connection, (f"setup:{address}",))
            self._note(connection, None, "first-admin", person.id, "")
        self.setup.spend()
        return person

    def check_password(self, name: str, password: str, address: str) -> Person:
        """The person whose name and password these are. PeopleError ``wrong`` or ``locked``."""
        with self._database.writing() as connection:
            row = accounts.by_name(connection, name[:200])
            # Also names that nobody has are counted, so that a lock does not tell who exists.
            unknown = f"?{sessions.hashed(accounts.key_of(name[:200]))[:32]}"
            account = account_key(row.id if row else unknown)
            keys = (account, locks.address_key(address))
            locks.begin_try(connection, keys, self._now())
        if not hashing.fits(row.password_hash if row else None, password):
            raise PeopleError("wrong", "Name or password is wrong.", 403)
        return self._succeeded(row.id, keys)

    def check_pin(self, person_id: str, pin: str, address: str) -> Person:
        """The person whose PIN it is. PeopleError ``wrong`` or ``locked``."""
        with self._database.writing() as connection:
            row = accounts.by_id(connection, person_id[:16])
            known = row is not None and row.erased is None
            account = pin_key(row.id if known else "?")
            keys = (account, locks.address_key(address))
            count = locks.begin_try(connection, keys, self._now(), of=account)
        if known and count > locks.PIN_DEAD_AFTER:
            raise PeopleError(
                "locked", "This PIN was tried wrongly too often: have a new one set.", 429
            )
        if not hashing.fits(row.pin_hash if known else None, pin):
            raise PeopleError("wrong", "The PIN is wrong.", 403)
        return self._succeeded(row.id, keys)

    def sign_in(self, person: Person, via: Via, old_token: str | None = None) -> str:
        """A new session (never a known token, so that none can be planted). Returns its token."""
        with self._database.writing() as connection:
            if old_token:
                sessions.end(connection, old_token)
            return sessions.begin(connection, person, via, self._now())

    def session(self, token: str, *, used: bool = True) -> Session | None:
        """The session of a browser's token, None when it is over. ``used``: it goes on living."""
        now = self._now()
        with self._database.reading() as connection:
            found = sessions.find(connection, token[:100], now)
        if found is None:
            return None
        session, seen = found
        if used and abs(now - seen) >= sessions.SEEN_EVERY_S:
            with self._database.writing() as connection:
                sessions.touch(connection, session.token_hash, now)
        return session

    def sign_out(self, token: str) -> None:
        """Ends the session on the server."""
        with self._database.writing() as connection:
            sessions.end(connection, token[:100])

    def _now(self) -> int:
        return int(self._clock())

    def _succeeded(self, person_id: str, keys: tuple[str, ...]) -> Person:
        with self._database.writing() as connection:
            locks.succeed(connection, keys)
            return accounts.person_of(accounts.by_id(connection, person_id))

    def _note(
        self,
        connection: Connection,
        actor: Session | None,
        what: str,
        whom: str | None,
        detail: str,
    ) -> None:
        connection.execute(
            insert(tables.deeds).values(
                time=self._now(),
                who=COMMAND_LINE if actor is None else actor.person.id,
                what=what,
                whom=whom,
                detail=detail,
            )
        )


def account_key(person_id: str) -> str:
    return f"account:{person_id}"


def pin_key(person_id: str) -> str:
    return f"pin:{person_id}"
