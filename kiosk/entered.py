"""What people entered in a recorded hand, and what it was before. Pure: entries in, data out.

What was taken back is gone again: the boxes stand as they did before it was entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiosk.record.chain import Entry

Json = dict[str, Any]

TOLD = (
    "reason", "zone", "box", "was", "card", "cards", "boxes", "question", "what", "action", "bets",
    "exchanged", "sixth", "buy", "in_play", "complete", "state", "person", "mode", "key",
)  # fmt: skip
"""What of an entry's payload is told with its step."""

FIELDS = ("action", "exchanged", "sixth", "extra_two", "buy", "in_play", "prizes")
"""What is entered for a box beside its bets."""

_STAKED = {"sixth": False, "extra_two": False, "exchanged": 0, "buy": False}
"""Entries that take the bet of their name with them."""


class Entered:
    """Walks through the entries of a hand in their order."""

    def __init__(self) -> None:
        self._taken: list[tuple[str, Mapping[str, Any]]] = []
        self._told: list[tuple[str, Mapping[str, Any], Json]] = []
        self._boxes: dict[str, Json] = {}
        self._meter: Any = None

    @property
    def bets(self) -> dict[str, Json]:
        """Bets and action by box, as they stand now."""
        return {
            zone: box["bets"] | ({"action": box["action"]} if box.get("action") else {})
            for zone, box in self._boxes.items()
        }

    def take(self, entry: Entry) -> Json:
        """The detail of the next entry. ``made``: bets and other entries with what they were
        before; ``undone``: the detail of what was taken back, with its ``kind``."""
        payload = entry.payload
        detail = {name: value for name, value in payload.items() if name in TOLD}
        if entry.kind == "undone":
            self._undo(payload, detail)
        elif entry.kind in ("bets-entered", "settled"):
            before, meter = self._boxes, self._meter
            self._taken.append((entry.kind, payload))
            self._stand()
            if entry.kind == "bets-entered":
                detail["made"] = _made(payload, before, meter)
        self._told.append((entry.kind, payload, detail))
        return detail

    def _undo(self, payload: Mapping[str, Any], detail: Json) -> None:
        kind, event = str(payload.get("what")), _mapping(payload.get("event"))
        undone = {name: value for name, value in event.items() if name in TOLD}
        if kind == "bets-entered":
            self._take_back(event)
            undone["made"] = _made(event, {}, None)
        for number, (known, said, told) in reversed(list(enumerate(self._told))):
            if known == kind and _says(said, event):
                del self._told[number]
                undone = told
                break
        detail["undone"] = {"kind": kind} | undone
        for name in ("zone", "box"):
            if undone.get(name) is not None:
                detail.setdefault(name, undone[name])

    def _take_back(self, event: Mapping[str, Any]) -> None:
        """Forgets an entry, and the settlements that reckoned with it."""
        for number, (kind, payload) in reversed(list(enumerate(self._taken))):
            if kind == "bets-entered" and _says(payload, event):
                later = [step for step in self._taken[number + 1 :] if step[0] != "settled"]
                self._taken[number:] = later
                self._stand()
                return

    def _stand(self) -> None:
        self._boxes, self._meter = {}, None
        for kind, payload in self._taken:
            if kind == "settled":
                self._settle(payload)
            elif payload.get("box") is not None:
                zone = f"box{payload['box']}"
                self._boxes[zone] = _entered(self._boxes.get(zone, {"bets": {}}), payload)
            elif "amount" in payload:
                self._meter = payload["amount"]

    def _settle(self, payload: Mapping[str, Any]) -> None:
        """The boxes are those of the case, and the overruled ones as they stand."""
        case = _mapping(payload.get("case"))
        self._meter = case.get("meter", self._meter)
        overruled = {f"box{box}" for box, _who, _why in _rows(payload.get("overruled"))}
        settled = {zone: box for zone, box in self._boxes.items() if zone in overruled}
        for box in _dicts(case.get("boxes")):
            zone = f"box{box.get('box')}"
            known = {name: box[name] for name in FIELDS if box.get(name) is not None}
            if "prizes" in known:
                known["prizes"] = [[p.get("name"), p.get("amount")] for p in _dicts(box["prizes"])]
            bets = dict(_mapping(box.get("bets")))
            settled[zone] = self._boxes.get(zone, {}) | known | {"bets": bets}
        self._boxes = settled


def _entered(box: Json, payload: Mapping[str, Any]) -> Json:
    bets = dict(box["bets"])
    for name, amount in _pairs(payload.get("bets")):
        if amount or (amount is not None and name == "ante"):
            bets[name] = amount
        else:
            bets.pop(name, None)
    said = {name: payload[name] for name in FIELDS if payload.get(name) is not None}
    for name, none in _STAKED.items():
        if name in said and said[name] == none:
            bets.pop("exchange" if name == "exchanged" else name, None)
    return box | said | {"bets": bets}


def _made(payload: Mapping[str, Any], boxes: Mapping[str, Json], meter: Any) -> list[Json]:
    """What the entry names: ``what`` is ``bet`` or ``entry``, ``was`` None where nothing said so
    before, ``now`` None where a bet goes back to what it is without an entry."""
    if payload.get("box") is None:
        return [{"what": "entry", "name": "meter", "was": meter, "now": payload.get("amount")}]
    before = boxes.get(f"box{payload['box']}", {})
    stakes = before.get("bets", {})
    made = [
        {"what": "bet", "name": name, "was": stakes.get(name), "now": amount}
        for name, amount in _pairs(payload.get("bets"))
    ]
    made += [
        {"what": "entry", "name": name, "was": before.get(name), "now": payload[name]}
        for name in FIELDS
        if payload.get(name) is not None
    ]
    return made


def _says(payload: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    return bool(event) and all(payload.get(name) == value for name, value in event.items())


def _pairs(value: object) -> list[tuple[str, Any]]:
    """Pairs of bet and amount."""
    return [
        (str(pair[0]), pair[1])
        for pair in (value if isinstance(value, list) else [])
        if isinstance(pair, list) and len(pair) == 2
    ]


def _rows(value: object) -> list[list[Any]]:
    """Overrules: lists of box, who and reason."""
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, list) and len(row) == 3]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _dicts(value: object) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
