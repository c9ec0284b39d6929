"""Whether a search asks for what there can be: a slip in it must not look like a record that has
no such hand. Pure."""

from __future__ import annotations

from kiosk.record.search import ANY, HandFilter
from kiosk.rules.evaluate import SLUGS
from kiosk.rules.judging import KINDS
from kiosk.rules.options import GAMES
from kiosk.rules.schema import THREE_PAIR
from kiosk.rules.slips import LINE_SLIPS, ROUND_SLIPS

MOST_BOXES = 6
"""As many as a felt can have."""

COMBINATIONS = (*SLUGS.values(), THREE_PAIR)

_MISTAKES = (ANY, *KINDS, *sorted({slip.name for slip, _ in (*ROUND_SLIPS, *LINE_SLIPS)}))


def impossible(wanted: HandFilter) -> tuple[str, str] | None:
    """The first field that no hand can meet, and what was expected; None where all can be.
    ``since`` and ``until``, ``seat``, ``game``, ``combination``, ``mistake``."""
    since, until = wanted.since, wanted.until
    if since is not None and until is not None and since >= until:
        return "until", "expected a time after the beginning"
    if wanted.box is not None and not 1 <= wanted.box <= MOST_BOXES:
        return "seat", f"expected a box from 1 to {MOST_BOXES}"
    named = (
        ("game", wanted.game, tuple(sorted(GAMES))),
        ("combination", wanted.combination, COMBINATIONS),
        ("mistake", wanted.mistake, _MISTAKES),
    )
    for field, value, known in named:
        if value is not None and value not in known:
            return field, f"expected one of {', '.join(known)}"
    return None
