"""What differs from game to game on the table: how many cards lie where, and what can be entered.

A new game is a new line in SHAPES; what a house offers inside a game comes from its rule card.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from kiosk.cards import Card
from kiosk.errors import UserError
from kiosk.rules.houses import HouseFile, load_house_file
from kiosk.rules.money import rounded
from kiosk.rules.options import House
from kiosk.rules.prices import hand_of
from kiosk.table.places import BOARD, DEALER, DEALER_SMALL, small_of, zone_of


@dataclass(frozen=True, slots=True)
class Shape:
    """Cards of one game.

    ``dealer_cards``: the dealer's hand, ``dealer_up``: how many of it lie open from the deal.
    ``box_cards``: a box's hand. ``small_cards``: the small hand beside either, 0 where there is
    none. ``board``: cards on the board after each stage, empty where there is none.
    """

    dealer_cards: int
    dealer_up: int
    box_cards: int
    small_cards: int = 0
    board: tuple[int, ...] = ()


FIVE = Shape(dealer_cards=5, dealer_up=1, box_cards=5)
"""RP-DEAL-1, OA-DEAL-1, SPEC.md 3.1: five cards to all, the dealer's last card face up."""

SHAPES: Mapping[str, Shape] = {
    "russian": FIVE,
    "five_card": FIVE,
    "six_card": FIVE,
    "oasis": FIVE,
    "three_card": Shape(dealer_cards=3, dealer_up=0, box_cards=3),
    "texas": Shape(dealer_cards=2, dealer_up=0, box_cards=2, board=(3, 5)),
    "split": Shape(dealer_cards=5, dealer_up=1, box_cards=5, small_cards=2),
}
"""TC-BET-1: three cards each. TX-DEAL-1: two each, flop of three, then two more. SP-DEAL-1,
SP-DEC-1: five cards and a small hand of two."""


def zones_of(shape: Shape, boxes: Sequence[int]) -> tuple[str, ...]:
    """Zone ids of a game: the dealer's first, then the board, then the boxes in order."""
    small = shape.small_cards > 0
    found = [DEALER]
    found += [DEALER_SMALL] if small else []
    found += [BOARD] if shape.board else []
    for box in boxes:
        found += [zone_of(box), small_of(box)] if small else [zone_of(box)]
    return tuple(found)


FEES = ("exchange", "sixth", "extra_two", "buy")
"""Bets whose amount follows from what was done (COM-RES-1)."""

SIDE_BETS = ("pair_plus", "insurance", "bonus", "progressive")
"""Bets that may be absent: an amount of 0 takes them off."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The game of one house as the table needs it.

    ``name``: the house's name or file as given. ``file``: its rule card as it was read once; plans
    are equal when their cards are.
    """

    name: str
    file: HouseFile = field(hash=False, repr=False)
    shape: Shape

    @property
    def house(self) -> House:
        return self.file.house

    def zones(self, boxes: Sequence[int]) -> tuple[str, ...]:
        """Zone ids of the game with these boxes."""
        return zones_of(self.shape, boxes)

    @property
    def opened(self) -> int:
        """From this many names on the dealer's hand counts as opened."""
        return self.shape.dealer_up + 1

    @property
    def board_cards(self) -> int:
        return self.shape.board[-1] if self.shape.board else 0

    @property
    def flop(self) -> int:
        return self.shape.board[0] if self.shape.board else 0

    @property
    def sixth(self) -> bool:
        return self.house.sixth.fee is not None

    @property
    def extra_two(self) -> bool:
        return self.house.extra_two.fee is not None

    @property
    def buy(self) -> bool:
        return self.house.buy.enabled

    @property
    def ante_optional(self) -> bool:
        """Pair Plus may stand without ANTE (TC-BET-1)."""
        return self.house.game == "three_card"

    @property
    def bets(self) -> tuple[str, ...]:
        """Names of the bets the house takes, in table order."""
        offered = {
            "ante": True,
            "bet": True,
            "pair_plus": self.house.game == "three_card",
            "insurance": self.house.insurance.enabled,
            "bonus": self.house.bonus.kind != "none",
            "progressive": self.house.progressive.enabled,
            "exchange": bool(self.house.exchange.fees),
            "sixth": self.sixth,
            "extra_two": self.extra_two,
            "buy": self.buy,
        }
        return tuple(name for name, there in offered.items() if there)

    @property
    def lines(self) -> tuple[str, ...]:
        """What a settlement may have a line for: the bets, and payments without a stake."""
        return (*self.bets, "ante_bonus") if self.house.pay.ante_bonus else self.bets

    @property
    def most_exchanged(self) -> int:
        return max(self.house.exchange.fees, default=0)

    def judges_deal(self, bets: Collection[str], folded: bool) -> bool:
        """Whether a bet of a box is settled by the cards it was dealt, whatever came later.

        After a fold: whether a bet needs the box's cards at all (P2).
        """
        table_bonus = "bonus" in bets and self.house.bonus.kind == "table"
        if folded:
            pairs = "pair_plus" in bets and self.house.pair_plus.on_fold == "settle"
            stays = table_bonus and self.house.bonus.on_fold == "settle"
            return pairs or stays or "progressive" in bets
        return "progressive" in bets or table_bonus

    def bet_of(self, ante: Decimal) -> Decimal:
        """BET belonging to an ante (``bet.multiple``)."""
        return self.house.bet.multiple * ante

    def fee_of(self, name: str, ante: Decimal, exchanged: int) -> Decimal | None:
        """What an exchange, a bought card or the dealer's game costs; None when not offered
        (COM-RND-1)."""
        price = {
            "exchange": self.house.exchange.fees.get(exchanged),
            "sixth": self.house.sixth.fee,
            "extra_two": self.house.extra_two.fee,
            "buy": self.house.buy.fee if self.buy else None,
        }[name]
        if price is None:
            return None
        return rounded(price * ante, self.house.fee.round_unit, self.house.fee.round_mode)

    def has_game(self, cards: Sequence[Card], board: Sequence[Card] = ()) -> bool:
        """Whether these dealer's cards are a game (``qualify``)."""
        return self.house.qualifies(hand_of(self.house, tuple(cards), tuple(board)))


def plan_for(house: str) -> Plan:
    """The plan of a house by name or file, read now. UserError: no such house, or a game not dealt
    here."""
    return plan_of(house, load_house_file(house))


def plan_of(name: str, file: HouseFile) -> Plan:
    """The plan of a house that was read already. UserError: a game not dealt here."""
    shape = SHAPES.get(file.house.game)
    if shape is None:
        raise UserError(
            f"house {file.house.name}: the game {file.house.game} cannot be read from the table "
            f"yet; choose a house of {', '.join(SHAPES)}"
        )
    return Plan(name, file, shape)
