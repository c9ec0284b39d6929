"""``kiosk audit show``: a recorded hand in lines for people, told as its page tells it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kiosk.hands import in_full
from kiosk.printing import card_text
from kiosk.record.audit import details, opened
from kiosk.record.canonical import canonical
from kiosk.record.export import WITHHELD, local_time, text_line, told_hand
from kiosk.record.reading import HandDetail, RecordReader
from kiosk.web.audit_texts import (
    KINDS,
    STATES,
    VERDICTS,
    name_by,
    pictures_text,
    reason_text,
)
from kiosk.web.change_texts import answered_by, change_text, mark, put_right_text, said_text
from kiosk.web.drill_texts import KINDS as MISTAKES
from kiosk.web.texts import reader_text, translations, word, zone_name

Json = Mapping[str, Any]

_ENGLISH = translations("en").gettext


def show_hand(args: argparse.Namespace, names: Mapping[str, str]) -> int:
    """Prints the hands of this id. ``names``: person id → name. Raises UserError."""
    with opened(args) as record:
        alone = len(record.kiosks()) == 1
        for detail in details(record, args.id):
            if args.json:
                print(canonical(_as_json(record, detail)))
            else:
                shown = _Shown(record, detail, names, alone=alone)
                print("\n".join(shown.lines()))
    return 0


def _as_json(record: RecordReader, detail: HandDetail) -> Json:
    hidden = bool(record.hidden([detail.hand]))
    entries = [e for e in detail.entries if not (hidden and e.kind == "settled")]
    settled = None if hidden else detail.settled
    return told_hand(detail.hand, settled, hidden=hidden) | {
        "entries": [entry.as_json() for entry in entries],
        "settled": settled,
        "withheld": WITHHELD if hidden else None,
        "pictures": [
            {"role": p.role, "file": str(p.path), "deleted": p.deleted} for p in detail.pictures
        ],
    }


class _Shown:
    """One hand in the making."""

    def __init__(
        self, record: RecordReader, detail: HandDetail, names: Mapping[str, str], *, alone: bool
    ) -> None:
        self._detail, self._names = detail, names
        self._hidden = bool(record.hidden([detail.hand]))
        self._hand = in_full(detail, record.faults_during(detail.hand), hidden=self._hidden)
        self._name = name_by(names, _ENGLISH, alone=alone)

    def lines(self) -> Iterator[str]:
        """All that is told, in order."""
        hand = self._hand
        versions = hand["versions"] or {}
        yield text_line(self._detail.hand, self._names, hidden=self._hidden)
        yield f"  dealt by {self._name(hand['person']) or '-'}, {hand['mode'] or '-'} mode"
        yield f"  rule card {hand['rule_card'] or '-'}"
        software, reader = versions.get("software"), versions.get("model")
        yield f"  version {software or '-'}, card reader {reader_text(reader, _ENGLISH)}"
        yield from _part("Cards", self._cards())
        yield from _part("Settlement", self._settlement())
        yield from _part("Corrections and decisions", map(self._happened, hand["changes"]))
        yield from _part("Events", map(self._happened, hand["steps"]))
        yield from _part("Faults in the course of the hand", map(self._happened, _faults(hand)))
        yield from _part("Pictures", self._pictures())

    def _cards(self) -> Iterator[str]:
        hand = self._hand
        zones = hand["cards"] or (hand["steps"][-1]["zones"] if hand["steps"] else {})
        for zone, cards in zones.items():
            yield f"{_place(zone)}: {'  '.join(map(_card, cards))}"

    def _settlement(self) -> Iterator[str]:
        if self._hidden:
            yield WITHHELD
        elif not self._hand["settlement"]:
            yield "there is no settlement"
        else:
            dealer = self._hand["settlement"].get("dealer") or {}
            yield f"Dealer: {_word(dealer.get('combination'))}"
        for box in self._hand["in_play"]:
            yield from self._box(box)

    def _box(self, box: Json) -> Iterator[str]:
        worth = box["worth"] or {}
        held = " + ".join(map(_word, worth.get("combinations") or ())) or "-"
        told = _word("fold") if box["action"] == "fold" else held
        assumed = f" ({_ENGLISH(STATES['assumed'])})" if box["assumed"] else ""
        yield f"{_place('box' + str(box['box']))}: {told}{assumed}"
        for line in box["lines"]:
            yield f"  {_line(line, answered=box['answered'])}"
        if worth:
            yield f"  paid {worth['paid']}, taken {worth['taken']}"
        by = answered_by(box, self._hand["person"], self._name, _ENGLISH)
        if box["verdict"] or by:
            yield f"  answer: {_verdict(box)}{f' ({by})' if by else ''}"
        if box["corrected"]:
            yield f"  put right: {put_right_text(box, _ENGLISH)}"
        if box["overruled"]:
            said = box["overruled"]
            yield f"  overruled: {said['reason'] or '-'} ({self._name(said['who'])})"

    def _happened(self, step: Json) -> str:
        """An entry in one line: number, time, what, where, by whom, why."""
        detail = step.get("detail") or {}
        kind = _ENGLISH(KINDS[step["kind"]]) if step["kind"] in KINDS else step["kind"]
        told = change_text({**step, "detail": detail}, _ENGLISH, card_text)
        zone = detail.get("zone") or (f"box{detail['box']}" if detail.get("box") else "")
        if step["kind"] == "cards-accepted":
            told = " ".join(map(_card, step["zones"].get(zone, ())))
        parts = [
            f"{kind}: {told}" if told else kind,
            _place(zone) if zone else "",
            self._name(step.get("who")),
            reason_text(detail.get("reason"), _ENGLISH),
        ]
        return f"{step['seq']}  {local_time(step['time'])}  " + ", ".join(filter(None, parts))

    def _pictures(self) -> Iterator[str]:
        files = {picture.sha256: picture.path for picture in self._detail.pictures}
        for kept in self._hand["pictures"]:
            gone = " (deleted when its time was over)" if kept["deleted"] else ""
            yield f"{pictures_text(kept['roles'], _ENGLISH)}: {files[kept['sha256']]}{gone}"


def _part(title: str, lines: Iterator[str]) -> Iterator[str]:
    """A heading with what stands below it; nothing where nothing does."""
    told = list(lines)
    if told:
        yield title
        yield from (f"  {line}" for line in told)


def _faults(hand: Json) -> Iterator[Json]:
    for fault in hand["faults"]:
        said = {name: fault["payload"].get(name) for name in ("what", "part", "text", "seconds")}
        text = " ".join(str(value) for value in said.values() if value is not None)
        yield {**fault, "detail": {"reason": text}}


def _line(line: Json, *, answered: bool) -> str:
    stake = "-" if line["stake"] is None else line["stake"]
    amount = "" if line["amount"] is None else f" {line['amount']}"
    taken = f" ({_word('lose')} {line['stake_taken']})" if line["stake_taken"] else ""
    told = f"{_word(line['bet'])} {stake}: {_word(line['result'])}{amount}{taken}"
    if not answered:
        return told
    return f"{told}; answered {said_text(line['said'], _ENGLISH)}{mark(line['right'])}"


def _verdict(box: Json) -> str:
    verdict = str(box["verdict"] or "-")
    kinds: Sequence[str] = [mistake["kind"] for mistake in box["mistakes"]]
    named = ", ".join(_ENGLISH(MISTAKES[k]) if k in MISTAKES else k for k in dict.fromkeys(kinds))
    told = _ENGLISH(VERDICTS[verdict]) if verdict in VERDICTS else verdict
    return f"{told}, {named}" if named else told


def _card(card: Json) -> str:
    """A card with the machine's confidence, and what it had read where a person named it."""
    sure = card.get("confidence")
    told = card_text(card["card"]) + ("" if sure is None else f" {float(sure):.0%}")
    machine = card.get("machine") or card.get("seen")
    was = "" if machine is None else f" for {card_text(machine)}"
    return f"{told} (put right{was})" if card.get("source") == "person" else told


def _place(zone: str) -> str:
    return "Drawn after the game was bought" if zone == "draws" else zone_name(zone, _ENGLISH)


def _word(slug: str | None) -> str:
    return word(slug, _ENGLISH) if slug else "-"
