"""Recorded hands as exports tell them: the row of a table, or one JSON object. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.entered import Entered
from kiosk.hand_boxes import boxes_in_play, overrules
from kiosk.record.chain import Entry
from kiosk.record.export import BASE_COLUMNS, base_row, hand_json, safe
from kiosk.record.hands import Hand
from kiosk.record.reading import RecordReader
from kiosk.record.terms import NOBODY, boxes_of
from kiosk.replay import HIDDEN, changes

Json = dict[str, Any]
Payload = Mapping[str, Any]
Namer = Callable[[str | None], str]
"""A person's id → the name, "" for one who was erased or is not known here."""

CSV_COLUMNS = (
    *BASE_COLUMNS, "person_name", "verdict", "mistakes", "overruled_by", "reason", "answered_by",
)  # fmt: skip

CSV_KINDS = ("overruled", "undone", "answer", "revealed")
"""The kinds of entries that a row is made from, beside the settlement."""


@dataclass(frozen=True, slots=True)
class Found:
    """A hand with its newest settlement (None: there is none) and its entries."""

    hand: Hand
    settled: Payload | None
    entries: Sequence[Entry]


def found_in(
    record: RecordReader, hands: Sequence[Hand], kinds: Sequence[str] | None
) -> list[Found]:
    """These hands with what exports tell. ``kinds`` of entries, None: all."""
    settled, entries = record.settled_of(hands), record.entries_of(hands, kinds)
    return [Found(*each) for each in zip(hands, settled, entries, strict=True)]


def csv_row(found: Found, name: Namer) -> list[str]:
    """A hand in the order of CSV_COLUMNS. What belongs to boxes stands as ``BOX:VALUE``."""
    answers = list(_answers(found.settled))
    by_hand = overrules(found.entries, found.settled).items()
    texts = (
        " ".join(f"{box}:{answer['verdict']}" for box, answer in answers if answer.get("verdict")),
        " ".join(f"{box}:{kind}" for box, answer in answers for kind in _kinds(answer)),
        "; ".join(f"{box or 'all'}:{name(said['who']) or said['who']}" for box, said in by_hand),
        "; ".join(f"{box or 'all'}:{said['reason']}" for box, said in by_hand),
        "; ".join(f"{box}:{name(who) or who}" for box, who in _answerers(found).items()),
    )
    return [*base_row(found.hand), *map(safe, (name(found.hand.person), *texts))]


def told_json(found: Found, name: Namer) -> Json:
    """A hand as one JSON object, with what people answered, overruled and changed."""
    told = hand_json(found.hand, found.settled)
    told["person_name"] = name(found.hand.person)
    return told | by_people(found)


def by_people(found: Found, *, hidden: bool = False) -> Json:
    """What people entered in a hand: ``answers`` as settled, ``overrules`` that stand,
    ``in_play`` (every box, `kiosk.hand_boxes`) and ``changes``. ``hidden``: without what it is
    worth."""
    settled = None if hidden else found.settled
    entered = Entered()
    for entry in found.entries:
        if not (hidden and entry.kind in HIDDEN):
            entered.take(entry)
    boxes = boxes_of(found.hand.terms)
    return {
        "answers": (settled or {}).get("answers", []),
        "overrules": [
            [box, said["who"], said["reason"]]
            for box, said in overrules(found.entries, settled).items()
        ],
        "in_play": boxes_in_play(boxes, found.entries, settled, entered.bets),
        "changes": changes(found.entries, hidden=hidden),
    }


def _answers(settled: Payload | None) -> Iterator[tuple[Any, Payload]]:
    pairs = (settled or {}).get("answers")
    for pair in pairs if isinstance(pairs, list) else []:
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], Mapping):
            yield pair[0], pair[1]


def _answerers(found: Found) -> dict[int, str]:
    """Box → who gave the answer that counts, where somebody known did."""
    boxes = boxes_in_play(boxes_of(found.hand.terms), found.entries, found.settled, {})
    return {box["box"]: box["who"] for box in boxes if box["who"] not in (None, *NOBODY)}


def _kinds(answer: Payload) -> Iterable[str]:
    """The kinds of mistakes of an answer, each once."""
    mistakes = answer.get("mistakes")
    named = [m.get("kind") for m in mistakes or [] if isinstance(m, Mapping)]
    return dict.fromkeys(str(kind) for kind in named if kind)
