"""Judges of whole pictures, each looking at its own pace; while one has a word, nothing is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from kiosk.vision.images import Image
from kiosk.vision.motion import ZoneWatch


class Guard(Protocol):
    """Judges whole pictures now and then: was the camera bumped, is the light good enough.

    ``every``: seconds from one look to the next. ``look`` gets a frame (BGR, not to be written
    to), its time, and the places where nothing moves (zone ids, OUTSIDE for the rest of the
    felt); it gives the word for ``TableView.trouble``, or None while all is well. The word stands
    until the next look; meanwhile nothing is read.
    """

    every: float

    def look(self, image: Image, t: float, still: frozenset[str]) -> str | None: ...


@dataclass
class _Watchman:
    """A guard, when it looked last, and what it said."""

    guard: Guard
    t: float = float("-inf")
    word: str | None = None


class Guards:
    """All guards of one table."""

    def __init__(self, guards: Iterable[Guard]) -> None:
        self._men = [_Watchman(guard) for guard in guards]

    def add(self, guard: Guard) -> None:
        """Have one more look at the pictures, from the next one on."""
        self._men.append(_Watchman(guard))

    def reset(self) -> None:
        """Forget what they said."""
        self._men = [_Watchman(man.guard) for man in self._men]

    def word(self, image: Image, t: float, watch: ZoneWatch) -> str | None:
        """The first word that one has against the picture seen at ``t``."""
        due = [man for man in self._men if t - man.t >= man.guard.every]
        if due:
            still = frozenset(name for name in watch.names if not watch.moving(name, t))
            for man in due:
                man.t, man.word = t, man.guard.look(image, t, still)
        return next((man.word for man in self._men if man.word is not None), None)
