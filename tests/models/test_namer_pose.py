"""How an index stands: labelled by the renderer, kept through turning, set upright by the net."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
import torch

from kiosk.cards import Card
from models.training.faces import FACE_H, FACE_W, DeckStyle
from models.training.namer_data import SPAN, STORE, STORE_SPAN, cut, pose_of
from models.training.namer_net import INPUT, UPRIGHT_SPAN, NamerNet, grown, upright
from models.training.painter import Painter
from models.training.scene_decks import Deck
from models.training.scenes import placement
from models.training.train_namer import pose_loss, to_input

pytestmark = pytest.mark.train

TURNS = (0, 35, 90, 160, 180, 250, 305)


def laid(turn: float) -> tuple[np.ndarray, Painter]:
    """A seven of spades on grey felt, turned; its suit stands below its rank."""
    style = replace(DeckStyle.random(np.random.default_rng(4)), beside=False)
    deck = Deck(style)
    painter = Painter(np.full((500, 500, 3), 90, np.uint8))
    painter.card(deck, Card.parse("7s"), placement(0.9, turn, 250, 250), shade=0)
    return painter.canvas, painter


@pytest.mark.parametrize("turn", TURNS)
def test_both_corners_of_a_card_say_how_they_stand(turn: float) -> None:
    _, painter = laid(turn)
    indices, _ = painter.labels()
    assert len(indices) >= 2
    angles = []
    for label in indices[:2]:
        across = label.quad[1] - label.quad[0]
        angles.append(math.degrees(math.atan2(across[1], across[0])))
        assert np.allclose(label.quad.min(0), label.box[:2]) and len(label.quad) == 4
    assert abs(between(angles[0], turn)) < 1
    assert abs(between(angles[1], turn + 180)) < 1, "the lower one is upside down"


def between(one: float, other: float) -> float:
    """The angle from one direction to another, -180 … 180 degrees."""
    return (one - other + 180) % 360 - 180


@pytest.mark.parametrize("turn", TURNS[1:])
def test_a_known_pose_sets_the_index_upright(turn: float) -> None:
    shown = [upright_index(angle) for angle in (0.0, turn)]
    likeness = np.corrcoef(shown[0].ravel(), shown[1].ravel())[0, 1]
    assert likeness > 0.93
    # Rank above suit: what stands on its head is something else.
    assert np.corrcoef(shown[0].ravel(), shown[1][::-1, ::-1].ravel())[0, 1] < 0.8


def upright_index(turn: float) -> np.ndarray:
    """The first index of the turned card as the naming network sees it, grey."""
    picture, painter = laid(turn)
    label = painter.labels()[0][0]
    x1, y1, x2, y2 = label.box
    centre, side = ((x1 + x2) / 2, (y1 + y2) / 2), max(x2 - x1, y2 - y1) * STORE_SPAN
    stored = torch.from_numpy(cut(picture, centre, side)[None])
    pose = torch.from_numpy(pose_of(label.quad, centre, side)[None])
    crops, moved = to_input(stored, None, pose)
    assert moved is not None
    found = upright(crops, as_found(moved), NamerNet().squares)
    return np.asarray(found[0].mean(0))


def as_found(pose: torch.Tensor) -> torch.Tensor:
    """True poses (n, 3, 2) as the network would give them, (n, 6)."""
    middle, across, down = pose.unbind(1)
    sides = torch.stack([across.norm(dim=1), down.norm(dim=1)], 1).log()
    return torch.cat([across, sides, middle], 1)


def test_an_upright_index_fills_its_share() -> None:
    ink = upright_index(0) < 0.45
    rows = np.flatnonzero(ink[:, INPUT // 3 : -INPUT // 3].any(1))
    assert (rows[-1] - rows[0] + 1) / INPUT == pytest.approx(1 / UPRIGHT_SPAN, abs=0.12)


def test_poses_turn_with_what_is_turned_for_training() -> None:
    """A dot at the pose's upper left corner is there in the augmented cut-out too."""
    pose = np.array([[0.05, -0.02], [0.2, 0.1], [-0.15, 0.3]], np.float32)
    corner = (pose[0] - pose[1] - pose[2] + 1) * STORE / 2
    stored = np.zeros((STORE, STORE, 3), np.uint8)
    cv2.circle(stored, (round(float(corner[0])), round(float(corner[1]))), 3, (255, 255, 255), -1)
    many = torch.from_numpy(np.repeat(stored[None], 40, 0))
    generator = torch.Generator().manual_seed(2)
    crops, moved = to_input(many, generator, torch.from_numpy(np.repeat(pose[None], 40, 0)))
    assert moved is not None
    seen = 0
    for crop, (middle, across, down) in zip(crops.mean(1), moved, strict=True):
        x, y = ((middle - across - down) + 1) * INPUT / 2
        if not (3 < x < INPUT - 3 and 3 < y < INPUT - 3):
            continue
        row, column = divmod(int(crop.argmax()), INPUT)
        assert abs(column + 0.5 - float(x)) < 4 and abs(row + 0.5 - float(y)) < 4
        seen += 1
    assert seen > 20
    assert SPAN < STORE_SPAN


def test_a_true_pose_costs_nothing_and_an_unknown_one_does_not_count() -> None:
    pose = torch.tensor([[[0.0, 0.1], [0.3, 0.1], [-0.2, 0.6]], [[math.nan] * 2] * 3])
    true = as_found(pose)
    true[1] = 5.0
    assert float(pose_loss(true, pose)) < 0.01
    turned = true.clone()
    turned[0, :2] = -turned[0, :2]
    assert float(pose_loss(turned, pose)) > 1.5
    assert float(pose_loss(true[1:], pose[1:])) == 0


@pytest.mark.parametrize("seed", range(12))
def test_index_height_is_that_of_the_boxes(seed: int) -> None:
    """A suit beside its rank makes an index no taller."""
    rng = np.random.default_rng(seed)
    style = DeckStyle.random(rng)
    for beside in (False, True):
        deck = Deck(replace(style, beside=beside))
        _, boxes = deck.face(Card.parse("8d"))
        assert boxes[0][3] - boxes[0][1] == pytest.approx(deck.index_height, abs=1)
        assert boxes[0][2] - boxes[0][0] < FACE_W and boxes[0][3] < FACE_H


def test_weights_without_a_pose_are_begun_with_and_never_exported() -> None:
    old = {k: v for k, v in NamerNet().state_dict().items() if not k.startswith("pose.")}
    net = grown(NamerNet(), old, new_pose=True)
    assert torch.equal(net.state_dict()["head.3.bias"], old["head.3.bias"])
    with pytest.raises(ValueError, match="weights of another net"):
        grown(NamerNet(), old)
