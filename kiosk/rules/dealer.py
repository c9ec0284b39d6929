"""The dealer's hand: what is announced, and what becomes of a bought game (RP-BUY-2, RP-BUY-3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kiosk.cards import Card
from kiosk.rules.case import Cards, Case, CaseError
from kiosk.rules.evaluate import VALUE, Hand, best_hand, small_hand, three_card_hand
from kiosk.rules.options import House
from kiosk.rules.results import DealerResult


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The dealer's hand after drawn cards. ``due``: one more card must be drawn before the hand
    stands; ``used``: how many of the drawn cards were called for."""

    cards: Cards
    discarded: Cards
    due: bool
    used: int


def exchange_highest(house: House, cards: Cards, draws: Sequence[Card]) -> Exchanged:
    """Replaces the highest card by drawn ones, again and free where the house repeats.

    A repeat is due while the new card has the rank of the discarded one and there is no game.
    """
    hand = list(cards)
    discarded: list[Card] = []
    due = True
    for used, drawn in enumerate(draws):
        highest = max(hand, key=lambda card: VALUE[card.rank])
        hand[hand.index(highest)] = drawn
        discarded.append(highest)
        repeats = house.buy.free_repeat == "loop" or (house.buy.free_repeat == "once" and used == 0)
        game = house.qualifies(best_hand(hand, house.ace_king))
        due = repeats and drawn.rank == highest.rank and not game
        if not due:
            return Exchanged(tuple(hand), tuple(discarded), False, used + 1)
    return Exchanged(tuple(hand), tuple(discarded), due, len(draws))


def dealer_hand(case: Case) -> Hand:
    """The hand of the dealer's first announcement."""
    house = case.house
    if house.game == "three_card":
        return three_card_hand(case.dealer_cards, house.three.ranking)
    return best_hand((*case.dealer_cards, *(case.board or ())), house.ace_king)


def dealer_result(case: Case) -> DealerResult:
    """The dealer's announcements. Raises CaseError of row 15 about purchase and drawn cards."""
    house = case.house
    hand = dealer_hand(case)
    game = house.qualifies(hand)
    buyers = [i for i, box in enumerate(case.boxes) if "buy" in box.bets]
    small = small_hand(case.dealer_small) if case.dealer_small else None
    if game and buyers:
        where = f"boxes[{buyers[0]}].bets.buy"
        number = case.boxes[buyers[0]].box
        raise CaseError(
            "buy-not-needed", where, f"{where}: box {number} buys although the dealer has a game"
        )
    if not buyers:
        if case.dealer_draws:
            raise CaseError(
                "draws-extra", "dealer.draws", "dealer.draws: a card is drawn but nobody bought"
            )
        return DealerResult(hand, game, small=small)
    after = exchange_highest(house, case.dealer_cards, case.dealer_draws)
    if after.due:
        raise CaseError(
            "draws-missing",
            "dealer.draws",
            f"dealer.draws: {after.used} given, one more card must be drawn",
        )
    if after.used < len(case.dealer_draws):
        raise CaseError(
            "draws-extra",
            "dealer.draws",
            f"dealer.draws: {len(case.dealer_draws)} given, only {after.used} called for",
        )
    bought = best_hand(after.cards, house.ace_king)
    return DealerResult(hand, False, bought, house.qualifies(bought), after.discarded, small)
