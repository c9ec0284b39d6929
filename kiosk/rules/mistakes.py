"""The usual wrong answers to a round, and which slip each one shows.

Every slip is the same round settled again with one thing seen or done wrongly. Where a bet then
comes out differently, that answer, given by a trainee, names the slip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kiosk.rules.case import Case, CaseError, parse_case
from kiosk.rules.catalogue import catalogue
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import ZERO, decimal_of, number
from kiosk.rules.options import House
from kiosk.rules.results import BoxResult, Line, Result, Settlement
from kiosk.rules.settle import settle, settle_as_seen
from kiosk.rules.slip_texts import CATEGORY_OF, TEXTS, broken_rule, possible
from kiosk.rules.slips import LINE_SLIPS, ROUND_SLIPS, Slip


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong answer for one bet of one box, and the slip that leads to it."""

    box: int
    bet: str
    wrong: Line
    slip: Slip
    rule: str

    def data(self, language: str = "en") -> dict[str, Any]:
        """As plain data: ``box``, ``bet``, ``result``, ``amount``, ``mistake``,
        ``category``, ``rule``, ``text``."""
        return {
            "box": self.box,
            "bet": self.bet,
            "result": self.wrong.result.value,
            "amount": number(self.wrong.amount),
            "stake_taken": number(self.wrong.stake_taken or ZERO),
            "mistake": self.slip.name,
            "category": CATEGORY_OF[self.slip.name],
            "rule": self.rule,
            "text": slip_text(self.slip, language),
        }


def slip_text(slip: Slip, language: str = "en") -> str:
    """The slip in words."""
    return catalogue(language).get(TEXTS[slip.name])


def slips_by_rule(house: House, language: str = "en") -> dict[str, list[dict[str, str]]]:
    """All slips that can happen in this house, under the rule that each one breaks."""
    found: dict[str, list[dict[str, str]]] = {}
    for slip in [slip for slip, _ in (*ROUND_SLIPS, *LINE_SLIPS) if possible(slip.name, house)]:
        listed = found.setdefault(broken_rule(slip.rule, house), [])
        entry = {
            "mistake": slip.name,
            "category": CATEGORY_OF[slip.name],
            "text": slip_text(slip, language),
        }
        if entry not in listed:
            listed.append(entry)
    return dict(sorted(found.items()))


def usual_mistakes(
    case: Mapping[str, Any],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> list[dict[str, Any]]:
    """The usual wrong answers to a CASE, box by box and bet by bet; empty for a refused case.

    Several slips may lead to the same answer; they then stand one after the other, the likeliest
    first.
    """
    try:
        parsed = parse_case(case, houses)
        found = find_mistakes(parsed, settle(parsed))
    except CaseError:
        return []
    return [mistake.data(language) for mistake in found]


def name_mistakes(
    case: Mapping[str, Any],
    box: int,
    answer: Mapping[str, Any],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> dict[str, list[dict[str, Any]]]:
    """What a trainee's answer shows: bet → slips that lead to exactly this result and amount.

    ``answer``: bet → ``{"result", "amount"}`` as in a settlement. Bets answered rightly are left
    out; a wrong answer that no usual slip explains has an empty list.
    """
    try:
        parsed = parse_case(case, houses)
        settled = settle(parsed)
    except CaseError:
        return {}
    right = {ln.bet: ln for res in settled.boxes if res.box == box for ln in res.lines}
    found = [mistake for mistake in find_mistakes(parsed, settled) if mistake.box == box]
    named: dict[str, list[dict[str, Any]]] = {}
    for bet, given in answer.items():
        if bet in right and not _same_answer(right[bet], given):
            named[bet] = [
                mistake.data(language)
                for mistake in found
                if mistake.bet == bet and _same_answer(mistake.wrong, given)
            ]
    return named


_NOTHING_MOVES = {Result.PUSH.value, Result.NOT_PAID.value, Result.RETURNED.value}


def _same_answer(line: Line, given: object) -> bool:
    """Whether an answer is this line. Results that move no money count as one another."""
    if not isinstance(given, Mapping):
        return False
    amount = decimal_of(given.get("amount", 0))
    result = given.get("result")
    if line.result.value in _NOTHING_MOVES and result in _NOTHING_MOVES:
        return True
    if line.result.value != result or amount != line.amount:
        return False
    taken = given.get("stake_taken")
    return taken is None or decimal_of(taken) == (line.stake_taken or Decimal(0))


def find_mistakes(case: Case, settled: Settlement) -> list[Mistake]:
    """As ``usual_mistakes``, from typed values of a settled case."""
    found: list[Mistake] = []
    seen: set[tuple[int, str, Result, Decimal, Decimal | None, str]] = set()
    for mistake in _all(case, settled):
        line = mistake.wrong
        key = (
            mistake.box,
            mistake.bet,
            line.result,
            line.amount,
            line.stake_taken,
            mistake.slip.name,
        )
        if key not in seen:
            seen.add(key)
            found.append(mistake)
    order = {box.box: index for index, box in enumerate(settled.boxes)}
    return sorted(found, key=lambda mistake: (order[mistake.box], mistake.bet))


def _all(case: Case, settled: Settlement) -> Iterator[Mistake]:
    for slip, change in ROUND_SLIPS:
        try:
            changed = change(case)
            wrong = settle_as_seen(*changed) if changed is not None else None
        except CaseError:
            continue
        if wrong is not None:
            for right_box, wrong_box in zip(settled.boxes, wrong.boxes, strict=True):
                yield from _differing(case, right_box, wrong_box, slip)
    inputs = zip(case.boxes, settled.boxes, strict=True)
    for box, result in inputs:
        for line in result.lines:
            for slip, alter in LINE_SLIPS:
                for other in alter(case, box, result, line):
                    if _differs(line, other):
                        rule = broken_rule(slip.rule, case.house)
                        yield Mistake(result.box, line.bet, other, slip, rule)


def _differing(case: Case, right: BoxResult, wrong: BoxResult, slip: Slip) -> Iterator[Mistake]:
    rule = broken_rule(slip.rule, case.house)
    lines = {line.bet: line for line in wrong.lines}
    for line in right.lines:
        other = lines.get(line.bet, Line(line.bet, Result.NOT_PAID, line.why))
        if _differs(line, other):
            yield Mistake(right.box, line.bet, other, slip, rule)


def _differs(right: Line, wrong: Line) -> bool:
    """Whether other money moves; two words for nothing moving are no mistake in money, and
    nobody pays a hand that the table does not pay."""
    if wrong.result is Result.WIN and wrong.amount <= 0:
        return False
    if right.result.value in _NOTHING_MOVES and wrong.result.value in _NOTHING_MOVES:
        return False
    return (right.result, right.amount, right.stake_taken) != (
        wrong.result,
        wrong.amount,
        wrong.stake_taken,
    )
