"""Exact counts of all hands by class, and of the double combinations of Russian Poker."""

from __future__ import annotations

from collections import Counter

import pytest

from kiosk.rules import load_house
from kiosk.rules.patterns import hand_patterns
from kiosk.rules.prices import worth

FIVE = {
    "royal-flush": 4,
    "straight-flush": 36,
    "four-of-a-kind": 616,
    "four-of-a-kind + ace-king": 8,
    "full-house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three-of-a-kind": 54_912 - 2_112,
    "three-of-a-kind + ace-king": 2_112,
    "two-pair": 123_552 - 3_168,
    "two-pair + ace-king": 3_168,
    "pair": 1_098_240 - 84_480,
    "pair + ace-king": 84_480,
    "ace-king": 167_280,
    "high-card": 1_302_540 - 167_280,
}

SIX = {
    "royal-flush + straight-flush": 4,
    "royal-flush + flush": 28,
    "royal-flush + straight": 72,
    "royal-flush": 84,
    "straight-flush + straight-flush": 32,
    "straight-flush + flush": 220,
    "straight-flush + straight": 744,
    "straight-flush + ace-king": 12,
    "straight-flush": 648,
    "four-of-a-kind + full-house": 936,
    "four-of-a-kind + ace-king": 528,
    "four-of-a-kind": 13_200,
    "full-house + full-house": 1_248,
    "full-house + ace-king": 4_224,
    "full-house": 160_512,
    "flush + flush": 6_580,
    "flush + straight": 4_152,
    "flush + pair": 76_620,
    "flush + ace-king": 7_704,
    "flush": 110_736,
    "straight + straight": 112_380,
    "straight + ace-king": 4_020,
    "straight": 245_220,
    "three-of-a-kind + ace-king": 56_320,
    "three-of-a-kind": 675_840,
    "two-pair + two-pair": 61_776,
    "two-pair + ace-king": 158_400,
    "two-pair": 2_312_640,
    "pair + ace-king": 1_249_680,
    "pair": 8_481_060,
    "ace-king": 1_290_420,
    "high-card": 5_322_480,
}


def count(cards: int) -> Counter[str]:
    house = load_house("russian-a")
    found: Counter[str] = Counter()
    for hand, weight in hand_patterns(cards):
        value = worth(house, hand)
        found[" + ".join(item.kind.slug for item in value.combinations)] += weight
    return found


def test_five_cards_all_2598960_hands() -> None:
    assert count(5) == FIVE
    assert sum(FIVE.values()) == 2_598_960


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_p15_six_cards_all_20358520_hands_and_no_double_beside_the_21() -> None:
    assert count(6) == SIX
    assert sum(SIX.values()) == 20_358_520
    assert sum("+" in name for name in SIX) == 21
