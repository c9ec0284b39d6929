"""A test: a fixed list of rounds over all topics of a house, a pass mark, no help on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from random import Random

from kiosk.teach.topics import Item


@dataclass(frozen=True, slots=True)
class Question:
    """One round of a test: what is asked and the seed of its exercise."""

    item: Item
    seed: int


@dataclass(frozen=True, slots=True)
class Mark:
    """An answer in a test: right or not, and the kinds of mistakes."""

    right: bool
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exam:
    """``finished``: None while questions are open. ``pass_mark``: share that must be right."""

    id: str
    person: str
    house: str
    questions: tuple[Question, ...]
    pass_mark: float
    marks: tuple[Mark, ...]
    began: datetime
    finished: datetime | None = None

    @property
    def right(self) -> int:
        return sum(mark.right for mark in self.marks)

    @property
    def needed(self) -> int:
        """How many must be right."""
        # The share may be a binary fraction: 0.9 of 20 are 18, not 19.
        return ceil(round(self.pass_mark * len(self.questions), 6))

    @property
    def open(self) -> Question | None:
        """The question to be answered next."""
        at = len(self.marks)
        return self.questions[at] if at < len(self.questions) else None

    @property
    def passed(self) -> bool:
        return self.finished is not None and self.open is None and self.right >= self.needed


def questions(topics: Sequence[str], count: int, seed: int) -> tuple[Question, ...]:
    """``count`` questions over the topics, each as often as the others, in a shuffled order."""
    if not topics or count < 1:
        raise ValueError("a test needs topics and at least one question")
    random = Random(f"test/{seed}")
    names: list[str] = []
    while len(names) < count:
        names += random.sample(list(topics), len(topics))
    chosen = names[:count]
    random.shuffle(chosen)
    return tuple(Question(Item("topic", name), random.randrange(1, 2**31)) for name in chosen)
