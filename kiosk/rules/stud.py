"""Russian, five-card, six-card and Oasis poker: one settlement, steered by options.

SPEC.md 2.11 with ANTE paid or not (``ante.on_win``), doubles, half rule, purchase, insurance and
bonuses as the house has them; sections 3 and 7 are the same with other options.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from kiosk.rules.case import BoxInput, Case
from kiosk.rules.dealer import dealer_result
from kiosk.rules.evaluate import Combo, Hand
from kiosk.rules.prices import Worth, insurable, worth
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
from kiosk.rules.side_bets import (
    doubling_line,
    fee_lines,
    jackpot_lines,
    judged_hand,
    table_bonus_line,
)

CAP_ORDER = ("ante", "bet", "bonus")
ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class Play:
    """A box that plays, with everything its lines depend on."""

    case: Case
    box: BoxInput
    value: Worth
    outcome: Outcome
    announced: Outcome
    """As ``outcome``, but by the dealer's first announcement (RP-INS-6)."""

    @property
    def half(self) -> bool:
        """Whether the half payout is due (RP-SF-1)."""
        high = self.value.hand.kind >= Combo.STRAIGHT_FLUSH
        return self.case.house.sf_half.enabled and high and self.outcome != "higher"


def settle_stud(case: Case, see: See = as_it_is) -> Settlement:
    """Settles a checked case. Raises CaseError of row 15."""
    dealer = dealer_result(case)
    return Settlement(dealer, tuple(_settle_box(case, dealer, box, see) for box in case.boxes))


def standing(dealer: DealerResult, box: BoxInput, hand: Hand) -> tuple[Outcome, Hand | None]:
    """How a playing box stands, and the dealer's hand it was compared with."""
    if dealer.game:
        return outcome_of(hand, dealer.hand), dealer.hand
    if "buy" not in box.bets or dealer.bought is None:
        return "no-game", None
    if not dealer.bought_game:
        return "failed", None
    return outcome_of(hand, dealer.bought), dealer.bought


def _settle_box(case: Case, dealer: DealerResult, box: BoxInput, see: See) -> BoxResult:
    judged = judged_hand(case, box)
    if not box.plays or box.cards is None:
        lines = [
            lose("ante", Why.FOLDED, box.bets["ante"]),
            *fee_lines(box),
            *_bonus_lines(case, box, judged, None),
            *jackpot_lines(case, box, judged),
        ]
        return BoxResult(box.box, tuple(lines), judged=judged)
    value = worth(case.house, box.cards)
    true_outcome, against = standing(dealer, box, value.hand)
    outcome = see(true_outcome, value.hand, against or dealer.hand)
    announced: Outcome = outcome if dealer.game else "no-game"
    play = Play(case, box, value, outcome, announced)
    found = [
        *_main_lines(play),
        *fee_lines(box),
        *_insurance_lines(play),
        *_bonus_lines(case, box, judged, play),
        *jackpot_lines(case, box, judged),
    ]
    return BoxResult(
        box.box,
        capped(found, case.table.max_payout, CAP_ORDER),
        value.hand,
        value.combinations,
        judged=judged,
        dealer=against,
        outcome=outcome,
    )


def _main_lines(play: Play) -> Iterator[Line]:
    """ANTE and BET."""
    ante, bet = play.box.bets["ante"], play.box.bets["bet"]
    if play.half:
        yield from _half_lines(play, ante, bet)
    elif play.outcome == "no-game":
        yield _ante(play, Why.NO_GAME_ANTE, ONE)
        yield still("bet", Why.NO_GAME_BET)
    elif play.outcome == "failed" and play.case.house.buy.failed_ante == "even":
        yield _ante(play, Why.BUY_FAILED_ANTE, ONE)
        yield still("bet", Why.BUY_FAILED_BET)
    elif play.outcome == "failed":
        yield still("ante", Why.BUY_FAILED, Result.PUSH)
        yield still("bet", Why.BUY_FAILED, Result.PUSH)
    elif play.outcome == "equal":
        yield still("ante", Why.STAND_OFF, Result.PUSH)
        yield still("bet", Why.STAND_OFF, Result.PUSH)
    elif play.outcome == "lower":
        yield lose("ante", Why.LOST, ante)
        yield lose("bet", Why.LOST, bet)
    else:
        yield _ante_on_win(play)
        yield win("bet", Why.WON, play.value.pays, bet)


def _ante(play: Play, why: Why, times: Decimal) -> Line:
    inside = play.case.house.cap.includes_ante
    return win("ante", why, times, play.box.bets["ante"], capped=inside)


def _ante_on_win(play: Play) -> Line:
    house = play.case.house
    if house.ante.on_win == "none":
        return still("ante", Why.BET_DECIDES)
    if house.ante.on_win == "even":
        return _ante(play, Why.WON_ANTE, ONE)
    return _ante(play, Why.WON_ANTE, house.pay.ante[play.value.hand.kind.slug])


def _half_lines(play: Play, ante: Decimal, bet: Decimal) -> Iterator[Line]:
    """RP-SF: half of the prospective payout; both stakes stay with the player."""
    house = play.case.house
    even_due = play.outcome == "no-game" or (
        play.outcome == "failed" and house.buy.failed_ante == "even"
    )
    if house.sf_half.pay_ante_on_no_game and even_due:
        yield _ante(play, Why.NO_GAME_ANTE, ONE)
    else:
        yield still("ante", Why.HALF_OTHER)
    times = play.value.pays if house.sf_half.base == "both" else play.value.first_pays
    yield win("bet", Why.HALF, times, bet, half=True)


def _insurance_lines(play: Play) -> Iterator[Line]:
    """Insurance is settled on the first announcement and never again (RP-INS-3 … 6)."""
    stake = play.box.stake("insurance")
    if stake is None:
        return
    options = play.case.house.insurance
    if not insurable(play.case.house, play.value):
        yield still("insurance", Why.INSURANCE_INELIGIBLE, Result.RETURNED)
    elif play.announced == "no-game":
        yield win("insurance", Why.INSURANCE_WON, ONE, stake, capped=False)
    elif play.announced == "higher":
        yield lose("insurance", Why.INSURANCE_LOST, stake)
    else:
        tied = play.announced == "equal"
        why = Why.INSURANCE_TIED if tied else Why.INSURANCE_BEATEN
        if (options.when_tied if tied else options.when_beaten) == "lose":
            yield lose("insurance", why, stake)
        else:
            yield still("insurance", why, Result.RETURNED)


def _bonus_lines(
    case: Case, box: BoxInput, judged: Hand | None, play: Play | None
) -> Iterator[Line]:
    if "bonus" not in box.bets:
        return
    if case.house.bonus.kind == "table":
        yield table_bonus_line(case, box, judged)
    elif play is None:
        yield doubling_line(box, None, beaten=False, half=False)
    else:
        half = play.half and case.house.sf_half.doubles_bonus
        yield doubling_line(box, play.value, beaten=play.outcome == "higher", half=half)
