"""Every golden case laid on the table card by card gives its settlement, whatever the game."""

from __future__ import annotations

import json
import os
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from played import bare, can_be_dealt, house_of, play

from kiosk.table.plan import SHAPES
from kiosk.table.snapshot import snapshot

CASES = Path(__file__).parents[3] / "shared" / "rules" / "cases.json"


def golden() -> list[dict[str, Any]]:
    """The cases of all games that can be laid out as they are."""
    if not CASES.exists():
        return []
    cases = json.loads(CASES.read_text(encoding="utf-8"), parse_float=Decimal)["cases"]
    return [case for case in cases if can_be_dealt(case)]


def test_the_golden_cases_are_there() -> None:
    if not CASES.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{CASES} is missing")
        pytest.skip(f"{CASES} is not on this machine")
    counted = Counter(case["game"] for case in golden())
    assert set(counted) == set(SHAPES)
    assert sum(counted.values()) > 430


@pytest.mark.parametrize("case", golden(), ids=lambda case: case["id"])
def test_a_golden_case_played_on_the_table(case: dict[str, Any], tmp_path: Path) -> None:
    table = play(case, house_of(case, tmp_path))
    before = table.shown()
    assert not before["questions"]
    assert all(box["result"] is None for box in before["boxes"])
    table.do("reveal")
    shown = table.shown()
    assert not shown["questions"]
    assert not shown["assumed"]
    assert bare(shown["settlement"]) == bare(case["expected"])
    for box in snapshot(table.state, None, "ru")["boxes"]:
        placed = {name for name, line in box["result"]["bets"].items() if line}
        assert set(box["result"]["explanation"]["bets"]) == placed
