"""Terms of who dealt and who answered, and tallies by who answered. No table changes."""

from __future__ import annotations

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """More is a term from here on: the program makes the derived rows again afterwards."""
