"""Half an index: where the finder boxes the rank alone, the suit below it is looked at too. Pure.

On a table that is set up the height of an index is known, so that a box much shorter shows. Which
end is missing is not known: the box is named as it is and grown at either end, and the clearest of
the three is believed, unless two are clear and differ. A suit that was guessed from paper is never
the clearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kiosk.cards import Card
from kiosk.sightings import Box, Sighting
from kiosk.vision.corners import pool
from kiosk.vision.merge import confidence_of

_SHORT = 0.8
"""Share of an index's height from which on a box holds a whole one."""

_LIKELY = 0.5
"""Sureness above which a rival name counts."""

_WHOLE = 2.1
"""Height of an index in heights of its rank."""


def grown(box: Box, tall: float) -> tuple[Box, ...]:
    """The boxes of the index that this one may be half of; none where it is tall enough.

    ``tall``: the height of an index in pixels. Upright and turned by a half: an index that lies on
    its side is not grown.
    """
    x1, y1, x2, y2 = box
    height = y2 - y1
    if height >= _SHORT * tall or x2 - x1 > height:
        return ()
    return (x1, y1, x2, y1 + _WHOLE * height), (x1, y2 - _WHOLE * height, x2, y2)


def clearest(sightings: Sequence[Sighting]) -> Sighting:
    """The one whose name is most likely; of equals the first. In the order of box, grown boxes.

    Where a grown one is likelier than not of another name, both count: grown towards a neighbour,
    a rank meets the neighbour's suit, which is no less clear than its own. The suit that half an
    index seems to have speaks against nothing.
    """
    best = max(sightings, key=confidence_of)
    rivals = [
        s for s in sightings[1:] if confidence_of(s) > _LIKELY and s.candidates[0][0] != _name(best)
    ]
    if not rivals:
        return best
    rival = max(rivals, key=confidence_of)
    return replace(best, candidates=pool([best.candidates, rival.candidates]))


def _name(sighting: Sighting) -> Card | None:
    return sighting.candidates[0][0] if sighting.candidates else None
