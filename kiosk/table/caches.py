"""What the table remembers of house files, by their names, and how all of it is forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")

_forget: list[Callable[[], None]] = []


def rests_on_houses(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remembers the ``most`` newest results of a function that reads a house by its name."""

    def remembering(function: Callable[P, R]) -> Callable[P, R]:
        remembered = lru_cache(maxsize=most)(function)
        _forget.append(remembered.cache_clear)
        return cast(Callable[P, R], remembered)

    return remembering


def forget_houses() -> None:
    """Read house files anew: one may have been written, or taken away, under a known name."""
    for forget in _forget:
        forget()
