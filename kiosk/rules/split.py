"""Split Poker (SPEC.md 6): big hand against big hand, small hands decide which bet is paid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NoReturn

from kiosk.rules.case import BoxInput, Cards, Case, CaseError
from kiosk.rules.dealer import dealer_result
from kiosk.rules.evaluate import VALUE, Combo, Hand, best_hand, small_hand
from kiosk.rules.money import ZERO
from kiosk.rules.options import House
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
    still,
    win,
)
from kiosk.rules.schema import THREE_PAIR
from kiosk.rules.side_bets import fee_lines

CAP_ORDER = ("ante", "bet")
ONE = Decimal(1)

Base = Literal["ante", "bet"]


@dataclass(frozen=True, slots=True)
class _Play:
    case: Case
    box: BoxInput
    hand: Hand
    small: Hand
    paid_as: str | None
    outcome: Outcome
    dealer_small: Hand | None

    @property
    def half(self) -> bool:
        high = self.hand.kind >= Combo.STRAIGHT_FLUSH
        return self.case.house.sf_half.enabled and high and self.outcome != "higher"

    @property
    def times(self) -> Decimal:
        slug = self.paid_as or self.hand.kind.slug
        return self.case.house.pay.bet.get(slug, ZERO)


def settle_split(case: Case, see: See = as_it_is) -> Settlement:
    """Settles a checked case. Raises CaseError of row 15."""
    dealer = dealer_result(case)
    return Settlement(dealer, tuple(_settle_box(case, dealer, box, see) for box in case.boxes))


def three_pair(house: House, hand: Hand, small: Cards) -> bool:
    """Whether big and small hand together are paid as three pair (SP-3P-1, AMB-70)."""
    mode = house.split.three_pair
    if mode == "off" or hand.kind not in (Combo.PAIR, Combo.TWO_PAIR):
        return False
    if mode == "two-plus-one":
        values = [VALUE[card.rank] for card in small]
        return (
            hand.kind is Combo.TWO_PAIR
            and values[0] == values[1]
            and values[0] not in hand.ranks[:2]
        )
    values = [VALUE[card.rank] for card in (*hand.cards, *small)]
    return sum(values.count(value) >= 2 for value in set(values)) >= 3


def _settle_box(case: Case, dealer: DealerResult, box: BoxInput, see: See) -> BoxResult:
    if not box.plays or box.cards is None or box.small is None:
        lines = [lose("ante", Why.FOLDED, box.bets["ante"]), *fee_lines(box)]
        return BoxResult(box.box, tuple(lines))
    hand = best_hand(box.cards, False)
    paid_as = THREE_PAIR if three_pair(case.house, hand, box.small) else None
    true_outcome, against = _standing(case.house, dealer, box, hand, paid_as)
    outcome = see(true_outcome, hand, against or dealer.hand)
    play = _Play(case, box, hand, small_hand(box.small), paid_as, outcome, dealer.small)
    if against is not None and dealer.small is None:
        _small_missing("the dealer has a game")
    found = [*_main(play), *fee_lines(box)]
    return BoxResult(
        box.box,
        capped(found, case.table.max_payout, CAP_ORDER),
        hand,
        (hand.first,),
        paid_as if outcome == "higher" else None,
        dealer=against,
        outcome=outcome,
        small=play.small,
    )


def _small_missing(reason: str) -> NoReturn:
    message = f"dealer.small: {reason}, enter the dealer's small hand"
    raise CaseError("dealer-small-missing", "dealer.small", message)


def _standing(
    house: House, dealer: DealerResult, box: BoxInput, hand: Hand, paid_as: str | None
) -> tuple[Outcome, Hand | None]:
    against = dealer.hand
    if not dealer.game:
        if "buy" not in box.bets or dealer.bought is None:
            return "no-game", None
        if not dealer.bought_game:
            return "failed", None
        against = dealer.bought
    lifted = bool(paid_as) and house.split.three_pair_ranks
    own = (
        (max(hand.order, int(Combo.TWO_PAIR)), 1, hand.ranks)
        if lifted
        else (hand.order, 0, hand.ranks)
    )
    other = (against.order, 0, against.ranks)
    if own == other:
        return "equal", against
    return ("higher" if own > other else "lower"), against


def _main(play: _Play) -> Iterator[Line]:
    """ANTE and BET by the matrix of 6.3 and 6.5."""
    house = play.case.house
    ante, bet = play.box.bets["ante"], play.box.bets["bet"]
    if play.half:
        yield from _half_lines(play)
    elif play.outcome == "no-game":
        yield win("ante", Why.NO_GAME_ANTE, ONE, ante, capped=house.cap.includes_ante)
        yield still("bet", Why.NO_GAME_BET)
    elif play.outcome == "failed" and house.buy.failed_ante == "even":
        yield win("ante", Why.BUY_FAILED_ANTE, ONE, ante, capped=house.cap.includes_ante)
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
    elif _small_base(play) == "bet":
        yield still("ante", Why.SMALL_DECIDES)
        yield win("bet", Why.SMALL_WINS_BET, play.times, bet)
    else:
        yield win("ante", Why.SMALL_LOSES_ANTE, play.times, ante, capped=house.cap.includes_ante)
        yield still("bet", Why.SMALL_DECIDES)


def _small_base(play: _Play) -> Base:
    """The bet that the small hands choose: BET when the box's is higher or equal (SP-SET-2)."""
    if play.dealer_small is None:
        _small_missing("the small hands must be compared")
    return "bet" if play.small.key >= play.dealer_small.key else "ante"


def _half_lines(play: _Play) -> Iterator[Line]:
    """SP-SF: half of the payout on ANTE or BET; the other bet is not paid."""
    house = play.case.house
    base: Base
    no_game = play.outcome in ("no-game", "failed")
    if no_game and house.split.half_no_game_base != "deal":
        base = house.split.half_no_game_base
    else:
        base = _small_base(play)
    for bet in ("ante", "bet"):
        if bet == base:
            yield win(bet, Why.HALF, play.times, play.box.bets[bet], half=True)
        elif bet == "ante" and _even_due(play):
            inside = house.cap.includes_ante
            yield win("ante", Why.NO_GAME_ANTE, ONE, play.box.bets["ante"], capped=inside)
        else:
            yield still(bet, Why.HALF_OTHER)


def _even_due(play: _Play) -> bool:
    """Whether ANTE 1:1 is paid beside the half (AMB-22). With the half on ANTE it replaces it."""
    house = play.case.house
    if not house.sf_half.pay_ante_on_no_game:
        return False
    failed_even = play.outcome == "failed" and house.buy.failed_ante == "even"
    return play.outcome == "no-game" or failed_even
