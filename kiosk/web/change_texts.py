"""What people entered, changed or took back in a recorded hand, in words: was → is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kiosk.record.terms import NOBODY
from kiosk.web.audit_texts import KINDS
from kiosk.web.texts import gettext, msgid, word

Json = Mapping[str, Any]
Translate = Callable[[str], str]

_ENTRIES = {
    "action": msgid("Decision"),
    "exchanged": msgid("Cards exchanged"),
    "sixth": msgid("Sixth card bought"),
    "extra_two": msgid("Two extra cards"),
    "buy": msgid("Buying the game"),
    "in_play": msgid("In play"),
    "prizes": msgid("Jackpot prizes"),
    "meter": msgid("Jackpot meter"),
}


def change_text(
    change: Json, translate: Translate | None = None, card: Callable[[str], str] = str
) -> str:
    """What the entry says beside its kind, place and reason; "" where it says no more. ``change``
    as `kiosk.replay.changes` gives it, ``card`` names a card."""
    return _told(str(change["kind"]), change["detail"], translate or gettext, card)


def put_right_text(box: Json, translate: Translate | None = None) -> str:
    """The bets that a later answer to a box put otherwise, each with its mark; "" where there is
    none. ``box`` as `kiosk.hand_boxes.boxes_in_play` gives it."""
    t = translate or gettext
    if not box["corrected"]:
        return ""
    return ", ".join(
        f"{word(line['bet'], t)} – {said_text(line['last'], t)}{mark(line['last_right'])}"
        for line in box["lines"]
        if line["last"] != line["said"]
    )


def answered_by(
    box: Json,
    dealt: str | None,
    name: Callable[[str | None], str],
    translate: Translate | None = None,
) -> str:
    """Who gave the answer that counts, where it was another than ``dealt``, and who put it right,
    where that was another again; else "". ``box`` as `kiosk.hand_boxes.boxes_in_play` gives it."""
    t = translate or gettext
    who, last = box["who"], box["last_who"] if box["corrected"] else None
    said = (
        [t("answered by {name}").format(name=name(who))]
        if who not in (None, dealt, *NOBODY)
        else []
    )
    if last not in (None, who, *NOBODY):
        said.append(t("put right by {name}").format(name=name(last)))
    return ", ".join(said)


def said_text(said: Json | None, translate: Translate | None = None) -> str:
    """One bet of an answer."""
    t = translate or gettext
    return "—" if not said else f"{word(str(said['result']), t)} {said['amount']}"


def mark(right: bool | None) -> str:
    """The mark that stands behind an answer."""
    return "" if right is None else " ✓" if right else " ✗"


def _told(kind: str, detail: Json, t: Translate, card: Callable[[str], str]) -> str:
    if kind == "undone":
        undone = detail.get("undone") or {}
        what = str(undone.get("kind") or detail.get("what") or "")
        text = _told(what, undone, t, card) if undone else ""
        name = t(KINDS[what]) if what in KINDS else what
        return f"{name}: {text}" if text else name
    if kind == "card-corrected":
        return _card_text(detail, t, card)
    if kind == "answer":
        return _answer_text(detail, t)
    return ", ".join(_made_text(made, t) for made in detail.get("made") or [])


def _card_text(detail: Json, t: Translate, card: Callable[[str], str]) -> str:
    if detail.get("cards"):
        return " ".join(card(str(name)) for name in detail["cards"])
    if "key" in detail and detail.get("card") is None:
        return t("No card")
    was, now = (detail.get(name) for name in ("was", "card"))
    return " → ".join("—" if name is None else card(str(name)) for name in (was, now))


def _answer_text(detail: Json, t: Translate) -> str:
    """Lines of bet, result, amount and, where it was said, the stake taken."""
    lines = []
    for line in detail.get("bets") or []:
        if not isinstance(line, list) or len(line) < 3:
            continue
        text = f"{word(str(line[0]), t)} – {word(str(line[1]), t)} {line[2]}"
        if len(line) > 3 and line[3] is not None:
            text += f" ({word('lose', t)} {line[3]})"
        lines.append(text)
    return ", ".join(lines)


def _made_text(made: Json, t: Translate) -> str:
    name = str(made["name"])
    label = word(name, t)
    if made["what"] == "entry":
        label = t(_ENTRIES[name]) if name in _ENTRIES else name
    return f"{label} {_value(made['was'], t)} → {_value(made['now'], t)}"


def _value(value: object, t: Translate) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return t("yes") if value else t("no")
    if isinstance(value, str):
        return word(value, t)
    if isinstance(value, Sequence):
        pairs = [pair for pair in value if isinstance(pair, Sequence) and len(pair) == 2]
        return " + ".join(f"{word(str(pair[0]), t)} {pair[1]}" for pair in pairs) or "—"
    return str(value)
