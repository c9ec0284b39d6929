"""The renderer's labels, and one small round of each step of the training. Needs the extra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kiosk.cards import Card
from models.training.art_decks import HELD_OUT as HELD_OUT_DECKS
from models.training.art_decks import art_decks
from models.training.bend import Bend
from models.training.faces import FACE_H, FACE_W, DeckStyle
from models.training.finder_data import build_scenes
from models.training.fonts import HELD_OUT, font_files
from models.training.namer_data import STORE, build_rendered
from models.training.namer_net import INPUT, NamerNet, grown
from models.training.painter import Painter
from models.training.scene_decks import Deck
from models.training.scenes import placement, random_scene
from models.training.train_namer import Pool, loss_of, pose_loss, to_input

pytestmark = pytest.mark.train


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_held_out_typefaces_are_never_in_a_training_deck() -> None:
    names = {path.name for path in font_files(held_out=False)}
    assert len(names) >= 40
    assert not any(part.lower() in name.lower() for part in HELD_OUT for name in names)
    styles = [DeckStyle.random(rng(seed)) for seed in range(30)]
    assert {style.font.name for style in styles} <= names


def test_a_covered_index_loses_its_label() -> None:
    deck = Deck(DeckStyle.random(rng()))
    painter = Painter(np.zeros((400, 400, 3), np.uint8))
    painter.card(deck, Card.parse("As"), placement(0.5, 0, 150, 200))
    before, bodies = painter.labels()
    assert {str(label.card) for label in before} == {"As"} and len(bodies) == 1
    x1, y1, x2, y2 = before[0].box
    mask = np.zeros((400, 400), np.uint8)
    mask[int(y1) - 4 : int(y2) + 4, int(x1) - 4 : int(x2) + 4] = 255
    painter.cover(mask, np.array((10, 10, 10)))
    after, _ = painter.labels()
    assert len(after) == len(before) - 1


def test_index_boxes_lie_on_the_card_and_hold_its_ink() -> None:
    deck = Deck(DeckStyle.random(rng(4)))
    for name in ("As", "Td", "9h", "6c", "Qc"):
        face, boxes = deck.face(Card.parse(name))
        paper = np.array(deck.style.paper)
        for x1, y1, x2, y2 in boxes:
            assert 0 <= x1 < x2 <= FACE_W and 0 <= y1 < y2 <= FACE_H
            part = face[int(y1) : int(y2), int(x1) : int(x2)].astype(int)
            assert (np.abs(part - paper).sum(-1) > 120).mean() > 0.1


def test_scenes_repeat_with_their_seed_and_label_inside_the_picture() -> None:
    decks = [Deck(DeckStyle.random(rng(2)))]
    one, other = (random_scene(rng(9), decks) for _ in range(2))
    assert np.array_equal(one.picture, other.picture) and one.indices == other.indices
    for scene in (random_scene(rng(seed), decks) for seed in range(6)):
        for label in scene.indices:
            assert -2 <= label.box[0] < label.box[2] <= 322
            assert -2 <= label.box[1] < label.box[3] <= 322


def test_finder_data_is_in_ultralytics_layout(tmp_path: Path) -> None:
    build_scenes(tmp_path, 6, seed=3, held_out=False)
    pictures = sorted((tmp_path / "images/train").glob("*.jpg"))
    labels = sorted((tmp_path / "labels/train").glob("*.txt"))
    assert len(pictures) == len(labels) == 6
    rows = [line.split() for path in labels for line in path.read_text().splitlines()]
    assert {row[0] for row in rows} <= {"0", "1"} and len(rows) > 6
    assert all(0 <= float(value) <= 1 for row in rows for value in row[1:])


@pytest.mark.parametrize("along", [True, False])
def test_boxes_follow_a_bent_card(along: bool) -> None:
    face = np.zeros((FACE_H, FACE_W, 3), np.uint8)
    box = (20, 24, 60, 90)
    face[box[1] : box[3], box[0] : box[2]] = 200
    bend = Bend(0.03, 0.0, along)
    bent, _ = bend.picture(face, np.full((FACE_H, FACE_W), 255, np.uint8))
    rows, columns = np.nonzero(bent[..., 0] > 100)
    (moved,) = bend.boxes(np.array([box]), (FACE_W, FACE_H))
    middle = (moved[:2] + moved[2:]) / 2
    assert np.hypot(columns.mean() - middle[0] + 0.5, rows.mean() - middle[1] + 0.5) < 1.5
    assert np.abs(moved - box).max() > 1.0


def test_a_deeper_namer_begins_as_the_shallower_one() -> None:
    import torch

    torch.manual_seed(3)
    shallow = NamerNet(depths=(1, 1, 1)).eval()
    deeper = grown(NamerNet(), shallow.state_dict()).eval()
    crops = torch.rand(4, 3, INPUT, INPUT)
    assert torch.equal(deeper(crops), shallow(crops))
    with pytest.raises(ValueError, match="another net"):
        grown(NamerNet(), {"head.0.weight": shallow.head[0].weight, "tail": crops})


def test_namer_learns_from_rendered_cut_outs(tmp_path: Path) -> None:
    import torch

    build_rendered(tmp_path, 150, seed=5, held_out=False)
    pool = Pool(sorted(tmp_path.glob("*.npz")))
    assert pool.crops.shape[1:] == (STORE, STORE, 3) and (pool.rank >= 0).sum() >= 150
    torch.manual_seed(1)
    model = NamerNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    assert len(pool.posed) == (pool.rank >= 0).sum(), "every rendered index says how it stands"
    crops, rank, suit, pose = (torch.from_numpy(part) for part in pool.draw(rng(), 96))
    x, moved = to_input(crops, None, pose)
    assert moved is not None
    losses = []
    for _ in range(12):
        logits, found = model.both(x)
        loss = loss_of(logits, rank, suit) + pose_loss(found, moved)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] * 0.8


def test_artwork_decks_have_indices_of_their_own_and_none_is_in_both_halves() -> None:
    training, held = art_decks(held_out=False), art_decks(held_out=True)
    assert len(training) >= 10 and len(held) >= 3
    names = {deck.name.split("/")[0] for deck in training}
    assert not names & set(HELD_OUT_DECKS) and {d.name for d in held} <= set(HELD_OUT_DECKS)
    for deck in (*training, *held):
        assert len(deck.faces) == 52, deck.name
        for face, boxes in deck.faces.values():
            assert face.shape == (FACE_H, FACE_W, 3) and len(boxes) in (2, 4)
            x1, y1, x2, y2 = boxes[0]
            assert 0 <= x1 < x2 < FACE_W / 2 and 0 <= y1 < y2 < FACE_H / 2
            part = face[int(y1) : int(y2), int(x1) : int(x2)].astype(int)
            assert part.std() > 15, deck.name


def test_a_scene_of_a_table_shows_each_card_once() -> None:
    decks = [Deck(DeckStyle.random(rng(3)))]
    for seed in range(5):
        scene = random_scene(rng(seed), decks, 320, once=True)
        for card in {label.card for label in scene.indices}:
            assert sum(label.card == card for label in scene.indices) <= 4
