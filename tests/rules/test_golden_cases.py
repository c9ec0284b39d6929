"""The golden deals: every settlement and every error exactly as worked out by hand."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kiosk.rules import settle_case
from kiosk.rules.compare import differences
from kiosk.rules.jsonio import loads

_HERE = Path(__file__).resolve()
_SHARED = _HERE.parents[2].parent / "shared" / "rules" / "cases.json"
_OWN = _HERE.parent / "cases_own.json"


def _cases(path: Path) -> list[Any]:
    if not path.exists():
        return []
    cases: list[Any] = loads(path.read_bytes())["cases"]
    return cases


def test_golden_cases_are_there() -> None:
    if not _SHARED.exists() and not os.environ.get("CI"):
        pytest.skip("../shared/rules/cases.json is absent")
    assert len(_cases(_SHARED)) == 527


@pytest.mark.parametrize("case", _cases(_SHARED) + _cases(_OWN), ids=lambda case: case["id"])
def test_golden(case: dict[str, Any]) -> None:
    assert differences(case["expected"], settle_case(case)) == []


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"paid": 1}, {"paid": 2}),
        ({"paid": Decimal("37.5")}, {"paid": 37}),
        ({"error": "bad-card"}, {"error": "bad-amount"}),
        ({"boxes": [{"box": 1}]}, {"boxes": []}),
        ({"paid": 1}, {"paid": 1, "taken": 0}),
    ],
)
def test_comparison_sees_a_difference(expected: Any, found: Any) -> None:
    assert differences(expected, found)
