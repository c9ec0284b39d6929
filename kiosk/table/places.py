"""Names of the places where cards lie in a game: the zone ids of the interfaces."""

from __future__ import annotations

import re

DEALER = "dealer"
DEALER_SMALL = "dealer-small"
BOARD = "board"
MUCK = "muck"
"""Discards lie here: nothing in it belongs to the game any more."""

SHARED = frozenset({DEALER, DEALER_SMALL, BOARD})
"""Places whose cards count for every box."""

_BOX = re.compile(r"^box(\d+)(-small)?$")


def zone_of(box: int) -> str:
    """The zone id of a box number."""
    return f"box{box}"


def small_of(box: int) -> str:
    """The zone id of a box's small hand."""
    return f"box{box}-small"


def box_of(zone: str) -> int | None:
    """The number of the box that a zone belongs to; None for the shared places."""
    found = _BOX.match(zone)
    return int(found[1]) if found else None


def is_small(zone: str) -> bool:
    """Whether a small hand lies in this zone."""
    return zone.endswith("-small")


def partner(zone: str) -> str:
    """The zone that holds the other hand of the same box or dealer."""
    return zone.removesuffix("-small") if is_small(zone) else f"{zone}-small"
