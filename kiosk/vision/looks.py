"""One frame's reading → what each zone shows, ready for voting. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable

from kiosk.sightings import FrameReading, Sighting
from kiosk.vision.merge import Merged, Thresholds, merge
from kiosk.vision.rectangles import centre_of
from kiosk.vision.tracks import Look, SeenCard, SeenDoubt
from kiosk.vision.zones import OUTSIDE, Part, Plane, split


def looks_of(
    reading: FrameReading,
    plane: Plane,
    zones: Iterable[str],
    thresholds: Thresholds,
) -> tuple[Look, ...]:
    """One look per zone in ``zones`` (OUTSIDE among them only for a reading of the whole picture).

    A card belongs to the zone that holds its index. A corner that hangs out of its zone belongs to
    the card in the zone; a card with indices in two zones appears in both and voting settles it.
    """
    parts = split(reading, plane)
    outside = parts[OUTSIDE].sightings
    taken: set[tuple[float, ...]] = set()
    looks = []
    wanted = list(zones)
    for name in (*plane.zone_ids, OUTSIDE):
        part = parts[name]
        if name == OUTSIDE:
            rest = tuple(s for s in outside if s.box not in taken)
            merged = merge(rest, reading.bodies, thresholds, plane.reach(name))
        else:
            near = _hanging_out(part, outside, plane.reach(name))
            everything = (*part.sightings, *near)
            merged = merge(everything, reading.bodies, thresholds, plane.reach(name))
            taken |= {box for card in merged.cards for box in card.boxes}
        if name in wanted:
            looks.append(_look(name, reading.t, merged, len(part.bodies), plane))
    return tuple(looks)


def _hanging_out(part: Part, outside: Iterable[Sighting], reach: float) -> tuple[Sighting, ...]:
    """Sightings outside that may be another corner of a card in the zone."""
    return tuple(
        s
        for s in outside
        if any(
            s.candidates
            and other.candidates
            and s.candidates[0][0] == other.candidates[0][0]
            and math.dist(s.centre, other.centre) <= reach
            for other in part.sightings
        )
    )


def _look(zone: str, t: float, merged: Merged, bodies: int, plane: Plane) -> Look:
    cards = []
    for card in merged.cards:
        at = tuple(plane.felt(centre_of(box)) for box in card.boxes)
        if zone == OUTSIDE or any(plane.zone_at(point) == zone for point in at):
            cards.append(SeenCard(card.card, card.confidence, card.boxes, at))
    doubts = []
    for doubt in merged.doubts:
        point = plane.felt(centre_of(doubt.box))
        if plane.zone_at(point) == zone:
            doubts.append(SeenDoubt(doubt.candidates, doubt.box, point, doubt.why))
    return Look(zone, t, tuple(cards), tuple(doubts), bodies)
