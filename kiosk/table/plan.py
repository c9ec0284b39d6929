"""What differs from game to game on the table: how many cards lie where, and what can be entered.

A new game is a new line in SHAPES; what a house offers inside a game comes from its rule card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from kiosk.cards import Card
from kiosk.errors import UserError
from kiosk.rules.evaluate import best_hand
from kiosk.rules.houses import load_house
from kiosk.rules.money import rounded
from kiosk.rules.options import House


@dataclass(frozen=True, slots=True)
class Shape:
    """Cards of one game: the dealer's, how many of them lie open from the deal, a box's."""

    dealer_cards: int
    dealer_up: int
    box_cards: int


SHAPES = {"russian": Shape(dealer_cards=5, dealer_up=1, box_cards=5)}
"""RP-DEAL-1: five cards to all, the dealer's last card face up."""

FEES = ("exchange", "sixth", "buy")
"""Bets whose amount follows from what was done (COM-RES-1)."""

SIDE_BETS = ("insurance", "bonus")
"""Bets that may be absent: an amount of 0 takes them off."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The game of one house as the table needs it. ``name``: the house's name or file as given."""

    name: str
    house: House
    shape: Shape

    @property
    def sixth(self) -> bool:
        return self.house.sixth.fee is not None

    @property
    def buy(self) -> bool:
        return self.house.buy.enabled

    @property
    def bets(self) -> tuple[str, ...]:
        """Names of the bets the house takes, in table order."""
        offered = {
            "ante": True,
            "bet": True,
            "insurance": self.house.insurance.enabled,
            "bonus": self.house.bonus.kind != "none",
            "exchange": bool(self.house.exchange.fees),
            "sixth": self.sixth,
            "buy": self.buy,
        }
        return tuple(name for name, there in offered.items() if there)

    @property
    def most_exchanged(self) -> int:
        return max(self.house.exchange.fees, default=0)

    def bet_of(self, ante: Decimal) -> Decimal:
        """BET belonging to an ante (``bet.multiple``)."""
        return self.house.bet.multiple * ante

    def fee_of(self, name: str, ante: Decimal, exchanged: int) -> Decimal | None:
        """What an exchange, sixth card or purchase costs; None when not offered (COM-RND-1)."""
        price = {
            "exchange": self.house.exchange.fees.get(exchanged),
            "sixth": self.house.sixth.fee,
            "buy": self.house.buy.fee if self.buy else None,
        }[name]
        if price is None:
            return None
        return rounded(price * ante, self.house.fee.round_unit, self.house.fee.round_mode)

    def has_game(self, cards: Sequence[Card]) -> bool:
        """Whether these dealer's cards are a game (RP-QUAL-1)."""
        return self.house.qualifies(best_hand(cards, self.house.ace_king))


@lru_cache(maxsize=16)
def plan_for(house: str) -> Plan:
    """The plan of a house by name or file. UserError: no such house, or a game not dealt here."""
    card = load_house(house)
    shape = SHAPES.get(card.game)
    if shape is None:
        raise UserError(
            f"house {card.name}: the game {card.game} cannot be read from the table yet; "
            f"choose a house of {', '.join(SHAPES)}"
        )
    return Plan(house, card, shape)
