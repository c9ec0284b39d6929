"""Sightings of one moment → cards and doubts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cards import DECK, Card
from kiosk.sightings import Body, Box, Sighting
from kiosk.vision.corners import distinct, pool
from kiosk.vision.merge import Thresholds, merge
from kiosk.vision.rectangles import iou

LIMITS = Thresholds()


def see(
    name: str, x: float, y: float, p: float = 0.99, other: str | None = None, **more: float
) -> Sighting:
    """An index 16 × 26 px at a centre, named with probability p."""
    chances = [(Card.parse(name), p)]
    if other:
        chances.append((Card.parse(other), round(1 - p - 0.01, 3)))
    box = (x - 8, y - 13, x + 8, y + 13)
    return Sighting(box, more.get("found", 0.9), more.get("index", 0.99), tuple(chances))


def card_at(
    name: str, x: float, y: float, other: str | None = None, **more: float
) -> tuple[Sighting, Sighting, Body]:
    """An upright card of 84 × 117 px with both indices and its body."""
    return (
        see(name, x + 12, y + 17, other=other, **more),
        see(name, x + 72, y + 100, other=other, **more),
        Body((x, y, x + 84, y + 117), 0.9),
    )


def test_v1_a_nine_with_both_corners_counts_once() -> None:
    first, second, body = card_at("9h", 100, 100)
    for bodies in ((body,), ()):
        merged = merge([first, second], bodies, LIMITS)
        assert [str(c.card) for c in merged.cards] == ["9h"]
        assert len(merged.cards[0].boxes) == 2
        assert merged.doubts == ()


def test_v1_two_nines_of_two_suits_count_twice() -> None:
    merged = merge([see("9h", 100, 100), see("9s", 150, 100)], (), LIMITS)
    assert {str(c.card) for c in merged.cards} == {"9h", "9s"}


def test_v1_same_name_twice_far_apart_raises_a_flag_not_two_cards() -> None:
    merged = merge([see("9h", 100, 100), see("9h", 600, 100)], (), LIMITS)
    assert merged.cards == ()
    assert [d.why for d in merged.doubts] == ["conflict", "conflict"]
    assert {str(d.candidates[0][0]) for d in merged.doubts} == {"9h"}


def test_v1_same_name_on_two_bodies_side_by_side_is_a_conflict() -> None:
    a, _, body_a = card_at("9h", 100, 100)
    b, _, body_b = card_at("9h", 190, 100)
    assert len(merge([a, b], (), LIMITS).cards) == 1, "near enough to be one card"
    merged = merge([a, b], (body_a, body_b), LIMITS)
    assert merged.cards == ()
    assert {d.why for d in merged.doubts} == {"conflict"}


def test_a_weak_corner_of_a_named_card_is_not_asked_about() -> None:
    first, _, body = card_at("9h", 100, 100)
    weak = see("6h", 172, 200, 0.6, "9h")
    merged = merge([first, weak], (body,), LIMITS)
    assert [str(c.card) for c in merged.cards] == ["9h"]
    assert len(merged.cards[0].boxes) == 2
    assert merged.doubts == ()


def test_v6_a_doubtful_neighbour_in_the_fan_is_asked_about() -> None:
    nine, _, body = card_at("9h", 100, 100)
    neighbour = see("9h", 100 + 12 + 22, 117, 0.6, "6h")
    for bodies in ((body,), (), (body, Body((134, 100, 218, 217), 0.9))):
        merged = merge([nine, neighbour], bodies, LIMITS)
        assert [str(c.card) for c in merged.cards] == ["9h"]
        assert [d.why for d in merged.doubts] == ["low-confidence"]


def test_a_doubtful_neighbour_side_by_side_is_asked_about() -> None:
    nine, _, body = card_at("9h", 100, 100)
    other, _, other_body = card_at("9h", 195, 100, p=0.6)
    merged = merge([nine, other], (body, other_body), LIMITS)
    assert [str(c.card) for c in merged.cards] == ["9h"]
    assert len(merged.doubts) == 1


def test_two_weak_corners_that_agree_make_one_card_or_one_question() -> None:
    first, second, body = card_at("9h", 100, 100, p=0.88, other="6h")
    assert [str(c.card) for c in merge([first, second], (body,), LIMITS).cards] == ["9h"]
    first, second, body = card_at("9h", 100, 100, p=0.6, other="6h")
    merged = merge([first, second], (body,), LIMITS)
    assert merged.cards == ()
    assert len(merged.doubts) == 1


def test_two_names_on_opposite_corners_of_one_body_are_one_question_with_both() -> None:
    nine, _, body = card_at("9h", 100, 100)
    _, six, _ = card_at("6h", 100, 100)
    merged = merge([nine, six], (body,), LIMITS)
    assert merged.cards == ()
    (doubt,) = merged.doubts
    assert {str(card) for card, _ in doubt.candidates} == {"6h", "9h"}


def test_two_unsure_corners_of_one_body_decide_together() -> None:
    first = see("9h", 112, 117, 0.75, "6h")
    second = see("6h", 172, 200, 0.5, "9h")
    _, _, body = card_at("9h", 100, 100)
    strong = see("9h", 112, 117, 0.97, "6h")
    assert len(merge([first, second], (body,), LIMITS).doubts) == 1
    (card,) = merge([strong, second], (body,), LIMITS).cards
    assert str(card.card) == "9h"
    assert len(card.boxes) == 2


def test_v9_pieces_of_a_body_are_not_counted_and_fanned_bodies_are() -> None:
    whole, piece = Body((0, 0, 84, 117), 0.9), Body((0, 0, 30, 117), 0.5)
    assert distinct([whole, piece]) == (whole,)
    fan = [Body((i * 40, 0, i * 40 + 84, 117), 0.9) for i in range(5)]
    assert len(distinct(fan)) == 5
    assert distinct([Body((0, 0, 84, 117), 0.3)]) == ()
    assert distinct([Body((0, 0, 300, 117), 0.9)], largest=150) == ()


def test_v9_bodies_alone_never_get_a_name() -> None:
    merged = merge([], (Body((0, 0, 84, 117), 0.99),), LIMITS)
    assert merged.cards == ()
    assert merged.doubts == ()


@pytest.mark.parametrize("more", [{"index": 0.3}, {"found": 0.2}])
def test_clutter_is_dropped(more: dict[str, float]) -> None:
    merged = merge([see("9h", 50, 50, 0.99, None, **more)], (), LIMITS)
    assert merged.cards == ()


def chance(*pairs: tuple[str, float]) -> tuple[tuple[Card, float], ...]:
    return tuple((Card.parse(name), p) for name, p in pairs)


def test_agreement_strengthens_but_less_than_independence_would() -> None:
    one = chance(("Kd", 0.8), ("Kh", 0.2))
    assert pool([one]) == one
    two, four = pool([one, one])[0][1], pool([one] * 4)[0][1]
    assert 0.8 < two < 0.64 / 0.68
    assert two < four < 0.95, "corners of one card err together"


def test_corners_that_contradict_leave_a_doubt() -> None:
    pooled = pool([chance(("Qd", 0.91), ("Qh", 0.06)), chance(("Qh", 0.84), ("Qd", 0.13))])
    assert str(pooled[0][0]) == "Qd"
    assert 0.5 < pooled[0][1] < 0.9


def test_what_the_candidates_leave_open_counts() -> None:
    assert pool([chance(("Qd", 0.6)), chance(("Qd", 0.6))])[0][1] < 0.7


def test_four_corners_of_a_body_decide_together() -> None:
    spots = [(12, 17), (72, 17), (12, 100), (72, 100)]
    says = [("Qd", 0.92), ("Qh", 0.8), ("Qh", 0.7), ("Qd", 0.5)]
    other = {"Qd": "Qh", "Qh": "Qd"}
    corners = [
        see(name, 100 + x, 100 + y, p, other[name])
        for (x, y), (name, p) in zip(spots, says, strict=True)
    ]
    merged = merge(corners, (Body((100, 100, 184, 217), 0.9),), LIMITS)
    assert merged.cards == ()
    assert len(merged.doubts) == 1


boxes = st.tuples(st.floats(0, 1200), st.floats(0, 700), st.floats(8, 60), st.floats(8, 60)).map(
    lambda v: (v[0], v[1], v[0] + v[2], v[1] + v[3])
)
chances = st.lists(st.sampled_from(DECK), min_size=1, max_size=3, unique=True).flatmap(
    lambda cards: st.floats(0.35, 1.0).map(
        lambda p: tuple((card, p if i == 0 else (1 - p) / (i + 1)) for i, card in enumerate(cards))
    )
)
ups = st.none() | st.floats(0, 2 * math.pi).map(lambda angle: (math.cos(angle), math.sin(angle)))
sightings = st.lists(
    st.builds(Sighting, boxes, st.floats(0.2, 1), st.floats(0.2, 1), chances, ups), max_size=14
)
bodies = st.lists(st.builds(Body, boxes, st.floats(0.3, 1)), max_size=8)


PLACES = {"top left": (112, 117), "top right": (146, 117), "low left": (112, 200)}
"""Indices of a foreshortened card with one in each corner: the upper two stand close together."""


def _slender(names: str = "9h 9h 9h 9h") -> tuple[list[Sighting], Body]:
    places = [*PLACES.values(), (146, 200)]
    return (
        [see(name, *place) for name, place in zip(names.split(), places, strict=False)],
        Body((100, 100, 158, 217), 0.9),
    )


@pytest.mark.parametrize("count", [3, 4])
def test_v1_the_corners_of_a_foreshortened_card_are_one_card(count: int) -> None:
    corners, body = _slender()
    merged = merge(corners[:count], (body,), LIMITS)
    assert [(str(c.card), len(c.boxes)) for c in merged.cards] == [("9h", count)]
    assert merged.doubts == ()


@pytest.mark.parametrize("x", [40, 160, 226])
def test_v1_a_fifth_index_of_the_name_beside_them_is_a_conflict(x: int) -> None:
    corners, body = _slender()
    merged = merge([*corners, see("9h", x, 117)], (body, Body((x - 12, 100, x + 46, 217), 0.9)))
    assert "9h" not in {str(c.card) for c in merged.cards}
    assert {d.why for d in merged.doubts} == {"conflict"}


def test_v1_two_near_corners_of_a_card_with_large_indices_are_one_card() -> None:
    seen = [see("Ac", 112, 117), see("Ac", 147, 117)]
    (card,) = merge(seen, [Body((100, 100, 160, 190), 0.9)], LIMITS).cards
    assert str(card.card) == "Ac" and len(card.boxes) == 2
    two = [Body((100, 100, 160, 190), 0.9), Body((137, 100, 197, 190), 0.9)]
    for bodies in (two, []):
        merged = merge(seen, bodies, LIMITS)
        assert [doubt.why for doubt in merged.doubts] == ["conflict", "conflict"]


@pytest.mark.parametrize("shift", [16, 24, 34])
def test_v5_left_indices_of_two_fanned_cards_of_one_name_are_a_conflict(shift: int) -> None:
    seen = [see("9h", 112 + dx, y) for dx in (0, shift) for y in (117, 200)]
    bodies = tuple(Body((100 + dx, 100, 184 + dx, 217), 0.9) for dx in (0, shift))
    merged = merge(seen, bodies, LIMITS)
    assert merged.cards == ()
    assert {d.why for d in merged.doubts} == {"conflict"}


@given(sightings, bodies, st.none() | st.floats(20, 400))
def test_v5_no_name_is_given_twice_whatever_is_seen(
    seen: list[Sighting], lying: list[Body], reach: float | None
) -> None:
    merged = merge(seen, lying, LIMITS, reach)
    names = [c.card for c in merged.cards]
    assert len(names) == len(set(names))
    assert [c.confidence for c in merged.cards] == sorted(
        (c.confidence for c in merged.cards), reverse=True
    )
    for card in merged.cards:
        assert card.confidence >= LIMITS.name
        assert any(s.box in card.boxes and s.candidates[0][0] == card.card for s in seen)


@given(sightings, bodies)
def test_nothing_likely_is_lost(seen: list[Sighting], lying: list[Body]) -> None:
    """Every sighting that is an index is a card's box, a question, or twin of a question."""
    merged = merge(seen, lying, LIMITS)
    told: list[Box] = [b for c in merged.cards for b in c.boxes] + [d.box for d in merged.doubts]
    asked = {d.candidates[0][0] for d in merged.doubts}
    for s in seen:
        likely = s.index >= LIMITS.index and s.found * s.index >= max(LIMITS.doubt, LIMITS.find)
        if likely and s.found >= LIMITS.find:
            assert s.box in told or asked, "it is in a question's group"


@given(sightings, bodies, st.randoms(use_true_random=False))
def test_order_does_not_matter(seen: list[Sighting], lying: list[Body], random: object) -> None:
    shuffled = list(seen)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = merge(seen, lying, LIMITS), merge(shuffled, lying, LIMITS)
    assert {c.card for c in one.cards} == {c.card for c in other.cards}
    assert len(one.doubts) == len(other.doubts)


@given(st.lists(chances, min_size=1, max_size=4))
def test_pooled_opinions_are_probabilities(opinions: list) -> None:  # type: ignore[type-arg]
    pooled = pool(opinions)
    values = [p for _, p in pooled]
    assert values == sorted(values, reverse=True)
    assert sum(values) <= 1 + 1e-9
    assert {card for card, _ in pooled} == {card for opinion in opinions for card, _ in opinion}


@given(boxes, boxes)
def test_iou_is_symmetric(one: Box, other: Box) -> None:
    assert iou(one, other) == pytest.approx(iou(other, one))
    assert 0 <= iou(one, other) <= 1 + 1e-9
    assert iou(one, one) == pytest.approx(1)


def test_thresholds_come_from_settings_and_bad_ones_are_named() -> None:
    assert Thresholds.from_settings({"name": 0.97}).name == 0.97
    with pytest.raises(ValueError, match=r"thresholds\.name"):
        Thresholds.from_settings({"name": 97})
