"""Where things lie on a layout's felt: rows of cards, betting spots, shoe and discard box. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.layout import Layout
from calibration.polygon import bounds

CARD_W, CARD_H = 6.3, 8.8
INDEX_STEP = 2.0
"""Centimetres from card to card in a row at least, so that every upper index is seen."""
WIDE_STEP = 3.5
"""The same where there is room: an index with its margin."""
OPEN_STEP = 7.2
"""Cards side by side."""
_EDGE = 0.4

Spot = tuple[float, float]


@dataclass(frozen=True)
class Places:
    """One layout's places, felt centimetres."""

    layout: Layout

    def bounds(self, zone: str) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 of a zone. StopIteration for one that is not there."""
        return bounds(next(z.corners for z in self.layout.zones if z.id == zone))

    def has(self, zone: str) -> bool:
        """Whether the layout has the zone."""
        return zone in self.layout.zone_ids

    def middle(self, zone: str) -> Spot:
        """Middle of the zone's cards: below the betting spots where the zone is tall."""
        x1, y1, x2, y2 = self.bounds(zone)
        tall = y2 - y1 >= 24.0
        return (x1 + x2) / 2, y1 + 16.6 if tall else (y1 + y2) / 2

    def row(self, zone: str, count: int) -> list[Spot]:
        """Middles of ``count`` cards lying open in the zone, left to right."""
        x1, _, x2, _ = self.bounds(zone)
        x, y = self.middle(zone)
        room = x2 - x1 - CARD_W - 2 * _EDGE
        step = OPEN_STEP if zone in ("dealer", "board") else WIDE_STEP
        if count > 1:
            step = min(step, max(room / (count - 1), 0.5))
        return [(x + (place - (count - 1) / 2) * step, y) for place in range(count)]

    def pile(self, zone: str) -> Spot:
        """Where the zone's cards lie face down."""
        return self.middle(zone)

    def chips(self, zone: str) -> Spot | None:
        """A betting spot beside the cards; None where the zone has no room for one."""
        x1, y1, x2, y2 = self.bounds(zone)
        if y2 - y1 < 24.0:
            return None
        return (x1 + x2) / 2 - min(6.4, (x2 - x1) / 2 - 3.0), y1 + 5.4

    @property
    def shoe(self) -> Spot:
        """Where cards come from: the dealer's left, at the right edge of the picture."""
        return self.layout.felt.width * 0.9, 3.0

    @property
    def rack(self) -> Spot:
        """Where cards go to."""
        if self.has("muck"):
            return self.middle("muck")
        return self.layout.felt.width * 0.1, 3.0

    def rest(self, side: str) -> Spot:
        """Where the dealer's hand waits, out of the picture."""
        return self.layout.felt.width * (0.7 if side == "left" else 0.3), -12.0

    def shoulder(self, side: str) -> Spot:
        """Where the arm comes from."""
        return self.layout.felt.width * (0.7 if side == "left" else 0.3), -42.0
