"""What things cost and what a hand is worth on its box: fees, bonus stake, insurance limits."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from kiosk.rules.case import BoxInput, Cards, Case
from kiosk.rules.evaluate import (
    Combination,
    Combo,
    Hand,
    best_hand,
    second_combination,
    three_card_hand,
)
from kiosk.rules.money import rounded
from kiosk.rules.options import House
from kiosk.rules.schema import PAIR_OF_ACES


@dataclass(frozen=True, slots=True)
class Worth:
    """A hand with its combinations and what they pay on BET (RP-DBL steps 3 to 6)."""

    hand: Hand
    second: Combination | None
    first_pays: Decimal
    second_pays: Decimal

    @property
    def combinations(self) -> tuple[Combination, ...]:
        return (self.hand.first,) if self.second is None else (self.hand.first, self.second)

    @property
    def pays(self) -> Decimal:
        """The coefficient k."""
        return self.first_pays + self.second_pays


def hand_of(house: House, cards: Cards, board: Cards = ()) -> Hand:
    """The hand that is compared in the game of the house."""
    if house.game == "three_card":
        return three_card_hand(cards, house.three.ranking)
    return best_hand((*cards, *board), house.ace_king)


def worth(house: House, cards: Cards, board: Cards = ()) -> Worth:
    """Hand, second combination (where doubles are paid) and coefficients of a box."""
    hand = hand_of(house, cards, board)
    second = None
    if house.doubles.enabled:
        second = second_combination(cards, hand, house.doubles.duplicate_straight)
    zero = Decimal(0)
    table = house.pay.bet
    return Worth(
        hand,
        second,
        table.get(hand.kind.slug, zero),
        table.get(second.kind.slug, zero) if second else zero,
    )


def fee(house: House, price: Decimal, ante: Decimal) -> Decimal:
    """A fee of ``price`` antes, rounded as the house does (COM-RND-1)."""
    return rounded(price * ante, house.fee.round_unit, house.fee.round_mode)


def bonus_stake(house: House, ante: Decimal) -> Decimal:
    """The stake that the doubling bonus asks for (COM-RND-2)."""
    override = house.bonus.overrides.get(ante)
    if override is not None:
        return override
    return rounded(house.bonus.ratio * ante, house.bonus.round_unit, house.bonus.round_mode)


def insurable(house: House, value: Worth) -> bool:
    """Whether the first combination is high enough for insurance (RP-INS-1)."""
    return value.hand.kind >= house.insurance.min_combination


def insurance_limit(case: Case, box: BoxInput, value: Worth) -> Decimal:
    """The highest insurance of the box (RP-INS-2): a part of its prospective BET payment."""
    house = case.house
    times = value.pays if house.insurance.max_base == "both" else value.first_pays
    prospective = times * box.bets["bet"]
    if case.table.max_payout is not None:
        prospective = min(prospective, case.table.max_payout)
    return prospective * house.insurance.max_fraction


def judged_cards(case: Case, box: BoxInput) -> Cards | None:
    """The cards by which bonuses on the deal are judged; None when they were not entered."""
    if case.house.game == "texas":
        own = box.cards or box.dealt
        return None if own is None or case.board is None else (*own, *case.board[:3])
    if box.dealt is not None:
        return box.dealt
    if box.cards is not None and not box.exchanged and "sixth" not in box.bets:
        return box.cards
    return None


def bonus_row(house: House, hand: Hand) -> str | None:
    """The key of ``pay.bonus`` that this hand is paid by, or None (TX-BON-2, OA-BON-2)."""
    aces = hand.kind is Combo.PAIR and hand.ranks[0] == 14
    if aces and PAIR_OF_ACES in house.pay.bonus:
        return PAIR_OF_ACES
    return hand.kind.slug if hand.kind.slug in house.pay.bonus else None


def judges_deal(house: House, box: BoxInput) -> bool:
    """Whether a side bet of this box must be settled by the dealt cards."""
    if "progressive" in box.bets:
        return True
    if "bonus" not in box.bets or house.bonus.kind != "table":
        return False
    return box.plays or house.bonus.on_fold == "settle"
