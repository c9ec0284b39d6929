"""A wrong number of cards in words: whose, how many lie there, how many belong there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kiosk.rules.catalogue import catalogue

COUNTS = {
    "dealer.cards": "Dealer: {found} cards, expected {wanted}.",
    "dealer.small": "Dealer's small hand: {found} cards, expected {wanted}.",
    "board": "Board: {found} cards, expected {wanted}.",
    "cards": "Box {box}: {found} cards, expected {wanted}.",
    "dealt": "Box {box}, dealt cards: {found}, expected {wanted}.",
    "small": "Box {box}, small hand: {found} cards, expected {wanted}.",
}
"""Place of a refused case (the part behind its box) → what is wrong there."""

_BOX = re.compile(r"boxes\[(\d+)\]\.(\w+)")
_COUNT = re.compile(r"(\d+) cards, expected (.+)")


def count_text(case: Mapping[str, Any], refused: Mapping[str, Any], language: str) -> str:
    """The sentence for a case refused for ``wrong-card-count``; empty for any other refusal."""
    where = str(refused.get("where", ""))
    count = _COUNT.search(str(refused.get("message", "")))
    if refused.get("error") != "wrong-card-count" or count is None:
        return ""
    box = _BOX.fullmatch(where)
    number = case["boxes"][int(box[1])]["box"] if box else ""
    text = catalogue(language).get(COUNTS[box[2] if box else where])
    return text.format(box=number, found=count[1], wanted=count[2].replace(" or ", "–"))
