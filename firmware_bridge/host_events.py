"""What the kiosk's end of the line reports, and how late a message came. Pure."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from firmware_bridge.protocol import Hello, KeyEvent


@dataclass(frozen=True, slots=True)
class Connected:
    """A panel has answered this session's question."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Refused:
    """Something answered that is not a panel of this protocol version."""

    hello: Hello


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The session is over: ``silent``, ``reset`` (the board started anew) or ``dead``."""

    reason: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """One key event, exactly once and in order. ``late_ms`` is how long it was under way."""

    event: KeyEvent
    late_ms: int


HostEvent = Connected | Refused | Disconnected


@dataclass(slots=True)
class BoardClock:
    """Relates the board's millisecond counter to ours by its last heartbeats.

    Only the last ones count: a board's clock goes a little faster or slower than ours.
    """

    _offsets: deque[int] = field(default_factory=lambda: deque(maxlen=2))

    def beat(self, board_ms: int, now: int) -> None:
        """A hello or heartbeat, which the board sends without waiting for anything."""
        self._offsets.append((now - board_ms) & 0xFFFFFFFF)

    def late(self, board_ms: int, now: int) -> int:
        """How much later than a heartbeat a message has come, in ms."""
        offset = (now - board_ms) & 0xFFFFFFFF
        return max([0, *(signed(offset - other) for other in self._offsets)])


def signed(difference: int) -> int:
    """A difference of two 32-bit counters as a signed number."""
    return ((difference + 0x80000000) & 0xFFFFFFFF) - 0x80000000
