"""Faults of the kiosk's parts as entries of the record: when each began, when it was over.

A fault stands until its part works again, also across restarts: the record knows which stand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kiosk.record.lists import BEGUN, OVER

SETTLING_SECONDS = 15.0
"""After a start parts need time to get going: what fails meanwhile is no fault yet."""

WATCHED = ("camera", "model", "storage", "panel", "table", "server")
"""Parts whose failing is a fault; others (a deck not shown yet) only ask for something."""

LASTING_SECONDS = 2.0
"""A change that lasts no longer does not count."""


@dataclass(slots=True)
class _Part:
    standing: bool = False
    since: float | None = None
    changed: float | None = None


class FaultLog:
    """Looks at the health of the parts and notes changes. Called from one thread.

    ``submit`` takes the payload of a *fault* entry. A change must last for seconds to count, so
    that a part that flickers does not fill the record.
    """

    def __init__(
        self,
        submit: Callable[[dict[str, Any]], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._submit = submit
        self._clock = clock
        self._began = clock()
        self._parts: dict[str, _Part] = {}

    def stands(self, part: str) -> None:
        """An earlier run left this fault standing."""
        self._parts.setdefault(part, _Part()).standing = True

    def see(self, parts: Mapping[str, Mapping[str, Any]]) -> None:
        """The parts as they are now: name → ``{"ok": bool, "text": str}``."""
        now = self._clock()
        for name, told in parts.items():
            if name not in WATCHED:
                continue
            part = self._parts.setdefault(name, _Part())
            if bool(told["ok"]) != part.standing:
                part.changed = None
                continue
            part.changed = now if part.changed is None else part.changed
            if now - part.changed >= LASTING_SECONDS and (part.standing or self._is_settled(now)):
                self._turn(name, part, str(told["text"]), now)

    def _is_settled(self, now: float) -> bool:
        return now - self._began >= SETTLING_SECONDS

    def _turn(self, name: str, part: _Part, text: str, now: float) -> None:
        if part.standing:
            lasted = None if part.since is None else round(now - part.since, 1)
            self._submit({"what": OVER, "part": name, "seconds": lasted})
        else:
            self._submit({"what": BEGUN, "part": name, "text": text})
        part.standing, part.since, part.changed = not part.standing, now, None
