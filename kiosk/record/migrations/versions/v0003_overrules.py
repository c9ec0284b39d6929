"""An overrule that was taken back counts no more: derived rows are made again."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The tables keep their form: the program makes the derived rows again afterwards."""
