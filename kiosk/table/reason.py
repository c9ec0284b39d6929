"""Reason: one thing that stands in the way of a certain settlement."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.cards import Card
from kiosk.sightings import Doubt

Values = tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a person may have to look at.

    ``touches``: zones that get no settlement while it stands. ``delay``: seconds until it is
    asked; ``steady``: counted from the last movement in the zone. ``sign``: what it is about, so
    that a dismissal ends when the table changes. ``text``: gettext msgid, filled with ``values``.
    ``secret_text``: what to say before the reveal when ``text`` would give the hand away.
    ``evidence``: it is what the camera sees now beside a whole hand (``kept``).
    """

    id: str
    kind: str
    zone: str | None
    text: str
    values: Values = ()
    touches: frozenset[str] = frozenset()
    delay: float = 0.0
    steady: bool = False
    sign: str | None = None
    card: Card | None = None
    doubt: Doubt | None = None
    actions: tuple[str, ...] = ()
    secret_text: str | None = None
    evidence: bool = False

    @property
    def dismissable(self) -> bool:
        return self.sign is not None


@dataclass(frozen=True, slots=True)
class Kept:
    """A reason that was seen, and the zones whose cards it is about."""

    reason: Reason
    zones: frozenset[str]
