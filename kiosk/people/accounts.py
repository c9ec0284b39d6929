"""The accounts: who there is, with which role. Plain values and the statements that change them."""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from kiosk.people.database import PeopleError
from kiosk.people.roles import Role
from kiosk.people.tables import people

LONGEST_NAME = 60
ID = re.compile(r"p-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Person:
    """One account. ``name``: None once erased; ``id`` is what every other room keeps."""

    id: str
    name: str | None
    role: Role
    has_password: bool
    has_pin: bool
    created: int
    erased: int | None = None


def person_of(row: Any) -> Person:
    """The person of a row of ``people``."""
    return Person(
        row.id,
        row.name,
        Role.of(row.role),
        row.password_hash is not None,
        row.pin_hash is not None,
        row.created,
        row.erased,
    )


def clean_name(name: str) -> str:
    """The name as it is kept. PeopleError for an empty, too long or unprintable one."""
    text = " ".join(unicodedata.normalize("NFKC", name).split())
    if not text or len(text) > LONGEST_NAME or not text.isprintable():
        raise PeopleError(
            "bad-name",
            "The name must have 1 to {most} printable characters.",
            400,
            most=LONGEST_NAME,
        )
    return text


def key_of(name: str) -> str:
    """What makes two names the same: case, width and spaces do not count."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def by_id(connection: Connection, person_id: str) -> Any:
    """The row, erased ones too; None when there is none."""
    return connection.execute(select(people).where(people.c.id == person_id)).first()


def by_name(connection: Connection, name: str) -> Any:
    """The row of that name, None when nobody has it."""
    return connection.execute(select(people).where(people.c.name_key == key_of(name))).first()


def create(
    connection: Connection,
    name: str,
    role: Role,
    password_hash: str | None,
    pin_hash: str | None,
    now: int,
) -> Person:
    """A new account. PeopleError when the name is taken."""
    kept = clean_name(name)
    if by_name(connection, kept) is not None:
        raise PeopleError("name-taken", "There already is a person named {name}.", name=kept)
    person_id = f"p-{secrets.token_hex(6)}"
    connection.execute(
        insert(people).values(
            id=person_id,
            name=kept,
            name_key=key_of(kept),
            role=role.word,
            password_hash=password_hash,
            pin_hash=pin_hash,
            created=now,
        )
    )
    return person_of(by_id(connection, person_id))


def change(connection: Connection, person_id: str, **values: Any) -> Person:
    """Changes columns of an account."""
    connection.execute(update(people).where(people.c.id == person_id).values(**values))
    return person_of(by_id(connection, person_id))


def admins(connection: Connection) -> int:
    """How many admins can sign in."""
    count = connection.scalar(
        select(func.count())
        .select_from(people)
        .where(
            people.c.role == Role.ADMIN.word,
            people.c.erased.is_(None),
            people.c.password_hash.is_not(None),
        )
    )
    return int(count or 0)
