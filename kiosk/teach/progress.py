"""Progress from the answers given: accuracy, kinds of mistakes, and speed once it is unlocked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from statistics import median

from kiosk.teach.exercise import Exercise, asked_bets

_SECONDS = {"hand": 8.0, "game": 4.0, "amount": 10.0, "order": 12.0}
_SETTLE_BASE, _SETTLE_BET = 6.0, 5.0


@dataclass(frozen=True, slots=True)
class Aims:
    """What a trainee is asked to reach. ``window``: answers looked back on; ``accuracy``: share of
    them that must be right before speed is asked for (P10); ``pace``: factor on the target times;
    ``questions`` and ``pass_mark`` of a test."""

    window: int = 10
    accuracy: float = 0.9
    pace: float = 1.0
    questions: int = 20
    pass_mark: float = 0.9


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer as it was kept. ``seconds``: from showing to answering; ``target``: in how many
    it should be done; ``kinds``: kinds of mistakes (P8)."""

    at: datetime
    house: str
    topic: str
    right: bool
    seconds: float
    target: float
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a trainee stands in a topic. ``recent``: share of right answers in the window, None
    before the first. ``unlocked``: speed counts. ``seconds``: median of right answers there;
    ``fast``: share of them within their target."""

    asked: int
    right: int
    recent: float | None
    unlocked: bool
    seconds: float | None
    fast: float | None


def target_seconds(exercise: Exercise, aims: Aims) -> float:
    """In how many seconds the exercise should be done once it is done right."""
    base = _SECONDS.get(exercise.form)
    if base is None:
        base = _SETTLE_BASE + _SETTLE_BET * len(asked_bets(exercise))
    return base * aims.pace


def standing(answers: Sequence[Answered], aims: Aims) -> Standing:
    """Of the answers to one topic, oldest first."""
    recent = answers[-aims.window :]
    share = sum(a.right for a in recent) / len(recent) if recent else None
    unlocked = share is not None and len(recent) >= aims.window and share >= aims.accuracy
    good = [a for a in recent if a.right]
    return Standing(
        asked=len(answers),
        right=sum(a.right for a in answers),
        recent=share,
        unlocked=unlocked,
        seconds=median(a.seconds for a in good) if good and unlocked else None,
        fast=sum(a.seconds <= a.target for a in good) / len(good) if good and unlocked else None,
    )


def by_topic(answers: Iterable[Answered]) -> dict[str, list[Answered]]:
    """Answers by topic, each list in the order given."""
    found: dict[str, list[Answered]] = {}
    for answer in answers:
        found.setdefault(answer.topic, []).append(answer)
    return found


def mistakes_by_kind(answers: Iterable[Answered]) -> list[tuple[str, int]]:
    """How often each kind of mistake was made, most often first (P8)."""
    counted = Counter(kind for answer in answers for kind in answer.kinds)
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def by_day(answers: Iterable[Answered]) -> list[tuple[date, int, int]]:
    """Day, answers, right ones; oldest first. Days as the times are given."""
    found: dict[date, list[int]] = {}
    for answer in answers:
        day = found.setdefault(answer.at.date(), [0, 0])
        day[0] += 1
        day[1] += answer.right
    return [(day, asked, right) for day, (asked, right) in sorted(found.items())]
