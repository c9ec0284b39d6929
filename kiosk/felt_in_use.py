"""The felt that the table is read by now; another one takes its place when the felt is clear."""

from __future__ import annotations

import time

from calibration.layout import Layout
from kiosk.rulebook import Rulebook
from kiosk.sight import Sight

_AT_ONCE = 1.5
"""Seconds. Whoever put another felt in use is told whether it is by then."""


class FeltInUse:
    """``layout``: the felt in use. ``reference``: the bare felt it was set up on, as kept."""

    def __init__(self, rulebook: Rulebook, sight: Sight, reference: bytes | None) -> None:
        self.layout = rulebook.layout
        self._rulebook, self._sight = rulebook, sight
        self._references: dict[str, bytes | None] = {}
        sight.use_layout(self.layout, reference)

    def use(self, layout: Layout, reference: bytes | None) -> str:
        """Another felt at the next clear one; ``now`` when that was at once, else ``clear``.
        UserError when the game cannot be played on it."""
        self._references[layout.name] = reference
        self._rulebook.use_layout(layout)
        until = time.monotonic() + _AT_ONCE
        while self._rulebook.layout is not layout and time.monotonic() < until:
            time.sleep(0.05)
        return "now" if self._rulebook.layout is layout else "clear"

    def follow(self) -> None:
        """The rules have changed, perhaps the felt with them. Between two rounds."""
        if self.layout is not self._rulebook.layout:
            self.layout = self._rulebook.layout
            self._sight.use_layout(self.layout, self._references.get(self.layout.name))

    def still_right(self) -> None:
        """A person says that the zones fit though camera or table were moved."""
        if self._sight.drift is not None:
            self._sight.drift.confirm()
