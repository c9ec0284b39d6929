"""Every golden case of Russian Poker laid on the table card by card gives its settlement."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from table_desk import Table

from kiosk.rules.money import number
from kiosk.table.dealer import drawing
from kiosk.table.state import RoundSettings

CASES = Path(__file__).parents[3] / "shared" / "rules" / "cases.json"
ON_TABLE = {"box", "action", "cards", "exchanged", "bets"}
"""Keys of a box that people enter or the camera sees; the others are not asked at the table."""


def golden() -> list[dict[str, Any]]:
    """Cases of the houses of Russian Poker that can be laid out as they are."""
    if not CASES.exists():
        return []
    cases = json.loads(CASES.read_text(encoding="utf-8"), parse_float=Decimal)["cases"]
    return [
        case
        for case in cases
        if case["game"] == "russian"
        and "error" not in case["expected"]
        and "options" not in case
        and all(set(box) <= ON_TABLE and box["box"] <= 4 for box in case["boxes"])
    ]


def test_the_golden_cases_are_there() -> None:
    if not CASES.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{CASES} is missing")
        pytest.skip(f"{CASES} is not on this machine")
    assert len(golden()) > 80


@pytest.mark.parametrize("case", golden(), ids=lambda case: case["id"])
def test_a_golden_case_played_on_the_table(case: dict[str, Any]) -> None:
    limits = {
        key: None if value is None else Decimal(value) for key, value in case["table"].items()
    }
    boxes = tuple(sorted(box["box"] for box in case["boxes"]))
    table = Table(RoundSettings(house=case["house"], boxes=boxes, **limits), step=0.35)
    table.look().backs("dealer", *(f"box{box}" for box in boxes))
    for box in case["boxes"]:
        fees = {"exchange", "sixth", "buy"}
        table.do(
            "bets",
            box=box["box"],
            bets={name: value for name, value in box["bets"].items() if name not in fees},
            action=box["action"],
            exchanged=box.get("exchanged", 0),
            sixth="sixth" in box["bets"],
        )
    table.lay("dealer", " ".join(case["dealer"]["cards"]))
    for box in case["boxes"]:
        if "buy" in box["bets"]:
            table.do("bets", box=box["box"], buy=True)
    draws = [*case["dealer"].get("draws", [])]
    _draw(table, case, draws)
    for box in case["boxes"]:
        zone = f"box{box['box']}"
        if box["action"] == "play":
            table.lay(zone, " ".join(box["cards"]))
        table.take(zone)
        table.do("confirm", box=box["box"])
    table.take("dealer").do("reveal")
    shown = table.shown()
    assert not shown["questions"]
    assert not shown["assumed"]
    assert _bare(shown["settlement"]) == _bare(case["expected"])


def _draw(table: Table, case: dict[str, Any], draws: list[str]) -> None:
    """The dealer's highest card goes, the next card comes."""
    from kiosk.cards import parse_cards

    first = parse_cards(case["dealer"]["cards"])
    for count in range(len(draws)):
        state = drawing(first, parse_cards(draws[:count]), case["house"])
        rest = [card for card in state.current if card != state.discard]
        table.lay("dealer", [*rest, *parse_cards(draws[count : count + 1])])


def _bare(value: Any) -> Any:
    """Without the words; numbers as the engine writes them."""
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k not in ("why", "explanation")}
    if isinstance(value, list):
        return [_bare(item) for item in value]
    if isinstance(value, Decimal):
        return number(value)
    return value
