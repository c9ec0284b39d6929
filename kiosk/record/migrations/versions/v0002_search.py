"""Terms in the order they are listed in, fewer idle indexes, and when a kiosk was last heard of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Amounts are terms from here on: the program makes the derived rows again afterwards."""
    op.drop_index("hand_terms_value", "hand_terms")
    op.create_index("hand_terms_value", "hand_terms", ["term", "value", "time", "kiosk", "hand_id"])
    for name in ("hands_paid", "hands_taken"):
        op.drop_index(name, "hands")
    for column in ("overruled", "assumed"):
        op.create_index(f"hands_{column}", "hands", [column, "time"])
    op.create_index("hands_newest", "hands", ["kiosk", "first_seq"])
    op.create_table(
        "presence",
        sa.Column("kiosk", sa.String(64), primary_key=True),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("waiting", sa.BigInteger, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
