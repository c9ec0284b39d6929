"""Refusals of the round in the language of whoever asked.

The round speaks English and knows no languages; what it says is found again by its pattern here.
"""

from __future__ import annotations

import re
from functools import cache

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
    msgid("This question needs an answer; it cannot be dismissed."),
    msgid("This question is gone: the table has changed meanwhile."),
    msgid("No box is settled yet."),
    msgid("The hand is held: let it go on first."),
    msgid("No hand has been dealt yet."),
    msgid("Box {n}: the answer is wrong. Correct it or overrule it."),
    msgid("Box {n} was answered: reveal the settlement first."),
    msgid("The hand is already held."),
    msgid("The hand is not held."),
    msgid("Box {n} is not settled: answer its question, overrule it or void the hand."),
    msgid("The dealer's hand is not complete: answer its question, overrule it or void the hand."),
    msgid("There is nothing to take back in this hand."),
    msgid("The hand must be finished before settings change."),
    msgid("An instructor must allow this with a PIN."),
    msgid("The kiosk is too busy; try again."),
)
"""What the round refuses with; gaps in braces."""


def in_words(line: str) -> str:
    """The line in the language of the request; as it is where no text here fits it."""
    for text, pattern in _patterns():
        found = pattern.fullmatch(line)
        if found:
            return gettext(text).format(**found.groupdict())
    return line


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((text, _pattern(text)) for text in TEXTS)


def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", text)
    found = [re.escape(part) if n % 2 == 0 else f"(?P<{part}>.+?)" for n, part in enumerate(parts)]
    return re.compile("".join(found))
