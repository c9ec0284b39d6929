"""What a trainee's answers add up to: a word for each box, the mistakes named, the order kept.

The word is ``right``, ``wrong`` or ``not-answered`` (shown without an answer, or before it). Only
what was said before the reveal counts.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from kiosk.rules import jsonio
from kiosk.rules.judging import ORDER, judge
from kiosk.table.answers import as_data, marks
from kiosk.table.events import AnswerGiven, Given
from kiosk.table.plan import Plan
from kiosk.table.round_state import RoundState
from kiosk.table.state import BoxState

NOT_ANSWERED = "not-answered"


def counted(box: BoxState) -> tuple[Given, ...]:
    """The answer that counts: the last one before the reveal, else the first one given."""
    return box.answers[_counts(box)] if box.answers else ()


def _counts(box: BoxState) -> int:
    """The place of the answer that counts."""
    return max(0, box.at_reveal - 1) if box.revealed else -1


def verdict(box: BoxState, result: Mapping[str, Any] | None) -> str | None:
    """The word for a box; None while there is no result to hold its answer against."""
    if result is None:
        return None
    if not in_time(box):
        return NOT_ANSWERED
    return "right" if all(marks(counted(box), result).values()) else "wrong"


def mistakes(
    state: RoundState, box: BoxState, answer: tuple[Given, ...], language: str = "en"
) -> dict[str, dict[str, Any]]:
    """Every wrong bet of an answer with the kind of mistake (``kiosk.rules.judging.judge``)."""
    settlements = state.derived.settlements
    result = settlements.results.get(box.box)
    if not answer or result is None or settlements.case is None:
        return {}
    found = _judged(
        jsonio.dumps(settlements.case),
        jsonio.dumps(result["bets"]),
        box.box,
        jsonio.dumps(as_data(answer)),
        state.plan,
        language,
    )
    return copy.deepcopy(dict(found))


@lru_cache(maxsize=256)
def _judged(
    case: str, lines: str, box: int, answer: str, plan: Plan, language: str
) -> Mapping[str, dict[str, Any]]:
    houses = {plan.house.name: plan.file}
    said = jsonio.loads(answer)
    return judge(jsonio.loads(case), jsonio.loads(lines), box, said, language, houses)


def working_order(state: RoundState) -> tuple[int, ...]:
    """Boxes in play in the order in which the house works them off (P7)."""
    playing = sorted(box.box for box in state.core.boxes if state.core.in_play(box))
    return tuple(reversed(playing) if state.settings.order == "last-first" else playing)


def next_box(state: RoundState) -> int | None:
    """The box that is to be answered next: the first in order without an answer."""
    boxes = [state.core.box(number) for number in working_order(state)]
    open_ones = (b.box for b in boxes if not (b.answers or b.revealed or b.overruled))
    return next(open_ones, None)


def out_of_order(state: RoundState) -> tuple[int, ...]:
    """Boxes answered before one that comes ahead of them in the house's order."""
    first: list[int] = []
    for _, event in state.log:
        if isinstance(event, AnswerGiven) and event.box not in first:
            first.append(event.box)
    counts = [n for n in first if in_time(state.core.box(n))]
    return _ahead(counts, working_order(state))


def in_time(box: BoxState) -> bool:
    """Whether an answer was given before the reveal."""
    return bool(box.answers) and not (box.revealed and box.at_reveal == 0)


def _ahead(answered: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    places = {box: place for place, box in enumerate(order)}
    known = [box for box in answered if box in places]
    wrong = {
        box
        for at, box in enumerate(known)
        for later in known[at + 1 :]
        if places[later] < places[box]
    }
    return tuple(box for box in known if box in wrong)


def answered(state: RoundState, box: BoxState) -> dict[str, Any]:
    """A box's answer as the record keeps it.

    ``bets``, ``right``, ``who`` gave it: what counts; ``last``, ``last_right``, ``last_who``: the
    last answer (None: nobody answered); ``verdict``;
    ``mistakes``: for each wrong bet ``bet``, ``kind``, ``mistake`` (the likeliest slip or None)
    and ``difference``, and one of kind ``order`` when the box was answered out of order.
    """
    result = state.derived.settlements.results.get(box.box)
    first, last = counted(box), box.answers[-1] if box.answers else ()
    found = [
        {
            "bet": bet,
            "kind": judged["kind"],
            "mistake": judged["mistakes"][0]["mistake"] if judged["mistakes"] else None,
            "difference": judged["difference"],
        }
        for bet, judged in mistakes(state, box, first).items()
    ]
    if box.box in out_of_order(state):
        found.append({"bet": None, "kind": ORDER, "mistake": None, "difference": 0})
    return {
        "who": box.answerers[_counts(box)] if box.answers else None,
        "last_who": box.answerers[-1] if box.answers else None,
        "bets": as_data(first),
        "right": None if result is None or not first else marks(first, result),
        "last": as_data(last),
        "last_right": None if result is None or not last else marks(last, result),
        "after_reveal": bool(box.answers) and box.revealed and box.at_reveal == 0,
        "verdict": verdict(box, result),
        "mistakes": found,
    }
