"""Fees, bonuses and the progressive jackpot: bets beside ANTE and BET."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kiosk.rules.case import BoxInput, Case, CaseError
from kiosk.rules.evaluate import Combo, Hand
from kiosk.rules.options import Share
from kiosk.rules.prices import Worth, bonus_row, hand_of, judged_cards, judges_deal
from kiosk.rules.results import Line, Result, Why, lose, win

FEES = ("exchange", "sixth", "extra_two", "buy")


def fee_lines(box: BoxInput) -> Iterator[Line]:
    """Fees are the house's whatever follows (COM-RES-1)."""
    for bet in FEES:
        if bet in box.bets:
            yield lose(bet, Why.FEE, box.bets[bet])


def judged_hand(case: Case, box: BoxInput) -> Hand | None:
    """The hand that side bets on the deal are settled by; None when no bet needs one."""
    if not judges_deal(case.house, box):
        return None
    cards = judged_cards(case, box)
    return None if cards is None else hand_of(case.house, cards)


def doubling_line(box: BoxInput, value: Worth | None, *, beaten: bool, half: bool) -> Line:
    """Bonus of kind ``double-on-ace-king`` (RPA-BON-1 … 6).

    ``beaten``: the box is higher than the dealer's game; ``half``: the half payout is paid and the
    house doubles it too. The stake is taken in every case.
    """
    stake = box.bets["bonus"]
    if value is None:
        return lose("bonus", Why.SIDE_FOLDED, stake)
    second = value.second
    works = second is not None and second.kind is Combo.ACE_KING
    if works and (beaten or half):
        return win(
            "bonus",
            Why.BONUS_DOUBLED,
            value.first_pays,
            box.bets["bet"],
            half=half,
            stake_taken=stake,
        )
    return lose("bonus", Why.BONUS_NOT_DOUBLED, stake)


def table_bonus_line(case: Case, box: BoxInput, judged: Hand | None) -> Line:
    """Bonus of kind ``table``, settled by the dealt cards without regard to the dealer."""
    stake, bonus = box.bets["bonus"], case.house.bonus
    if judged is None or (not box.plays and bonus.on_fold == "lose"):
        return lose("bonus", Why.SIDE_FOLDED, stake)
    row = bonus_row(case.house, judged)
    if row is None:
        return lose("bonus", Why.BONUS_LOST, stake)
    taken = stake if bonus.stake_on_win == "taken" else None
    times = case.house.pay.bonus[row]
    return win("bonus", Why.BONUS_PAID, times, stake, capped=False, stake_taken=taken)


def jackpot_lines(case: Case, box: BoxInput, judged: Hand | None) -> Iterator[Line]:
    """Progressive tokens (gone in any case) and prizes announced by the system (OA-PRG)."""
    stake = box.stake("progressive")
    if stake is not None and judged is not None:
        yield _progressive_line(case, stake, judged)
    for prize in box.prizes:
        yield Line(f"prize:{prize.name}", Result.WIN, Why.PRIZE, prize.amount)


def _progressive_line(case: Case, stake: Decimal, judged: Hand) -> Line:
    cell = case.house.pay.progressive.get(judged.kind.slug)
    if cell is None:
        return lose("progressive", Why.PROGRESSIVE_LOST, stake)
    if not isinstance(cell, Share):
        return win(
            "progressive", Why.PROGRESSIVE_PAID, cell, stake, capped=False, stake_taken=stake
        )
    if case.meter is None:
        raise CaseError("meter-missing", "meter", "meter: a share of the meter is due: enter it")
    return win(
        "progressive",
        Why.PROGRESSIVE_SHARE,
        cell.of_meter,
        case.meter,
        capped=False,
        stake_taken=stake,
    )
