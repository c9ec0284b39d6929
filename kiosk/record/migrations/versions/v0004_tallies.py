"""What a person's answers at the table came to, as terms. No table changes."""

from __future__ import annotations

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Tallies are terms from here on: the program makes the derived rows again afterwards."""
