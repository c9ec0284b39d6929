"""Looks at a card that lies still: in how many of them it was found (V2). Pure.

A card that was seen goes on lying while its place looks as it did then. A look that finds nothing
there has missed it; a place that looks otherwise is covered or cleared and says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from kiosk.cards import Card
from kiosk.sightings import Box
from kiosk.vision.images import Image
from kiosk.vision.rectangles import centre_of
from kiosk.vision.variations import as_seen, wide_cut

SAME_PLACE = 0.5
"""Index heights within which two boxes are one place."""

_ALIKE = 12.0
"""Mean difference in levels (0 … 255, in like light) up to which a place looks as it did."""


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks at a card that lay uncovered, and in how many of them it was found."""

    found: int = 0
    all: int = 0

    def and_one(self, found: bool) -> Looks:
        """With one look more."""
        return Looks(self.found + found, self.all + 1)

    @property
    def share(self) -> float:
        """Share 0 … 1 of the looks that found it; 1 where there was none."""
        return self.found / self.all if self.all else 1.0


@dataclass(frozen=True, eq=False)
class Place:
    """An index where it was last seen, and how it looked there (a kept cut-out)."""

    box: Box
    wide: Image


Lying = Mapping[Card, tuple[Place, ...]]


def near(one: Box, other: Box) -> bool:
    """Whether two boxes stand in one place."""
    (x, y), (ox, oy) = centre_of(one), centre_of(other)
    return max(abs(x - ox), abs(y - oy)) < SAME_PLACE * (one[3] - one[1])


def found_of(
    lying: Lying, image: Image, taken: Mapping[Card, tuple[Box, ...]], seen: Iterable[Box]
) -> dict[Card, bool]:
    """Whether this look has found each card that lies there uncovered but was not named now.

    ``taken``: boxes of the cards named in this look; ``seen``: boxes of all indices found. A place
    where another card was named is none.
    """
    there, boxes = {}, list(seen)
    for card, places in _without(lying, taken).items():
        if any(_unchanged(image, place) for place in places):
            there[card] = any(near(place.box, box) for place in places for box in boxes)
    return there


def left_lying(
    lying: Lying, image: Image, taken: Mapping[Card, tuple[Box, ...]]
) -> dict[Card, tuple[Place, ...]]:
    """What lies there after a look; a card is gone where another one was named."""
    return _without(lying, taken) | {
        card: tuple(Place(box, wide_cut(image, box)) for box in boxes)
        for card, boxes in taken.items()
    }


def _without(lying: Lying, taken: Mapping[Card, tuple[Box, ...]]) -> dict[Card, tuple[Place, ...]]:
    """Cards in whose places none of these was named, nor they themselves."""
    named = [box for boxes in taken.values() for box in boxes]
    return {
        card: places
        for card, places in lying.items()
        if card not in taken and not any(near(place.box, box) for place in places for box in named)
    }


def _unchanged(image: Image, place: Place) -> bool:
    now, then = (_soft(wide) for wide in (wide_cut(image, place.box), place.wide))
    lit = now * (then.mean() / max(1.0, now.mean()))
    return float(np.abs(lit - then).mean()) < _ALIKE


def _soft(wide: Image) -> Image:
    found: Image = cv2.GaussianBlur(as_seen(wide), (3, 3), 0).astype(np.float32)
    return found
