"""At which scale to look, and where. Pure.

The finder reads best where an index is some 28 pixels high, and counts bodies only near that. A
cheap first look at a small picture tells how large the cards are; if that is far off, the picture
or, where that would take too long, the parts with cards in them are looked at again at a scale
that fits. A finer look finds most of the indices that are missed or boxed badly there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from kiosk.sightings import Box

INDEX_PER_BODY = 0.18
"""Index height over the body's longer side; photographs show 0.13 to 0.28."""

GOOD_PX = 28.0
"""Index height in pixels that the finder likes best."""

FINE_PX = 42.0
"""Index height in pixels of the finer look."""

FITS = (0.8, 1.25)
"""A scale this near to the best one is not worth a second look."""

TABLE_PX = 22.5
"""Index height in pixels at which a known table is looked at: found as surely as at GOOD_PX, on a
third fewer pixels."""

TABLE_FITS = (0.93, 1.08)
"""A scale this near to the table's is not worth resizing for."""

LARGEST_SCALE = 2.0
"""Beyond this, more pixels show nothing more."""


def look_scale(index_px: float) -> float:
    """At which scale a known table is looked at whose indices are so many pixels high."""
    best = TABLE_PX / index_px
    return 1.0 if TABLE_FITS[0] < best < TABLE_FITS[1] else min(best, LARGEST_SCALE)


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


def index_height(indices: Sequence[Box], bodies: Sequence[Box]) -> float | None:
    """Typical index height in picture pixels, by the indices found or else by the bodies.

    None when nothing was found. A few false indices do not outvote many bodies.
    """
    tall = [max(b[2] - b[0], b[3] - b[1]) for b in indices]
    if len(tall) >= 2 or (tall and not bodies):
        return float(median(tall))
    sides = [max(b[2] - b[0], b[3] - b[1]) for b in bodies]
    return float(median(sides)) * INDEX_PER_BODY if sides else None


def second_looks(
    size: tuple[int, int],
    scale: float,
    indices: Sequence[Box],
    bodies: Sequence[Box],
    good: float = GOOD_PX,
    budget: float = 1.8e6,
) -> tuple[SecondLook, ...]:
    """Looks worth taking after a first one at ``scale``; ``size`` is width, height in pixels.

    ``good``: how many pixels high an index shall be. ``budget``: network pixels that all of them
    together may take. Empty when the first look had the right scale, or found nothing to judge by.
    """
    height = index_height(indices, bodies)
    if height is None or height <= 0:
        return ()
    target = min(good / height, LARGEST_SCALE)
    if FITS[0] < target / scale < FITS[1]:
        return ()
    whole = SecondLook((0, 0, *size), target)
    if whole.cost <= budget:
        return (whole,)
    around = 6 * height
    parts = [SecondLook(_grown(box, around, size), target) for box in (*bodies, *indices)]
    return _within(_joined(parts), budget)


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
    """All of them, at less scale where they would take too long together."""
    cost = sum(look.cost for look in looks)
    shrink = min(1.0, (budget / cost) ** 0.5) if cost else 1.0
    return tuple(SecondLook(look.region, look.scale * shrink) for look in looks)
