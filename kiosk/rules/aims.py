"""What a generated round can be aimed at: how to stack the deal, and how to see that it worked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from kiosk.cards import DECK, RANKS, SUITS, Card
from kiosk.rules.evaluate import Combo
from kiosk.rules.options import STUD_GAMES, House
from kiosk.rules.results import BoxResult, Settlement, Why

Stack = Mapping[str, tuple[Card, ...]]


def _nothing(house: House, random: Random) -> Stack:
    return {}


def _always(house: House) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Aim:
    """``shows``: the settlement has what is aimed at. ``fits``: the house can show it.
    ``stack``: cards put aside for ``dealer`` and the first ``box``. ``table``: limits that help.
    ``stays``: the first box plays its dealt cards; ``bonus``, ``insurance``: place them."""

    shows: Callable[[Settlement], bool]
    fits: Callable[[House], bool] = _always
    stack: Callable[[House, Random], Stack] = _nothing
    table: Mapping[str, Any] = field(default_factory=dict)
    stays: bool = False
    bonus: bool = False
    insurance: bool = False


def _some(test: Callable[[BoxResult], bool]) -> Callable[[Settlement], bool]:
    return lambda settled: any(test(box) for box in settled.boxes)


def _reason(*reasons: Why) -> Callable[[Settlement], bool]:
    return _some(lambda box: any(line.why in reasons for line in box.lines))


def _near_tie(box: BoxResult) -> bool:
    """Same combination as the dealer, decided only after the first rank compared."""
    own, other = box.hand, box.dealer
    if own is None or other is None or own.kind is not other.kind:
        return False
    return own.ranks != other.ranks and own.ranks[:1] == other.ranks[:1]


def _capped(box: BoxResult) -> bool:
    return any(line.cut for line in box.lines)


def _straight_flush(house: House, random: Random) -> Stack:
    suit = random.choice(SUITS)
    start = random.randrange(-1, len(RANKS) - 4)
    return {"box": tuple(Card(RANKS[index], suit) for index in range(start, start + 5))}


def _same_ranks(house: House, random: Random) -> Stack:
    """A box and a dealer with five equal ranks: two pair, so that there is a game."""
    high, low, side = random.sample(RANKS, 3)
    suits = random.sample(SUITS, 4)

    def hand(one: str, other: str) -> tuple[Card, ...]:
        pairs = [Card(rank, suit) for rank in (high, low) for suit in (one, other)]
        return (*pairs, Card(side, one))

    return {"box": hand(suits[0], suits[1]), "dealer": hand(suits[2], suits[3])}


def _with_ace_king(house: House, random: Random) -> Stack:
    """A box with a combination and an ace-king beside it."""
    rank = random.choice(RANKS[:-2])
    count = random.choice((2, 2, 3))
    group = [Card(rank, suit) for suit in random.sample(SUITS, count)]
    side = [Card("A", random.choice(SUITS)), Card("K", random.choice(SUITS))]
    rest = [card for card in DECK if card.rank not in (rank, "A", "K")]
    cards = [*group, *side, *random.sample(rest, 3 - count)]
    return {"box": tuple(random.sample(cards, 5))}


def _three(house: House, random: Random) -> Stack:
    """A box with three, a straight or a flush: enough for insurance in most houses."""
    suits = random.choices(SUITS, k=5)
    start = random.randrange(len(RANKS) - 4)
    return {"box": tuple(Card(RANKS[start + i], suits[i]) for i in range(5))}


def _insured(house: House, random: Random) -> Stack:
    """Box and dealer with a straight of the same height, so that insurance goes back."""
    start = random.randrange(len(RANKS) - 4)
    own, other = [], []
    for index in range(5):
        one, two = random.sample(SUITS, 2)
        own.append(Card(RANKS[start + index], one))
        other.append(Card(RANKS[start + index], two))
    return {"box": tuple(own), "dealer": tuple(other)}


def _stud(house: House) -> bool:
    return house.game in STUD_GAMES


def _five_cards(house: House) -> bool:
    return _stud(house) or house.game == "split"


AIMS: Mapping[str, Aim] = {
    "second-combination": Aim(
        _some(lambda box: len(box.combinations) > 1 and box.outcome == "higher"),
        lambda house: house.doubles.enabled,
    ),
    "near-tie": Aim(_some(_near_tie)),
    "stand-off": Aim(_reason(Why.STAND_OFF), _five_cards, _same_ranks, stays=True),
    "cap-reached": Aim(_some(_capped), table={"max_payout": 300}),
    "no-game": Aim(lambda settled: not settled.dealer.game),
    "bought": Aim(lambda settled: settled.dealer.bought_game, lambda house: house.buy.enabled),
    "bought-failed": Aim(
        _reason(Why.BUY_FAILED, Why.BUY_FAILED_ANTE), lambda house: house.buy.enabled
    ),
    "half-payout": Aim(
        _reason(Why.HALF),
        lambda house: house.sf_half.enabled,
        _straight_flush,
        stays=True,
    ),
    "bonus-doubled": Aim(
        _reason(Why.BONUS_DOUBLED),
        lambda house: house.bonus.kind == "double-on-ace-king",
        _with_ace_king,
        stays=True,
        bonus=True,
    ),
    "bonus-paid": Aim(_reason(Why.BONUS_PAID), lambda house: house.bonus.kind == "table"),
    "insurance": Aim(
        _some(lambda box: any(line.bet == "insurance" for line in box.lines)),
        lambda house: house.insurance.enabled,
        _three,
        stays=True,
        insurance=True,
    ),
    "insurance-returned": Aim(
        _reason(Why.INSURANCE_BEATEN, Why.INSURANCE_TIED),
        lambda house: house.insurance.enabled,
        _insured,
        stays=True,
        insurance=True,
    ),
    "small-hand-lower": Aim(_reason(Why.SMALL_LOSES_ANTE), lambda house: house.game == "split"),
    "pair-plus": Aim(_reason(Why.PAIR_PLUS_PAID), lambda house: house.game == "three_card"),
    "ante-bonus": Aim(_reason(Why.ANTE_BONUS), lambda house: house.game == "three_card"),
    "high-hand": Aim(_some(lambda box: box.hand is not None and box.hand.kind >= Combo.STRAIGHT)),
}
"""Aims by name."""
