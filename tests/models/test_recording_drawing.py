"""The renderer of the bundled recording. Needs the training extra (fonts and their library)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("fontTools")
pytest.importorskip("PIL")

from calibration.polygon import bounds, contains
from kiosk.cards import Card
from models.training.faces import FACE_H, FACE_W, index_picture
from models.training.fonts import HELD_OUT
from models.training.recording import PX_PER_CM
from models.training.recording.camera import Camera
from models.training.recording.deck import casino_style, draw_face
from models.training.recording.rounds import direct
from models.training.recording.stage import Stage
from models.training.recording.truth import payments

pytestmark = pytest.mark.train


def test_deck_uses_a_held_out_typeface_and_drawn_held_out_pips() -> None:
    style = casino_style(np.random.default_rng(3))
    assert any(part in style.font.name for part in HELD_OUT)
    assert style.pips.font is None and style.pips.width < 0.75


def test_v10_index_is_at_least_26_pixels_high() -> None:
    style = casino_style(np.random.default_rng(3))
    for rank in "23456789TJQKA":
        for suit in "cdhs":
            mask, _ = index_picture(style, rank, suit)
            assert mask.shape[0] * 8.8 / FACE_H * PX_PER_CM >= 26


def test_faces_look_the_same_when_turned_for_courts() -> None:
    style = casino_style(np.random.default_rng(3))
    face = draw_face(style, Card("K", "h")).astype(int)
    assert face.shape == (FACE_H, FACE_W, 3)
    inner = face[8:-8, 8:-8]
    assert np.abs(inner - inner[::-1, ::-1]).mean() < 6


def test_opened_cards_lie_inside_their_zone_with_every_index_free() -> None:
    director, acts = direct(7, payments())
    for act in acts:
        for shown in act.shown:
            corners = next(
                zone.corners for zone in director.places.layout.zones if zone.id == shown.zone
            )
            x1, y1, x2, y2 = bounds(corners)
            moment = shown.since + 0.1
            lying = {t.card: t.at(moment) for t in director.things if t.card and t.at(moment)}
            poses = [lying[card] for card in shown.cards]
            for pose in poses:
                assert pose is not None and pose.face == 1 and contains(corners, (pose.x, pose.y))
                assert x1 - 0.2 <= pose.x - 3.15 and pose.x + 3.15 <= x2 + 0.2
                assert y1 <= pose.y - 4.4 and pose.y + 4.4 <= y2
            steps = [b.x - a.x for a, b in itertools.pairwise(poses) if a and b]
            assert min(steps) > 2.2, "a card covers its neighbour's index"


def test_no_hand_is_near_an_opened_box_while_it_is_read() -> None:
    director, acts = direct(7, payments())
    for act in acts:
        for shown in act.shown[1:]:
            for moment in np.arange(shown.since, shown.since + 3.0, 0.1):
                for hand in director.hands.values():
                    pose = hand.at(float(moment))
                    assert pose is not None and (pose.y < 0 or pose.y > 66), (shown, moment)


def test_same_seed_same_picture() -> None:
    director, _ = direct(5, payments())
    pictures = [Camera(5).shoot(Stage(director, 5).paint(8.0), 96) for _ in range(2)]
    assert np.array_equal(pictures[0], pictures[1])
    assert pictures[0].shape == (720, 1280, 3)
