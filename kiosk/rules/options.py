"""The options of a house as typed, frozen values (SPEC.md section 9).

The dotted name of an option is its path here: ``insurance.max_fraction`` is
``house.insurance.max_fraction``. Values are checked by ``schema``, files are read by ``houses``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from kiosk.rules.evaluate import THREE_CARD_ORDER, Combo, Hand

PayTable = Mapping[str, Decimal]
"""Combination slug to coefficient "n to 1". A slug that is absent is not paid."""

RoundMode = Literal["up", "down", "nearest"]
ReturnOrLose = Literal["return", "lose"]
SettleOrLose = Literal["settle", "lose"]

STUD_GAMES = frozenset({"russian", "five_card", "six_card", "oasis"})
GAMES = STUD_GAMES | {"three_card", "texas", "split"}


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the jackpot meter: 0.1 is ten percent (OA-PRG-3)."""

    of_meter: Decimal


@dataclass(frozen=True, slots=True)
class Qualify:
    """The lowest hand that is a game for the dealer, such as ``ace-king`` or ``pair-of-fours``."""

    text: str
    kind: Combo
    ranks: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Bet:
    multiple: Decimal = Decimal(2)


@dataclass(frozen=True, slots=True)
class Ante:
    on_win: Literal["none", "even", "table"] = "none"


@dataclass(frozen=True, slots=True)
class Doubles:
    enabled: bool = False
    duplicate_straight: Literal["straight", "pair"] = "straight"


@dataclass(frozen=True, slots=True)
class Exchange:
    fees: Mapping[int, Decimal] = field(default_factory=dict)
    """Number of cards to price in antes; a number that is absent is not offered."""


@dataclass(frozen=True, slots=True)
class Fee:
    """A price in antes (None: not offered). For ``fee`` itself: how fees are rounded."""

    fee: Decimal | None = None


@dataclass(frozen=True, slots=True)
class FeeRounding:
    round_unit: Decimal | None = None
    round_mode: RoundMode = "up"


@dataclass(frozen=True, slots=True)
class Draw:
    exchange_and_sixth: Literal["either", "both"] = "either"
    reshuffle_discards: bool = False


@dataclass(frozen=True, slots=True)
class Insurance:
    enabled: bool = False
    min_combination: Combo = Combo.THREE_OF_A_KIND
    max_fraction: Decimal = Decimal(1)
    max_base: Literal["both", "first"] = "both"
    when_beaten: ReturnOrLose = "return"
    when_tied: ReturnOrLose = "return"
    ineligible: Literal["error", "return"] = "error"


@dataclass(frozen=True, slots=True)
class Buy:
    enabled: bool = False
    fee: Decimal = Decimal(1)
    free_repeat: Literal["loop", "once", "none"] = "none"
    failed_ante: Literal["push", "even"] = "push"


@dataclass(frozen=True, slots=True)
class SfHalf:
    enabled: bool = False
    base: Literal["both", "first"] = "both"
    pay_ante_on_no_game: bool = False
    doubles_bonus: bool = False


@dataclass(frozen=True, slots=True)
class Bonus:
    kind: Literal["none", "double-on-ace-king", "table"] = "none"
    ratio: Decimal = Decimal("0.1")
    overrides: Mapping[Decimal, Decimal] = field(default_factory=dict)
    round_unit: Decimal | None = None
    round_mode: RoundMode = "up"
    min: Decimal | None = None
    max: Decimal | None = None
    max_of_ante: Decimal | None = None
    stake_on_win: Literal["taken", "kept"] = "kept"
    on_fold: SettleOrLose = "lose"


@dataclass(frozen=True, slots=True)
class PairPlus:
    on_fold: SettleOrLose = "lose"


@dataclass(frozen=True, slots=True)
class AnteBonus:
    when_beaten: Literal["pay", "lose"] = "pay"


@dataclass(frozen=True, slots=True)
class Three:
    ranking: Literal["three_card", "five_card"] = "three_card"


@dataclass(frozen=True, slots=True)
class Split:
    three_pair: Literal["two-plus-one", "seven-cards", "off"] = "two-plus-one"
    three_pair_ranks: bool = False
    half_no_game_base: Literal["ante", "bet", "deal"] = "ante"


@dataclass(frozen=True, slots=True)
class Progressive:
    enabled: bool = False
    token: Decimal = Decimal(5)
    max_tokens: int = 5


@dataclass(frozen=True, slots=True)
class Cap:
    includes_ante: bool = True
    includes_pair_plus: bool = False


@dataclass(frozen=True, slots=True)
class TwoOpen:
    enabled: bool = False
    min_table_ante: Decimal = Decimal(500)


@dataclass(frozen=True, slots=True)
class Pay:
    bet: PayTable = field(default_factory=dict)
    ante: PayTable = field(default_factory=dict)
    ante_no_game: PayTable = field(default_factory=dict)
    bonus: PayTable = field(default_factory=dict)
    ante_bonus: PayTable = field(default_factory=dict)
    pair_plus: PayTable = field(default_factory=dict)
    progressive: Mapping[str, Decimal | Share] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class House:
    """One rule card. ``defaults``: dotted option to the reason why its value is not from a
    source (section 13); a house is expected to check these."""

    name: str
    game: str
    title: str
    source: str
    max_boxes: int
    qualify: Qualify
    pay: Pay
    max_boxes_per_player: int | None = None
    bet: Bet = Bet()
    ante: Ante = Ante()
    doubles: Doubles = Doubles()
    exchange: Exchange = field(default_factory=Exchange)
    sixth: Fee = Fee()
    extra_two: Fee = Fee()
    draw: Draw = Draw()
    insurance: Insurance = Insurance()
    buy: Buy = Buy()
    sf_half: SfHalf = SfHalf()
    bonus: Bonus = field(default_factory=Bonus)
    pair_plus: PairPlus = PairPlus()
    ante_bonus: AnteBonus = AnteBonus()
    three: Three = Three()
    split: Split = Split()
    progressive: Progressive = Progressive()
    cap: Cap = Cap()
    two_open: TwoOpen = TwoOpen()
    fee: FeeRounding = FeeRounding()
    defaults: Mapping[str, str] = field(default_factory=dict)

    @property
    def ace_king(self) -> bool:
        """Whether ace-king is a combination in this game (COM-HAND-1, COM-HAND-2)."""
        return self.game in STUD_GAMES

    @property
    def ranking(self) -> tuple[Combo, ...]:
        """The combinations of the game from low to high."""
        if self.game == "three_card":
            return THREE_CARD_ORDER[self.three.ranking]
        return tuple(c for c in Combo if self.ace_king or c is not Combo.ACE_KING)

    def qualifies(self, hand: Hand) -> bool:
        """Whether this hand is a game for the dealer."""
        order = int(self.qualify.kind)
        if self.game == "three_card":
            order = self.ranking.index(self.qualify.kind)
        return hand.key >= (order, self.qualify.ranks)
