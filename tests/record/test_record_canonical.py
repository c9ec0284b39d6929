"""The canonical form of payloads."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.record.canonical import CanonicalError, canonical, is_canonical, parse

amounts = st.decimals(
    allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9
)
plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | amounts | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(plain)
def test_canonical_text_reads_back_to_itself(value: Any) -> None:
    text = canonical(value)
    assert canonical(parse(text)) == text
    assert is_canonical(text)
    assert json.loads(text) is not ...


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical(value) == canonical(turned)


@given(amounts)
def test_amounts_stay_exact(amount: Decimal) -> None:
    back = parse(canonical(amount))
    assert back == amount
    assert isinstance(back, int | Decimal)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Decimal("12.50"), "12.5"),
        (Decimal("400.00"), "400"),
        (Decimal("4E+2"), "400"),
        (Decimal("-0.0"), "0"),
        (Decimal("0.01"), "0.01"),
        (0.9912345678, "0.991235"),
        (1.0, "1"),
        ("Стол №4", '"Стол №4"'),
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ((1, 2), "[1,2]"),
    ],
)
def test_known_forms(value: Any, text: str) -> None:
    assert canonical(value) == text


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        Decimal("1E+50"),
        Decimal("1E-50"),
        10**60,
        {1: 2},
        {"a": {1, 2}},
        b"bytes",
        "\ud800",
        object(),
    ],
)
def test_what_has_no_form_is_refused_with_its_place(value: Any) -> None:
    with pytest.raises(CanonicalError) as refusal:
        canonical({"payload": [value]})
    assert "$.payload[0]" in str(refusal.value)


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '{"b":1,"a":2}', "[1.50]", "1e2", "NaN", "{", '{"a":1,"a":2}', "-0"]
)
def test_other_spellings_are_not_canonical(text: str) -> None:
    assert not is_canonical(text)
