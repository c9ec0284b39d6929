"""A second evaluator, slow and obviously correct, against both evaluators of the kiosk.

It looks at each five-card hand on its own (how often each rank is held, one suit or not, a
sequence or not) and at the best of all five-card subsets of six cards. As a script it goes
through all 20,358,520 six-card hands and compares combination and order with ``best_hand`` and
``evaluate_many``; the outcome of such a run is kept in ``PROOFS.md``:

    python tests/rules/test_brute_force.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise, product
from math import comb
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from kiosk.cards import DECK, Card
from kiosk.rules.batch import KIND_SHIFT, evaluate_many
from kiosk.rules.evaluate import (
    SLUGS,
    VALUE,
    Combo,
    best_hand,
    second_combination,
)

Keys = NDArray[np.int64]
Ids = NDArray[np.uint8]

BINOMIAL = np.array([[comb(n, k) for k in range(7)] for n in range(53)], np.int64)


def place(hands: Ids) -> Keys:
    """Place of each hand, its cards rising along the row, among all hands of that size."""
    found = np.zeros(len(hands), np.int64)
    for column in range(hands.shape[1]):
        found += BINOMIAL[hands[:, column], column + 1]
    return found


def all_hands(count: int, highest: int = 52) -> Ids:
    """All hands of that many cards as rising rows of indices below ``highest``."""
    found = np.fromiter(
        (card for hand in combinations(range(highest), count) for card in hand), np.uint8
    )
    return found.reshape(-1, count)


def five_card_keys(hands: Ids) -> Keys:
    """Combination and the ranks compared, packed: combination, then five ranks of four bits."""
    values = np.array([VALUE[card.rank] for card in DECK])[hands]
    suits = np.array(["cdhs".index(card.suit) for card in DECK])[hands]
    held = (values[:, :, None] == values[:, None, :]).sum(axis=2)
    order = np.argsort(-(held * 16 + values), axis=1, kind="stable")
    values, held = (np.take_along_axis(a, order, 1) for a in (values, held))
    flush = (suits == suits[:, :1]).all(axis=1)
    wheel = (values == [14, 5, 4, 3, 2]).all(axis=1)
    straight = wheel | (np.diff(values, axis=1) == -1).all(axis=1)
    high = np.where(wheel, 5, values[:, 0])
    shape = (held * [10000, 1000, 100, 10, 1]).sum(axis=1)
    kind = np.full(len(hands), 1)
    kind[(values[:, 0] == 14) & (values[:, 1] == 13)] = 2
    for number, digits in ((3, 22111), (4, 22221), (5, 33311), (8, 33322), (9, 44441)):
        kind[shape == digits] = number
    kind[straight] = 6
    kind[flush] = 7
    kind[straight & flush] = np.where(high == 14, 11, 10)[straight & flush]
    # A rank held more than once is compared once; of a sequence only its high card.
    again = np.zeros_like(values, bool)
    again[:, 1:] = values[:, 1:] == values[:, :-1]
    ranks = np.take_along_axis(
        np.where(again, 0, values), np.argsort(again, axis=1, kind="stable"), 1
    )
    ranks[straight] = 0
    ranks[straight, 0] = high[straight]
    packed = kind
    for column in range(5):
        packed = packed * 16 + ranks[:, column]
    return packed


@lru_cache(maxsize=1)
def five_card_table() -> Keys:
    """The keys of all 2,598,960 five-card hands, at their places."""
    table = np.zeros(comb(52, 5), np.int64)
    for last in range(4, 52):
        hands = all_hands(4, last)
        hands = np.hstack([hands, np.full((len(hands), 1), last, np.uint8)])
        table[place(hands)] = five_card_keys(hands)
    assert table.all()
    return table


def best_of_subsets(hands: Ids) -> Keys:
    """The best key of all six five-card subsets of six rising cards."""
    table = five_card_table()
    parts = [table[place(np.delete(hands, out, axis=1))] for out in range(6)]
    best: Keys = np.max(parts, axis=0)
    return best


def key_of(cards: list[Card]) -> int:
    """The key of the kiosk's own evaluator, packed in the same way."""
    hand = best_hand(cards)
    packed = int(hand.kind)
    for rank in (*hand.ranks, 0, 0, 0, 0)[:5]:
        packed = packed * 16 + rank
    return packed


def six_card_hands() -> Iterator[Ids]:
    """All 20,358,520 six-card hands in parts that share their two lowest cards."""
    four = {size: all_hands(4, size) for size in range(4, 51)}
    for low, second in combinations(range(48), 2):
        if 51 - second >= 4:
            rest = four[51 - second] + np.uint8(second + 1)
            start = np.array([[low, second]], np.uint8).repeat(len(rest), axis=0)
            yield np.hstack([start, rest])


class Order:
    """Whether two numbers for hands stand in the same order, and are equal together."""

    def __init__(self) -> None:
        self.pairs: dict[int, int] = {}

    def add(self, keys: Keys, scores: Keys) -> int:
        """Takes hands in; returns how many contradict the ones before."""
        both = keys * (1 << 32) + scores
        _, first, counts = np.unique(both, return_index=True, return_counts=True)
        wrong = 0
        for at, count in zip(first.tolist(), counts.tolist(), strict=True):
            key, score = int(keys[at]), int(scores[at])
            wrong += count * (self.pairs.setdefault(key, score) != score)
        return wrong

    def rises(self) -> bool:
        """Whether a higher key always means a higher score."""
        scores = [self.pairs[key] for key in sorted(self.pairs)]
        return all(one < two for one, two in pairwise(scores))


def test_the_two_agree_on_all_five_card_hands_by_class() -> None:
    kinds = np.bincount(five_card_table() >> 20, minlength=12)[1:]
    expected = [1_135_260, 167_280, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
    assert kinds.tolist() == expected


def test_the_two_agree_on_a_sample_of_six_card_hands() -> None:
    random = Random(20_358_520)
    hands = np.array([sorted(random.sample(range(52), 6)) for _ in range(30_000)], np.uint8)
    keys, scores = best_of_subsets(hands), evaluate_many(hands).astype(np.int64)
    assert ((scores >> KIND_SHIFT) == (keys >> 20)).all()
    order = Order()
    assert order.add(keys, scores) == 0
    assert order.rises()
    for row, key in zip(hands[:6000].tolist(), keys.tolist(), strict=False):
        assert key_of([DECK[card] for card in row]) == key


def test_a_disagreement_would_be_seen() -> None:
    order = Order()
    assert order.add(np.array([5, 7, 5]), np.array([50, 70, 50])) == 0
    assert order.rises()
    assert order.add(np.array([5, 5, 9]), np.array([50, 51, 60])) == 1
    assert not order.rises()


def slow_candidates(cards: tuple[Card, ...]) -> list[tuple[int, tuple[int, ...], frozenset[Card]]]:
    """Every combination with its significant cards, by looking at every subset (RP-DBL step 1)."""
    found = []
    for size in (2, 3, 4, 5):
        for part in combinations(cards, size):
            values = sorted((VALUE[card.rank] for card in part), reverse=True)
            ranks = sorted(set(values), key=lambda v: (-values.count(v), -v))
            shape = [values.count(value) for value in ranks]
            kind = {
                (2,): Combo.PAIR,
                (3,): Combo.THREE_OF_A_KIND,
                (4,): Combo.FOUR_OF_A_KIND,
                (2, 2): Combo.TWO_PAIR,
                (3, 2): Combo.FULL_HOUSE,
            }.get(tuple(shape))
            if values == [14, 13]:
                kind = Combo.ACE_KING
            if size == 5 and len(ranks) == 5:
                suited = len({card.suit for card in part}) == 1
                wheel = values == [14, 5, 4, 3, 2]
                if wheel or values[0] - values[4] == 4:
                    ranks = [5 if wheel else values[0]]
                    kind = Combo.STRAIGHT
                    if suited:
                        kind = Combo.ROYAL_FLUSH if ranks == [14] else Combo.STRAIGHT_FLUSH
                elif suited:
                    kind = Combo.FLUSH
                if kind in (Combo.STRAIGHT_FLUSH, Combo.ROYAL_FLUSH):
                    found.append((int(Combo.FLUSH), tuple(values), frozenset(part)))
                    found.append((int(Combo.STRAIGHT), tuple(ranks), frozenset(part)))
            if kind is not None:
                found.append((int(kind), tuple(ranks), frozenset(part)))
    return found


def slow_second(cards: tuple[Card, ...]) -> tuple[int, tuple[int, ...]] | None:
    """The second combination by the letter of SPEC.md 2.3."""
    everything = sorted(slow_candidates(cards), key=lambda item: item[:2], reverse=True)
    if not everything:
        return None
    first = everything[0][2]
    return next((item[:2] for item in everything if not item[2] <= first), None)


def sampled(count: int) -> Iterator[tuple[Card, ...]]:
    """Hands, of which many hold two combinations: few ranks, or few suits."""
    random = Random(21)
    for number in range(count):
        if number % 3 == 0:
            pool = list(DECK)
        elif number % 3 == 1:
            ranks = random.sample("23456789TJQKA", 4)
            pool = [Card(*pair) for pair in product(ranks, "cdhs")]
        else:
            low = random.randrange(0, 7)
            ranks = [*"A23456789TJQKA"[low : low + 7]]
            pool = [Card(*pair) for pair in product(dict.fromkeys(ranks), "cd")]
        yield tuple(random.sample(pool, random.choice((5, 6))))


def test_rp_dbl_the_second_combination_agrees_with_brute_force() -> None:
    seconds: set[tuple[Combo, int]] = set()
    for cards in sampled(6000):
        hand = best_hand(cards)
        second = second_combination(cards, hand)
        expected = slow_second(cards)
        assert (second and (int(second.kind), second.ranks)) == expected, cards
        if second is not None:
            seconds.add((hand.kind, int(second.kind)))
    assert len(seconds) >= 12


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_batched_and_brute_force_agree_on_all_six_card_hands() -> None:
    counted, wrong, rises = compare_all(scalar=False)
    assert counted.sum() == 20_358_520
    assert wrong == {"batched": 0}
    assert rises


def compare_all(*, scalar: bool) -> tuple[NDArray[np.int64], dict[str, int], bool]:
    """Goes through all six-card hands. Returns hands by combination (from 1), how many differ by
    evaluator, and whether the batched scores rise exactly with the keys."""
    counts, order = np.zeros(12, np.int64), Order()
    wrong = {"batched": 0, **({"one by one": 0} if scalar else {})}
    for hands in six_card_hands():
        keys, scores = best_of_subsets(hands), evaluate_many(hands).astype(np.int64)
        counts += np.bincount(keys >> 20, minlength=12)
        wrong["batched"] += int(((scores >> KIND_SHIFT) != (keys >> 20)).sum())
        wrong["batched"] += order.add(keys, scores)
        if scalar:
            own = [key_of([DECK[card] for card in row]) for row in hands.tolist()]
            wrong["one by one"] += int((np.array(own) != keys).sum())
    return counts[1:], wrong, order.rises()


def main() -> int:
    """Runs the whole proof and prints its outcome."""
    began = time.monotonic()
    counts, wrong, rises = compare_all(scalar="--batched-only" not in sys.argv)
    for combo, count in zip(Combo, counts.tolist(), strict=True):
        print(f"{SLUGS[combo]:<16} {count:>10,}")
    print(f"{'all':<16} {int(counts.sum()):>10,}")
    for name, count in wrong.items():
        print(f"hands on which the {name} evaluator differs: {count}")
    print(f"batched scores rise with the hands: {'yes' if rises else 'no'}")
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0 if not any(wrong.values()) and rises else 1


if __name__ == "__main__":
    sys.exit(main())
