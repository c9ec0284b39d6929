"""A recorded hand step by step, and what people changed in it. Pure: entries in, plain data out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from kiosk.entered import Entered
from kiosk.record.chain import Entry
from kiosk.record.clock import parse_time

Json = dict[str, Any]

CHANGES = (
    "bets-entered",
    "card-corrected",
    "overruled",
    "dismissed",
    "held",
    "released",
    "voided",
    "undone",
)
"""Kinds of entries by which a person changed something or gave a reason."""

HIDDEN = ("settled",)
"""Kinds that tell what a hand is worth."""


def steps(entries: Sequence[Entry], *, hidden: bool = False) -> list[Json]:
    """Every entry of a hand in its order, each with the table as it stood then.

    ``seconds`` since the first entry come from the steady clock while it is the same run's;
    ``zones``: all cards known so far; ``changed``: the zone that this step changed; ``bets`` by
    box; ``places``: where cards or bets lie; ``settlement`` once there is one; ``pictures`` of this
    step. ``hidden`` leaves out what the hand is worth.
    """
    zones: dict[str, list[Json]] = {}
    entered = Entered()
    settlement: Mapping[str, Any] | None = None
    held = False
    found: list[Json] = []
    for entry in entries:
        if hidden and entry.kind in HIDDEN:
            continue
        payload = entry.payload
        changed = None
        detail = entered.take(entry)
        if entry.kind == "cards-accepted":
            changed = str(payload.get("zone"))
            zones = zones | {changed: [dict(card) for card in _dicts(payload.get("cards"))]}
        elif entry.kind == "bets-entered" and payload.get("box") is not None:
            changed = f"box{payload['box']}"
        elif entry.kind == "settled":
            settlement = payload.get("settlement")
        elif entry.kind == "undone" and payload.get("what") == "settled":
            settlement = None
        elif entry.kind in ("held", "released"):
            held = entry.kind == "held"
        bets = entered.bets
        found.append(
            {
                "seq": entry.seq,
                "time": entry.time,
                "seconds": _seconds(entries[0], entry),
                "kind": entry.kind,
                "who": payload.get("who"),
                "detail": detail,
                "zones": zones,
                "places": [
                    *zones,
                    *(zone for zone, said in bets.items() if said and zone not in zones),
                ],
                "changed": changed,
                "bets": bets,
                "settlement": settlement,
                "held": held,
                "pictures": _dicts(payload.get("pictures")),
            }
        )
    return found


def changes(entries: Iterable[Entry], *, hidden: bool = False) -> list[Json]:
    """What people changed, overruled, held or took back, oldest first, each with who and why, and
    what it was before; answers that put an earlier one right as well. ``hidden`` takes nothing
    from a settlement."""
    entered = Entered()
    entries = list(entries)
    told = [(e, entered.take(e)) for e in entries if not (hidden and e.kind in HIDDEN)]
    again = _answers_put_right(entries)
    return [
        {
            "seq": entry.seq,
            "time": entry.time,
            "kind": entry.kind,
            "who": entry.payload.get("who"),
            "detail": detail,
        }
        for entry, detail in told
        if entry.kind in CHANGES or entry.seq in again
    ]


def _answers_put_right(entries: Iterable[Entry]) -> set[int]:
    """Numbers of the answers of a box that had one already."""
    found, standing = set(), Counter[str]()
    for entry in entries:
        if entry.kind == "answer":
            box = str(entry.payload.get("box"))
            if standing[box] > 0:
                found.add(entry.seq)
            standing[box] += 1
        elif entry.kind == "undone" and entry.payload.get("what") == "answer":
            event = entry.payload.get("event")
            standing[str(event.get("box") if isinstance(event, Mapping) else None)] -= 1
    return found


def _seconds(first: Entry, entry: Entry) -> float:
    steady = (entry.monotonic_us - first.monotonic_us) / 1e6
    if steady >= 0:
        return round(steady, 1)
    return round((_time(entry) - _time(first)).total_seconds(), 1)


def _time(entry: Entry) -> datetime:
    return parse_time(entry.time)


def _dicts(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
