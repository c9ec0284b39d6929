"""A recorded hand step by step, and what people changed in it. Pure: entries in, plain data out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

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

_HIDDEN = ("settled",)
"""Kinds that tell what a hand is worth."""


def steps(entries: Sequence[Entry], *, hidden: bool = False) -> list[Json]:
    """Every entry of a hand in its order, each with the table as it stood then.

    ``seconds`` since the first entry come from the steady clock while it is the same run's;
    ``zones``: all cards known so far; ``changed``: the zone that this step changed; ``bets`` by
    box; ``settlement`` once there is one; ``pictures`` of this step. ``hidden`` leaves out what
    the hand is worth.
    """
    zones: dict[str, list[Json]] = {}
    bets: dict[str, Json] = {}
    settlement: Mapping[str, Any] | None = None
    held = False
    found: list[Json] = []
    for entry in entries:
        if hidden and entry.kind in _HIDDEN:
            continue
        payload = entry.payload
        changed = None
        if entry.kind == "cards-accepted":
            changed = str(payload.get("zone"))
            zones = zones | {changed: [dict(card) for card in _dicts(payload.get("cards"))]}
        elif entry.kind == "bets-entered" and payload.get("box") is not None:
            changed = f"box{payload['box']}"
            bets = bets | {changed: bets.get(changed, {}) | _said(payload)}
        elif entry.kind == "settled":
            settlement = payload.get("settlement")
            bets = {f"box{box.get('box')}": _staked(box) for box in _boxes(payload)}
        elif entry.kind in ("held", "released"):
            held = entry.kind == "held"
        found.append(
            {
                "seq": entry.seq,
                "time": entry.time,
                "seconds": _seconds(entries[0], entry),
                "kind": entry.kind,
                "who": payload.get("who"),
                "detail": {k: v for k, v in payload.items() if k in _TOLD},
                "zones": zones,
                "changed": changed,
                "bets": bets,
                "settlement": settlement,
                "held": held,
                "pictures": _dicts(payload.get("pictures")),
            }
        )
    return found


_TOLD = (
    "reason", "zone", "box", "was", "card", "boxes", "question", "what", "action", "bets",
    "exchanged", "sixth", "buy", "in_play", "complete", "state", "person", "mode",
)  # fmt: skip


def changes(entries: Iterable[Entry]) -> list[Json]:
    """What people changed, overruled, held or took back, oldest first, each with who and why."""
    return [
        {
            "seq": entry.seq,
            "time": entry.time,
            "kind": entry.kind,
            "who": entry.payload.get("who"),
            "detail": {k: v for k, v in entry.payload.items() if k in _TOLD},
        }
        for entry in entries
        if entry.kind in CHANGES
    ]


def _seconds(first: Entry, entry: Entry) -> float:
    steady = (entry.monotonic_us - first.monotonic_us) / 1e6
    if steady >= 0:
        return round(steady, 1)
    return round((_time(entry) - _time(first)).total_seconds(), 1)


def _time(entry: Entry) -> datetime:
    return parse_time(entry.time)


def _said(payload: Mapping[str, Any]) -> Json:
    """The bets of an entry as far as it names them: pairs of bet and amount."""
    pairs = payload.get("bets")
    said = {
        str(pair[0]): pair[1]
        for pair in (pairs if isinstance(pairs, list) else [])
        if isinstance(pair, list) and len(pair) == 2 and pair[1] is not None
    }
    if payload.get("action") is not None:
        said["action"] = payload["action"]
    return said


def _staked(box: Mapping[str, Any]) -> Json:
    bets = box.get("bets")
    staked = dict(bets) if isinstance(bets, Mapping) else {}
    return staked | ({"action": box["action"]} if box.get("action") else {})


def _boxes(payload: Mapping[str, Any]) -> list[Json]:
    case = payload.get("case")
    return _dicts(case.get("boxes")) if isinstance(case, Mapping) else []


def _dicts(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
