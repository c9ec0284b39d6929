"""What can go wrong on the simulated line, as settings (S12)."""

from __future__ import annotations

import heapq
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from kiosk.errors import UserError


@dataclass(frozen=True, slots=True)
class Faults:
    """Faults of the simulated panel and its line. Chances are 0..1, times milliseconds.

    ``noise``: chance that a byte is damaged; ``loss``: that a byte is lost; ``duplicate``: that a
    piece arrives twice; ``swap``: that a piece arrives after the next one; ``delay_ms``: longest
    extra delay of a piece; ``reset_every_ms``: the board resets so often (0 never);
    ``reset_on_open``: opening the port resets the board; ``boot_ms``: a reset takes so long;
    ``deaf_hellos``: so many questions stay unanswered; ``babble``: a stranger who talks without
    end; ``half_open``: the port opens but nobody is there; ``bounce_ms``: contacts bounce so long.
    """

    noise: float = 0.0
    loss: float = 0.0
    duplicate: float = 0.0
    swap: float = 0.0
    delay_ms: int = 0
    reset_every_ms: int = 0
    reset_on_open: bool = False
    boot_ms: int = 0
    deaf_hellos: int = 0
    babble: bool = False
    half_open: bool = False
    bounce_ms: int = 0

    @classmethod
    def from_mapping(cls, values: Mapping[str, object]) -> Faults:
        """Typed faults from plain data. Raises UserError for unknown names and wrong types."""
        known = {item.name: type(item.default) for item in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise UserError(f"panel fault {name!r}: expected one of {', '.join(known)}")
            fits = (int, float) if known[name] is float else (known[name],)
            if type(value) not in fits:
                raise UserError(f"panel fault {name}: expected {known[name].__name__}")
        return cls(**values)  # type: ignore[arg-type]


@dataclass(slots=True)
class BadLine:
    """One direction of a line with faults. Pieces go in with a time and come out when due."""

    faults: Faults
    rng: random.Random
    _due: list[tuple[int, int, bytes]] = field(default_factory=list)
    _count: int = 0

    def put(self, piece: bytes, now: int) -> None:
        """A piece (usually one line) is sent."""
        faults, rng = self.faults, self.rng
        copies = 2 if rng.random() < faults.duplicate else 1
        for _ in range(copies):
            at = now + (rng.randrange(faults.delay_ms + 1) if faults.delay_ms else 0)
            if rng.random() < faults.swap:
                at += 5
            self._count += 1
            heapq.heappush(self._due, (at, self._count, self._damage(piece)))

    def take(self, now: int) -> bytes:
        """What arrives by now."""
        out = bytearray()
        while self._due and self._due[0][0] <= now:
            out += heapq.heappop(self._due)[2]
        return bytes(out)

    def next_due(self) -> int | None:
        """When the next piece arrives."""
        return self._due[0][0] if self._due else None

    def _damage(self, piece: bytes) -> bytes:
        faults, rng = self.faults, self.rng
        if not faults.noise and not faults.loss:
            return piece
        out = bytearray()
        for byte in piece:
            if rng.random() >= faults.loss:
                out.append(rng.randrange(256) if rng.random() < faults.noise else byte)
        return bytes(out)
