"""Terms bound to a box, boxes without a settlement, hands settled by hand. No table changes."""

from __future__ import annotations

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """More is a term from here on: the program makes the derived rows again afterwards."""
