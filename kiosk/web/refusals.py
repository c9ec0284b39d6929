"""What round and drills refuse and what parts of the kiosk say, in the language of whoever asked.

They speak English and know no languages; what they say is found again by its pattern here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from kiosk.web import drill_texts, input_texts, part_texts
from kiosk.web.texts import gettext, msgid

TEXTS = (
    msgid("Box {n} is not in play."),
    msgid("No box is in play."),
    msgid("The hand is void: go on to the next one."),
    msgid("Box {n} has folded: it cannot buy."),
    msgid("The ante must be from {low} to {high}, not {given}."),
    msgid("The bets of box {n} were changed meanwhile: look again, then confirm."),
    msgid("The flop must be among the cards of the board."),
    msgid("{card} is not among the cards of {zone}."),
    msgid("{card} already is among the cards of {zone}."),
    msgid("This doubt is gone: the table has changed meanwhile."),
    msgid("Another hand is on the table now: look again."),
    msgid("This question needs an answer; it cannot be dismissed."),
    msgid("This question is gone: the table has changed meanwhile."),
    msgid("No box is settled yet."),
    msgid("The hand is held: let it go on first."),
    msgid("No hand has been dealt yet."),
    msgid("Box {n}: the answer is wrong. Correct it or overrule it."),
    msgid("Box {n} was shown without an answer. Enter it or overrule the box."),
    msgid("Box {n} was answered: reveal the settlement first."),
    msgid("Box {n} was not answered: answer it, or reveal the settlement first."),
    msgid("The hand is already held."),
    msgid("The hand is not held."),
    msgid("Box {n} is not settled: answer its question, overrule it or void the hand."),
    msgid("The dealer's hand is not complete: answer its question, overrule it or void the hand."),
    msgid("There is nothing to take back in this hand."),
    msgid("The hand must be finished before settings change."),
    msgid("The hand must be finished before the deck changes."),
    msgid("An instructor must allow this with a PIN."),
    msgid("A supervisor must allow this with a PIN."),
    msgid("The kiosk is too busy; try again."),
)
"""What the round refuses with; gaps in braces."""


LINES = ("line", "advice")
"""Gaps that hold a line of their own."""

_TWO = re.compile(r"(?P<line>.+?); (?P<advice>.+)", re.S)


def in_words(line: str, language: str | None = None) -> str:
    """The line in a language (None: that of the request); as it is where no text here fits it."""
    for text, pattern in _patterns():
        found = pattern.fullmatch(line)
        if found:
            values = {
                name: in_words(value, language) if name in LINES else value
                for name, value in found.groupdict().items()
            }
            return gettext(text, language).format(**values)
    if two := _TWO.fullmatch(line):
        return "; ".join(in_words(part, language) for part in two.groups())
    return line


def parts_in_words(health: Mapping[str, Any], language: str | None = None) -> dict[str, Any]:
    """The health of the kiosk with each part's line in a language."""
    parts = {
        name: {**part, "text": in_words(str(part["text"]), language)}
        for name, part in health["parts"].items()
    }
    return {**health, "parts": parts}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    known = (*TEXTS, *drill_texts.REFUSALS, *part_texts.TEXTS, *input_texts.TEXTS)
    return tuple((text, pattern_of(text)) for text in known)


@cache
def pattern_of(text: str, wide: bool = False) -> re.Pattern[str]:
    """What fits a text: its words as they are, anything in its gaps, each name a group. ``wide``:
    a gap may hold semicolons too."""
    parts = re.split(r"\{(\w+)\}", text)
    seen: set[str] = set()
    found = []
    for n, part in enumerate(parts):
        found.append(re.escape(part) if n % 2 == 0 else _gap(part, part in seen, wide))
        seen |= {part} if n % 2 else set()
    return re.compile("".join(found), re.S)


def _gap(name: str, again: bool, wide: bool) -> str:
    """A value reaches over no semicolon, behind which another line begins; ``again``: the same."""
    if again:
        return f"(?P={name})"
    inner = "." if wide or name in LINES else "(?!; )."
    return f"(?P<{name}>(?:{inner})+?)"
