"""RoundState: one round as a value."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.table import events as e
from kiosk.table.plan import Plan
from kiosk.table.stages import Derived, unanswered_boxes, wrong_boxes
from kiosk.table.state import Core, RoundSettings

Entry = tuple[float, e.Logged]
"""A line of the log: the time that counted for the event (never running back), and the event."""


@dataclass(frozen=True, slots=True)
class RoundState:
    """One round. ``base``: its beginning, ``log``: what happened since, ``core``: what
    came of it.

    ``derived`` follows from ``core``. ``version`` grows with every change, from round to round.
    ``now``: time of the last event, in monotonic seconds. ``recorded``: a settlement of the round
    has been given out, so that a further one corrects it. ``next_settings``: what the next round is
    played under, None: the same. ``overruled_before``: box, who and why in the hand before.
    """

    settings: RoundSettings
    id: str
    base: Core
    log: tuple[Entry, ...]
    core: Core
    derived: Derived
    version: int
    now: float
    recorded: bool = False
    next_settings: RoundSettings | None = None
    overruled_before: tuple[tuple[int, str, str], ...] = ()

    @property
    def plan(self) -> Plan:
        return self.settings.plan

    @property
    def hand_open(self) -> bool:
        """Cards of a hand lie there that is not over: reading must not start over."""
        over = self.core.cleared and not self.core.new_deal
        return self.derived.stage != "clear" and not over

    @property
    def held(self) -> bool:
        """The freeze is on, or a revealed box has a wrong answer or none (P4, P5)."""
        core, results = self.core, self.derived.settlements.results
        return bool(
            core.held
            or wrong_boxes(core, results)
            or unanswered_boxes(core, self.settings, results)
        )
