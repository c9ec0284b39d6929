"""All boxes in play of a recorded hand: bets, results, answers, overrules. Pure: data in and out.

A box that was overruled, or whose hand was never settled, is there with what is known of it: what
was entered and answered before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kiosk.record.chain import Entry

Json = dict[str, Any]

_STAKE = "stake_taken"
_WORTH = ("combinations", "paid", "taken")


def boxes_in_play(
    boxes: Iterable[str],
    entries: Sequence[Entry],
    settled: Mapping[str, Any] | None,
    bets: Mapping[str, Mapping[str, Any]],
) -> list[Json]:
    """Each of the ``boxes`` (numbers as texts) in order. ``settled``: the payload of the newest
    settlement, None while there is none or it is hidden; ``bets``: what was entered, by zone.

    A box has ``lines`` (``bet``, ``stake``, ``result``, ``amount``, ``stake_taken``; ``said`` and
    ``right``: the answer that counts; ``last`` and ``last_right``: the last one, where it differs),
    ``worth`` (``combinations``, ``paid``, ``taken``; None: not settled), ``action``, ``assumed``,
    ``answered``, ``who`` and ``last_who`` (of the answer that counts and of the last one; None:
    nobody known), ``corrected``, ``verdict``, ``mistakes`` and ``overruled`` (``who`` and
    ``reason``, or None).
    """
    known: Mapping[str, Any] = settled or {}
    results = _by_box(_mapping(known.get("settlement")).get("boxes"))
    cases = _by_box(_mapping(known.get("case")).get("boxes"))
    said, judged = _said(entries), _pairs(known.get("answers"))
    answers = {box: said.get(box, {}) | judged.get(box, {}) for box in (*said, *judged)}
    overruled = overrules(entries, known)
    confirmed = known.get("confirmed")
    found = []
    for number in sorted(int(box) for box in boxes if box.isascii() and box.isdigit()):
        result, case = results.get(number), cases.get(number, {})
        entered = dict(bets.get(f"box{number}", {}))
        action = entered.pop("action", None)
        stakes = _mapping(case.get("bets")) or entered
        assumed = result is not None and confirmed is not None and number not in confirmed
        box = _box(number, result, answers.get(number, {}), stakes)
        by_hand = overruled.get(number, overruled.get(None))
        action = case.get("action", action)
        found.append(box | {"action": action, "assumed": assumed, "overruled": by_hand})
    return found


def overrules(
    entries: Iterable[Entry], settled: Mapping[str, Any] | None = None
) -> dict[int | None, Json]:
    """Box → who overruled it and why, of the overrules that stand; None is for all in play. Where
    no entry is one, those that the settlement names."""
    given: list[tuple[Any, Any, Any]] = []
    told = False
    for entry in entries:
        payload = entry.payload
        if entry.kind == "overruled":
            told = True
            given.append((payload.get("box"), payload.get("who"), payload.get("reason")))
        elif entry.kind == "undone" and payload.get("what") == "overruled":
            del given[-1:]
    if not told:
        rows = _list(_mapping(settled).get("overruled"))
        given = [(row[0], row[1], row[2]) for row in rows if isinstance(row, list) and row[2:]]
    return {
        box: {"who": who, "reason": reason}
        for box, who, reason in given
        if box is None or isinstance(box, int)
    }


def _box(
    number: int,
    result: Mapping[str, Any] | None,
    answer: Mapping[str, Any],
    stakes: Mapping[str, Any],
) -> Json:
    first, last = _mapping(answer.get("bets")), _mapping(answer.get("last"))
    corrected = bool(last) and last != first
    lines = _mapping(_mapping(result).get("bets"))
    mistakes = answer.get("mistakes")
    return {
        "box": number,
        "worth": result and {name: result.get(name) for name in _WORTH},
        "answered": bool(first or last),
        "who": answer.get("who"),
        "last_who": answer.get("last_who"),
        "corrected": corrected,
        "verdict": answer.get("verdict"),
        "mistakes": mistakes if isinstance(mistakes, list) else [],
        "lines": [
            {
                "bet": bet,
                "stake": stakes.get(bet),
                "result": _mapping(lines.get(bet)).get("result"),
                "amount": _mapping(lines.get(bet)).get("amount"),
                _STAKE: _mapping(lines.get(bet)).get(_STAKE),
                "said": first.get(bet),
                "right": _mapping(answer.get("right")).get(bet),
                "last": last.get(bet) if corrected else None,
                "last_right": _mapping(answer.get("last_right")).get(bet) if corrected else None,
            }
            for bet in dict.fromkeys((*lines, *stakes, *first, *last))
        ],
    }


def _said(entries: Iterable[Entry]) -> dict[int, Json]:
    """The answers as they were entered, in the form of a settlement's, without its marks."""
    said: dict[int, list[tuple[Json, Any]]] = {}
    shown: dict[int, int] = {}
    for entry in entries:
        payload = entry.payload
        box = payload.get("box")
        if entry.kind == "answer" and isinstance(box, int):
            said.setdefault(box, []).append((_lines(payload.get("bets")), payload.get("who")))
        elif entry.kind == "undone" and payload.get("what") == "answer":
            undone = _mapping(payload.get("event")).get("box")
            del said.get(undone if isinstance(undone, int) else 0, [])[-1:]
        elif entry.kind == "revealed":
            for each in _list(payload.get("boxes")):
                if isinstance(each, int):
                    shown.setdefault(each, len(said.get(each, [])))
    found = {}
    for box, given in said.items():
        if given:
            bets, who = given[max(0, min(shown.get(box, len(given)), len(given)) - 1)]
            last, last_who = given[-1]
            found[box] = {"bets": bets, "last": last, "who": who, "last_who": last_who}
    return found


def _lines(value: object) -> Json:
    """Lines of bet, result, amount and stake taken as a mapping."""
    lines = [line for line in _list(value) if isinstance(line, list) and len(line) > 2]
    return {
        str(line[0]): {"result": line[1], "amount": line[2]}
        | ({_STAKE: line[3]} if len(line) > 3 and line[3] is not None else {})
        for line in lines
    }


def _pairs(value: object) -> dict[int, Json]:
    pairs = [pair for pair in _list(value) if isinstance(pair, list) and len(pair) == 2]
    return {pair[0]: dict(_mapping(pair[1])) for pair in pairs if isinstance(pair[0], int)}


def _by_box(value: object) -> dict[int, Mapping[str, Any]]:
    boxes = [_mapping(box) for box in _list(value)]
    return {box["box"]: box for box in boxes if isinstance(box.get("box"), int)}


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
