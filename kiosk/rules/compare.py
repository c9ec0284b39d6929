"""Holds a settlement against what was expected of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOT_COMPARED = frozenset({"why", "where", "message"})


def differences(expected: Any, found: Any, where: str = "") -> list[str]:
    """Each difference as one line; numbers by value, ``why``, ``where``, ``message`` left out."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        keys = [key for key in {**expected, **found} if key not in NOT_COMPARED]
        return [
            line
            for key in keys
            for line in differences(
                expected.get(key, "nothing"),
                found.get(key, "nothing"),
                f"{where}.{key}".lstrip("."),
            )
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for index, (left, right) in enumerate(zip(expected, found, strict=True))
            for line in differences(left, right, f"{where}[{index}]")
        ]
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)
    return [] if same else [f"{where}: expected {expected}, found {found}"]
