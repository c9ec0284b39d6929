"""``People``: everything that is done with accounts, each call one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from kiosk.people import accounts, hashing, locks, sessions, tables
from kiosk.people.accounts import Person
from kiosk.people.database import FILE, Database, PeopleError
from kiosk.people.doors import Doors, account_key, pin_key
from kiosk.people.roles import Role, may_manage
from kiosk.people.sessions import Session


def open_people(data: Path, clock: Callable[[], float] = time.time) -> People:
    """The people of a data folder. The file is opened, or made, at the first use."""
    return People(Database(data / FILE), clock)


class People(Doors):
    """The accounts of one kiosk. Methods may be called from any thread.

    Every method raises PeopleError, with one clear line, for what cannot be done; kind
    ``storage`` when the database itself fails. ``actor``: the person who does it (None: the
    command line, which may all).
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        super().__init__(database, clock)
        self._admin_seen = False

    @property
    def exists(self) -> bool:
        """Whether the file is there; nothing is made by asking."""
        return self._database.path.exists()

    # Reading

    def has_admin(self) -> bool:
        """Whether an admin can sign in: before that the kiosk is not set up."""
        if not self._admin_seen:
            with self._database.reading() as connection:
                self._admin_seen = accounts.admins(connection) > 0
        return self._admin_seen

    def everybody(self) -> list[Person]:
        """All who are not erased, by name."""
        with self._database.reading() as connection:
            rows = connection.execute(
                select(tables.people)
                .where(tables.people.c.erased.is_(None))
                .order_by(tables.people.c.name_key)
            )
            return [accounts.person_of(row) for row in rows]

    def person(self, person_id: str) -> Person | None:
        """One person, erased ones too; None when there is none of that id."""
        with self._database.reading() as connection:
            row = accounts.by_id(connection, person_id)
        return None if row is None else accounts.person_of(row)

    def named(self, name: str) -> Person | None:
        """The person of that name; None when there is none."""
        with self._database.reading() as connection:
            row = accounts.by_name(connection, name)
        return None if row is None else accounts.person_of(row)

    def name_of(self, person_id: str | None) -> str | None:
        """The name behind an id of the record. None: unknown or erased."""
        if not person_id or not accounts.ID.fullmatch(person_id):
            return None
        found = self.person(person_id)
        return None if found is None else found.name

    def names(self) -> dict[str, str]:
        """Person id → name of all who are not erased."""
        return {person.id: person.name or "" for person in self.everybody()}

    def deeds(self, limit: int = 200) -> list[dict[str, Any]]:
        """What was done to accounts and settings, newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                select(tables.deeds).order_by(tables.deeds.c.seq.desc()).limit(limit)
            )
            return [dict(row._mapping) for row in rows]

    # Accounts

    def add(
        self,
        name: str,
        role: Role,
        *,
        password: str | None = None,
        pin: str | None = None,
        actor: Session | None = None,
    ) -> Person:
        """A new account with a password, a PIN or both."""
        self._with_password(actor)
        self._allow(actor, role)
        if not password and not pin:
            raise PeopleError("no-secret", "A person needs a password or a PIN.", 400)
        if role == Role.ADMIN and not password:
            raise PeopleError("no-secret", "An admin needs a password.", 400)
        kept = accounts.clean_name(name)
        hashed = hashing.hash_password(password, kept) if password else None
        pinned = hashing.hash_pin(pin, role) if pin else None
        with self._database.writing() as connection:
            person = accounts.create(connection, kept, role, hashed, pinned, self._now())
            self._note(connection, actor, "added", person.id, role.word)
        return person

    def set_role(self, person_id: str, role: Role, *, actor: Session | None = None) -> Person:
        """Gives another role; the person's sessions end. A short PIN goes with a higher role."""
        self._allow(actor, role)
        with self._database.writing() as connection:
            person = self._to_change(connection, person_id, actor)
            if role == person.role:
                return person
            if role == Role.ADMIN and not person.has_password:
                raise PeopleError("no-secret", "An admin needs a password: set one first.")
            self._keep_an_admin(connection, person)
            changes: dict[str, Any] = {"role": role.word}
            if hashing.PIN_DIGITS[role] > hashing.PIN_DIGITS[person.role]:
                changes["pin_hash"] = None
            sessions.end_all_of(connection, person.id)
            self._note(connection, actor, "role", person.id, f"{person.role.word} → {role.word}")
            return accounts.change(connection, person.id, **changes)

    def set_name(self, person_id: str, name: str, *, actor: Session | None = None) -> Person:
        """Gives another name, which may be a pseudonym."""
        kept = accounts.clean_name(name)
        with self._database.writing() as connection:
            person = self._to_change(connection, person_id, actor)
            other = accounts.by_name(connection, kept)
            if other is not None and other.id != person.id:
                raise PeopleError(
                    "name-taken", "There already is a person named {name}.", name=kept
                )
            self._note(connection, actor, "renamed", person.id, "")
            return accounts.change(connection, person.id, name=kept, name_key=accounts.key_of(kept))

    def set_password(
        self, person_id: str, password: str, *, actor: Session | None = None
    ) -> Person:
        """Sets a password; the person's sessions and locks end."""
        return self._set_secret(person_id, actor, password=password)

    def set_pin(self, person_id: str, pin: str, *, actor: Session | None = None) -> Person:
        """Sets a PIN; the person's sessions and locks end."""
        return self._set_secret(person_id, actor, pin=pin)

    def erase(self, person_id: str, *, actor: Session | None = None) -> None:
        """Takes away name, password, PIN and sessions for ever. The id stays as nobody's: what
        the record says of it remains true, and the id is never given to another."""
        with self._database.writing() as connection:
            person = self._to_change(connection, person_id, actor)
            self._keep_an_admin(connection, person)
            sessions.end_all_of(connection, person.id)
            locks.succeed(connection, (account_key(person.id), pin_key(person.id)))
            accounts.change(
                connection,
                person.id,
                name=None,
                name_key=None,
                password_hash=None,
                pin_hash=None,
                erased=self._now(),
            )
            self._note(connection, actor, "erased", person.id, person.role.word)
        self._database.scrub()

    def unlock(self, person_id: str, *, actor: Session | None = None) -> None:
        """Ends the lock that wrong tries have left on an account, and that of the kiosk itself."""
        with self._database.writing() as connection:
            person = self._to_change(connection, person_id, actor)
            keys = (account_key(person.id), pin_key(person.id), locks.KIOSK_KEY)
            locks.succeed(connection, keys)
            self._note(connection, actor, "unlocked", person.id, "")

    def note(self, who: Session | None, what: str, detail: str = "") -> None:
        """Notes what was done (to settings, for example); ``detail`` holds no name."""
        with self._database.writing() as connection:
            self._note(connection, who, what, None, detail)

    def sign_out_everywhere(self, person_id: str, *, actor: Session | None = None) -> None:
        """Ends all sessions of a person."""
        with self._database.writing() as connection:
            self._to_change(connection, person_id, actor)
            sessions.end_all_of(connection, person_id)
            self._note(connection, actor, "signed-out", person_id, "")

    def close(self) -> None:
        """Lets go of the file."""
        self._database.close()

    # Within

    def _set_secret(
        self,
        person_id: str,
        actor: Session | None,
        password: str | None = None,
        pin: str | None = None,
    ) -> Person:
        found = self.person(person_id)
        if found is None or found.erased is not None:
            raise PeopleError("not-found", "There is no such person.", 404)
        if password is not None:
            changes = {"password_hash": hashing.hash_password(password, found.name or "")}
        else:
            changes = {"pin_hash": hashing.hash_pin(pin or "", found.role)}
        with self._database.writing() as connection:
            person = self._to_change(connection, person_id, actor)
            if person.role != found.role:
                raise PeopleError("changed", "The person has changed meanwhile; try again.")
            sessions.end_all_of(connection, person.id)
            locks.succeed(connection, (account_key(person.id), pin_key(person.id)))
            what = "password" if password is not None else "pin"
            self._note(connection, actor, what, person.id, "")
            return accounts.change(connection, person.id, **changes)

    def _to_change(self, connection: Connection, person_id: str, actor: Session | None) -> Person:
        row = accounts.by_id(connection, person_id)
        if row is None or row.erased is not None:
            raise PeopleError("not-found", "There is no such person.", 404)
        person = accounts.person_of(row)
        self._with_password(actor)
        if actor is None or actor.person.id != person.id:
            self._allow(actor, person.role)
        return person

    @staticmethod
    def _with_password(actor: Session | None) -> None:
        if actor is not None and not actor.by_password:
            raise PeopleError("sign-in", "Sign in with your password for this.", 403)

    @staticmethod
    def _allow(actor: Session | None, of: Role) -> None:
        if actor is not None and not may_manage(actor.role, of):
            raise PeopleError("not-allowed", "You may not add or change people of this role.", 403)

    @staticmethod
    def _keep_an_admin(connection: Connection, person: Person) -> None:
        if person.role == Role.ADMIN and accounts.admins(connection) <= 1:
            raise PeopleError("last-admin", "This is the last admin: make another one first.")
