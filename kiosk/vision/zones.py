"""Where on the felt things lie: picture ↔ felt, and things → zones by their index centre. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration import polygon
from calibration.homography import Point
from calibration.layout import Layout
from calibration.view import View
from kiosk.sightings import Body, FrameReading, Sighting
from kiosk.vision.corners import distinct
from kiosk.vision.rectangles import centre_of

OUTSIDE = ""
"""The name of the place outside every zone."""

_BODY_SLACK = 1.15
"""How much longer than a card's diagonal a body's box may be: perspective and loose boxes."""


@dataclass(frozen=True, slots=True)
class Zone:
    """One zone: its id and its corners in felt centimetres."""

    id: str
    corners: polygon.Polygon


@dataclass(frozen=True, slots=True)
class Plane:
    """The felt as one picture size shows it.

    ``view``: centimetres ↔ pixels, through the lens. ``card_diagonal``: centimetres.
    ``index_px``: height of a corner index in the middle of the picture, pixels.
    """

    width: int
    height: int
    felt_width: float
    felt_height: float
    view: View
    zones: tuple[Zone, ...]
    card_diagonal: float
    index_px: float

    @property
    def zone_ids(self) -> tuple[str, ...]:
        """Zone ids in the layout's order."""
        return tuple(zone.id for zone in self.zones)

    def felt(self, point: Point) -> Point:
        """Pixels → centimetres."""
        return self.view.to_felt(point)

    def picture(self, point: Point) -> Point:
        """Centimetres → pixels."""
        return self.view.to_picture(point)

    def zone_at(self, point: Point) -> str:
        """The zone that holds a felt point, OUTSIDE when none does.

        On a shared edge exactly one zone holds the point.
        """
        for zone in self.zones:
            if polygon.contains(zone.corners, point):
                return zone.id
        return OUTSIDE

    def on_felt(self, point: Point) -> bool:
        """Whether a felt point lies on the felt."""
        return 0 <= point[0] <= self.felt_width and 0 <= point[1] <= self.felt_height

    def outline(self, zone_id: str) -> tuple[Point, ...]:
        """A zone's corners in pixels. KeyError for an unknown zone."""
        for zone in self.zones:
            if zone.id == zone_id:
                return tuple(self.picture(corner) for corner in zone.corners)
        raise KeyError(zone_id)

    def reach(self, zone_id: str) -> float:
        """A card's diagonal in pixels, at the zone's middle."""
        for zone in self.zones:
            if zone.id == zone_id:
                middle = polygon.centre(zone.corners)
                return self.view.scale(middle) * self.card_diagonal * 1.05
        return self.card_diagonal * self.view.scale((self.felt_width / 2, self.felt_height / 2))

    def region(self, zone_id: str, margin: float) -> tuple[int, int, int, int]:
        """Upright pixel box round a zone with ``margin`` centimetres, cut to the picture."""
        if zone_id == OUTSIDE:
            return 0, 0, self.width, self.height
        zone = next(z for z in self.zones if z.id == zone_id)
        x1, y1, x2, y2 = polygon.bounds(zone.corners)
        wide = polygon.rectangle(x1 - margin, y1 - margin, x2 + margin, y2 + margin)
        left, top, right, bottom = polygon.bounds([self.picture(c) for c in wide])
        return (
            max(0, int(left)),
            max(0, int(top)),
            min(self.width, int(right) + 1),
            min(self.height, int(bottom) + 1),
        )


def plane_of(layout: Layout, width: int, height: int) -> Plane:
    """The layout as a picture of that size shows it."""
    view = layout.view(width, height)
    return Plane(
        width=width,
        height=height,
        felt_width=layout.felt.width,
        felt_height=layout.felt.height,
        view=view,
        zones=tuple(Zone(zone.id, zone.corners) for zone in layout.zones),
        card_diagonal=layout.card.diagonal,
        index_px=layout.card.index_height
        * view.scale((layout.felt.width / 2, layout.felt.height / 2)),
    )


@dataclass(frozen=True, slots=True)
class Part:
    """What one frame shows in one zone."""

    sightings: tuple[Sighting, ...] = ()
    bodies: tuple[Body, ...] = ()


def split(reading: FrameReading, plane: Plane) -> dict[str, Part]:
    """Sightings and bodies by the zone that holds their centre; OUTSIDE holds the rest.

    What lies off the felt is left out, and so are bodies that are larger than a card.
    """
    sightings: dict[str, list[Sighting]] = {name: [] for name in (*plane.zone_ids, OUTSIDE)}
    bodies: dict[str, list[Body]] = {name: [] for name in (*plane.zone_ids, OUTSIDE)}
    for sighting in reading.sightings:
        point = plane.felt(sighting.centre)
        if plane.on_felt(point):
            sightings[plane.zone_at(point)].append(sighting)
    for body in distinct(reading.bodies, plane.reach(OUTSIDE) * _BODY_SLACK):
        point = plane.felt(centre_of(body.box))
        if plane.on_felt(point):
            bodies[plane.zone_at(point)].append(body)
    return {name: Part(tuple(sightings[name]), tuple(bodies[name])) for name in sightings}


def nearest(points: Sequence[Point], others: Sequence[Point]) -> float:
    """Smallest distance between two sets of points; infinity when one is empty."""
    return min(
        (((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 for ax, ay in points for bx, by in others),
        default=float("inf"),
    )
