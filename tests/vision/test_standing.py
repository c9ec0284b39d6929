"""Which way up indices stand tells corners of one card from neighbours of a fan (V1, V6, V9)."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from kiosk.bench.looks import table_picture
from kiosk.cards import Card
from kiosk.sightings import Body, Direction, Sighting
from kiosk.vision.merge import Merged, Thresholds, confidence_of, merge
from kiosk.vision.namer import turned_back
from kiosk.vision.reader import Reader, open_reader
from kiosk.vision.rectangles import shared_area
from kiosk.vision.standing import (
    Standing,
    beside_on_one_card,
    may_share_a_card,
    mean_direction,
    more_than_a_card,
    standing,
)

LIMITS = Thresholds()
WIDE, HIGH = 64.0, 90.0
"""A card in pixels; its indices are 9 × 16 px, or JUMBO times that."""
JUMBO = 1.6

UP = (0.0, -1.0)
DOWN = (0.0, 1.0)


def index(
    name: str, x: float, y: float, up: Direction | None, p: float = 0.99, size: float = 1.0
) -> Sighting:
    """An index with its middle there."""
    box = (x - 4.5 * size, y - 8 * size, x + 4.5 * size, y + 8 * size)
    return Sighting(box, 0.9, 0.99, ((Card.parse(name), p),), up)


def corners(
    name: str, x: float, y: float, which: str = "ad", size: float = 1.0, turn: float = 0.0
) -> list[Sighting]:
    """Indices of a card whose upper left corner lies there: a b above, c d below, in this order;
    turned by so many degrees round that corner."""
    inset_x, inset_y = 4 + 4.5 * size, 4 + 8 * size
    places = {
        "a": (inset_x, inset_y, UP),
        "b": (WIDE - inset_x, inset_y, UP),
        "c": (inset_x, HIGH - inset_y, DOWN),
        "d": (WIDE - inset_x, HIGH - inset_y, DOWN),
    }
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def turned(vx: float, vy: float) -> tuple[float, float]:
        return vx * cos - vy * sin, vx * sin + vy * cos

    found = []
    for one in which:
        dx, dy = turned(*places[one][:2])
        found.append(index(name, x + dx, y + dy, turned(*places[one][2]), size=size))
    return found


def named(merged: Merged) -> list[str]:
    return sorted(str(card.card) for card in merged.cards)


@pytest.mark.parametrize("turn", range(0, 360, 30))
def test_corners_of_one_card_stand_opposite_or_beside(turn: float) -> None:
    a, b, c, d = corners("9h", 300, 300, "abcd", turn=turn)
    for one, other in ((a, d), (b, c), (a, c), (b, d)):
        assert standing(one, other) is standing(other, one) is Standing.OPPOSITE
    for one, other in ((a, b), (c, d)):
        assert standing(one, other) is standing(other, one) is Standing.BESIDE


def test_no_card_has_corners_that_stand_strangely() -> None:
    first = index("9h", 100, 100, UP)
    assert standing(first, index("9h", 100, 160, UP)) is Standing.STRANGE, "one over the other"
    assert standing(first, index("9h", 150, 160, (1.0, 0.0))) is Standing.STRANGE, "on its side"
    head_to_head = index("9h", 110, 60, DOWN)
    assert standing(first, head_to_head) is Standing.STRANGE, "above, upside down"


def test_what_is_not_known_says_nothing() -> None:
    first, second = index("9h", 100, 100, UP), index("9h", 100, 160, None)
    assert standing(first, second) is None
    assert may_share_a_card([first, second])


def test_a_mean_of_directions_needs_them_to_agree() -> None:
    slightly = (math.sin(0.2), -math.cos(0.2))
    found = mean_direction([UP, slightly])
    assert found is not None and math.isclose(math.hypot(*found), 1.0)
    assert mean_direction([UP, DOWN]) is None
    assert mean_direction([UP, UP, DOWN]) is None
    assert mean_direction([UP, None]) is None
    assert mean_direction([None]) is None
    assert mean_direction([]) is None


def test_v6_two_cards_of_a_fan_in_one_body_are_two_cards() -> None:
    """The finder took both for one body, with their upper corners at its ends."""
    queen, five = index("Qd", 120, 120, UP, 0.97), index("5c", 172, 168, (0.17, -0.98), 0.97)
    body = Body((100, 100, 192, 188), 0.9)
    assert named(merge([queen, five], [body], LIMITS)) == ["5c", "Qd"]
    unknown = [index("Qd", 120, 120, None, 0.97), index("5c", 172, 168, None, 0.97)]
    merged = merge(unknown, [body], LIMITS)
    assert merged.cards == () and len(merged.doubts) == 1, "what nobody knows is asked"


@pytest.mark.parametrize("step", [30, 40])
def test_v6_a_doubtful_neighbour_half_covered_in_one_body_is_asked_about(step: int) -> None:
    """The finder missed the upper card's own body, and the king looks somewhat like the queen."""
    queen = index("Qd", 120, 120, UP, 0.985)
    like = ((Card.parse("Kd"), 0.8), (Card.parse("Qd"), 0.15))
    king = replace(index("Kd", 120 + step, 122, UP), candidates=like)
    merged = merge([queen, king], [Body((110, 108, 230, 208), 0.9)], LIMITS)
    assert named(merged) == ["Qd"] and len(merged.doubts) == 1


def test_v1_opposite_corners_that_contradict_are_one_question() -> None:
    nine, six = index("9h", 110, 115, UP, 0.97), index("6h", 160, 175, DOWN, 0.97)
    merged = merge([nine, six], [Body((100, 100, 170, 190), 0.9)], LIMITS)
    assert merged.cards == () and len(merged.doubts) == 1


@pytest.mark.parametrize("turn", [0, 40, 135])
@pytest.mark.parametrize("which", ["abcd", "abc", "abd", "bcd", "ad", "bd"])
def test_v1_large_indices_in_all_corners_are_one_card(which: str, turn: float) -> None:
    seen = corners("9h", 300, 300, which, JUMBO, turn)
    if len(which) > 2:
        apart = min(math.dist(a.centre, b.centre) for a, b in combinations(seen, 2))
        assert apart < 1.8 * 16 * JUMBO, "nearer than neighbours of a fan may be"
    assert named(merge(seen, [], LIMITS)) == ["9h"]


def test_v1_one_name_twice_in_a_fan_is_a_conflict() -> None:
    """An eight read as the nine beside it; the nine lies on top, both its corners are seen."""
    nine = corners("9h", 118, 100, "ad")
    eight = corners("9h", 100, 100, "a")
    merged = merge([*eight, *nine], [], LIMITS)
    assert merged.cards == ()
    assert {doubt.why for doubt in merged.doubts} == {"conflict"}


def test_v1_one_name_twice_in_a_fan_with_four_indices_is_a_conflict() -> None:
    nine = corners("9h", 118, 100, "abcd")
    eight = corners("9h", 100, 100, "a")
    assert not beside_on_one_card(eight[0], nine[0], nine)
    merged = merge([*eight, *nine], [], LIMITS)
    assert merged.cards == ()


def test_v1_one_name_below_itself_is_a_conflict_though_it_is_near() -> None:
    first, second = index("9h", 100, 100, UP), index("9h", 104, 160, UP)
    merged = merge([first, second], [], LIMITS)
    assert merged.cards == () and {doubt.why for doubt in merged.doubts} == {"conflict"}


def test_v1_a_card_with_four_indices_seen_far_aslant_is_one_card() -> None:
    """Its upper edge is no longer level to its indices (from a photograph)."""
    places = [
        ((21, 437, 61, 483), (-0.57, 0.82)),
        ((142, 445, 183, 493), (-0.54, 0.84)),
        ((116, 335, 155, 372), (0.55, -0.83)),
    ]
    seen = [Sighting(box, 0.9, 0.99, ((Card.parse("8s"), 0.99),), up) for box, up in places]
    assert standing(seen[0], seen[1]) is Standing.BESIDE
    assert named(merge(seen, [], LIMITS)) == ["8s"]


FAR, NEAR = Body((0, 0, 63, 88), 0.9), Body((20, -3, 83, 85), 0.9)


def jumbo(x: float, y: float, up: Direction) -> Sighting:
    """A nine of hearts of 10 × 22 pixels there."""
    return Sighting((x - 5, y - 11, x + 5, y + 11), 0.9, 0.99, ((Card.parse("9h"), 0.98),), up)


@pytest.mark.parametrize("bodies", [(), (FAR, NEAR)])
def test_v1_a_flipped_neighbour_in_a_fan_is_not_the_opposite_corner(
    bodies: tuple[Body, ...],
) -> None:
    """An eight read as the nine over it, and as standing on its head; it lies lower by a hair."""
    merged = merge([jumbo(8, 15, DOWN), jumbo(28, 12, UP)], bodies, LIMITS)
    assert merged.cards == () and {doubt.why for doubt in merged.doubts} == {"conflict"}


def test_v1_the_end_of_one_card_and_the_start_of_the_next_are_no_corners_of_one() -> None:
    merged = merge([jumbo(55, 73, DOWN), jumbo(75, 55, UP)], (), LIMITS)
    assert merged.cards == () and {doubt.why for doubt in merged.doubts} == {"conflict"}


def test_v1_large_indices_in_a_wide_fan_are_no_corners_of_one_card() -> None:
    bodies = (FAR, Body((29.5, 0, 92.5, 88), 0.9))
    seen = [jumbo(9, 15, UP), jumbo(38.5, 15, UP), jumbo(38.5, 73, DOWN)]
    assert merge(seen, bodies, LIMITS).cards == ()
    seen += [jumbo(83.5, 15, UP), jumbo(83.5, 73, DOWN)]
    assert merge(seen, bodies, LIMITS).cards == ()


@pytest.mark.parametrize("step", [66, 70])
def test_v1_no_card_has_more_corners_than_four_or_more_than_two_alike(step: float) -> None:
    """Two cards of one name whose bodies the finder took for one."""
    body = [Body((0, 0, step + WIDE, HIGH), 0.9)]
    four = [*corners("9h", 0, 0, "abcd"), *corners("9h", step, 0, "abcd")]
    assert more_than_a_card(four) and not more_than_a_card(four[:4])
    assert merge(four, body, LIMITS).cards == ()
    three_alike = [*corners("9h", 0, 0, "ab"), *corners("9h", step, 0, "a")]
    assert more_than_a_card(three_alike)


@pytest.mark.parametrize("turn", [30, 45, 60])
def test_v6_boxes_of_a_turned_fan_that_touch_are_two_indices(turn: float) -> None:
    """A jumbo fan; upright boxes round turned indices overlap somewhat."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    half = (abs(cos) * 5 + abs(sin) * 11, abs(sin) * 5 + abs(cos) * 11)
    seen = []
    for step in (0, 20):
        x, y = 100 + step * cos, 100 + step * sin
        box = (x - half[0], y - half[1], x + half[0], y + half[1])
        seen.append(Sighting(box, 0.9, 0.99, ((Card.parse("9h"), 0.98),), (sin, -cos)))
    assert shared_area(seen[0].box, seen[1].box) > 0
    merged = merge(seen, (), LIMITS)
    assert merged.cards == () and {doubt.why for doubt in merged.doubts} == {"conflict"}


def test_v4_a_six_says_nothing_of_which_way_up_a_nine_is() -> None:
    """Both corners of a nine, one of them taken to stand on its head and so for a six."""
    nine, six = index("9h", 110, 115, UP, 0.97), index("6h", 160, 175, UP, 0.97)
    assert standing(nine, six) is None
    merged = merge([nine, six], [Body((100, 100, 170, 190), 0.9)], LIMITS)
    assert merged.cards == () and len(merged.doubts) == 1


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader()


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("turn", range(4))
def test_the_namer_says_which_way_up_an_index_is(reader: Reader, quarters: int, turn: int) -> None:
    """In a picture turned by quarters, and whichever turn its cut-out is looked at in."""
    picture = np.ascontiguousarray(np.rot90(table_picture()[:240, :900], quarters))
    way = turned_back(np.array([UP], np.float32), -quarters)[0]
    seen = reader.read_part(picture, None, 0.0, 0.87, turn).sightings
    sure = [sighting.up for sighting in seen if confidence_of(sighting) >= 0.9]
    assert len(sure) >= 7, "four cards lie there"
    along = [up[0] * way[0] + up[1] * way[1] for up in sure if up]
    assert len(along) == len(sure)
    upright, inverted = (sum(one * side > 0.94 for one in along) for side in (1, -1))
    assert upright + inverted == len(sure) and min(upright, inverted) >= 3


def test_turns_that_say_otherwise_leave_the_direction_open(reader: Reader) -> None:
    felt = np.full((80, 80, 3), (60, 110, 40), np.uint8)
    (seen,) = reader.namer.name(felt, [(20, 20, 60, 60)], (0, 1, 2, 3))
    assert seen.up is None, "bare felt has no head"
