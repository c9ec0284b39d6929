"""What a hand at the live table teaches: its mistakes come back in the drills. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from kiosk.rules.options import House
from kiosk.teach.schedule import Kept, rate, reviewed
from kiosk.teach.topics import Item, item_of_mistake


def items_of(mistakes: Iterable[Mapping[str, Any]], house: House) -> tuple[Item, ...]:
    """What was done wrongly, each once. ``mistakes``: as the record keeps them, each with ``kind``
    and ``mistake`` (the slip, None when no usual one explains it)."""
    found = (item_of_mistake(str(m["kind"]), m.get("mistake"), house) for m in mistakes)
    return tuple(dict.fromkeys(found))


def missed(
    known: Mapping[Item, Kept], items: Iterable[Item], now: datetime
) -> tuple[tuple[Item, Kept], ...]:
    """The items after they were done wrongly: each is asked again soon."""
    again = rate(False, unlocked=False, within_time=True)
    return tuple((item, reviewed(known.get(item), again, now)) for item in dict.fromkeys(items))
