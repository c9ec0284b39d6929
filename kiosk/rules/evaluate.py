"""What a hand is worth: best five of five, six or seven cards, second combinations, three cards.

Pure functions over Card (SPEC.md 1.2, 1.3, 2.3, 4). Ranks are compared as numbers 2 … 14.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, product

from kiosk.cards import RANKS, Card

VALUE = {rank: number for number, rank in enumerate(RANKS, start=2)}


class Combo(IntEnum):
    """Combinations from low to high (COM-HAND-1)."""

    HIGH_CARD = 1
    ACE_KING = 2
    PAIR = 3
    TWO_PAIR = 4
    THREE_OF_A_KIND = 5
    STRAIGHT = 6
    FLUSH = 7
    FULL_HOUSE = 8
    FOUR_OF_A_KIND = 9
    STRAIGHT_FLUSH = 10
    ROYAL_FLUSH = 11

    @property
    def slug(self) -> str:
        """Name in data: ``two-pair``."""
        return SLUGS[self]


SLUGS = {combo: combo.name.lower().replace("_", "-") for combo in Combo}
COMBO_OF = {slug: combo for combo, slug in SLUGS.items()}

THREE_CARD_ORDER = {
    "three_card": (
        Combo.HIGH_CARD,
        Combo.PAIR,
        Combo.FLUSH,
        Combo.STRAIGHT,
        Combo.THREE_OF_A_KIND,
        Combo.STRAIGHT_FLUSH,
    ),
    "five_card": (
        Combo.HIGH_CARD,
        Combo.PAIR,
        Combo.THREE_OF_A_KIND,
        Combo.STRAIGHT,
        Combo.FLUSH,
        Combo.STRAIGHT_FLUSH,
    ),
}
"""Three-card combinations from low to high, by ``three.ranking`` (TC-RANK-1, AMB-50)."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination and the cards that form it (RP-DBL-3). ``ranks``: what is compared first."""

    kind: Combo
    ranks: tuple[int, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """The hand that is compared.

    ``cards``: the five (three) cards used, those of the combination first. ``ranks``: the list
    compared position by position (1.3). ``order``: place of ``kind`` in the ranking of the game.
    """

    kind: Combo
    ranks: tuple[int, ...]
    cards: tuple[Card, ...]
    significant: tuple[Card, ...]
    order: int

    @property
    def key(self) -> tuple[int, tuple[int, ...]]:
        """Higher is better; equal keys are a stand-off (COM-TIE-10)."""
        return self.order, self.ranks

    @property
    def first(self) -> Combination:
        """The first combination of the hand."""
        return Combination(self.kind, self.ranks, self.significant)


def _value(card: Card) -> int:
    return VALUE[card.rank]


def _descending(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=_value, reverse=True)


def _by_rank(ordered: Iterable[Card]) -> dict[int, list[Card]]:
    groups: dict[int, list[Card]] = {}
    for card in ordered:
        groups.setdefault(VALUE[card.rank], []).append(card)
    return groups


def _runs(values: Iterable[int]) -> Iterator[int]:
    """High cards of all five-card sequences, highest first; the ace also stands below the two."""
    mask = 0
    for value in values:
        mask |= 1 << value
    if mask & (1 << 14):
        mask |= 2
    for high in range(14, 4, -1):
        if (mask >> (high - 4)) & 0b11111 == 0b11111:
            yield high


def _run_ranks(high: int) -> tuple[int, ...]:
    """The ranks of the sequence below ``high`` as card values; the low ace is written 14."""
    return tuple(14 if value == 1 else value for value in range(high, high - 5, -1))


def _suited(ordered: Sequence[Card]) -> list[Card]:
    """The cards of the suit held five times or more; empty without such a suit."""
    counts: dict[str, list[Card]] = {}
    for card in ordered:
        counts.setdefault(card.suit, []).append(card)
    return next((cards for cards in counts.values() if len(cards) >= 5), [])


def _whole(kind: Combo, ranks: tuple[int, ...], cards: Iterable[Card]) -> Hand:
    five = tuple(cards)
    return Hand(kind, ranks, five, five, int(kind))


def best_hand(cards: Sequence[Card], ace_king: bool = True) -> Hand:
    """The best five-card hand of five, six or seven cards (COM-BEST-1).

    ``ace_king``: whether the game has that combination (COM-HAND-1) or not (COM-HAND-2).
    """
    ordered = _descending(cards)
    groups = _by_rank(ordered)
    suited = _suited(ordered)
    if suited:
        of_value = {_value(card): card for card in suited}
        for high in _runs(of_value):
            kind = Combo.ROYAL_FLUSH if high == 14 else Combo.STRAIGHT_FLUSH
            return _whole(kind, (high,), [of_value[value] for value in _run_ranks(high)])
    sets = sorted(groups.items(), key=lambda item: (-len(item[1]), -item[0]))
    top = sets[0][1]
    if len(top) < 4:
        pairs = [group for _, group in sets[1:] if len(group) >= 2]
        if len(top) == 3 and pairs:
            pair = max(pairs, key=lambda group: _value(group[0]))
            ranks = (_value(top[0]), _value(pair[0]))
            return _whole(Combo.FULL_HOUSE, ranks, [*top, *pair[:2]])
        if suited:
            five = suited[:5]
            return _whole(Combo.FLUSH, tuple(map(_value, five)), five)
        for high in _runs(groups):
            five = [groups[value][0] for value in _run_ranks(high)]
            return _whole(Combo.STRAIGHT, (high,), five)
    return _of_a_kind(ordered, sets, ace_king)


def _of_a_kind(ordered: list[Card], sets: list[tuple[int, list[Card]]], ace_king: bool) -> Hand:
    """Four, three, two pair, pair, ace-king and nothing: combination plus side cards."""
    top = sets[0][1]
    significant: list[Card] = []
    kind = Combo.HIGH_CARD
    if len(top) == 4:
        kind, significant = Combo.FOUR_OF_A_KIND, top
    elif len(top) == 3:
        kind, significant = Combo.THREE_OF_A_KIND, top
    elif len(top) == 2 and len(sets) > 1 and len(sets[1][1]) == 2:
        kind, significant = Combo.TWO_PAIR, [*top, *sets[1][1]]
    elif len(top) == 2:
        kind, significant = Combo.PAIR, top
    elif ace_king and ordered[0].rank == "A" and ordered[1].rank == "K":
        kind, significant = Combo.ACE_KING, ordered[:2]
    side = [card for card in ordered if card not in significant][: 5 - len(significant)]
    if kind in (Combo.HIGH_CARD, Combo.ACE_KING):
        ranks = tuple(map(_value, [*significant, *side]))
    else:
        ranks = (*dict.fromkeys(map(_value, significant)), *map(_value, side))
    return Hand(kind, ranks, (*significant, *side), tuple(significant), int(kind))


def three_card_hand(cards: Sequence[Card], ranking: str = "three_card") -> Hand:
    """The hand of three cards (TC-RANK-1, TC-RANK-2). ``ranking``: key of THREE_CARD_ORDER."""
    ordered = _descending(cards)
    values = tuple(map(_value, ordered))
    flush = len({card.suit for card in ordered}) == 1
    low_ace = values == (14, 3, 2)
    high = 3 if low_ace else values[0]
    straight = low_ace or (values[0] - values[2] == 2 and len(set(values)) == 3)
    order = THREE_CARD_ORDER[ranking]
    if straight:
        kind = Combo.STRAIGHT_FLUSH if flush else Combo.STRAIGHT
        if low_ace:
            ordered = [*ordered[1:], ordered[0]]
        return Hand(kind, (high,), tuple(ordered), tuple(ordered), order.index(kind))
    groups = sorted(_by_rank(ordered).values(), key=lambda group: -len(group))
    cards_used = tuple(card for group in groups for card in group)
    if len(groups) == 1:
        kind, significant = Combo.THREE_OF_A_KIND, cards_used
    elif len(groups) == 2:
        kind, significant = Combo.PAIR, cards_used[:2]
    elif flush:
        kind, significant = Combo.FLUSH, cards_used
    else:
        kind, significant = Combo.HIGH_CARD, ()
    ranks = tuple(_value(group[0]) for group in groups)
    return Hand(kind, ranks, cards_used, significant, order.index(kind))


def candidates(cards: Sequence[Card], highest: Combo) -> Iterator[Combination]:
    """Every combination that the cards can form, from ``highest`` downwards (RP-DBL step 1, 2)."""
    ordered = _descending(cards)
    groups = _by_rank(ordered)
    suited = _suited(ordered)
    for kind in sorted(_MAKERS, reverse=True):
        if kind <= highest:
            found = _MAKERS[kind](groups, suited)
            yield from sorted(found, key=lambda item: (item.kind, item.ranks), reverse=True)


Groups = dict[int, list[Card]]


def _straight_flushes(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    of_value = {_value(card): card for card in suited}
    for high in _runs(of_value):
        kind = Combo.ROYAL_FLUSH if high == 14 else Combo.STRAIGHT_FLUSH
        yield Combination(kind, (high,), tuple(of_value[value] for value in _run_ranks(high)))


def _flushes(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    for five in combinations(suited, 5):
        yield Combination(Combo.FLUSH, tuple(map(_value, five)), five)


def _straights(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    for high in _runs(groups):
        for five in product(*(groups[value] for value in _run_ranks(high))):
            yield Combination(Combo.STRAIGHT, (high,), five)


def _full_houses(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    for top, pair in product(groups, groups):
        if top != pair:
            for cards in product(combinations(groups[top], 3), combinations(groups[pair], 2)):
                yield Combination(Combo.FULL_HOUSE, (top, pair), cards[0] + cards[1])


def _two_pairs(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    for high, low in product(groups, groups):
        if high > low:
            for cards in product(combinations(groups[high], 2), combinations(groups[low], 2)):
                yield Combination(Combo.TWO_PAIR, (high, low), cards[0] + cards[1])


def _alike(kind: Combo, count: int, groups: Groups) -> Iterator[Combination]:
    for value, group in groups.items():
        for cards in combinations(group, count):
            yield Combination(kind, (value,), cards)


def _ace_kings(groups: Groups, suited: list[Card]) -> Iterator[Combination]:
    for cards in product(groups.get(14, ()), groups.get(13, ())):
        yield Combination(Combo.ACE_KING, (14, 13), cards)


_MAKERS = {
    Combo.ROYAL_FLUSH: _straight_flushes,
    Combo.FOUR_OF_A_KIND: lambda groups, _: _alike(Combo.FOUR_OF_A_KIND, 4, groups),
    Combo.FULL_HOUSE: _full_houses,
    Combo.FLUSH: _flushes,
    Combo.STRAIGHT: _straights,
    Combo.THREE_OF_A_KIND: lambda groups, _: _alike(Combo.THREE_OF_A_KIND, 3, groups),
    Combo.TWO_PAIR: _two_pairs,
    Combo.PAIR: lambda groups, _: _alike(Combo.PAIR, 2, groups),
    Combo.ACE_KING: _ace_kings,
}
"""Makers of candidates; the one of the royal flush makes the straight flushes too."""

_RUNS = (Combo.STRAIGHT, Combo.STRAIGHT_FLUSH, Combo.ROYAL_FLUSH)


def second_combination(
    cards: Sequence[Card], hand: Hand, duplicate_straight: str = "straight"
) -> Combination | None:
    """The highest combination that brings in a significant card of its own (RP-DBL-2, -4).

    ``duplicate_straight`` = ``pair``: a second straight as high as the first does not count
    (AMB-21). None when there is none.
    """
    if hand.kind <= Combo.ACE_KING:
        return None
    ceiling = Combo.ROYAL_FLUSH if hand.kind >= Combo.STRAIGHT_FLUSH else hand.kind
    held = set(hand.significant)
    for item in candidates(cards, ceiling):
        same_run = item.kind is Combo.STRAIGHT and hand.kind in _RUNS and item.ranks == hand.ranks
        if same_run and duplicate_straight == "pair":
            continue
        if not held.issuperset(item.cards):
            return item
    return None


def small_hand(cards: Sequence[Card]) -> Hand:
    """A hand of two cards in split poker (SP-SMALL-1 … 3)."""
    ordered = tuple(_descending(cards))
    values = tuple(map(_value, ordered))
    if values[0] == values[1]:
        return Hand(Combo.PAIR, values[:1], ordered, ordered, int(Combo.PAIR))
    return Hand(Combo.HIGH_CARD, values, ordered, (), int(Combo.HIGH_CARD))
