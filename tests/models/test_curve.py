"""What counts as lying there, half seen, clear and wrong in the curve of recall (needs torch)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kiosk.cards import DECK
from kiosk.sightings import ReadCard
from kiosk.vision.merge import Merged
from kiosk.vision.reader import open_reader
from models.training.curve import Count, judge, live, photographed, wrong_names
from models.training.namer_data import UNSURE
from models.training.scenes import Scene, clearness, random_deck, random_scene
from models.training.train_namer import loss_of

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    rng = np.random.default_rng(3)
    return [
        random_scene(rng, [random_deck(rng, art_share=0)], 400, (24, 32), once=True)
        for _ in range(6)
    ]


def test_a_half_index_is_no_whole_one(scenes: list[Scene]) -> None:
    halves = [(scene, half) for scene in scenes for half in scene.halves]
    assert len(halves) > 10
    for scene, half in halves:
        whole = [label.box for label in scene.indices if label.card == half.card]
        assert not any(np.allclose(half.box, box) for box in whole)
        x1, y1, x2, y2 = half.seen_box
        assert 0 <= x1 < x2 <= 400 and 0 <= y1 < y2 <= 400


def test_a_name_is_wrong_where_no_such_card_lies(scenes: list[Scene]) -> None:
    for scene in scenes:
        lying = {one.card for one in scene.lying}
        other = next(card for card in DECK if card not in lying)
        for label in scene.indices:
            right = ReadCard(label.card, 0.99, (label.box,))
            assert wrong_names(scene, Merged((right,))) == 0
            assert wrong_names(scene, Merged((right, ReadCard(other, 0.99, (label.box,))))) == 1


def test_a_name_is_wrong_where_that_card_does_not_lie(scenes: list[Scene]) -> None:
    scene = next(s for s in scenes if s.indices)
    card = ReadCard(scene.indices[0].card, 0.99, ((4000.0, 4000.0, 4020.0, 4030.0),))
    assert wrong_names(scene, Merged((card,))) == 1


def test_an_index_as_painted_is_clear_and_one_that_is_gone_is_not(scenes: list[Scene]) -> None:
    scene = next(s for s in scenes if s.indices and s.canvas is not None)
    assert scene.canvas is not None
    box = scene.indices[0].box
    same = Scene(scene.canvas, scene.indices, scene.bodies, scene.lying, scene.canvas)
    assert clearness(same, box) == pytest.approx(1.0)
    blank = Scene(np.full_like(scene.canvas, 90), scene.indices, (), (), scene.canvas)
    assert clearness(blank, box) == 0.0


def test_an_unsure_cut_out_is_best_when_nothing_is_likelier() -> None:
    number = torch.tensor([UNSURE, 3])
    flat, sure = torch.zeros(2, 18), torch.zeros(2, 18)
    sure[0, 5] = 8.0
    assert loss_of(flat, number, number) < loss_of(sure, number, number)
    # Whether it is an index at all is not asked of it.
    other = flat.clone()
    other[0, 17] = 9.0
    assert loss_of(other, number, number) == loss_of(flat, number, number)


def test_a_still_table_is_read_no_worse_than_a_photograph(scenes: list[Scene]) -> None:
    reader, counts = open_reader(), []
    for look in (photographed, live):
        count = Count()
        for scene in scenes:
            judge(scene, look(reader, scene), count)
        counts.append(count)
    once, still = counts
    assert once.cards == still.cards > 20
    assert still.read >= 0.7 * still.cards
    assert still.wrong <= max(1, once.wrong)
