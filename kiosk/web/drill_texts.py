"""Words of the drills: topics, kinds of mistakes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kiosk.rules.houses import HouseFile
from kiosk.web.texts import gettext, msgid

_SAVED = re.compile(r".+-v(\d{1,9})")

TOPICS = {
    "hands": msgid("Reading hands"),
    "qualification": msgid("Does the dealer have a game?"),
    "paying": msgid("Working out payments"),
    "comparing": msgid("Close comparisons"),
    "no-game": msgid("Dealer without a game"),
    "doubles": msgid("Double combinations"),
    "buying": msgid("Buying the dealer's game"),
    "insurance": msgid("Insurance rounds"),
    "side-bets": msgid("Side bets"),
    "half-payout": msgid("Half payouts"),
    "small-hands": msgid("Big and small hand"),
    "cap": msgid("Table maximum"),
    "order": msgid("Order of work"),
    "card-count": msgid("Wrong number of cards"),
    "whole-box": msgid("Whole boxes"),
}
"""Topic (``kiosk.teach.topics``) → its name."""

KINDS = {
    "misread-hand": msgid("hand misread"),
    "second-combination": msgid("second combination"),
    "wrong-row": msgid("wrong row of the pay table"),
    "side-bet": msgid("side bet missed"),
    "qualification": msgid("dealer's game misjudged"),
    "cap": msgid("table maximum"),
    "arithmetic": msgid("arithmetic"),
    "house-rule": msgid("house rule"),
    "left-out": msgid("bet left out"),
    "not-placed": msgid("bet not placed"),
    "order": msgid("order"),
    "card-count": msgid("number of cards"),
    "other": msgid("wrong result"),
}
"""Kind of mistake (``kiosk.rules.judging``) → its name."""

REFUSALS = (
    msgid("This round is over: take the next one."),
    msgid("This test is over."),
    msgid("no round could be dealt: {why}"),
    msgid("house: there is no house {name}"),
    msgid("topics: {house} has no {name}"),
    msgid("progress cannot be read or written: {path}: {why}"),
    msgid("bets: each bet must be answered"),
    msgid("bets.{bet}: the box has no such bet"),
    msgid("amount: the payment must be given"),
    msgid("combinations: a combination must be named"),
    msgid("game: yes or no must be said"),
    msgid("order: every step must be named once"),
)
"""What the drills refuse with; gaps in braces."""


def house_marks(houses: Mapping[str, HouseFile], own: str) -> dict[str, str]:
    """What tells each house from others of the same title; empty where nothing has to. Saved ones
    by their version, ``own``, in force at the table, as such."""
    titles = [file.house.title for file in houses.values()]
    marks = {}
    for name, file in houses.items():
        version = _SAVED.fullmatch(name)
        words = [f"v{version[1]}"] if version else []
        if not version and titles.count(file.house.title) > 1:
            words = [gettext("as shipped")]
        if name == own:
            words.append(gettext("in force"))
        marks[name] = " · ".join(words)
    return marks


def topic_name(slug: str) -> str:
    """A topic in words; an unknown one as it is."""
    return gettext(TOPICS[slug]) if slug in TOPICS else slug


def kind_name(slug: str) -> str:
    """A kind of mistake in words; an unknown one as it is."""
    return gettext(KINDS[slug]) if slug in KINDS else slug
