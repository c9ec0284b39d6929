"""What stands on a box: its bets as placed, entered or by default."""

from __future__ import annotations

from decimal import Decimal

from kiosk.table.plan import FEES, Plan
from kiosk.table.state import BoxState, RoundSettings


def bets_of(box: BoxState, settings: RoundSettings, plan: Plan) -> dict[str, Decimal]:
    """All bets of the box as placed: entered amounts, defaults for the rest.

    ANTE defaults to the table minimum, BET to its multiple, fees follow from the actions. A
    folded box has no BET, and one without ANTE has only its side bets.
    """
    entered = dict(box.bets)
    ante = entered.get("ante", settings.ante_min)
    bets = dict(entered)
    bets["ante"] = ante
    if ante:
        bets.setdefault("bet", plan.bet_of(ante))
        done = {
            "exchange": box.exchanged > 0,
            "sixth": box.sixth,
            "extra_two": box.extra_two,
            "buy": box.buy is True,
        }
        for name in FEES:
            fee = plan.fee_of(name, ante, box.exchanged) if done[name] else None
            if fee is not None:
                bets.setdefault(name, fee)
    if box.action == "fold":
        bets.pop("bet", None)
    return {name: bets[name] for name in plan.bets if bets.get(name)}


def judged(box: BoxState, settings: RoundSettings, plan: Plan) -> bool:
    """Whether a bet on the box is settled by the cards it was dealt, whatever came later (P2)."""
    return plan.judges_deal(bets_of(box, settings, plan), box.action == "fold")
