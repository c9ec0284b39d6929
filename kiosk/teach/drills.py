"""The drills as the pages use them: what comes next, what an answer is worth, where one stands.

Clocks and random numbers are handed in. What signed-in trainees do is kept in the store; guests
are kept in memory, and so is everybody while the file cannot be used.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from kiosk.errors import ActionError
from kiosk.rules.generate import GenerateError
from kiosk.rules.houses import HouseFile
from kiosk.teach.at_table import items_of, missed
from kiosk.teach.database import DrillStorageError
from kiosk.teach.exam import Exam, Mark, questions
from kiosk.teach.exercise import Exercise, make_exercise, shown
from kiosk.teach.grading import Given, Graded, grade, slips_within
from kiosk.teach.progress import Aims, Answered, Standing, by_topic, standing, target_seconds
from kiosk.teach.schedule import Kept, choose, items_for, rate, reviewed
from kiosk.teach.store import Entry, ProgressStore
from kiosk.teach.topics import Item, topic_of_slip, topics_of

T = TypeVar("T")

_MOST_PENDING = 500
_MOST_GUESTS = 200


@dataclass(frozen=True, slots=True)
class Trainee:
    """Who drills: the key that answers are kept under. ``guest``: nothing is kept on disk."""

    key: str
    guest: bool = True


@dataclass(frozen=True, slots=True)
class Sources:
    """What the drills need of the world. ``now``: aware wall time; ``steady``: seconds of a clock
    that never jumps; ``seed``: a fresh number from 1; ``token``: a fresh short text."""

    now: Callable[[], datetime]
    steady: Callable[[], float]
    seed: Callable[[], int]
    token: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Rules:
    """What is drilled and how. ``houses`` by name: those offered; ``earlier``: no longer offered,
    but answers and tests under them are kept. ``table``: limits of the rounds, None for the rules'
    own; ``order``: in which seats are worked off."""

    houses: Mapping[str, HouseFile]
    aims: Aims = field(default_factory=Aims)
    table: Mapping[str, Any] | None = None
    order: str = "last-first"
    earlier: Mapping[str, HouseFile] = field(default_factory=dict)

    def house(self, name: str) -> HouseFile | None:
        """The house of that name, offered or earlier."""
        return self.houses.get(name) or self.earlier.get(name)


@dataclass(frozen=True, slots=True)
class _Pending:
    id: str
    exercise: Exercise
    since: float
    exam: str | None


class Drills:
    """All drills of a kiosk. Every method may be called from any thread."""

    def __init__(self, store: ProgressStore, rules: Rules, sources: Sources) -> None:
        self.rules = rules
        self.store = store
        self._sources = sources
        self._memory = ProgressStore(None)
        self._pending: OrderedDict[str, _Pending] = OrderedDict()
        self._last: OrderedDict[str, Item] = OrderedDict()
        self._guests: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Lets go of the files."""
        self.store.close()
        self._memory.close()

    def house(self, name: str) -> HouseFile:
        """A house by name. ActionError when there is none."""
        found = self.rules.house(name)
        if found is None:
            raise ActionError("bad-input", f"house: there is no house {name[:40]!r}", 400)
        return found

    def forget(self, key: str) -> None:
        """Erases all that is kept of a trainee. DrillStorageError when the file cannot be used."""
        with self._lock:
            self._pending.pop(key, None)
            self._last.pop(key, None)
        self._memory.erase(key)
        self.store.erase(key)

    # Drilling

    def next(
        self, trainee: Trainee, house: str, topics: Sequence[str], language: str
    ) -> dict[str, Any]:
        """The next exercise out of these topics (none: all of the house), without its answer."""
        file = self.house(house)
        offered = topics_of(file.house)
        unknown = [name for name in topics if name not in offered]
        if unknown:
            raise ActionError("bad-input", f"topics: {house} has no {unknown[0][:40]!r}", 400)
        known = self._items(trainee, house)
        slips = [(i.name, topic_of_slip(i.name, file.house)) for i in known if i.kind == "slip"]
        allowed = items_for(topics or offered, slips)
        item = choose(known, allowed, self._last.get(trainee.key), self._sources.now())
        exercise = self._make(file, item)
        return self._show(trainee, exercise, file, language, None)

    def answer(
        self, trainee: Trainee, exercise_id: str, given: Given, language: str
    ) -> dict[str, Any]:
        """What the answer is worth. In a test only that it was taken.

        ActionError when the exercise is not the one that was shown last; UserError for an answer
        that is none to it.
        """
        with self._lock:
            pending = self._pending.get(trainee.key)
        if pending is None or pending.id != exercise_id:
            raise ActionError("drill-over", "This round is over: take the next one.", 409)
        exercise = pending.exercise
        file = self.house(exercise.house)
        graded = grade(exercise, file, given, language, self.rules.order)
        seconds = self._sources.steady() - pending.since
        with self._lock:
            # Asked again under the lock: one round is answered once.
            if self._pending.get(trainee.key) is not pending:
                raise ActionError("drill-over", "This round is over: take the next one.", 409)
            del self._pending[trainee.key]
            self._remember(self._last, trainee.key, exercise.item, _MOST_PENDING)
        return self._graded(trainee, pending, file, graded, seconds)

    def learn(self, trainee: Trainee, house: str, mistakes: Iterable[Mapping[str, Any]]) -> None:
        """Mistakes made at the live table (``kiosk.teach.at_table``) are asked again."""
        items = items_of(mistakes, self.house(house).house)
        again = missed(self._items(trainee, house), items, self._sources.now())
        self._write(trainee, lambda store: store.keep_items(trainee.key, house, again))

    def standing(self, trainee: Trainee, house: str) -> dict[str, Standing]:
        """Where the trainee stands in each topic of the house."""
        file = self.house(house)
        answers = by_topic(self.answers(trainee, house))
        return {
            name: standing(answers.get(name, []), self.rules.aims) for name in topics_of(file.house)
        }

    def answers(self, trainee: Trainee, house: str | None = None) -> list[Answered]:
        """The trainee's newest answers, oldest of them first."""
        return self._read(trainee, lambda store: store.answers(trainee.key, house))

    def due(self, trainee: Trainee, house: str) -> int:
        """How many items are to be repeated now."""
        now = self._sources.now()
        return sum(kept.due <= now for kept in self._items(trainee, house).values())

    # Tests

    def begin_exam(self, trainee: Trainee, house: str) -> Exam:
        """A new test over all topics of the house."""
        file, aims = self.house(house), self.rules.aims
        exam = Exam(
            self._sources.token(),
            trainee.key,
            house,
            questions(topics_of(file.house), aims.questions, self._sources.seed()),
            aims.pass_mark,
            (),
            self._sources.now(),
        )
        self._write(trainee, lambda store: store.begin_exam(exam))
        return exam

    def exam_question(self, trainee: Trainee, exam_id: str, language: str) -> dict[str, Any]:
        """The open question of a test. ActionError when there is none."""
        exam = self.exam_of(trainee, exam_id)
        question = exam.open if exam is not None and exam.finished is None else None
        if exam is None or question is None:
            raise ActionError("test-over", "This test is over.", 409)
        file = self.house(exam.house)
        exercise = self._make(file, question.item, question.seed)
        data = self._show(trainee, exercise, file, language, exam.id)
        return data | {"test": {"done": len(exam.marks), "count": len(exam.questions)}}

    def exam_of(self, trainee: Trainee, exam_id: str) -> Exam | None:
        """A test of this trainee by its id."""
        found = self._read(trainee, lambda store: store.exam(exam_id))
        return found if found is not None and found.person == trainee.key else None

    def exams(self, trainee: Trainee) -> list[Exam]:
        """The trainee's tests, newest first."""
        return self._read(trainee, lambda store: store.exams(trainee.key))

    # Within

    def _make(self, file: HouseFile, item: Item, seed: int | None = None) -> Exercise:
        """An exercise; an odd seed that gives none is followed by the next."""
        number = self._sources.seed() if seed is None else seed
        for step in range(5):
            try:
                return make_exercise(file, item, number + step, self.rules.table)
            except GenerateError as problem:
                failed = problem
        raise ActionError("no-round", f"no round could be dealt: {failed}", 503)

    def _show(
        self,
        trainee: Trainee,
        exercise: Exercise,
        file: HouseFile,
        language: str,
        exam: str | None,
    ) -> dict[str, Any]:
        pending = _Pending(self._sources.token(), exercise, self._sources.steady(), exam)
        with self._lock:
            self._remember(self._pending, trainee.key, pending, _MOST_PENDING)
        data = shown(exercise, file, language)
        fast = exam is None and self._unlocked(trainee, exercise)
        return data | {
            "id": pending.id,
            "seconds": target_seconds(exercise, self.rules.aims) if fast else None,
        }

    def _unlocked(self, trainee: Trainee, exercise: Exercise) -> bool:
        aims = self.rules.aims

        def newest(store: ProgressStore) -> list[Answered]:
            return store.answers(trainee.key, exercise.house, exercise.topic, aims.window)

        return standing(self._read(trainee, newest), aims).unlocked

    def _graded(
        self, trainee: Trainee, pending: _Pending, file: HouseFile, graded: Graded, seconds: float
    ) -> dict[str, Any]:
        exercise, now = pending.exercise, self._sources.now()
        target = target_seconds(exercise, self.rules.aims)
        fast = pending.exam is None and self._unlocked(trainee, exercise)
        answered = Answered(
            now, exercise.house, exercise.topic, graded.right, seconds, target, graded.kinds
        )
        exam = self._marked(trainee, pending.exam, graded, now)
        items = self._repeated(trainee, exercise, file, graded, fast and seconds > target)
        entry = Entry(
            trainee.key, answered, exercise.item, exercise.seed, graded.slips, items, exam
        )
        kept = self._write(trainee, lambda store: store.keep(entry))
        if exam is not None:
            done = {"done": len(exam.marks), "count": len(exam.questions), "id": exam.id}
            return {"test": done | {"finished": exam.finished is not None}, "kept": kept}
        return {
            **graded.data,
            "topic": exercise.topic,
            "item": str(exercise.item),
            "seconds": round(seconds, 1) if fast else None,
            "target": target if fast else None,
            "unlocked": self._unlocked(trainee, exercise),
            "newly_unlocked": not fast and self._unlocked(trainee, exercise),
            "kept": kept,
        }

    def _marked(
        self, trainee: Trainee, exam_id: str | None, graded: Graded, now: datetime
    ) -> Exam | None:
        exam = None if exam_id is None else self.exam_of(trainee, exam_id)
        if exam is None or exam.finished is not None:
            return None
        marked = replace(exam, marks=(*exam.marks, Mark(graded.right, graded.kinds)))
        return marked if marked.open is not None else replace(marked, finished=now)

    def _repeated(
        self, trainee: Trainee, exercise: Exercise, file: HouseFile, graded: Graded, slow: bool
    ) -> tuple[tuple[Item, Kept], ...]:
        """The items that this answer touches: its own, the slips it shows, and of the slips due
        those that the round tempted to and that were not made."""
        known, now = self._items(trainee, exercise.house), self._sources.now()
        rating = rate(graded.right, unlocked=slow, within_time=not slow)
        touched = {exercise.item: reviewed(known.get(exercise.item), rating, now)}
        slips = (Item("slip", name) for name in graded.slips)
        touched |= missed(known, (slip for slip in slips if slip not in touched), now)
        if graded.right:
            good = rate(True, unlocked=False, within_time=True)
            due = [i for i, kept in known.items() if i.kind == "slip" and kept.due <= now]
            within = slips_within(exercise, file) if due else frozenset()
            for slip in due:
                if slip.name in within and slip not in touched:
                    touched[slip] = reviewed(known[slip], good, now)
        return tuple(touched.items())

    def _items(self, trainee: Trainee, house: str) -> dict[Item, Kept]:
        return self._read(trainee, lambda store: store.items(trainee.key, house))

    def _read(self, trainee: Trainee, ask: Callable[[ProgressStore], T]) -> T:
        if not trainee.guest:
            try:
                return ask(self.store)
            except DrillStorageError:
                pass
        return ask(self._memory)

    def _write(self, trainee: Trainee, tell: Callable[[ProgressStore], None]) -> bool:
        """Whether it stands on disk; otherwise it is in memory."""
        if not trainee.guest:
            try:
                tell(self.store)
            except DrillStorageError:
                pass
            else:
                return True
        with self._lock:
            gone = self._remember(self._guests, trainee.key, None, _MOST_GUESTS)
        if gone is not None:
            self._memory.erase(gone)
        tell(self._memory)
        return False

    @staticmethod
    def _remember(kept: OrderedDict[str, Any], key: str, value: Any, most: int) -> str | None:
        """Puts the value at the end; the oldest key goes when there are too many."""
        kept[key] = value
        kept.move_to_end(key)
        return kept.popitem(last=False)[0] if len(kept) > most else None
