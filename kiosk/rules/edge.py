"""What a rule card costs the player: exact counts where enumeration allows, else simulation.

Every payment comes from the engine itself, so the figures are a proof of it too. Each figure
names the strategy it holds for; without a table maximum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import sqrt
from random import Random
from typing import Any

import numpy as np

from kiosk.cards import DECK, Card
from kiosk.rules.card_checks import hand_size
from kiosk.rules.case import BoxInput, Case, Table
from kiosk.rules.disjoint import Standings, standings
from kiosk.rules.evaluate import Combo, Hand, best_hand, three_card_hand
from kiosk.rules.options import STUD_GAMES, House, Share
from kiosk.rules.patterns import hand_patterns
from kiosk.rules.prices import bonus_row, worth
from kiosk.rules.results import BoxResult, Outcome, Settlement
from kiosk.rules.settle import settle_as_seen
from kiosk.rules.texas_odds import texas_counts

ANTE = Decimal(100)
_FASTER = 20
"""Deals that are evaluated in batches come this many times cheaper."""

_TABLE = Table(Decimal(1), Decimal(1000), None)


@dataclass(frozen=True, slots=True)
class Edge:
    """One figure. ``net``: what the player wins over all ``deals``, in stakes (antes, or the stake
    of a side bet); negative is a loss. ``error``: standard error of the edge when simulated."""

    bet: str
    strategy: str
    deals: int
    net: Fraction
    error: float | None = None

    @property
    def exact(self) -> bool:
        return self.error is None

    @property
    def percent(self) -> float:
        """The house edge in percent of the stake."""
        return float(-self.net / self.deals * 100)

    def line(self) -> str:
        """The figure for people, with its strategy and how sure it is."""
        if self.error is None:
            sure = f"exact: net {self.net} stakes over {self.deals} deals"
        else:
            sure = f"± {self.error:.3f} % standard error over {self.deals} deals"
        return f"{self.bet}: house edge {self.percent:.4f} % of the stake ({sure}); {self.strategy}"

    def data(self) -> dict[str, Any]:
        """The figure for programs: exact net as a fraction in text, percent rounded to 6."""
        return {
            "bet": self.bet,
            "strategy": self.strategy,
            "exact": self.exact,
            "deals": self.deals,
            "net": str(self.net),
            "edge_percent": Decimal(f"{self.percent:.6f}"),
            "standard_error_percent": None if self.error is None else Decimal(f"{self.error:.6f}"),
        }


def edges(house: House, rounds: int = 20_000, seed: int = 1) -> Iterator[Edge]:
    """All figures of a house. ``rounds`` and ``seed`` are those of the simulated ones."""
    if house.game in STUD_GAMES:
        yield stud_edge(house)
    elif house.game == "three_card":
        yield three_card_edge(house)
        yield pair_plus_edge(house)
    elif house.game == "texas":
        yield texas_edge(house, rounds * _FASTER, seed)
    else:
        yield simulated_edge(house, rounds, seed)
    if house.bonus.kind == "table":
        yield bonus_edge(house)
    if house.progressive.enabled:
        yield progressive_edge(house)


def _net(result: BoxResult) -> Fraction:
    return Fraction(result.paid - result.taken)


def _case(house: House, box: tuple[Card, ...], dealer: tuple[Card, ...]) -> Case:
    bets = {"ante": ANTE, "bet": ANTE * house.bet.multiple}
    return Case(house, _TABLE, dealer, (BoxInput(1, "play", bets, box),))


def _payoff(house: House, cards: tuple[Card, ...], outcome: Outcome) -> Fraction:
    """What the engine pays this hand on an ante of one, the comparison given."""
    dealer = tuple(card for card in DECK if card not in cards)[: hand_size(house.game)]
    settled = settle_as_seen(_case(house, cards, dealer), lambda *_: outcome)
    return _net(settled.boxes[0]) / Fraction(ANTE)


def stud_edge(house: House) -> Edge:
    """Every hand played pat, nothing bought, exchanged or insured: exact for 2,598,960 hands of
    the box against 1,533,939 of the dealer each."""
    payoffs: dict[tuple[str, ...], dict[Outcome, Fraction]] = {}
    deals, net = 0, Fraction(0)
    for cards, weight, counted in standings(house):
        value = worth(house, cards)
        kinds = tuple(item.kind.slug for item in value.combinations)
        if kinds not in payoffs:
            payoffs[kinds] = {name: _payoff(house, cards, name) for name in OUTCOMES}
        pays = payoffs[kinds]
        deals += weight * counted.total
        net += weight * sum(pays[name] * count for name, count in _by_outcome(counted))
    return Edge("ante", "every hand is played as dealt, nothing is bought or insured", deals, net)


OUTCOMES: tuple[Outcome, ...] = ("no-game", "higher", "equal", "lower")


def _by_outcome(counted: Standings) -> Iterator[tuple[Outcome, int]]:
    yield "no-game", counted.no_game
    yield "higher", counted.lower_dealers
    yield "equal", counted.equal_dealers
    yield "lower", counted.higher_dealers


def three_card_edge(house: House, lowest: str = "Q64") -> Edge:
    """ANTE and BET with the hands from ``lowest`` upwards played, the others folded: exact."""
    ranking = house.three.ranking
    hands = list(combinations(range(52), 3))
    keys = [three_card_hand([DECK[i] for i in ids], ranking).key for ids in hands]
    place = {key: index for index, key in enumerate(sorted(set(keys)))}
    scores = np.array([place[key] for key in keys])
    games = np.array([house.qualifies(_as_hand(key)) for key in keys])
    members = np.zeros((len(hands), 52), bool)
    members[np.arange(len(hands))[:, None], np.array(hands)] = True
    least = three_card_hand([Card(r, s) for r, s in zip(lowest, "cdh", strict=True)], ranking).key
    deals, net = 0, Fraction(0)
    for cards, weight in hand_patterns(3):
        hand = three_card_hand(cards, ranking)
        free = ~members[:, [DECK.index(card) for card in cards]].any(axis=1)
        deals += weight * int(free.sum())
        if hand.key < least:
            net -= weight * int(free.sum())
            continue
        own = place[hand.key]
        against = free & games
        counts: dict[Outcome, int] = {
            "no-game": int((free & ~games).sum()),
            "higher": int((against & (scores < own)).sum()),
            "equal": int((against & (scores == own)).sum()),
            "lower": int((against & (scores > own)).sum()),
        }
        won = sum(_payoff(house, cards, name) * count for name, count in counts.items())
        net += weight * won
    return Edge("ante", f"hands from {'-'.join(lowest)} upwards are played", deals, net)


def _as_hand(key: tuple[int, tuple[int, ...]]) -> Hand:
    """A hand that stands at this place; only its key is meant."""
    order, ranks = key
    some = three_card_hand([DECK[0], DECK[1], DECK[2]])
    return Hand(some.kind, ranks, some.cards, some.significant, order)


def pair_plus_edge(house: House) -> Edge:
    """Pair Plus on all 22,100 hands: exact."""
    deals, net = 0, Fraction(0)
    for cards, weight in hand_patterns(3):
        slug = three_card_hand(cards, house.three.ranking).kind.slug
        deals += weight
        net += weight * Fraction(house.pay.pair_plus.get(slug, Decimal(-1)))
    return Edge("pair_plus", "the bet alone", deals, net)


@lru_cache(maxsize=2)
def _five_card_hands(ace_king: bool) -> tuple[tuple[Hand, int], ...]:
    """A hand of each combination on five cards, pairs of aces apart, and how many there are."""
    examples: dict[tuple[Combo, bool], Hand] = {}
    counts: Counter[tuple[Combo, bool]] = Counter()
    for cards, weight in hand_patterns(5):
        hand = best_hand(cards, ace_king)
        row = hand.kind, hand.kind is Combo.PAIR and hand.ranks[0] == 14
        examples.setdefault(row, hand)
        counts[row] += weight
    return tuple((examples[row], counts[row]) for row in examples)


def bonus_edge(house: House) -> Edge:
    """The bonus of kind ``table`` on all 2,598,960 deals of five cards: exact. In Texas these are
    two own cards and the flop."""
    kept = 0 if house.bonus.stake_on_win == "kept" else 1
    deals, net = 0, Fraction(0)
    for hand, count in _five_card_hands(house.ace_king):
        row = bonus_row(house, hand)
        deals += count
        net += count * (Fraction(house.pay.bonus[row]) - kept if row is not None else -1)
    return Edge("bonus", "the bet alone, settled on every deal", deals, net)


def progressive_edge(house: House) -> Edge:
    """The progressive without its shares of the meter, whose size is not known: exact."""
    deals, net = 0, Fraction(0)
    for hand, count in _five_card_hands(house.ace_king):
        cell = house.pay.progressive.get(hand.kind.slug)
        paid = Fraction(0) if cell is None or isinstance(cell, Share) else Fraction(cell)
        deals += count
        net += count * (paid - 1)
    return Edge("progressive", "the bet alone, shares of the meter left out", deals, net)


def simulated_edge(house: House, rounds: int, seed: int) -> Edge:
    """Every hand played as dealt, nothing bought, over random deals."""
    random = Random(f"{house.name}/{seed}")
    total, squares = Fraction(0), Fraction(0)
    for _ in range(rounds):
        settled = _random_deal(house, random)
        won = _net(settled.boxes[0]) / Fraction(ANTE)
        total += won
        squares += won * won
    strategy = f"every hand is played as dealt, nothing is bought; simulated, seed {seed}"
    return Edge("ante", strategy, rounds, total, _standard_error(total, squares, rounds))


def texas_edge(house: House, rounds: int, seed: int) -> Edge:
    """Every hand called, over random deals; payments by the engine for each combination."""
    total, squares = Fraction(0), Fraction(0)
    pays: dict[tuple[Combo, Outcome], Fraction] = {}
    for row, count in texas_counts(house, rounds, seed).items():
        if row not in pays:
            pays[row] = _texas_payoff(house, *row)
        total += count * pays[row]
        squares += count * pays[row] ** 2
    strategy = f"every hand is called; simulated, seed {seed}"
    return Edge("ante", strategy, rounds, total, _standard_error(total, squares, rounds))


def _texas_payoff(house: House, kind: Combo, outcome: Outcome) -> Fraction:
    """What the engine pays any hand of this combination, the comparison given."""
    cards = next(hand.cards for hand, _ in _five_card_hands(False) if hand.kind is kind)
    rest = [card for card in DECK if card not in cards]
    bets = {"ante": ANTE, "bet": ANTE * house.bet.multiple}
    box = BoxInput(1, "play", bets, cards[:2])
    case = Case(house, _TABLE, tuple(rest[:2]), (box,), board=cards[2:])
    return _net(settle_as_seen(case, lambda *_: outcome).boxes[0]) / Fraction(ANTE)


def _standard_error(total: Fraction, squares: Fraction, rounds: int) -> float:
    """Standard error of an edge in percent."""
    mean = float(total) / rounds
    variance = max(float(squares) / rounds - mean * mean, 0.0)
    return 100 * sqrt(variance / rounds)


def _random_deal(house: House, random: Random) -> Settlement:
    cards = random.sample(DECK, 14)
    size = hand_size(house.game)
    own, dealer, rest = cards[:size], cards[size : 2 * size], cards[2 * size :]
    bets = {"ante": ANTE, "bet": ANTE * house.bet.multiple}
    split = house.game == "split"
    box = BoxInput(1, "play", bets, tuple(own), small=tuple(rest[:2]) if split else None)
    return settle_as_seen(
        Case(
            house,
            _TABLE,
            tuple(dealer),
            (box,),
            dealer_small=tuple(rest[2:4]) if split else None,
        )
    )
