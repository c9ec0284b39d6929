"""Questions on the panel: their text page by page, their answers, and giving one. Pure.

The answers stand in ``answers.py``.
"""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Final

from firmware_bridge.answers import Choice, Question, choices
from firmware_bridge.protocol import COLUMNS
from firmware_bridge.view import (
    Action,
    Ask,
    Dealt,
    Pick,
    Snapshot,
    Translate,
    View,
    ascii_text,
    zone_name,
)

Step = tuple[View, list[Action]]

_TEXT_ROWS: Final = 2
_PREFIX: Final = 10
"""At most so many characters before a colon name the place, which has its own row."""


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


def question_of(snapshot: Snapshot, wanted: str) -> Question | None:
    """The open question of that id."""
    for question in snapshot.get("questions", ()):
        if question.get("id") == wanted:
            found: Question = question
            return found
    return None


def begin(snapshot: Snapshot, translate: Translate) -> Ask | None:
    """The first open question on the display; None when there is none."""
    questions = snapshot.get("questions", ())
    return _at(questions[0], snapshot, translate) if questions else None


def _at(question: Question, snapshot: Snapshot, translate: Translate) -> Ask:
    found = choices(question, snapshot, translate)
    return Ask(str(question.get("id")), choice=found[0].does if found else None)


def settle(view: View, snapshot: Snapshot, translate: Translate) -> View:
    """The view after the table has changed: a question answered is left, one that went away by
    itself is said so, an answer that is no longer offered is not chosen any more."""
    ask = view.ask
    if ask is None:
        return view
    question = question_of(snapshot, ask.question)
    if question is None:
        return replace(view, ask=None if ask.sent else replace(ask, gone=True))
    offered = [choice.does for choice in choices(question, snapshot, translate)]
    if ask.choice is not None and ask.choice not in offered:
        ask = replace(ask, choice=None)
    return replace(view, ask=replace(ask, gone=False))


def press(view: View, button: str, snapshot: Snapshot, translate: Translate) -> Step:
    """A press while a question is on the display: bet reads on, plus and minus choose the answer,
    confirm gives it. One that is gone is only taken from the display."""
    ask = view.ask
    assert ask is not None
    question = question_of(snapshot, ask.question)
    if question is None:
        return replace(view, ask=None), []
    if button == "bet":
        return replace(view, ask=_onward(ask, question, snapshot, translate)), []
    found = choices(question, snapshot, translate)
    if button in ("plus", "minus") and found:
        offered = [choice.does for choice in found]
        at = offered.index(ask.choice) if ask.choice in offered else -1
        turn = 1 if button == "plus" else -1
        at = (at + turn) % len(found) if at >= 0 else 0
        return replace(view, ask=replace(ask, choice=found[at].does, sent=False)), []
    if button == "confirm":
        return _give(view, ask, translate)
    return view, []


def _give(view: View, ask: Ask, translate: Translate) -> Step:
    does = ask.choice
    if does is None:
        return replace(view, notice=translate(_("Choose an answer"))), []
    if isinstance(does, Pick):
        return View(pick=does), []
    if isinstance(does, Dealt):
        return View(dealt=does), []
    if isinstance(does, int):
        return View(selected=does), []
    return replace(view, ask=replace(ask, sent=True)), [does]


def _onward(ask: Ask, question: Question, snapshot: Snapshot, translate: Translate) -> Ask:
    """The rest of the text, then the next question."""
    if ask.part + 1 < len(_parts(question)):
        return replace(ask, part=ask.part + 1)
    questions = list(snapshot.get("questions", ()))
    place = next(at for at, one in enumerate(questions) if one.get("id") == ask.question)
    return _at(questions[(place + 1) % len(questions)], snapshot, translate)


def lines(ask: Ask, snapshot: Snapshot, translate: Translate) -> list[str]:
    """Place and number, two rows of the text, the answer chosen."""
    question = question_of(snapshot, ask.question)
    if question is None:
        return ["", translate(_("No longer asked")), "", translate(_("CONFIRM: go on"))]
    ids = [one.get("id") for one in snapshot.get("questions", ())]
    parts = _parts(question)
    part = parts[min(ask.part, len(parts) - 1)]
    name = zone_name(question.get("zone"), translate)
    more = ".." if ask.part + 1 < len(parts) else ""
    rows = [*part, "", ""][:_TEXT_ROWS]
    found = choices(question, snapshot, translate)
    return [
        _ends(f"? {name}", f"{more} {ids.index(ask.question) + 1}/{len(ids)}"),
        *rows,
        _chosen(ask, found, translate),
    ]


def _chosen(ask: Ask, found: list[Choice], translate: Translate) -> str:
    if not found:
        return translate(_("See the page"))
    at = next((at for at, choice in enumerate(found) if choice.does == ask.choice), None)
    if at is None:
        return translate(_("PLUS: choose answer"))
    return _ends(f">{found[at].label}", f"{at + 1}/{len(found)}")


def _ends(left: str, right: str) -> str:
    """Both on one row, one at each end; the left one gives way."""
    left = ascii_text(left)[: COLUMNS - len(right) - 1]
    return left.ljust(COLUMNS - len(right)) + right


def _parts(question: Question) -> list[list[str]]:
    """The text without its place, in pages of two rows."""
    text = str(question.get("text", ""))
    head, colon, rest = text.partition(": ")
    if question.get("zone") and colon and len(head) <= _PREFIX:
        text = rest
    rows = textwrap.wrap(ascii_text(text), COLUMNS) or [""]
    return [rows[at : at + _TEXT_ROWS] for at in range(0, len(rows), _TEXT_ROWS)]
