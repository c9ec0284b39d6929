"""Texas poker in the form of casino hold'em (SPEC.md 5)."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kiosk.rules.case import BoxInput, Case
from kiosk.rules.dealer import dealer_result
from kiosk.rules.evaluate import Hand
from kiosk.rules.prices import hand_of
from kiosk.rules.results import (
    BoxResult,
    DealerResult,
    Line,
    Outcome,
    Result,
    See,
    Settlement,
    Why,
    as_it_is,
    capped,
    lose,
    outcome_of,
    still,
    win,
)
from kiosk.rules.side_bets import judged_hand, table_bonus_line

CAP_ORDER = ("bet", "ante")
ONE = Decimal(1)


def settle_texas(case: Case, see: See = as_it_is) -> Settlement:
    """Settles a checked case."""
    dealer = dealer_result(case)
    return Settlement(dealer, tuple(_settle_box(case, dealer, box, see) for box in case.boxes))


def _settle_box(case: Case, dealer: DealerResult, box: BoxInput, see: See) -> BoxResult:
    judged = judged_hand(case, box)
    bonus = [table_bonus_line(case, box, judged)] if "bonus" in box.bets else []
    if not box.plays or box.cards is None:
        lines = [lose("ante", Why.FOLDED, box.bets["ante"]), *bonus]
        return BoxResult(box.box, tuple(lines), judged=judged)
    hand = hand_of(case.house, box.cards, case.board or ())
    true_outcome = outcome_of(hand, dealer.hand) if dealer.game else "no-game"
    outcome = see(true_outcome, hand, dealer.hand)
    lines = [*_main(case, box, hand, outcome), *bonus]
    return BoxResult(
        box.box,
        capped(lines, case.table.max_payout, CAP_ORDER),
        hand,
        (hand.first,),
        judged=judged,
        dealer=dealer.hand if dealer.game else None,
        outcome=outcome,
    )


def _main(case: Case, box: BoxInput, hand: Hand, outcome: Outcome) -> Iterator[Line]:
    house, slug = case.house, hand.kind.slug
    ante, bet = box.bets["ante"], box.bets["bet"]
    inside = house.cap.includes_ante
    if outcome == "no-game":
        times = house.pay.ante_no_game[slug]
        yield win("ante", Why.NO_GAME_ANTE, times, ante, capped=inside)
        yield still("bet", Why.NO_GAME_BET)
    elif outcome == "higher":
        if house.ante.on_win == "none":
            yield still("ante", Why.BET_DECIDES)
        else:
            times = house.pay.ante[slug] if house.ante.on_win == "table" else ONE
            yield win("ante", Why.WON_ANTE, times, ante, capped=inside)
        yield win("bet", Why.WON, house.pay.bet[slug], bet)
    elif outcome == "equal":
        yield still("ante", Why.STAND_OFF, Result.PUSH)
        yield still("bet", Why.STAND_OFF, Result.PUSH)
    else:
        yield lose("ante", Why.LOST, ante)
        yield lose("bet", Why.LOST, bet)
