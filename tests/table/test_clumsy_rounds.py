"""Whatever happens on the felt, no certain settlement is wrong, and nothing is stuck in silence."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Any

import pytest
from clumsy import Clumsy, certain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from played import bare
from table_desk import Table

from kiosk.rules import list_houses, settle_case
from kiosk.rules.generate import generate
from kiosk.table.state import RoundSettings


def clumsily(house: str, seed: int, random: Random) -> tuple[Table, int]:
    """Deals a generated round; the table at its end and how many boxes were settled then."""
    case = generate(house, seed)
    for box in case["boxes"]:
        for key in ("player", "open", "blind"):
            box.pop(key, None)
    truth = {box["box"]: bare(box) for box in settle_case(case)["boxes"]}

    def check(table: Table) -> None:
        for number, result in certain(table).items():
            assert bare(result) == truth[number]

    limits: dict[str, Any] = {
        key: None if case["table"][key] is None else Decimal(case["table"][key])
        for key in ("ante_min", "ante_max", "max_payout")
    }
    numbers = tuple(sorted(box["box"] for box in case["boxes"]))
    table = Table(RoundSettings(house=house, boxes=numbers, **limits), step=0.25)
    Clumsy(table, case, random, check).deal()
    settled = set(certain(table))
    asked = table.shown()["questions"]
    assert settled == set(truth) or asked, "a box is not settled and nobody is asked why"
    return table, len(settled)


@pytest.mark.parametrize("house", list_houses())
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), random=st.randoms(use_true_random=False))
def test_v5_no_disturbance_gives_a_wrong_certain_settlement(
    house: str, seed: int, random: Random
) -> None:
    clumsily(house, seed, random)


@pytest.mark.long
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("house", list_houses())
def test_v5_many_disturbed_rounds_of_each_game(house: str) -> None:
    boxes = sum(clumsily(house, seed, Random(seed))[1] for seed in range(150))
    assert boxes > 150, "hardly a box was settled: the disturbances are too rough to prove much"
