"""Three Card Poker (SPEC.md 4): ANTE and BET against the dealer, Pair Plus on its own."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from kiosk.rules.case import BoxInput, Cards, Case
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

CAP_ORDER = ("ante", "bet", "ante_bonus", "pair_plus")
ONE = Decimal(1)


def settle_three_card(case: Case, see: See = as_it_is) -> Settlement:
    """Settles a checked case."""
    dealer = dealer_result(case)
    return Settlement(dealer, tuple(_settle_box(case, dealer, box, see) for box in case.boxes))


def _settle_box(case: Case, dealer: DealerResult, box: BoxInput, see: See) -> BoxResult:
    cards = box.cards or box.dealt
    if not box.plays or cards is None:
        return _folded(case, box, cards)
    hand = hand_of(case.house, cards)
    lines = [*_pair_plus(case, box, hand)]
    against: Hand | None = None
    outcome: Outcome | None = None
    if "ante" in box.bets:
        against = dealer.hand if dealer.game else None
        true_outcome = outcome_of(hand, against) if against else "no-game"
        outcome = see(true_outcome, hand, dealer.hand)
        lines = [*_main(case, box, hand, outcome), *lines]
    return BoxResult(
        box.box,
        capped(lines, case.table.max_payout, CAP_ORDER),
        hand,
        (hand.first,),
        judged=hand,
        dealer=against,
        outcome=outcome,
    )


def _folded(case: Case, box: BoxInput, cards: Cards | None) -> BoxResult:
    lines = [lose("ante", Why.FOLDED, box.bets["ante"])]
    judged = None
    if "pair_plus" in box.bets:
        if case.house.pair_plus.on_fold == "settle" and cards is not None:
            judged = hand_of(case.house, cards)
            lines.extend(_pair_plus(case, box, judged))
        else:
            lines.append(lose("pair_plus", Why.SIDE_FOLDED, box.bets["pair_plus"]))
    limited = capped(lines, case.table.max_payout, CAP_ORDER)
    return BoxResult(box.box, limited, judged=judged)


def _main(case: Case, box: BoxInput, hand: Hand, outcome: Outcome) -> Iterator[Line]:
    house = case.house
    ante, bet = box.bets["ante"], box.bets["bet"]
    inside = house.cap.includes_ante
    if outcome == "no-game":
        yield win("ante", Why.NO_GAME_ANTE, ONE, ante, capped=inside)
        yield still("bet", Why.NO_GAME_BET)
    elif outcome == "higher":
        if house.ante.on_win == "none":
            yield still("ante", Why.BET_DECIDES)
        else:
            yield win("ante", Why.WON_ANTE, ONE, ante, capped=inside)
        yield win("bet", Why.WON, house.pay.bet[hand.kind.slug], bet)
    elif outcome == "equal":
        yield still("ante", Why.STAND_OFF, Result.PUSH)
        yield still("bet", Why.STAND_OFF, Result.PUSH)
    else:
        yield lose("ante", Why.LOST, ante)
        yield lose("bet", Why.LOST, bet)
    times = house.pay.ante_bonus.get(hand.kind.slug)
    if times is not None and (outcome != "lower" or house.ante_bonus.when_beaten == "pay"):
        yield win("ante_bonus", Why.ANTE_BONUS, times, ante)


def _pair_plus(case: Case, box: BoxInput, hand: Hand) -> Iterator[Line]:
    """Pair Plus does not play against the dealer (TC-PP-1)."""
    stake = box.stake("pair_plus")
    if stake is None:
        return
    times = case.house.pay.pair_plus.get(hand.kind.slug)
    if times is None:
        yield lose("pair_plus", Why.PAIR_PLUS_LOST, stake)
    else:
        inside = case.house.cap.includes_pair_plus
        yield win("pair_plus", Why.PAIR_PLUS_PAID, times, stake, capped=inside)
