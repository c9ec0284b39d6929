"""Where a second look at another scale is worth its time. Pure.

The finder knows indices of some 11 to 64 pixels. The first look shows bodies; a body in which no
index was found, and whose size says that its index is too small or too large for the finder, is
looked at again at a scale that fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kiosk.sightings import Box

INDEX_PER_BODY = 0.18
"""Index height over the body's longer side; photographs show 0.13 to 0.28."""

GOOD_PX = 30.0
"""Index height the second look aims at."""

SMALL_PX, LARGE_PX = 18.0, 48.0
"""Expected index heights outside of this call for a second look."""


@dataclass(frozen=True, slots=True)
class SecondLook:
    """A part of the picture (pixels) and the scale to look at it."""

    region: tuple[int, int, int, int]
    scale: float

    @property
    def cost(self) -> float:
        """Pixels the network will see."""
        x1, y1, x2, y2 = self.region
        return (x2 - x1) * (y2 - y1) * self.scale**2


def second_looks(
    size: tuple[int, int],
    scale: float,
    indices: Sequence[Box],
    bodies: Sequence[Box],
    budget: float = 1.6e6,
) -> tuple[SecondLook, ...]:
    """Looks worth taking after a first one at ``scale``; ``size`` is width, height in pixels.

    ``budget``: network pixels that all of them together may take.
    """
    wanted: list[SecondLook] = []
    for body in bodies:
        if any(_inside(body, index) for index in indices):
            continue
        longer = max(body[2] - body[0], body[3] - body[1])
        expected = longer * INDEX_PER_BODY * scale
        if SMALL_PX <= expected <= LARGE_PX:
            continue
        target = min(GOOD_PX / (longer * INDEX_PER_BODY), 2.0)
        if 0.8 < target / scale < 1.25:
            continue
        wanted.append(SecondLook(_grown(body, longer * 0.15, size), target))
    return _within(_joined(wanted), budget)


def _inside(body: Box, index: Box) -> bool:
    x, y = (index[0] + index[2]) / 2, (index[1] + index[3]) / 2
    return body[0] <= x <= body[2] and body[1] <= y <= body[3]


def _grown(box: Box, by: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    return (
        max(0, int(box[0] - by)),
        max(0, int(box[1] - by)),
        min(size[0], int(box[2] + by) + 1),
        min(size[1], int(box[3] + by) + 1),
    )


def _joined(looks: list[SecondLook]) -> list[SecondLook]:
    """Looks that touch, as one, where that costs no more than both apart."""
    left = sorted(looks, key=lambda look: look.region)
    done: list[SecondLook] = []
    while left:
        look = left.pop(0)
        for other in left:
            both = _union(look, other)
            if both.cost <= look.cost + other.cost:
                left.remove(other)
                left.insert(0, both)
                break
        else:
            done.append(look)
    return done


def _union(one: SecondLook, other: SecondLook) -> SecondLook:
    a, b = one.region, other.region
    region = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    return SecondLook(region, max(one.scale, other.scale))


def _within(looks: list[SecondLook], budget: float) -> tuple[SecondLook, ...]:
    """As many as fit, cheapest first; a single one that is too large is taken at less scale."""
    chosen: list[SecondLook] = []
    for look in sorted(looks, key=lambda each: each.cost):
        if look.cost > budget:
            if not chosen:
                chosen.append(SecondLook(look.region, look.scale * (budget / look.cost) ** 0.5))
            break
        chosen.append(look)
        budget -= look.cost
    return tuple(chosen)
