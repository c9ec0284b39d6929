"""Slips that dealers make, each with the rule it breaks: the list behind ``mistakes``.

A slip of a round changes the house, the limits or how a comparison is seen, and the round is
settled again; a slip of a line changes one bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from kiosk.rules.case import BoxInput, Case
from kiosk.rules.evaluate import Combo, Hand
from kiosk.rules.money import ZERO
from kiosk.rules.options import House
from kiosk.rules.results import BoxResult, Line, Outcome, Result, See, Why, as_it_is


@dataclass(frozen=True, slots=True)
class Slip:
    """A kind of mistake: its name and the rule it breaks."""

    name: str
    rule: str


RoundSlip = Callable[[Case], tuple[Case, See] | None]
LineSlip = Callable[[Case, BoxInput, BoxResult, Line], Iterator[Line]]


def _option(group: str, **values: object) -> RoundSlip:
    """The round in a house with one option changed; None when that changes nothing."""

    def change(case: Case) -> tuple[Case, See] | None:
        part = getattr(case.house, group)
        changed = replace(part, **values)
        if changed == part:
            return None
        house: House = replace(case.house, **{group: changed})
        return replace(case, house=house), as_it_is

    return change


def _for_games(slip: RoundSlip, *games: str) -> RoundSlip:
    return lambda case: slip(case) if case.house.game in games else None


def _no_cap(case: Case) -> tuple[Case, See] | None:
    return replace(case, table=replace(case.table, max_payout=None)), as_it_is


def _seen(see: See) -> RoundSlip:
    return lambda case: (case, see)


def _beats_no_game(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    return "higher" if outcome == "no-game" else outcome


def _compares_no_game(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    if outcome not in ("no-game", "failed"):
        return outcome
    return "equal" if own.key == other.key else "higher" if own.key > other.key else "lower"


def _overlooks_game(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    return outcome if outcome == "failed" else "no-game"


def _reversed(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    if outcome == "higher":
        return "lower"
    return "higher" if outcome in ("lower", "equal") else outcome


def _combination_only(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    """Compares the combination and its ranks, not the side cards."""
    if outcome not in ("higher", "lower") or own.kind is not other.kind:
        return outcome
    made = len({card.rank for card in own.significant})
    if own.kind in (Combo.HIGH_CARD, Combo.FLUSH):
        made = 1
    same = own.ranks[:made] == other.ranks[:made]
    return "equal" if same else outcome


def _lost_when_failed(outcome: Outcome, own: Hand, other: Hand) -> Outcome:
    return "lower" if outcome == "failed" else outcome


ROUND_SLIPS: tuple[tuple[Slip, RoundSlip], ...] = (
    (Slip("second-missed", "RP-DBL-1"), _option("doubles", enabled=False)),
    (Slip("duplicate-as-pair", "RP-DBL-7"), _option("doubles", duplicate_straight="pair")),
    (
        Slip("ante-paid-too", "RP-SET-1"),
        lambda case: (
            _option("ante", on_win="even")(case)
            if case.house.ante.on_win == "none" and case.house.game != "split"
            else None
        ),
    ),
    (
        Slip("ante-not-paid", "FC-SET-1"),
        lambda case: (
            _option("ante", on_win="none")(case) if case.house.ante.on_win != "none" else None
        ),
    ),
    (Slip("ante-even", "TX-SET-1"), _for_games(_option("ante", on_win="even"), "texas")),
    (Slip("cap-forgotten", "COM-CAP-1"), _no_cap),
    (Slip("cap-without-ante", "COM-CAP-2"), _option("cap", includes_ante=False)),
    (Slip("half-forgotten", "RP-SF-1"), _option("sf_half", enabled=False)),
    (Slip("half-of-first", "RP-SF-4"), _option("sf_half", base="first")),
    (
        Slip("insurance-taken", "RP-INS-5"),
        _option("insurance", when_beaten="lose", when_tied="lose"),
    ),
    (Slip("three-pair-missed", "SP-3P-1"), _option("split", three_pair="off")),
    (Slip("ante-bonus-missed", "TC-AB-1"), _option("ante_bonus", when_beaten="lose")),
    (Slip("failed-purchase-paid", "RP-BUY-5"), _option("buy", failed_ante="even")),
    (Slip("failed-purchase-lost", "RP-BUY-5"), _seen(_lost_when_failed)),
    (Slip("bet-paid-without-game", "RP-NG-1"), _seen(_beats_no_game)),
    (Slip("no-game-overlooked", "RP-QUAL-1"), _seen(_compares_no_game)),
    (Slip("game-overlooked", "RP-QUAL-1"), _seen(_overlooks_game)),
    (Slip("side-cards-overlooked", "COM-TIE-1"), _seen(_combination_only)),
    (Slip("comparison-reversed", "RP-SET-2"), _seen(_reversed)),
)
"""Slips of a whole round, the likeliest first where they lead to the same answer."""

_BET_PAYMENTS = (Why.WON, Why.HALF, Why.SMALL_WINS_BET)
_TABLE_PAYMENTS = (*_BET_PAYMENTS, Why.SMALL_LOSES_ANTE)


def _paid(line: Line, due: Decimal) -> Iterator[Line]:
    yield replace(line, amount=due, cut=ZERO)


def _not_halved(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.half and line.times is not None and line.on is not None:
        due = line.times * line.on
        limit = case.table.max_payout
        yield from _paid(line, due if limit is None else min(due, limit))


def _fee_back(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.why is Why.FEE:
        yield Line(line.bet, Result.RETURNED, line.why)


def _stake_in(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    stake = box.bets.get(line.bet)
    if line.result is Result.WIN and stake is not None:
        yield from _paid(line, line.amount + stake)


def _on_ante(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    ante = box.bets.get("ante")
    if line.why in _BET_PAYMENTS and line.bet == "bet" and line.times and ante is not None:
        due = line.times * ante
        yield from _paid(line, due / 2 if line.half else due)


def _on_bet(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    bet = box.bets.get("bet")
    if line.why is Why.SMALL_LOSES_ANTE and line.times and bet is not None:
        yield from _paid(line, line.times * bet)


def _other_small(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    """The bet that the small hands did not choose is paid instead of the one they chose."""
    if line.why in (Why.SMALL_WINS_BET, Why.SMALL_LOSES_ANTE):
        yield Line(line.bet, Result.NOT_PAID, line.why)
    elif line.why is Why.SMALL_DECIDES and result.hand is not None:
        slug = result.paid_as or result.hand.kind.slug
        due = case.house.pay.bet[slug] * box.bets[line.bet]
        yield Line(line.bet, Result.WIN, line.why, due)


def _row(step: int) -> LineSlip:
    """The coefficient of the next row of the pay table instead of the first combination's."""

    def alter(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
        if line.why not in _TABLE_PAYMENTS or result.hand is None or not line.times or not line.on:
            return
        table = case.house.pay.bet
        rows = [combo.slug for combo in case.house.ranking if combo.slug in table]
        slug = result.hand.kind.slug
        if slug not in rows or not 0 <= rows.index(slug) + step < len(rows):
            return
        other = table[rows[rows.index(slug) + step]]
        due = (line.times - table[slug] + other) * line.on
        due = due / 2 if line.half else due
        limit = case.table.max_payout
        yield from _paid(line, due if limit is None else min(due, limit))

    return alter


def _doubling(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.why is Why.BONUS_DOUBLED and line.stake_taken is not None:
        yield Line(line.bet, Result.LOSE, line.why, line.stake_taken)


def _doubles_both(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.why is Why.BONUS_DOUBLED and line.times and line.on:
        second = case.house.pay.bet[result.combinations[1].kind.slug]
        due = (line.times + second) * line.on
        yield from _paid(line, due / 2 if line.half else due)


def _stake_left(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.stake_taken is not None:
        yield replace(line, stake_taken=None)


def _stake_taken(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    if line.why is Why.BONUS_PAID and line.stake_taken is None:
        yield replace(line, stake_taken=box.bets[line.bet])


def _fold_bonus(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    """A bonus that stands after a fold is taken, and the other way round left."""
    stake = box.bets.get(line.bet)
    if box.plays or line.bet not in ("bonus", "pair_plus") or stake is None:
        return
    if line.result is Result.WIN:
        yield Line(line.bet, Result.LOSE, line.why, stake)
    else:
        yield Line(line.bet, Result.RETURNED, line.why)


def _insurance_after(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    """Insurance settled after the purchase: lost or returned instead of paid."""
    if line.why is Why.INSURANCE_WON and "buy" in box.bets:
        yield Line(line.bet, Result.LOSE, line.why, box.bets[line.bet])
        yield Line(line.bet, Result.RETURNED, line.why)


def _missed(*reasons: Why) -> LineSlip:
    """A payment that does not depend on the dealer is forgotten."""

    def alter(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
        if line.why not in reasons:
            return
        stake = box.bets.get(line.bet)
        if stake is not None:
            yield Line(line.bet, Result.LOSE, line.why, stake)
        yield Line(line.bet, Result.NOT_PAID, line.why)

    return alter


def _second_below(case: Case, box: BoxInput, result: BoxResult, line: Line) -> Iterator[Line]:
    """The second combination left out because the dealer's hand is above it (RP-DBL-6)."""
    if line.why is not Why.WON or len(result.combinations) < 2 or result.dealer is None:
        return
    second = result.combinations[1]
    if second.kind < result.dealer.kind and line.on:
        first = case.house.pay.bet[result.combinations[0].kind.slug]
        yield from _paid(line, first * line.on)


LINE_SLIPS: tuple[tuple[Slip, LineSlip], ...] = (
    (Slip("second-not-paid-below", "RP-DBL-6"), _second_below),
    (Slip("half-not-taken", "RP-SF-1"), _not_halved),
    (Slip("bonus-not-doubled", "RPA-BON-3"), _doubling),
    (Slip("bonus-doubles-both", "RPA-BON-3"), _doubles_both),
    (Slip("bonus-stake-left", "RPA-BON-1"), _stake_left),
    (Slip("bonus-stake-taken", "RPB-BON-4"), _stake_taken),
    (Slip("bonus-by-fold", "RPB-BON-4"), _fold_bonus),
    (Slip("insurance-not-paid", "RP-INS-6"), _insurance_after),
    (Slip("fee-handed-back", "COM-RES-1"), _fee_back),
    (Slip("paid-on-ante", "COM-RES-1"), _on_ante),
    (Slip("paid-on-bet", "SP-SET-3"), _on_bet),
    (Slip("small-hand-reversed", "SP-SET-2"), _other_small),
    (Slip("pair-plus-missed", "TC-PP-1"), _missed(Why.PAIR_PLUS_PAID)),
    (Slip("ante-bonus-missed", "TC-AB-1"), _missed(Why.ANTE_BONUS)),
    (Slip("progressive-missed", "OA-PRG-2"), _missed(Why.PROGRESSIVE_PAID, Why.PROGRESSIVE_SHARE)),
    (Slip("prize-missed", "OA-PRG-4"), _missed(Why.PRIZE)),
    (Slip("stake-counted-in", "COM-RES-1"), _stake_in),
    (Slip("row-above", "RP-PAY-1"), _row(1)),
    (Slip("row-below", "RP-PAY-1"), _row(-1)),
)
"""Slips of one bet."""
