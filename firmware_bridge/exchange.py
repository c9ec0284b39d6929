"""Numbered frames both ways: resend until acknowledged, act once, in order, give up in the end.

Both ends of the line use the same two halves. Pure; times are milliseconds of the caller's
monotonic clock. docs/protocol.md, "Numbers", says the same in words.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from firmware_bridge.protocol import Frame, Kind

SILENCE_MS: Final = 3000
"""Without a good frame for so long the other end is gone."""
BEAT_MS: Final = 500
"""Each end sends a heartbeat so often."""
RESEND_MS: Final = 150
RESEND_MAX_MS: Final = 600
TRIES: Final = 20
"""A frame sent so often without an acknowledgement ends the session (S10)."""
GAP_HOLD_MS: Final = 40
"""A receiver asks again for the same missing number no sooner than this."""


KEPT_BITS: Final = 32


class Verdict(Enum):
    """What a received number means."""

    NEW = "new"
    DUPLICATE = "duplicate"
    GAP = "gap"


class Ack(Enum):
    """What an acknowledgement meant to the sender."""

    ADVANCED = "advanced"
    OLD = "old"
    WRONG = "wrong"


@dataclass(slots=True)
class Sender:
    """The sending half: frames in flight, oldest first.

    ``go_back``: the other end keeps nothing that comes too early, so that all frames in flight are
    sent again and not the oldest alone.
    """

    window: int
    go_back: bool = False
    next_number: int = 0
    flight: deque[Frame] = field(default_factory=deque)
    tries: int = 0
    pause: int = RESEND_MS
    due: int | None = None
    since: int = 0

    def dead(self, now: int) -> bool:
        """The oldest frame has been sent ``TRIES`` times in vain, for ``SILENCE_MS`` at least.

        The time counts too: on a slow line one frame may be asked for many times while it travels.
        """
        tired = self.tries >= TRIES and now - self.since >= SILENCE_MS
        return tired and bool(self.flight)

    def room(self) -> bool:
        """One more frame may go into flight."""
        return len(self.flight) < self.window

    def put(self, kind: Kind, session: int, fields: tuple[str, ...], now: int) -> Frame:
        """Number a frame and put it in flight; the caller sends it. Needs ``room``."""
        frame = Frame(kind, self.next_number, session, fields)
        self.next_number = (self.next_number + 1) & 0xFF
        self.flight.append(frame)
        if len(self.flight) == 1:
            self._fresh(now)
        return frame

    def acknowledge(self, number: int, now: int) -> tuple[Ack, list[Frame]]:
        """Everything up to ``number`` has arrived; also returns the frames this settles."""
        oldest = (self.next_number - len(self.flight)) & 0xFF
        distance = (number - oldest) & 0xFF
        if distance >= 128:
            return Ack.OLD, []
        if distance >= len(self.flight):
            return Ack.WRONG, []
        settled = [self.flight.popleft() for _ in range(distance + 1)]
        self._fresh(now)
        return Ack.ADVANCED, settled

    def missing(self, number: int, now: int, kept: int = 0) -> tuple[Ack, list[Frame], list[Frame]]:
        """The other end lacks ``number``: what that settles, and what to send again.

        Bit n of ``kept`` says that the other end already holds ``number + 1 + n``; what lies
        between those it holds is lacking too.
        """
        oldest = (self.next_number - len(self.flight)) & 0xFF
        settled: list[Frame] = []
        verdict = Ack.OLD
        if number != oldest:
            verdict, settled = self.acknowledge((number - 1) & 0xFF, now)
            if verdict is not Ack.ADVANCED:
                return verdict, [], []
        if not self.flight:
            return verdict, settled, []
        gaps = [
            self.flight[at]
            for at in range(1, min(kept.bit_length() + 1, len(self.flight)))
            if not kept >> (at - 1) & 1
        ]
        return verdict, settled, self._again(now) + gaps

    def overdue(self, now: int) -> list[Frame]:
        """The frames to send again because no acknowledgement came in time."""
        if self.due is None or now < self.due:
            return []
        self.pause = min(self.pause * 3 // 2, RESEND_MAX_MS)
        return self._again(now)

    def _again(self, now: int) -> list[Frame]:
        self.tries += 1
        self.due = now + self.pause
        return list(self.flight) if self.go_back else [self.flight[0]]

    def _fresh(self, now: int) -> None:
        """The oldest frame is a new one: its tries and pauses start again."""
        self.tries, self.pause, self.since = 1, RESEND_MS, now
        self.due = now + RESEND_MS if self.flight else None


@dataclass(slots=True)
class Receiver:
    """The receiving half: takes numbers in order, once."""

    expected: int = 0
    asked: int | None = None
    asked_at: int = 0

    @property
    def last(self) -> int:
        """The last number taken (255 before the first)."""
        return (self.expected - 1) & 0xFF

    def take(self, number: int) -> Verdict:
        """Judge a number; a NEW one is taken."""
        distance = (number - self.expected) & 0xFF
        if distance == 0:
            self.expected = (self.expected + 1) & 0xFF
            self.asked = None
            return Verdict.NEW
        return Verdict.DUPLICATE if distance >= 128 else Verdict.GAP

    def may_ask(self, now: int) -> bool:
        """Ask for the missing number now? Not twice within ``GAP_HOLD_MS``."""
        if self.asked == self.expected and now - self.asked_at < GAP_HOLD_MS:
            return False
        self.asked, self.asked_at = self.expected, now
        return True
