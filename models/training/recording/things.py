"""Things that move over the table, as key moments between which they glide. Pure."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field, replace

from kiosk.cards import Card


@dataclass(frozen=True)
class Pose:
    """Where a thing is, felt centimetres and degrees.

    ``face``: 0 face down … 1 face up. ``lift``: 0 on the felt … 1 well above it.
    """

    x: float
    y: float
    angle: float = 0.0
    face: float = 0.0
    lift: float = 0.0

    def moved(self, dx: float, dy: float) -> Pose:
        """The same elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def between(one: Pose, other: Pose, share: float) -> Pose:
    """The pose ``share`` (0 … 1) of the way, starting and ending softly."""
    s = _ease(share)

    def mix(a: float, b: float) -> float:
        return a + (b - a) * s

    return Pose(
        mix(one.x, other.x),
        mix(one.y, other.y),
        mix(one.angle, other.angle),
        mix(one.face, other.face),
        mix(one.lift, other.lift),
    )


@dataclass
class Thing:
    """One thing's whole way. ``until``: when it leaves the picture for good."""

    sprite: str
    card: Card | None = None
    keys: list[tuple[float, Pose]] = field(default_factory=list)
    orders: list[tuple[float, int]] = field(default_factory=list)
    until: float = float("inf")

    @property
    def last(self) -> Pose:
        """The pose it was last given."""
        return self.keys[-1][1]

    def put(self, t: float, pose: Pose) -> None:
        """Be at ``pose`` at ``t``. Times must not go back."""
        if self.keys and t < self.keys[-1][0] - 1e-6:
            raise ValueError(f"{self.sprite}: key at {t:.2f} s after {self.keys[-1][0]:.2f} s")
        self.keys.append((t, pose))

    def glide(self, start: float, end: float, pose: Pose) -> None:
        """Stay until ``start``, then be at ``pose`` at ``end``."""
        self.put(start, self.last)
        self.put(end, pose)

    def raise_to(self, t: float, order: int) -> None:
        """Lie above everything of a lower order from ``t`` on."""
        self.orders.append((t, order))

    def at(self, t: float) -> Pose | None:
        """The pose at ``t``; None before it is there and after it has left."""
        if not self.keys or t < self.keys[0][0] or t >= self.until:
            return None
        number = bisect.bisect_right(self.keys, t, key=lambda key: key[0])
        if number == len(self.keys):
            return self.last
        (t1, one), (t2, other) = self.keys[number - 1], self.keys[number]
        return one if t2 <= t1 else between(one, other, (t - t1) / (t2 - t1))

    def order(self, t: float) -> int:
        """Its height in the pile at ``t``."""
        known = [order for since, order in self.orders if since <= t]
        return known[-1] if known else 0
