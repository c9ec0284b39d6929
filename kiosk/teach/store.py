"""What is kept of each trainee: answers, items of the scheduler, tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, insert, select, union, update

from kiosk.teach import tables
from kiosk.teach.database import Database
from kiosk.teach.exam import Exam, Mark, Question
from kiosk.teach.progress import Answered
from kiosk.teach.schedule import Kept
from kiosk.teach.topics import Item

_MOST_ANSWERS = 5000
"""Newest answers that progress is worked out from."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer with what the scheduler makes of it, to be kept in one go. ``slips``: usual slips
    shown; ``items``: items as they are afterwards."""

    person: str
    answered: Answered
    item: Item
    seed: int
    slips: tuple[str, ...]
    items: tuple[tuple[Item, Kept], ...] = ()
    exam: Exam | None = None


class ProgressStore:
    """The file of all trainees; ``path`` None keeps it in memory. Methods from any thread; they
    raise DrillStorageError when the file cannot be used."""

    def __init__(self, path: Path | None) -> None:
        self._database = Database(path)

    def close(self) -> None:
        """Lets go of the file."""
        self._database.close()

    def keep(self, entry: Entry) -> None:
        """Keeps an answer, its items and its test's state together or not at all."""
        answered = entry.answered
        with self._database.transaction() as connection:
            connection.execute(
                insert(tables.answers).values(
                    person=entry.person,
                    at=_text(answered.at),
                    house=answered.house,
                    topic=answered.topic,
                    item=str(entry.item),
                    seed=entry.seed,
                    right=answered.right,
                    seconds=answered.seconds,
                    target=answered.target,
                    kinds=" ".join(answered.kinds),
                    slips=" ".join(entry.slips),
                    exam=None if entry.exam is None else entry.exam.id,
                )
            )
            for item, kept in entry.items:
                _put_item(connection, entry.person, answered.house, item, kept)
            if entry.exam is not None:
                _put_exam(connection, entry.exam)

    def keep_items(self, person: str, house: str, items: Iterable[tuple[Item, Kept]]) -> None:
        """Keeps items of a trainee in a house, all of them or none."""
        with self._database.transaction() as connection:
            for item, kept in items:
                _put_item(connection, person, house, item, kept)

    def items(self, person: str, house: str) -> dict[Item, Kept]:
        """The items of a trainee in a house. Items that no longer exist are left out."""
        found: dict[Item, Kept] = {}
        wanted = (tables.items.c.person == person) & (tables.items.c.house == house)
        for row in self._rows(tables.items, wanted):
            try:
                item = Item.parse(row.item)
            except ValueError:
                continue
            found[item] = Kept(row.card, _time(row.due), row.asked, row.missed)
        return found

    def answers(
        self,
        person: str,
        house: str | None = None,
        topic: str | None = None,
        most: int = _MOST_ANSWERS,
    ) -> list[Answered]:
        """A trainee's newest answers, oldest of them first; of one house, to one topic."""
        wanted: ColumnElement[bool] = tables.answers.c.person == person
        if house is not None:
            wanted &= tables.answers.c.house == house
        if topic is not None:
            wanted &= tables.answers.c.topic == topic
        query = (
            select(tables.answers).where(wanted).order_by(tables.answers.c.seq.desc()).limit(most)
        )
        with self._database.transaction() as connection:
            rows = connection.execute(query).all()
        return [
            Answered(
                _time(row.at),
                row.house,
                row.topic,
                row.right,
                row.seconds,
                row.target,
                tuple(row.kinds.split()),
            )
            for row in reversed(rows)
        ]

    def people(self) -> list[str]:
        """Everybody of whom something is kept, sorted."""
        kept = (tables.answers, tables.items, tables.exams)
        with self._database.transaction() as connection:
            found = connection.execute(union(*(select(table.c.person) for table in kept)))
            return sorted(found.scalars())

    def begin_exam(self, exam: Exam) -> None:
        """Keeps a new test; one that was left open is over, and not passed."""
        with self._database.transaction() as connection:
            connection.execute(
                update(tables.exams)
                .where(tables.exams.c.person == exam.person, tables.exams.c.finished.is_(None))
                .values(finished=_text(exam.began))
            )
            _put_exam(connection, exam)

    def exam(self, exam_id: str) -> Exam | None:
        """A test by its id, None when there is none."""
        return next(iter(self._exams(tables.exams.c.id == exam_id)), None)

    def exams(self, person: str) -> list[Exam]:
        """A trainee's tests, newest first."""
        found = self._exams(tables.exams.c.person == person)
        return sorted(found, key=lambda exam: exam.began, reverse=True)

    def erase(self, person: str) -> None:
        """Forgets all of a trainee."""
        with self._database.transaction() as connection:
            for table in (tables.answers, tables.items, tables.exams):
                connection.execute(delete(table).where(table.c.person == person))

    def _rows(self, table: Any, wanted: ColumnElement[bool]) -> Sequence[Row[Any]]:
        with self._database.transaction() as connection:
            return connection.execute(select(table).where(wanted)).all()

    def _exams(self, wanted: ColumnElement[bool]) -> list[Exam]:
        return [_exam(row) for row in self._rows(tables.exams, wanted)]


def _put_item(connection: Connection, person: str, house: str, item: Item, kept: Kept) -> None:
    values = {
        "card": kept.card,
        "due": _text(kept.due),
        "asked": kept.asked,
        "missed": kept.missed,
    }
    key = {"person": person, "house": house, "item": str(item)}
    _put(connection, tables.items, key, values)


def _put_exam(connection: Connection, exam: Exam) -> None:
    values = {
        "person": exam.person,
        "house": exam.house,
        "questions": json.dumps([[str(q.item), q.seed] for q in exam.questions]),
        "pass_mark": exam.pass_mark,
        "marks": json.dumps([[mark.right, list(mark.kinds)] for mark in exam.marks]),
        "began": _text(exam.began),
        "finished": None if exam.finished is None else _text(exam.finished),
    }
    _put(connection, tables.exams, {"id": exam.id}, values)


def _put(connection: Connection, table: Any, key: dict[str, Any], values: dict[str, Any]) -> None:
    wanted: Iterable[ColumnElement[bool]] = [table.c[name] == value for name, value in key.items()]
    done = connection.execute(update(table).where(*wanted).values(values))
    if not done.rowcount:
        connection.execute(insert(table).values(key | values))


def _exam(row: Row[Any]) -> Exam:
    return Exam(
        row.id,
        row.person,
        row.house,
        tuple(Question(Item.parse(item), seed) for item, seed in json.loads(row.questions)),
        row.pass_mark,
        tuple(Mark(right, tuple(kinds)) for right, kinds in json.loads(row.marks)),
        _time(row.began),
        None if row.finished is None else _time(row.finished),
    )


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
