"""Answers, items and tests."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The first form of the file."""
    op.create_table(
        "answers",
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(80), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("house", sa.String(80), nullable=False),
        sa.Column("topic", sa.String(40), nullable=False),
        sa.Column("item", sa.String(80), nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("target", sa.Float, nullable=False),
        sa.Column("kinds", sa.Text, nullable=False),
        sa.Column("slips", sa.Text, nullable=False),
        sa.Column("exam", sa.String(40), nullable=True),
    )
    op.create_index("answers_person", "answers", ["person", "house", "seq"])
    op.create_table(
        "items",
        sa.Column("person", sa.String(80), primary_key=True),
        sa.Column("house", sa.String(80), primary_key=True),
        sa.Column("item", sa.String(80), primary_key=True),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("due", sa.String(40), nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
    )
    op.create_table(
        "exams",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("person", sa.String(80), nullable=False),
        sa.Column("house", sa.String(80), nullable=False),
        sa.Column("questions", sa.Text, nullable=False),
        sa.Column("pass_mark", sa.Float, nullable=False),
        sa.Column("marks", sa.Text, nullable=False),
        sa.Column("began", sa.String(40), nullable=False),
        sa.Column("finished", sa.String(40), nullable=True),
    )
    op.create_index("exams_person", "exams", ["person", "began"])
