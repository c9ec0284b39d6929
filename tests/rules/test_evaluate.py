"""Hand evaluation: COM-HAND, COM-TIE, COM-BEST, RP-DBL, TC-RANK, SP-SMALL."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cards import DECK, Card, parse_cards
from kiosk.rules import load_house
from kiosk.rules.evaluate import (
    VALUE,
    Combo,
    best_hand,
    second_combination,
    small_hand,
    three_card_hand,
)
from kiosk.rules.prices import worth

RUSSIAN = load_house("russian-a")


def hand(text: str) -> tuple[Card, ...]:
    return parse_cards(text.split())


def slow_key(cards: tuple[Card, ...], ace_king: bool) -> tuple[int, tuple[int, ...]]:
    """An obviously correct key of five cards, written apart from the evaluator."""
    values = sorted((VALUE[card.rank] for card in cards), reverse=True)
    counts = Counter(values)
    groups = sorted(counts, key=lambda value: (counts[value], value), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card.suit for card in cards}) == 1
    if values == [14, 5, 4, 3, 2]:
        high = 5
    elif len(counts) == 5 and values[0] - values[4] == 4:
        high = values[0]
    else:
        high = 0
    if high and flush:
        return (11 if high == 14 else 10), (high,)
    if shape == [4, 1]:
        return 9, tuple(groups)
    if shape == [3, 2]:
        return 8, tuple(groups)
    if flush:
        return 7, tuple(values)
    if high:
        return 6, (high,)
    for kind, wanted in ((5, [3, 1, 1]), (4, [2, 2, 1]), (3, [2, 1, 1, 1])):
        if shape == wanted:
            return kind, tuple(groups)
    return (2 if ace_king and values[:2] == [14, 13] else 1), tuple(values)


def slow_best(cards: tuple[Card, ...], ace_king: bool) -> tuple[int, tuple[int, ...]]:
    return max(slow_key(five, ace_king) for five in combinations(cards, 5))


@given(st.integers(5, 7), st.randoms(use_true_random=False), st.booleans())
def test_com_best_1_agrees_with_brute_force(count: int, random: Random, ace_king: bool) -> None:
    cards = tuple(random.sample(DECK, count))
    found = best_hand(cards, ace_king)
    assert found.key == slow_best(cards, ace_king)
    assert len(found.cards) == 5
    assert set(found.cards) <= set(cards)
    assert slow_key(found.cards, ace_king) == found.key
    assert set(found.significant) <= set(found.cards)


@given(st.integers(5, 6), st.randoms(use_true_random=False))
def test_com_rank_3_suits_and_order_change_nothing(count: int, random: Random) -> None:
    cards = tuple(random.sample(DECK, count))
    suits = dict(zip("cdhs", random.sample("cdhs", 4), strict=True))
    turned = [Card(card.rank, suits[card.suit]) for card in cards]
    random.shuffle(turned)
    before, after = worth(RUSSIAN, cards), worth(RUSSIAN, tuple(turned))
    assert before.hand.key == after.hand.key
    assert before.pays == after.pays
    assert [c.kind for c in before.combinations] == [c.kind for c in after.combinations]
    assert [c.ranks for c in before.combinations] == [c.ranks for c in after.combinations]


@given(st.randoms(use_true_random=False))
def test_rp_dbl_2_the_second_brings_a_card_of_its_own(random: Random) -> None:
    cards = tuple(random.sample(DECK, 6))
    found = best_hand(cards)
    second = second_combination(cards, found)
    if second is not None:
        assert set(second.cards) - set(found.significant)
        assert (second.kind, second.ranks) <= (found.kind, found.ranks)


S000_EXAMPLES = [
    (1, "7h 7d Ts Kc Ad", ["pair", "ace-king"], 2),
    (2, "4h 9d Ks Kc Ad", ["pair", "ace-king"], 2),
    (3, "Qh Kd Ks Ac Ad", ["two-pair"], 2),
    (4, "7h 7d Ts Tc Qd", ["two-pair"], 2),
    (5, "7h Kd As Ac Ad", ["three-of-a-kind", "ace-king"], 4),
    (6, "Th Jd Qs Kc Ad", ["straight"], 4),
    (7, "3h 7h Th Kh Ah", ["flush"], 5),
    (8, "7h 7d Ts Qc Kd Ah", ["pair", "ace-king"], 2),
    (9, "7h 7d Ts Tc Qd Kh", ["two-pair"], 2),
    (10, "7h 7d Ts Tc Kd Ah", ["two-pair", "ace-king"], 3),
    (11, "7h 7d Ts Tc Qd Qh", ["two-pair", "two-pair"], 4),
    (12, "7h 8d 9s 9c Td Jh", ["straight", "straight"], 8),
    (13, "3s 5s 7s Ts Ks Ah", ["flush", "ace-king"], 6),
    (14, "3s 5s 7s Ks As Ah", ["flush", "pair"], 6),
    (15, "3s 5s 7s 9s Ks As", ["flush", "flush"], 10),
    (16, "3s 5s 7s Ts Js Qs", ["flush", "flush"], 10),
    (17, "3s 3h 3d Qs Qh Qd", ["full-house", "full-house"], 14),
    (18, "3s 4h Js Jh Jd Jc", ["four-of-a-kind"], 20),
    (19, "3s 3h Js Jh Jd Jc", ["four-of-a-kind", "full-house"], 27),
]


@pytest.mark.parametrize(("number", "text", "slugs", "times"), S000_EXAMPLES)
def test_rp_dbl_examples_of_the_source(
    number: int, text: str, slugs: list[str], times: int
) -> None:
    value = worth(RUSSIAN, hand(text))
    assert [item.kind.slug for item in value.combinations] == slugs
    assert value.pays == times


DOUBLES = [
    ("royal-flush", "straight-flush", 150, "9h Th Jh Qh Kh Ah"),
    ("royal-flush", "flush", 105, "4h Th Jh Qh Kh Ah"),
    ("royal-flush", "straight", 104, "9c Th Jh Qh Kh Ah"),
    ("straight-flush", "straight-flush", 100, "5s 6s 7s 8s 9s Ts"),
    ("straight-flush", "flush", 55, "5s 6s 7s 8s 9s Ks"),
    ("straight-flush", "straight", 54, "5s 6s 7s 8s 9s Td"),
    ("straight-flush", "ace-king", 51, "As 2s 3s 4s 5s Kd"),
    ("four-of-a-kind", "full-house", 27, "8c 8d 8h 8s 2c 2d"),
    ("four-of-a-kind", "ace-king", 21, "8c 8d 8h 8s Ac Kd"),
    ("two-pair", "two-pair", 4, "2c 2d 5c 5d 9c 9d"),
    ("pair", "ace-king", 2, "2c 2d 5c 9d Kc Ad"),
    ("full-house", "full-house", 14, "6c 6d 6h 4c 4d 4h"),
    ("full-house", "ace-king", 8, "Ac Ad Ah 4c 4d Kh"),
    ("flush", "flush", 10, "2d 4d 6d 8d Td Qd"),
    ("flush", "straight", 9, "5d 6d 7d 9d Jd 8c"),
    ("flush", "pair", 6, "2d 4d 6d 8d Td Tc"),
    ("flush", "ace-king", 6, "2d 4d 6d 8d Ad Kc"),
    ("straight", "straight", 8, "4d 5c 6d 7h 8d 9d"),
    ("straight", "ace-king", 5, "Ac 2d 3c 4h 5d Kd"),
    ("three-of-a-kind", "ace-king", 4, "9c 9d 9h 2c Ad Kc"),
    ("two-pair", "ace-king", 3, "9c 9d 4h 4c Ad Kc"),
]


@pytest.mark.parametrize(("first", "second", "times", "text"), DOUBLES)
def test_p15_rp_dbl_the_21_doubles(first: str, second: str, times: int, text: str) -> None:
    value = worth(RUSSIAN, hand(text))
    assert [item.kind.slug for item in value.combinations] == [first, second]
    assert value.pays == times


def test_rp_dbl_8_an_ace_and_a_king_of_the_first_make_no_second() -> None:
    for text in ("Ac Ad Kc Kd 5h", "Ac Ad Ah Kc Kd", "Ac Kd Qc Jh Td", "Ac Kc 9c 5c 2c"):
        assert second_combination(hand(text), best_hand(hand(text))) is None


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("Th Jh Qh Kh Ah Tc", "pair"),
        ("5s 6s 7s 8s 9s 5d", "pair"),
        ("7h 8d 9s 9c Td Jh", "pair"),
        ("4d 5c 6d 7h 8d 9d", "straight"),
    ],
)
def test_rp_dbl_7_duplicate_straight_option(text: str, strict: str) -> None:
    cards = hand(text)
    found = best_hand(cards)
    loose = second_combination(cards, found)
    assert loose is not None
    assert loose.kind is Combo.STRAIGHT
    second = second_combination(cards, found, "pair")
    assert second is not None
    assert second.kind.slug == strict


def test_com_rank_2_the_wheel_is_the_lowest_straight() -> None:
    wheel, six = best_hand(hand("Ac 2d 3c 4h 5d")), best_hand(hand("6c 2d 3c 4h 5d"))
    assert (wheel.kind, wheel.ranks) == (Combo.STRAIGHT, (5,))
    assert wheel.key < six.key
    assert [card.rank for card in wheel.cards] == list("5432A")
    assert best_hand(hand("Ac Kd 2c 3h 4d")).kind is Combo.ACE_KING


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ac Kd Qc 7h 3d", "Ad Kc Jc Th 9d"),
        ("9c 9d 4h 4c 3d", "9h 9s 4d 4s 2c"),
        ("Kh Jh 9h 6h 3h", "Kd Jd 9d 6d 2d"),
        ("3c 3d 3h 2c 2d", "2h 2s 2c Ac Ad"),
        ("Ac Kc Qc Jc Tc", "Kd Qd Jd Td 9d"),
    ],
)
def test_com_tie_first_difference_decides(higher: str, lower: str) -> None:
    assert best_hand(hand(higher)).key > best_hand(hand(lower)).key


@pytest.mark.parametrize(
    ("text", "slug", "ranks"),
    [
        ("Ah Kh Qh", "straight-flush", (14,)),
        ("3h 2d Ac", "straight", (3,)),
        ("Kh Ad 2c", "high-card", (14, 13, 2)),
        ("2h 2d 3s", "pair", (2, 3)),
        ("3h 3d 2s", "pair", (3, 2)),
        ("4h 4d 4s", "three-of-a-kind", (4,)),
        ("4h 9h Jh", "flush", (11, 9, 4)),
        ("3h 5d 7c", "high-card", (7, 5, 3)),
    ],
)
def test_tc_rank_three_cards(text: str, slug: str, ranks: tuple[int, ...]) -> None:
    found = three_card_hand(hand(text))
    assert (found.kind.slug, found.ranks) == (slug, ranks)


def test_tc_rank_1_orders() -> None:
    straight, flush = three_card_hand(hand("4h 5d 6c")), three_card_hand(hand("4h 9h Jh"))
    three = three_card_hand(hand("2h 2d 2c"))
    assert three.key > straight.key > flush.key
    five = {text: three_card_hand(hand(text), "five_card") for text in ("4h 5d 6c", "4h 9h Jh")}
    assert five["4h 9h Jh"].key > five["4h 5d 6c"].key


def test_tc_all_hands_count() -> None:
    found = Counter(three_card_hand(cards).kind.slug for cards in combinations(DECK, 3))
    assert found == {
        "straight-flush": 48,
        "three-of-a-kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high-card": 16440,
    }


def test_sp_small_hands() -> None:
    assert small_hand(hand("2c 2d")).key > small_hand(hand("Ac Kd")).key
    assert small_hand(hand("Ac 3d")).key > small_hand(hand("Kc Qd")).key
    assert small_hand(hand("Kc 4d")).key == small_hand(hand("4h Ks")).key
