"""A trainee's answer to an exercise: right or wrong, the mistakes by name, why it is so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from kiosk.errors import UserError
from kiosk.rules.describe import describe
from kiosk.rules.explain import explain
from kiosk.rules.houses import HouseFile
from kiosk.rules.judging import CARD_COUNT, ORDER, judge, marks
from kiosk.rules.mistakes import usual_mistakes
from kiosk.rules.money import number
from kiosk.rules.order import in_dealing_order
from kiosk.rules.settle import settle_case
from kiosk.teach.exercise import Exercise, asked_bets, hand_of_box, settled_of

NOTHING = {"result": "not-paid", "amount": 0}


@dataclass(frozen=True, slots=True)
class Given:
    """What the trainee entered; each form uses its own part. ``floor``: the floor is called, the
    round cannot be settled."""

    bets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    floor: bool = False
    combinations: tuple[str, ...] = ()
    game: bool | None = None
    amount: Decimal | None = None
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graded:
    """``kinds``: kinds of the mistakes made (P8); ``slips``: usual slips that explain them;
    ``data``: all of it for the page."""

    right: bool
    kinds: tuple[str, ...]
    slips: tuple[str, ...]
    data: Mapping[str, Any]


def grade(
    exercise: Exercise,
    file: HouseFile,
    given: Given,
    language: str = "en",
    order: str = "last-first",
) -> Graded:
    """Holds the answer against the rules. ``order``: in which the house works off its seats.

    UserError for an answer that is none to this exercise.
    """
    return _GRADERS[exercise.form](_Desk(exercise, file, language, order), given)


@dataclass(frozen=True, slots=True)
class _Desk:
    exercise: Exercise
    file: HouseFile
    language: str
    order: str

    @property
    def houses(self) -> Mapping[str, HouseFile]:
        return {self.file.house.name: self.file}

    def settlement(self) -> dict[str, Any]:
        return settle_case(self.exercise.case, self.houses)

    def told(self, settlement: Mapping[str, Any]) -> dict[str, Any]:
        """The settled truth with its reasons and the significant cards."""
        told = explain(self.exercise.case, settlement, self.language, self.houses)
        if "error" in settlement:
            lines = [str(told.get("error", ""))]
            return {"due": {}, "why": {}, "lines": lines, "significant": [], "dealer": [[]]}
        box = settlement["boxes"][0]
        own = told["boxes"][0]
        return {
            "due": {bet: dict(line) for bet, line in box["bets"].items()},
            "why": dict(own["bets"]),
            "lines": [*told["dealer"], *own["lines"]],
            "combinations": list(box["combinations"]),
            "significant": self.significant(),
            "dealer": self.dealer_significant(),
            "paid": box["paid"],
            "taken": box["taken"],
        }

    def significant(self) -> list[list[str]]:
        box = self.exercise.case["boxes"][0]
        if box["action"] == "fold" or not box.get("cards"):
            return []
        return _texts(hand_of_box(self.file, self.exercise)["significant"])

    def dealer_significant(self) -> list[list[str]]:
        cards = self.exercise.case["dealer"]["cards"]
        board = self.exercise.case.get("board") or ()
        return _texts(describe(cards, self.file.house, board)["significant"][:1])


def _texts(sets: Any) -> list[list[str]]:
    return [[str(card) for card in cards] for cards in sets]


def _settle(desk: _Desk, given: Given) -> Graded:
    exercise = desk.exercise
    settlement = desk.settlement()
    data = desk.told(settlement)
    if exercise.damaged or given.floor:
        right = exercise.damaged and given.floor
        data |= {"damaged": exercise.damaged, "floor": given.floor, "bets": {}}
        return _graded(right, () if right else (CARD_COUNT,), (), data)
    if not given.bets:
        raise UserError("bets: each bet must be answered")
    asked = asked_bets(exercise)
    extra = sorted(set(given.bets) - set(asked))
    if extra:
        raise UserError(f"bets.{extra[0][:40]}: the box has no such bet")
    lines = {bet: data["due"].get(bet, NOTHING) for bet in asked}
    data["due"] = lines
    return _judged(desk, lines, given.bets, data)


def _judged(
    desk: _Desk,
    lines: Mapping[str, Mapping[str, Any]],
    answer: Mapping[str, Mapping[str, Any]],
    data: dict[str, Any],
) -> Graded:
    case, box = desk.exercise.case, desk.exercise.box
    right = marks(lines, answer)
    wrong = judge(case, lines, box, answer, desk.language, desk.houses)
    data["bets"] = {
        bet: {"right": good, "said": dict(answer.get(bet, {})), **wrong.get(bet, {})}
        for bet, good in right.items()
    }
    kinds = tuple(dict.fromkeys(found["kind"] for found in wrong.values()))
    slips = tuple(
        dict.fromkeys(f["mistakes"][0]["mistake"] for f in wrong.values() if f["mistakes"])
    )
    return _graded(not wrong, kinds, slips, data)


def _graded(
    right: bool, kinds: tuple[str, ...], slips: tuple[str, ...], data: dict[str, Any]
) -> Graded:
    return Graded(right, kinds, slips, {**data, "right": right, "kinds": list(kinds)})


def _amount(desk: _Desk, given: Given) -> Graded:
    bet = desk.exercise.bet
    if given.amount is None or bet is None:
        raise UserError("amount: the payment must be given")
    data = desk.told(desk.settlement())
    lines = {bet: data["due"][bet]}
    answer = {bet: {"result": "win", "amount": number(given.amount)}}
    return _judged(desk, lines, answer, {**data, "due": lines})


def _hand(desk: _Desk, given: Given) -> Graded:
    if not given.combinations:
        raise UserError("combinations: a combination must be named")
    found = hand_of_box(desk.file, desk.exercise)
    truth = list(found["combinations"])
    said = list(given.combinations)
    kinds = []
    if said[:1] != truth[:1]:
        kinds.append("misread-hand")
    if said[1:] != truth[1:]:
        kinds.append("second-combination")
    slips = ("second-missed",) if said[:1] == truth[:1] and truth[1:] and not said[1:] else ()
    data = {
        "combinations": truth,
        "names": list(found["names"]),
        "significant": _texts(found["significant"]),
        "said": said,
        "lines": [],
        "bets": {},
    }
    return _graded(not kinds, tuple(kinds), slips, data)


def _game(desk: _Desk, given: Given) -> Graded:
    if given.game is None:
        raise UserError("game: yes or no must be said")
    settlement = desk.settlement()
    truth = bool(settlement["dealer"]["game"])
    lines = explain(desk.exercise.case, settlement, desk.language, desk.houses)["dealer"][:1]
    data = {
        "game": truth,
        "said": given.game,
        "dealer": desk.dealer_significant(),
        "lines": lines,
        "bets": {},
    }
    right = given.game == truth
    slip = "game-overlooked" if truth else "no-game-overlooked"
    kinds, slips = (() if right else ("qualification",)), (() if right else (slip,))
    return _graded(right, kinds, slips, data)


def _order(desk: _Desk, given: Given) -> Graded:
    exercise = desk.exercise
    if sorted(given.order) != sorted(exercise.steps):
        raise UserError("order: every step must be named once")
    if exercise.seats:
        truth = sorted(exercise.steps, key=int, reverse=desk.order == "last-first")
        right = list(given.order) == truth
    else:
        lines = settled_of(desk.file, exercise.case).boxes[0].lines
        ordered = in_dealing_order(lines, desk.file.house.game)
        truth = [line.bet for _, line in ordered]
        stages = {line.bet: stage for stage, line in ordered}
        said = [stages[bet] for bet in given.order]
        right = said == sorted(said)
    data: dict[str, Any] = {"order": truth, "said": list(given.order), "lines": [], "bets": {}}
    if not exercise.seats:
        data["lines"] = desk.told(desk.settlement())["lines"]
    return _graded(right, () if right else (ORDER,), (), data)


_GRADERS: Mapping[str, Callable[[_Desk, Given], Graded]] = {
    "settle": _settle,
    "amount": _amount,
    "hand": _hand,
    "game": _game,
    "order": _order,
}


def slips_within(exercise: Exercise, file: HouseFile) -> frozenset[str]:
    """The slips that this round would have let happen, for what is asked about."""
    if exercise.form not in ("settle", "amount") or exercise.damaged:
        return frozenset()
    houses = {file.house.name: file}
    return frozenset(
        item["mistake"]
        for item in usual_mistakes(exercise.case, "en", houses)
        if exercise.bet in (None, item["bet"])
    )
