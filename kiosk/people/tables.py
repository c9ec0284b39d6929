"""The tables of people. Times are whole seconds since 1970."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", Text),
    Column("name_key", Text, unique=True),
    Column("role", String(16), nullable=False),
    Column("password_hash", Text),
    Column("pin_hash", Text),
    Column("created", BigInteger, nullable=False),
    Column("erased", BigInteger),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person_id", String(16), ForeignKey("people.id"), nullable=False),
    Column("via", String(16), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Index("sessions_person", "person_id"),
)

failures = Table(
    "failures",
    metadata,
    Column("key", String(80), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)

deeds = Table(
    "deeds",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("who", String(40), nullable=False),
    Column("what", String(40), nullable=False),
    Column("whom", String(16)),
    Column("detail", Text, nullable=False),
)
"""What was done to accounts and settings, by whom; no name stands in it."""
