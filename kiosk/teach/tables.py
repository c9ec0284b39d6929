"""The tables of the drills' file."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

answers = Table(
    "answers",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("person", String(80), nullable=False),
    Column("at", String(40), nullable=False),
    Column("house", String(80), nullable=False),
    Column("topic", String(40), nullable=False),
    Column("item", String(80), nullable=False),
    Column("seed", Integer, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("target", Float, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("slips", Text, nullable=False),
    Column("exam", String(40), nullable=True),
    Index("answers_person", "person", "house", "seq"),
)
"""Every answer. ``kinds`` and ``slips``: words with spaces between. ``exam``: its test, if any."""

items = Table(
    "items",
    metadata,
    Column("person", String(80), primary_key=True),
    Column("house", String(80), primary_key=True),
    Column("item", String(80), primary_key=True),
    Column("card", Text, nullable=False),
    Column("due", String(40), nullable=False),
    Column("asked", Integer, nullable=False),
    Column("missed", Integer, nullable=False),
)
"""How well each item is kept: the scheduler's card as JSON text."""

exams = Table(
    "exams",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("person", String(80), nullable=False),
    Column("house", String(80), nullable=False),
    Column("questions", Text, nullable=False),
    Column("pass_mark", Float, nullable=False),
    Column("marks", Text, nullable=False),
    Column("began", String(40), nullable=False),
    Column("finished", String(40), nullable=True),
    Index("exams_person", "person", "began"),
)
"""Tests. ``questions``: pairs of item and seed, ``marks``: pairs of right and kinds, as JSON."""
