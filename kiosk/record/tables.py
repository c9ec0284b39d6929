"""The tables of the record. ``events`` is the record; all others can be made again from it.

Times are texts of fixed width in UTC, amounts integers of 1/10000 of the currency (for searching
only: the exact amounts stand in the payload).
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("token", String(32), nullable=False),
    Column("time", String(27), nullable=False),
    Column("offset_minutes", Integer, nullable=False),
    Column("synchronised", Integer),
    Column("monotonic_us", BigInteger, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("round_id", String(64)),
    Column("payload", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    UniqueConstraint("kiosk", "token", name="events_token"),
    Index("events_round", "kiosk", "round_id", "seq"),
    Index("events_kind", "kiosk", "kind", "seq"),
)

hands = Table(
    "hands",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("time", String(27), nullable=False),
    Column("table_name", Text, nullable=False),
    Column("person", Text),
    Column("house", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("finished", Integer, nullable=False),
    Column("disputed", Integer, nullable=False),
    Column("was_disputed", Integer, nullable=False),
    Column("overruled", Integer, nullable=False),
    Column("assumed", Integer, nullable=False),
    Column("paid_e4", BigInteger),
    Column("taken_e4", BigInteger),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("settled_seq", BigInteger),
    ForeignKeyConstraint(["kiosk", "first_seq"], ["events.kiosk", "events.seq"]),
    Index("hands_time", "time", "kiosk", "id"),
    Index("hands_table", "table_name", "time"),
    Index("hands_person", "person", "time"),
    Index("hands_house", "house", "time"),
    Index("hands_game", "game", "time"),
    Index("hands_state", "state", "time"),
    Index("hands_disputed", "disputed", "time"),
    Index("hands_overruled", "overruled", "time"),
    Index("hands_assumed", "assumed", "time"),
    Index("hands_finished", "kiosk", "finished"),
    Index("hands_newest", "kiosk", "first_seq"),
)

hand_terms = Table(
    "hand_terms",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("hand_id", String(64), primary_key=True),
    Column("term", String(32), primary_key=True),
    Column("value", String(64), primary_key=True),
    Column("time", String(27), nullable=False),
    ForeignKeyConstraint(["kiosk", "hand_id"], ["hands.kiosk", "hands.id"], ondelete="CASCADE"),
    Index("hand_terms_value", "term", "value", "time", "kiosk", "hand_id"),
)

pictures = Table(
    "pictures",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("file", String(100), primary_key=True),
    Column("role", String(32), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("round_id", String(64)),
    Column("day", String(10), nullable=False),
    Column("deleted_seq", BigInteger),
    ForeignKeyConstraint(["kiosk", "seq"], ["events.kiosk", "events.seq"]),
    Index("pictures_file", "kiosk", "file"),
    Index("pictures_round", "kiosk", "round_id"),
    Index("pictures_kept", "kiosk", "deleted_seq", "day"),
)

rule_cards = Table(
    "rule_cards",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("hash", String(64), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    ForeignKeyConstraint(["kiosk", "seq"], ["events.kiosk", "events.seq"]),
)

day_heads = Table(
    "day_heads",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("day", String(10), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("key_id", String(16), nullable=False),
    Column("signature", String(64), nullable=False),
)

presence = Table(
    "presence",
    metadata,
    Column("kiosk", String(64), primary_key=True),
    Column("seen_ms", BigInteger, nullable=False),
    Column("waiting", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
)
"""On a pit's server: when each kiosk was last heard of (milliseconds of the server's clock), how
many entries wait on it, and what it says of its table (JSON). Not part of the record."""
