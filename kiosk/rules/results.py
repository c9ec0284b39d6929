"""What comes out of a settlement: one line per bet, with the reason it was settled so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

from kiosk.rules.evaluate import Combination, Hand
from kiosk.rules.money import ZERO, allot, number

Outcome = Literal["no-game", "failed", "higher", "equal", "lower"]
"""How a playing box stands: no game and not bought, a bought game that failed, or compared."""


class Result(Enum):
    """What happens to a bet (rules data README)."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NOT_PAID = "not-paid"
    RETURNED = "returned"


class Why(Enum):
    """The reason of one line; ``explain`` has a text for each, ``rule_ids`` the rule."""

    FOLDED = "folded"
    FEE = "fee"
    NO_GAME_ANTE = "no-game-ante"
    NO_GAME_BET = "no-game-bet"
    WON = "won"
    WON_ANTE = "won-ante"
    BET_DECIDES = "bet-decides"
    LOST = "lost"
    STAND_OFF = "stand-off"
    HALF = "half"
    HALF_OTHER = "half-other"
    BUY_FAILED = "buy-failed"
    BUY_FAILED_ANTE = "buy-failed-ante"
    BUY_FAILED_BET = "buy-failed-bet"
    INSURANCE_WON = "insurance-won"
    INSURANCE_LOST = "insurance-lost"
    INSURANCE_BEATEN = "insurance-beaten"
    INSURANCE_TIED = "insurance-tied"
    INSURANCE_INELIGIBLE = "insurance-ineligible"
    BONUS_DOUBLED = "bonus-doubled"
    BONUS_NOT_DOUBLED = "bonus-not-doubled"
    BONUS_PAID = "bonus-paid"
    BONUS_LOST = "bonus-lost"
    SIDE_FOLDED = "side-folded"
    PROGRESSIVE_PAID = "progressive-paid"
    PROGRESSIVE_SHARE = "progressive-share"
    PROGRESSIVE_LOST = "progressive-lost"
    PRIZE = "prize"
    ANTE_BONUS = "ante-bonus"
    PAIR_PLUS_PAID = "pair-plus-paid"
    PAIR_PLUS_LOST = "pair-plus-lost"
    SMALL_WINS_BET = "small-wins-bet"
    SMALL_LOSES_ANTE = "small-loses-ante"
    SMALL_DECIDES = "small-decides"


@dataclass(frozen=True, slots=True)
class Line:
    """One bet settled.

    ``amount``: winnings, or the stake lost; 0 otherwise. ``stake_taken``: stake taken although the
    bet won. ``times`` × ``on`` (halved when ``half``) is what was due before the table maximum cut
    ``cut`` from it. ``capped``: the payment counts towards the table maximum.
    """

    bet: str
    result: Result
    why: Why
    amount: Decimal = ZERO
    stake_taken: Decimal | None = None
    times: Decimal | None = None
    on: Decimal | None = None
    half: bool = False
    cut: Decimal = ZERO
    capped: bool = False


@dataclass(frozen=True, slots=True)
class BoxResult:
    """One box settled. ``hand`` and combinations are None and empty on a fold; ``judged`` is the
    hand that bonuses on the deal were judged by; ``dealer`` the hand it was compared with;
    ``outcome`` how it stood (None without ANTE)."""

    box: int
    lines: tuple[Line, ...]
    hand: Hand | None = None
    combinations: tuple[Combination, ...] = ()
    paid_as: str | None = None
    judged: Hand | None = None
    dealer: Hand | None = None
    outcome: Outcome | None = None
    small: Hand | None = None

    @property
    def paid(self) -> Decimal:
        return sum((ln.amount for ln in self.lines if ln.result is Result.WIN), ZERO)

    @property
    def taken(self) -> Decimal:
        lost = sum((ln.amount for ln in self.lines if ln.result is Result.LOSE), ZERO)
        return lost + sum((ln.stake_taken or ZERO for ln in self.lines), ZERO)


@dataclass(frozen=True, slots=True)
class DealerResult:
    """The dealer's announcement, and the second one when the game was bought.

    ``discarded`` and ``drawn``: the cards that changed then, in order.
    """

    hand: Hand
    game: bool
    bought: Hand | None = None
    bought_game: bool = False
    discarded: tuple[Any, ...] = ()
    small: Hand | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    dealer: DealerResult
    boxes: tuple[BoxResult, ...]


def as_data(settlement: Settlement) -> dict[str, Any]:
    """The settlement in the shape of ``expected``: int when whole, else Decimal."""
    dealer = settlement.dealer
    announced: dict[str, Any] = {"combination": dealer.hand.kind.slug, "game": dealer.game}
    if dealer.bought is not None:
        announced["after_buy"] = {
            "combination": dealer.bought.kind.slug,
            "game": dealer.bought_game,
        }
    return {
        "dealer": announced,
        "paid": number(sum((box.paid for box in settlement.boxes), ZERO)),
        "taken": number(sum((box.taken for box in settlement.boxes), ZERO)),
        "boxes": [_box_data(box) for box in settlement.boxes],
    }


def _box_data(box: BoxResult) -> dict[str, Any]:
    data: dict[str, Any] = {
        "box": box.box,
        "combinations": [item.kind.slug for item in box.combinations],
    }
    if box.paid_as is not None:
        data["paid_as"] = box.paid_as
    data["bets"] = {line.bet: _line_data(line) for line in box.lines}
    data["paid"], data["taken"] = number(box.paid), number(box.taken)
    return data


def _line_data(line: Line) -> Mapping[str, Any]:
    data: dict[str, Any] = {"result": line.result.value, "amount": number(line.amount)}
    if line.stake_taken is not None:
        data["stake_taken"] = number(line.stake_taken)
    return data


See = Callable[[Outcome, Hand, Hand], Outcome]
"""How an outcome is seen, with the hands of box and dealer: truly, or with a dealer's slip."""


def as_it_is(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    """The true view."""
    return outcome


def outcome_of(hand: Hand, dealer: Hand) -> Outcome:
    """The comparison of 1.3 from the side of the box."""
    if hand.key == dealer.key:
        return "equal"
    return "higher" if hand.key > dealer.key else "lower"


def win(
    bet: str,
    why: Why,
    times: Decimal,
    on: Decimal,
    *,
    half: bool = False,
    capped: bool = True,
    stake_taken: Decimal | None = None,
) -> Line:
    """A bet that wins ``times`` × ``on``, halved when ``half`` (COM-CAP-5)."""
    amount = times * on / 2 if half else times * on
    return Line(bet, Result.WIN, why, amount, stake_taken, times, on, half, capped=capped)


def lose(bet: str, why: Why, stake: Decimal) -> Line:
    return Line(bet, Result.LOSE, why, stake)


def still(bet: str, why: Why, result: Result = Result.NOT_PAID) -> Line:
    """A bet that moves no money."""
    return Line(bet, result, why)


def capped(
    lines: Iterable[Line], limit: Decimal | None, order: tuple[str, ...]
) -> tuple[Line, ...]:
    """The lines of a box under the table maximum, allotted in the order of bets (COM-CAP-4)."""
    found = list(lines)
    if limit is None:
        return tuple(found)
    under = sorted(
        (i for i, line in enumerate(found) if line.capped and line.result is Result.WIN),
        key=lambda i: order.index(found[i].bet),
    )
    parts = allot(limit, [found[i].amount for i in under])
    for index, part in zip(under, parts, strict=True):
        line = found[index]
        if part != line.amount:
            found[index] = _cut(line, part)
    return tuple(found)


def _cut(line: Line, amount: Decimal) -> Line:
    return Line(
        line.bet,
        line.result,
        line.why,
        amount,
        line.stake_taken,
        line.times,
        line.on,
        line.half,
        line.amount - amount,
        True,
    )
