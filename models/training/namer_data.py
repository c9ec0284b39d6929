"""Cut-outs for the namer: rendered dense pictures, real index boxes, and things that are no index.

    python -m models.training.namer_data OUT --photos DIR --cutouts 300000 --seed 1

Writes shards ``*.npz`` with ``crops`` (n, 72, 72, 3) uint8 BGR, ``rank`` and ``suit`` (n,) int8
(-1 for no index, UNSURE for one that is covered in part), and ``pose`` (n, 3, 2) float32: middle,
half of the width and half of the height of the upright index as vectors, in halves of the
cut-out's side from its middle; NaN where unknown. A cut-out is centred on the index and
spans STORE_SPAN × its longer side, so that training can still turn, shift and scale it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from kiosk.cards import RANKS, SUITS
from models.training.bend import Bend
from models.training.clutter import chip, finger
from models.training.cut_cards import CutCard, training_cuts
from models.training.degrade import EXPOSURE, TRAINING_EXPOSURE, camera, light
from models.training.folds import NEVER_TRAINED, load_photos
from models.training.painter import Painter
from models.training.photos import masked_photo
from models.training.scene_decks import Deck
from models.training.scenes import (
    BENT_SHARE,
    Scene,
    clearness,
    placement,
    random_deck,
    random_scene,
    view,
)
from models.training.surfaces import surface

STORE, SPAN, STORE_SPAN = 72, 1.3, 1.95
"""Stored size in pixels; spans of the namer's input and of the stored cut-out in longer sides."""


SCENES_OF_A_DECK = 3
"""More cut-outs of fewer decks are learnt by heart."""

UNSURE = -2
"""Stands for rank and suit of an index that may or may not be read."""

TALL, DENSE_TALL = (12.0, 90.0), (11.0, 90.0)
"""Index heights in pixels of scenes and of dense pictures for training. From the next training on:
the weights that ship saw up to 60 and 48."""

HELD_TALL, HELD_DENSE_TALL = (12.0, 60.0), (11.0, 48.0)
"""The same of held-out ones, so that the figures of trainings stay comparable."""

READABLE = 0.6
"""Share of an index that must be seen for it to be unsure; with less of it, it is none."""


def cut(
    picture: np.ndarray, centre: tuple[float, float], side: float, size: int = STORE
) -> np.ndarray:
    """A square of ``side`` pixels around ``centre``, resampled to ``size``; edges are repeated."""
    scale = size / side
    matrix = np.array(
        [[scale, 0, size / 2 - centre[0] * scale], [0, scale, size / 2 - centre[1] * scale]]
    )
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    if scale < 0.6:
        half = side / 2 + 2
        x1, y1 = int(max(0, centre[0] - half)), int(max(0, centre[1] - half))
        part = picture[y1 : int(centre[1] + half) + 1, x1 : int(centre[0] + half) + 1]
        small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        matrix = np.array(
            [
                [1, 0, size / 2 - (centre[0] - x1) * scale],
                [0, 1, size / 2 - (centre[1] - y1) * scale],
            ]
        )
        return cv2.warpAffine(
            small, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return cv2.warpAffine(
        picture, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )


FAIR, UNFAIR_KEPT = 0.8, 0.35
"""Indices less clear than this are hardly to be read by anyone; this share of them is kept, so that
the namer learns how sure to be of such."""

NO_POSE = np.full((3, 2), np.nan, np.float32)


def pose_of(quad: np.ndarray, centre: tuple[float, float], side: float) -> np.ndarray:
    """How an index stands in a cut-out: (3, 2) as in the shards, from its corners in pixels."""
    middle = quad.mean(0) - centre
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    down = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    return np.asarray(np.stack([middle, across, down]) * (2 / side), np.float32)


class Shard:
    """Collects cut-outs and writes them when full."""

    def __init__(self, out: Path, name: str, limit: int = 20000) -> None:
        self.out, self.name, self.limit, self.number = out, name, limit, 0
        self.rows: list[tuple[np.ndarray, int, int, np.ndarray]] = []
        out.mkdir(parents=True, exist_ok=True)

    def add(self, crop: np.ndarray, card: str | None, pose: np.ndarray | None = None) -> None:
        rank, suit = (RANKS.index(card[0]), SUITS.index(card[1])) if card else (-1, -1)
        self.put(crop, rank, suit, pose)

    def put(self, crop: np.ndarray, rank: int, suit: int, pose: np.ndarray | None = None) -> None:
        self.rows.append((crop, rank, suit, NO_POSE if pose is None else pose))
        if len(self.rows) >= self.limit:
            self.flush()

    def flush(self) -> None:
        if not self.rows:
            return
        crops, ranks, suits, poses = zip(*self.rows, strict=True)
        np.savez(
            self.out / f"{self.name}_{self.number:03d}.npz",
            crops=np.stack(crops),
            rank=np.array(ranks, np.int8),
            suit=np.array(suits, np.int8),
            pose=np.array(poses, np.float32),
        )
        self.rows, self.number = [], self.number + 1


def dense_scene(
    rng: np.random.Generator, deck: Deck, size: int = 384, held_out: bool = False
) -> Scene:
    """Many cards so that their indices stand in a jittered grid, later cards over earlier ones."""
    low, high = HELD_DENSE_TALL if held_out else DENSE_TALL
    tall = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    scale = tall / deck.index_height
    painter = Painter(surface(rng, size, size))
    look = view(rng, size, rng.choice([0.0, 0.05, 0.12]))
    step = tall * rng.uniform(1.5, 2.4)
    spots = [(x, y) for y in np.arange(step, size, step) for x in np.arange(step, size, step)]
    rng.shuffle(spots)
    bent = rng.random() < BENT_SHARE
    for x, y in spots[:70]:
        card = deck.cards[int(rng.integers(len(deck.cards)))]
        angle = rng.uniform(0, 360)
        matrix = placement(scale, angle, 0, 0)
        boxes = deck.face(card)[1]
        box = boxes[int(rng.integers(len(boxes)))]
        at = matrix @ ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, 1)
        move = np.array(
            [[1, 0, x - at[0] + rng.normal(0, 2)], [0, 1, y - at[1] + rng.normal(0, 2)], [0, 0, 1]]
        )
        bend = Bend.random(rng) if bent and rng.random() < 0.7 else None
        painter.card(deck, card, look @ move @ matrix, rng.uniform(0, 0.4), bend)
    if rng.random() < 0.3:
        finger(rng, painter, scale * 60)
        chip(rng, painter, scale * 70)
    indices, bodies = painter.labels()
    stops = EXPOSURE if held_out else TRAINING_EXPOSURE
    picture = camera(rng, light(rng, painter.canvas, stops), sharp=0.4 if tall > 18 else 0.7)
    return Scene(picture, indices, bodies, canvas=painter.canvas, halves=painter.halves())


def add_halves(shard: Shard, rng: np.random.Generator, scene: Scene) -> int:
    """All half indices of a scene, cut out as whole ones would be or round what is seen of them;
    where a whole index lies as near the middle, that is what the cut-out shows. How many."""
    whole = np.array([label.box for label in scene.indices]).reshape(-1, 4)
    added = 0
    for half in scene.halves:
        x1, y1, x2, y2 = half.box if rng.random() < 0.5 else half.seen_box
        long_side = max(x2 - x1, y2 - y1)
        if not _far(np.array([(x1 + x2) / 2, (y1 + y2) / 2]), whole, 0.75 * long_side):
            continue
        side = long_side * STORE_SPAN
        number = UNSURE if half.seen >= READABLE else -1
        shard.put(cut(scene.picture, ((x1 + x2) / 2, (y1 + y2) / 2), side), number, number)
        added += 1
    return added


def _far(point: np.ndarray, boxes: np.ndarray, reach: float) -> bool:
    """No box centre within ``reach`` of the point."""
    if not len(boxes):
        return True
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    return bool((np.hypot(*(centres - point).T) > reach).all())


def add_scene(shard: Shard, rng: np.random.Generator, scene: Scene, share: float = 0.2) -> int:
    """The indices of a scene, and some places that show none. How many indices."""
    boxes = np.array([label.box for label in scene.indices]).reshape(-1, 4)
    if not len(boxes):
        return 0
    added = 0
    long_sides = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    for label, long_side in zip(scene.indices, long_sides, strict=True):
        if clearness(scene, label.box) < FAIR and rng.random() > UNFAIR_KEPT:
            continue
        x1, y1, x2, y2 = label.box
        centre, side = ((x1 + x2) / 2, (y1 + y2) / 2), long_side * STORE_SPAN
        pose = pose_of(label.quad, centre, side)
        shard.add(cut(scene.picture, centre, side), str(label.card), pose)
        added += 1
    typical = float(np.median(long_sides))
    for _ in range(round(len(boxes) * share)):
        point = rng.uniform(0, 1, 2) * scene.picture.shape[1::-1]
        if _far(point, boxes, typical * 0.9):
            side = typical * STORE_SPAN * rng.uniform(0.6, 1.5)
            shard.add(cut(scene.picture, (point[0], point[1]), side), None)
    return added


def build_rendered(
    out: Path, count: int, seed: int, held_out: bool, cuts: dict[str, list[CutCard]] | None = None
) -> None:
    """Rendered cut-outs: dense pictures of one deck each, natural scenes in between."""
    rng = np.random.default_rng(seed)
    shard = Shard(out, f"{'held' if held_out else 'render'}{seed}")
    done = 0
    while done < count:
        for dense, scene in _deck_scenes(rng, held_out, cuts, 2):
            done += add_scene(shard, rng, scene, 0.12 if dense else 0.6)
    shard.flush()


def build_halves(
    out: Path, count: int, seed: int, cuts: dict[str, list[CutCard]] | None = None
) -> None:
    """Indices that are covered in part, from the same kinds of scenes."""
    rng = np.random.default_rng(seed)
    shard = Shard(out, f"half{seed}")
    done = 0
    while done < count:
        for _, scene in _deck_scenes(rng, False, cuts, 1):
            done += add_halves(shard, rng, scene)
    shard.flush()


def _deck_scenes(
    rng: np.random.Generator, held_out: bool, cuts: dict[str, list[CutCard]] | None, dense: int
) -> Iterator[tuple[bool, Scene]]:
    """``SCENES_OF_A_DECK`` scenes of one deck, the first ``dense`` of them dense ones (True)."""
    deck = random_deck(rng, held_out, cuts)
    for turn in range(SCENES_OF_A_DECK):
        if turn < dense:
            yield True, dense_scene(rng, deck, held_out=held_out)
        else:
            heights = HELD_TALL if held_out else TALL
            stops = EXPOSURE if held_out else TRAINING_EXPOSURE
            yield False, random_scene(rng, [deck], 320, heights, stops=stops)


def build_real(out: Path, photos: Path, seed: int) -> None:
    """Real index boxes and real places without one, a shard per fold and source."""
    rng = np.random.default_rng(seed)
    shards: dict[str, Shard] = {}
    for photo in load_photos(photos):
        if photo.rank_only or photo.source.startswith(NEVER_TRAINED):
            continue
        name = f"real-{photo.fold}-{photo.source}"
        shard = shards.setdefault(name, Shard(out, name))
        whole = cv2.imread(str(photo.path))
        for mark in (*photo.indices, *photo.assisted, *photo.nothing):
            x1, y1, x2, y2 = mark.box
            side = max(x2 - x1, y2 - y1) * STORE_SPAN
            shard.add(cut(whole, ((x1 + x2) / 2, (y1 + y2) / 2), side), mark.card or None)
        if photo.partial:
            continue
        picture, boxes, _ = masked_photo(photo)
        if len(boxes):
            typical = float(
                np.median(np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]))
            )
            for _ in range(6):
                point = rng.uniform(0, 1, 2) * picture.shape[1::-1]
                if _far(point, boxes, typical * 0.9):
                    side = typical * STORE_SPAN * rng.uniform(0.5, 1.4)
                    shard.add(cut(picture, (point[0], point[1]), side), None)
    for shard in shards.values():
        shard.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--cutouts", type=int, default=300000)
    parser.add_argument("--real-decks", action="store_true", help="lay real cut cards too")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.photos:
        build_real(args.out, args.photos, args.seed)
        build_rendered(args.out, max(500, args.cutouts // 40), args.seed + 500, held_out=True)
    cuts = training_cuts(args.photos) if args.photos and args.real_decks else None
    build_rendered(args.out, args.cutouts, args.seed, held_out=False, cuts=cuts)
    build_halves(args.out, args.cutouts // 10, args.seed, cuts)


if __name__ == "__main__":
    main()
