"""A mark of what is entered for a box: who confirms names what they saw, and no later entry slips
in between."""

from __future__ import annotations

import hashlib

from kiosk.table.placed import bets_of
from kiosk.table.plan import Plan
from kiosk.table.state import BoxState, RoundSettings

LENGTH = 12
"""Characters of a mark."""


def entries_mark(box: BoxState, settings: RoundSettings, plan: Plan) -> str:
    """A short text that is another one as soon as a bet or an action of the box is."""
    bets = sorted(
        (name, str(value.normalize())) for name, value in bets_of(box, settings, plan).items()
    )
    entered = (bets, box.action, box.exchanged, box.sixth, box.extra_two, box.prizes, box.buy)
    return hashlib.sha256(repr(entered).encode()).hexdigest()[:LENGTH]
