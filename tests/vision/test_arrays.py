"""Arithmetic around the networks: letterbox, decoding, suppression, cut-outs, second looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cards import DECK
from kiosk.vision.boxes import drop_parts, suppress
from kiosk.vision.closer import GOOD_PX, INDEX_PER_BODY, second_looks
from kiosk.vision.finder import as_tensor, decode, letterbox
from kiosk.vision.namer import CROP, Temperatures, candidates, cut, probabilities
from kiosk.vision.reader import tiles
from kiosk.vision.sources.ring import Head, Ring


@pytest.mark.parametrize(("size", "scale"), [((720, 1280), 1.0), ((500, 333), 0.37), ((9, 7), 1)])
def test_letterbox_keeps_colours_and_fits_the_stride(size: tuple[int, int], scale: float) -> None:
    image = np.zeros((*size, 3), np.uint8)
    image[:] = (10, 20, 250)
    canvas, real = letterbox(image, scale)
    tensor = as_tensor(canvas)
    assert tensor.shape[2] % 32 == tensor.shape[3] % 32 == 0
    assert tensor[0, :, 0, 0] * 255 == pytest.approx([250, 20, 10], abs=1)
    assert real == pytest.approx((scale, scale), rel=0.2)
    assert tensor.dtype == np.float32


def test_decode_gives_boxes_in_picture_pixels() -> None:
    output = np.zeros((6, 4), np.float32)
    output[:, 0] = (100, 60, 20, 40, 0.9, 0.1)
    output[:, 1] = (101, 61, 20, 40, 0.8, 0.1)
    output[:, 2] = (200, 100, 80, 120, 0.0, 0.7)
    output[:, 3] = (300, 100, 20, 40, 0.2, 0.0)
    found = decode(output, 0.25, (0.5, 0.5), (720, 1280))
    assert found.indices.tolist() == [pytest.approx([180, 80, 220, 160, 0.9])]
    assert found.bodies.tolist() == [pytest.approx([320, 80, 480, 320, 0.7])]


rows = st.lists(
    st.tuples(
        st.floats(0, 100), st.floats(0, 100), st.floats(2, 60), st.floats(2, 60), st.floats(0, 1)
    ),
    max_size=25,
).map(
    lambda r: np.array([(x, y, x + w, y + h, s) for x, y, w, h, s in r], np.float32).reshape(-1, 5)
)


def _iou(a: np.ndarray, b: np.ndarray) -> float:
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    inter = max(0.0, float(w)) * max(0.0, float(h))
    areas = [float((r[2] - r[0]) * (r[3] - r[1])) for r in (a, b)]
    return inter / (sum(areas) - inter)


@given(rows, st.floats(0.1, 0.9))
def test_suppression_against_the_plain_definition(boxes: np.ndarray, limit: float) -> None:
    kept: list[np.ndarray] = []
    for row in sorted(boxes, key=lambda r: -r[4]):
        if all(_iou(row, other) <= limit for other in kept):
            kept.append(row)
    got = suppress(boxes, limit)
    assert len(got) == len(kept) or any(
        abs(_iou(a, b) - limit) < 1e-4 for a in boxes for b in boxes
    )
    assert list(got[:, 4]) == sorted(got[:, 4], reverse=True)
    assert len(drop_parts(boxes, 0.7)) <= len(boxes)


def test_a_piece_at_a_tiles_edge_is_dropped() -> None:
    whole, piece = [0, 0, 40, 40, 0.9], [0, 20, 40, 40, 0.6]
    assert len(drop_parts(np.array([whole, piece], np.float32), 0.7)) == 1


@pytest.mark.parametrize("side", [4, 14, 30, 90, 400])
def test_the_cut_out_has_the_index_in_its_middle_at_one_size(side: int) -> None:
    image = np.zeros((600, 800, 3), np.uint8)
    x, y = 280, 90
    image[y : y + side, x : x + side // 2] = 255
    crop = cut(image, (x, y, x + side // 2, y + side))
    assert crop.shape == (CROP, CROP, 3)
    ys, xs = np.nonzero(crop[:, :, 0] > 127)
    # The namer was trained on cut-outs placed by whole pixels: half a picture pixel off.
    slack = 1 + 0.5 * CROP / (1.3 * side)
    assert np.mean(xs) == pytest.approx(CROP / 2, abs=slack)
    assert np.mean(ys) == pytest.approx(CROP / 2, abs=slack)
    assert np.ptp(ys) == pytest.approx(CROP / 1.3, abs=5)


def test_a_cut_out_at_the_pictures_edge_repeats_it() -> None:
    image = np.full((100, 100, 3), 77, np.uint8)
    assert np.all(cut(image, (-5, -5, 20, 30)) == 77)
    assert np.all(cut(image, (0, 0, 100, 100)) == 77)


def test_probabilities_add_up_and_temperature_softens() -> None:
    logits = np.random.default_rng(1).normal(0, 4, (5, 18)).astype(np.float32)
    sharp = probabilities(logits, Temperatures())
    soft = probabilities(logits, Temperatures(3, 3, 3))
    for ranks, suits, index in (sharp, soft):
        assert ranks.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-5)
        assert suits.sum(axis=1) == pytest.approx(np.ones(5), abs=1e-5)
        assert ((index >= 0) & (index <= 1)).all()
    assert (soft[0].max(axis=1) < sharp[0].max(axis=1)).all()
    with pytest.raises(ValueError, match=r"temperatures\.suit"):
        Temperatures.from_settings({"suit": 0})


@pytest.mark.parametrize("card", DECK, ids=str)
def test_candidates_use_the_decks_order_of_ranks_and_suits(card) -> None:  # type: ignore[no-untyped-def]
    ranks = np.full(13, 0.01, np.float32)
    suits = np.full(4, 0.02, np.float32)
    ranks["23456789TJQKA".index(card.rank)] = 0.88
    suits["cdhs".index(card.suit)] = 0.94
    best = candidates(ranks, suits)
    assert best[0] == (card, pytest.approx(0.88 * 0.94))
    assert [p for _, p in best] == sorted((p for _, p in best), reverse=True)


SIZE = (4000, 3000)


def index_boxes(tall: float) -> list[tuple[float, float, float, float]]:
    return [(100 + i * 300, 200, 100 + i * 300 + tall / 2, 200 + tall) for i in range(5)]


def test_a_second_look_only_where_the_first_had_the_wrong_scale() -> None:
    assert second_looks(SIZE, 0.16, index_boxes(GOOD_PX / 0.16), []) == ()
    assert second_looks(SIZE, 0.16, [], []) == ()
    (far,) = second_looks(SIZE, 0.16, index_boxes(100), [])
    assert far.region == (0, 0, *SIZE)
    assert 100 * far.scale == pytest.approx(GOOD_PX)
    (near,) = second_looks((640, 480), 1.0, index_boxes(90), [])
    assert 90 * near.scale == pytest.approx(GOOD_PX)


def test_small_cards_in_a_large_picture_are_looked_at_in_parts() -> None:
    bodies = [(1000.0, 1000.0, 1150.0, 1220.0), (3000.0, 500.0, 3150.0, 720.0)]
    looks = second_looks(SIZE, 0.16, [], bodies)
    assert len(looks) == 2
    for (x1, y1, x2, y2), look in zip(bodies, sorted(looks, key=lambda s: s.region), strict=True):
        assert look.region[0] < x1 < x2 < look.region[2]
        assert look.region[1] < y1 < y2 < look.region[3]
        assert 220 * INDEX_PER_BODY * look.scale == pytest.approx(GOOD_PX)


bodies = st.lists(
    st.tuples(st.floats(0, 3500), st.floats(0, 2500), st.floats(30, 900), st.floats(30, 900)).map(
        lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
    ),
    max_size=12,
)


@given(bodies, st.floats(0.2, 1.0))
def test_second_looks_stay_in_the_picture_and_the_budget(lying: list, scale: float) -> None:  # type: ignore[type-arg]
    looks = second_looks((4000, 3000), scale, [], lying, budget=1e6)
    assert sum(look.cost for look in looks) <= 1.0001e6
    for look in looks:
        x1, y1, x2, y2 = look.region
        assert 0 <= x1 < x2 <= 4000
        assert 0 <= y1 < y2 <= 3000


@given(st.integers(1, 9000), st.integers(1, 9000), st.integers(1, 12))
def test_tiles_cover_the_picture(width: int, height: int, most: int) -> None:
    parts = tiles(width, height, 1024, most)
    assert 1 <= len(parts) <= most
    for x, y in ((0, 0), (width - 1, height - 1), (width // 2, height // 3)):
        assert any(x1 <= x < x2 and y1 <= y < y2 for x1, y1, x2, y2 in parts)


def test_the_ring_gives_the_newest_frame_whole() -> None:
    ring = Ring(8, 6)
    other = Ring(8, 6, ring.name)
    try:
        assert ring.read() is None
        for number in range(1, 9):
            other.write(
                np.full((6, 8, 3), number, np.uint8), Head(number, number / 10, 0.0, number, 9)
            )
            got = ring.read()
            assert got is not None
            head, image = got
            assert (head.number, head.print) == (number, number)
            assert (image == number).all()
    finally:
        other.close()
        ring.close()
