"""Half an index: where the finder boxes the rank alone, the suit below it is looked at too. Pure.

On a table that is set up the height of an index is known, so that a box much shorter shows. Which
end is missing is not known: the box is named as it is and grown at either end, and the clearest of
the three is believed. A suit that was guessed from paper is never the clearest.
"""

from __future__ import annotations

from collections.abc import Sequence

from kiosk.sightings import Box, Sighting

_SHORT = 0.9
"""Share of an index's height from which on a box holds a whole one."""

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
    """The one whose name is most likely; of equals the first."""
    return max(sightings, key=lambda s: s.index * (s.candidates[0][1] if s.candidates else 0.0))
