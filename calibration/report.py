"""How large a corner index is in each zone, and whether that is enough (acceptance V10)."""

from __future__ import annotations

from dataclasses import dataclass

from calibration import polygon
from calibration.layout import Layout

MIN_INDEX_PX = 20.0
"""Index height in pixels below which reading is not reliable enough."""

GOOD_INDEX_PX = 24.0
"""Index height in pixels that leaves some room for blur and poor light."""


@dataclass(frozen=True, slots=True)
class ZoneSize:
    """Size of things in one zone, at its worst corner. ``px_per_cm``: the smaller direction."""

    zone: str
    px_per_cm: float
    index_px: float

    @property
    def verdict(self) -> str:
        """``good``, ``tight`` or ``too small``."""
        if self.index_px >= GOOD_INDEX_PX:
            return "good"
        return "tight" if self.index_px >= MIN_INDEX_PX else "too small"


def zone_sizes(
    layout: Layout, width: int | None = None, height: int | None = None
) -> tuple[ZoneSize, ...]:
    """Every zone of the layout, seen by a picture of that size (default: the layout's own)."""
    view = layout.view(width, height)
    sizes = []
    for zone in layout.zones:
        points = (*zone.corners, polygon.centre(zone.corners))
        scale = min(view.scale(point) for point in points)
        sizes.append(ZoneSize(zone.id, scale, scale * layout.card.index_height))
    return tuple(sizes)


def advice(size: ZoneSize) -> str:
    """What to do about it, one line; empty when the zone is good."""
    if size.verdict == "good":
        return ""
    need = GOOD_INDEX_PX / size.index_px
    return (
        f"move the camera closer or raise the resolution: indices must appear {need:.1f} times "
        "as large"
    )
