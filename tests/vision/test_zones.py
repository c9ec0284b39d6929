"""Which zone a thing lies in, and which looks that gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.layout import load_layout
from kiosk.cards import Card
from kiosk.sightings import Body, FrameReading, Sighting
from kiosk.vision.looks import looks_of
from kiosk.vision.merge import Thresholds
from kiosk.vision.zones import OUTSIDE, Plane, plane_of, split

LAYOUT = load_layout("russian-4")
PLANE = plane_of(LAYOUT, 1280, 720)
TILTED = plane_of(
    LAYOUT.with_camera([(200, 60), (1080, 80), (1270, 700), (5, 690)], 1280, 720), 1280, 720
)


def index(plane: Plane, name: str, x: float, y: float, p: float = 0.98) -> Sighting:
    """An index at a felt point."""
    px, py = plane.picture((x, y))
    box = (px - 8, py - 13, px + 8, py + 13)
    return Sighting(box, 0.9, 0.99, ((Card.parse(name), p),))


@pytest.mark.parametrize("plane", [PLANE, TILTED], ids=["above", "tilted"])
@given(st.sampled_from(LAYOUT.zones), st.floats(0.02, 0.98), st.floats(0.02, 0.98))
def test_a_point_in_a_zone_is_found_there(plane: Plane, zone, u: float, v: float) -> None:  # type: ignore[no-untyped-def]
    x1, y1, x2, y2 = zone.rect
    point = (x1 + u * (x2 - x1), y1 + v * (y2 - y1))
    seen = index(plane, "As", *point)
    reading = FrameReading(0.0, 1280, 720, (seen,))
    parts = split(reading, plane)
    assert [name for name, part in parts.items() if part.sightings] == [zone.id]


def test_what_lies_off_the_felt_is_left_out() -> None:
    reading = FrameReading(
        0.0,
        1280,
        720,
        (index(TILTED, "As", -5, 20), index(TILTED, "Kd", 96.5, 50)),
        (Body((0, 0, 30, 30), 0.9),),
    )
    assert all(not p.sightings and not p.bodies for p in split(reading, TILTED).values())


def test_regions_cover_their_zones_and_stay_in_the_picture() -> None:
    for plane in (PLANE, TILTED):
        for zone in plane.zone_ids:
            x1, y1, x2, y2 = plane.region(zone, 1.5)
            assert 0 <= x1 < x2 <= 1280
            assert 0 <= y1 < y2 <= 720
            for x, y in plane.outline(zone):
                assert x1 <= x <= x2
                assert y1 <= y <= y2


def looked(*sightings: Sighting, bodies: tuple[Body, ...] = ()):  # type: ignore[no-untyped-def]
    reading = FrameReading(1.0, 1280, 720, sightings, bodies)
    looks = looks_of(reading, PLANE, (*PLANE.zone_ids, OUTSIDE), Thresholds())
    return {look.zone: look for look in looks}


def names(look) -> list[str]:  # type: ignore[no-untyped-def]
    return sorted(str(c.card) for c in look.cards)


def test_cards_go_to_the_zone_of_their_index() -> None:
    looks = looked(
        index(PLANE, "As", 30, 8), index(PLANE, "Kd", 80, 30), index(PLANE, "2c", 10, 19.5)
    )
    assert names(looks["dealer"]) == ["As"]
    assert names(looks["box1"]) == ["Kd"]
    assert names(looks[OUTSIDE]) == ["2c"]


def test_v5_a_corner_hanging_out_of_the_zone_joins_its_card() -> None:
    looks = looked(index(PLANE, "As", 30, 15), index(PLANE, "As", 34, 20.5))
    assert names(looks["dealer"]) == ["As"]
    assert len(looks["dealer"].cards[0].boxes) == 2
    assert names(looks[OUTSIDE]) == []


def test_v5_a_card_across_two_zones_is_seen_in_both() -> None:
    looks = looked(index(PLANE, "As", 71, 30), index(PLANE, "As", 73, 36))
    assert names(looks["box1"]) == ["As"]
    assert names(looks["box2"]) == ["As"]


def test_only_the_asked_zones_are_answered() -> None:
    reading = FrameReading(1.0, 1280, 720, (index(PLANE, "As", 30, 8),))
    (look,) = looks_of(reading, PLANE, ["box1"], Thresholds())
    assert look.zone == "box1"
    assert look.cards == ()


def test_bodies_are_counted_where_their_middle_lies() -> None:
    x, y = PLANE.picture((30, 9))
    looks = looked(bodies=(Body((x - 42, y - 58, x + 42, y + 58), 0.9),))
    assert looks["dealer"].bodies == 1
    assert sum(look.bodies for look in looks.values()) == 1
