"""The chain of entries and the tables for searching it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates all tables and forbids changing or deleting entries."""
    _events()
    _hands()
    _pictures_and_rule_cards()
    _day_heads()
    _append_only()


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("token", sa.String(32), nullable=False),
        sa.Column("time", sa.String(27), nullable=False),
        sa.Column("offset_minutes", sa.Integer, nullable=False),
        sa.Column("synchronised", sa.Integer),
        sa.Column("monotonic_us", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("round_id", sa.String(64)),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.UniqueConstraint("kiosk", "token", name="events_token"),
    )
    op.create_index("events_round", "events", ["kiosk", "round_id", "seq"])
    op.create_index("events_kind", "events", ["kiosk", "kind", "seq"])


def _hands() -> None:
    op.create_table(
        "hands",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("time", sa.String(27), nullable=False),
        sa.Column("table_name", sa.Text, nullable=False),
        sa.Column("person", sa.Text),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("house", "game", "mode")),
        sa.Column("state", sa.String(16), nullable=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("finished", "disputed", "was_disputed", "overruled", "assumed")
        ),
        sa.Column("paid_e4", sa.BigInteger),
        sa.Column("taken_e4", sa.BigInteger),
        sa.Column("first_seq", sa.BigInteger, nullable=False),
        sa.Column("last_seq", sa.BigInteger, nullable=False),
        sa.Column("settled_seq", sa.BigInteger),
        sa.ForeignKeyConstraint(["kiosk", "first_seq"], ["events.kiosk", "events.seq"]),
    )
    op.create_index("hands_time", "hands", ["time", "kiosk", "id"])
    for name, column in (
        ("hands_table", "table_name"),
        ("hands_person", "person"),
        ("hands_house", "house"),
        ("hands_game", "game"),
        ("hands_state", "state"),
        ("hands_disputed", "disputed"),
        ("hands_paid", "paid_e4"),
        ("hands_taken", "taken_e4"),
    ):
        op.create_index(name, "hands", [column, "time"])
    op.create_index("hands_finished", "hands", ["kiosk", "finished"])
    op.create_table(
        "hand_terms",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("hand_id", sa.String(64), primary_key=True),
        sa.Column("term", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(64), primary_key=True),
        sa.Column("time", sa.String(27), nullable=False),
        sa.ForeignKeyConstraint(
            ["kiosk", "hand_id"], ["hands.kiosk", "hands.id"], ondelete="CASCADE"
        ),
    )
    op.create_index("hand_terms_value", "hand_terms", ["term", "value", "time"])


def _pictures_and_rule_cards() -> None:
    op.create_table(
        "pictures",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("file", sa.String(100), primary_key=True),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("round_id", sa.String(64)),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("deleted_seq", sa.BigInteger),
        sa.ForeignKeyConstraint(["kiosk", "seq"], ["events.kiosk", "events.seq"]),
    )
    op.create_index("pictures_file", "pictures", ["kiosk", "file"])
    op.create_index("pictures_round", "pictures", ["kiosk", "round_id"])
    op.create_index("pictures_kept", "pictures", ["kiosk", "deleted_seq", "day"])
    op.create_table(
        "rule_cards",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["kiosk", "seq"], ["events.kiosk", "events.seq"]),
    )


def _day_heads() -> None:
    op.create_table(
        "day_heads",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("key_id", sa.String(16), nullable=False),
        sa.Column("signature", sa.String(64), nullable=False),
    )


def _append_only() -> None:
    # Against accidents: whoever means it can drop these, and then the chain shows it.
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER events_no_{verb.lower()} BEFORE {verb} ON events "
                "BEGIN SELECT RAISE(ABORT, 'the record is append-only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION events_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the record is append-only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events "
        "FOR EACH STATEMENT EXECUTE FUNCTION events_append_only()"
    )
