"""Sixteen contacts become key events: bounce, long press, stuck key, several at once (S11).

The C twin is ``keys_sample`` in ``firmware/keys.c``; both follow the key scripts in
``vectors.json``. Pure; times are milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.protocol import BUTTONS, Kind

BOUNCE_MS: Final = 10
"""A contact counts when it has been the same for so long."""
LONG_MS: Final = 800
STUCK_MS: Final = 15000
"""A key down for so long is called stuck once; then it is silent until it is let go."""


@dataclass(slots=True)
class _Key:
    raw: bool = False
    down: bool = False
    before: bool = False
    since: int = 0
    told: int = 0
    pressed_at: int = 0


@dataclass(slots=True)
class Keypad:
    """Debounces samples of all contacts (bit 0 is ``box1``).

    A key that is down in the first sample, as the panel starts, is silent until it is let go: it
    may have been pressed, and acted on, before a reset.
    """

    _keys: list[_Key] = field(default_factory=lambda: [_Key() for _ in BUTTONS])
    _begun: bool = False

    @property
    def mask(self) -> int:
        """The keys held down now, one bit each."""
        return sum(key.down << bit for bit, key in enumerate(self._keys))

    def sample(self, mask: int, now: int) -> list[tuple[Kind, str]]:
        """The events of one sample, in the order of the bits."""
        events: list[tuple[Kind, str]] = []
        first, self._begun = not self._begun, True
        for bit, (key, button) in enumerate(zip(self._keys, BUTTONS, strict=True)):
            raw = bool(mask >> bit & 1)
            key.before |= raw and first
            kind = _step(key, raw, now)
            if kind is not None:
                events.append((kind, button))
        return events


def _step(key: _Key, raw: bool, now: int) -> Kind | None:
    if raw != key.raw:
        key.raw, key.since = raw, now
    elif key.before:
        if now - key.since >= BOUNCE_MS:
            key.down = key.before = raw
        return None
    elif raw != key.down and now - key.since >= BOUNCE_MS:
        key.down, key.told, key.pressed_at = raw, 0, now
        return Kind.PRESS if raw else Kind.RELEASE
    if not key.down or key.before:
        return None
    held = now - key.pressed_at
    if key.told == 0 and held >= LONG_MS:
        key.told = 1
        return Kind.LONG
    if key.told == 1 and held >= STUCK_MS:
        key.told = 2
        return Kind.STUCK
    return None
