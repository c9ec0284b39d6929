"""Builds the finder's data set in Ultralytics' layout: rendered scenes and real photo tiles.

    python -m models.training.finder_data OUT --photos DIR --scenes 9000 --tiles 12

Classes: 0 corner index, 1 card body.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.training.cut_cards import CutCard, training_cuts
from models.training.degrade import EXPOSURE, TRAINING_EXPOSURE, camera, light
from models.training.folds import load_photos
from models.training.photos import masked_photo, photo_tile
from models.training.scene_decks import Deck
from models.training.scenes import random_deck, random_scene

SIZE = 320

TALL = (10.0, 90.0)
"""Index heights in pixels that scenes for training are drawn in, as far as SIZE has room for the
card. From the next training on: the weights that ship saw up to 62."""

HELD_TALL = (11.0, 62.0)
"""The same of held-out scenes, so that the figures of trainings stay comparable."""

TILE_TALL, HELD_TILE_TALL = (13.0, 90.0), (13.0, 64.0)
"""The same of tiles of photographs."""


def _write(
    folder: Path,
    split: str,
    name: str,
    picture: np.ndarray,
    indices: np.ndarray,
    bodies: np.ndarray,
) -> None:
    """One picture and its label file (class, centre, size; all relative to the picture)."""
    (folder / "images" / split).mkdir(parents=True, exist_ok=True)
    (folder / "labels" / split).mkdir(parents=True, exist_ok=True)
    cv2.imwrite(
        str(folder / "images" / split / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 93]
    )
    size = np.array(picture.shape[1::-1])
    lines = []
    for number, boxes in ((0, indices), (1, bodies)):
        for x1, y1, x2, y2 in np.asarray(boxes, float).reshape(-1, 4):
            x1, x2 = np.clip((x1, x2), 0, size[0])
            y1, y2 = np.clip((y1, y2), 0, size[1])
            centre, extent = (
                np.array([x1 + x2, y1 + y2]) / 2 / size,
                np.array([x2 - x1, y2 - y1]) / size,
            )
            lines.append(
                f"{number} {centre[0]:.5f} {centre[1]:.5f} {extent[0]:.5f} {extent[1]:.5f}"
            )
    (folder / "labels" / split / f"{name}.txt").write_text("\n".join(lines), "utf-8")


def build_scenes(
    out: Path,
    count: int,
    seed: int,
    held_out: bool,
    cuts: dict[str, list[CutCard]] | None = None,
    per_batch: int = 60,
    tall: tuple[float, float] | None = None,
) -> None:
    """Rendered scenes; a fresh handful of decks every ``per_batch`` pictures. ``tall``: index
    heights in pixels, if not the usual ones."""
    rng = np.random.default_rng(seed)
    heights = tall or (HELD_TALL if held_out else TALL)
    stops = EXPOSURE if held_out else TRAINING_EXPOSURE
    split = "val" if held_out else "train"
    decks: list[Deck] = []
    for number in range(count):
        if number % per_batch == 0:
            decks = [random_deck(rng, held_out, cuts) for _ in range(8)]
        scene = random_scene(rng, decks, SIZE, heights, stops=stops)
        boxes = np.array([label.box for label in scene.indices]).reshape(-1, 4)
        _write(out, split, f"s{seed}_{number:06d}", scene.picture, boxes, np.array(scene.bodies))


def build_tiles(out: Path, photos: Path, per_photo: int, seed: int) -> None:
    """Tiles of the training photographs, and a few of the validation ones."""
    rng = np.random.default_rng(seed)
    for photo in load_photos(photos):
        if photo.fold == "test" or photo.rank_only or photo.partial:
            continue
        picture, indices, bodies = masked_photo(photo)
        if not len(indices):
            continue
        split, count = ("train", per_photo) if photo.fold == "train" else ("val", 3)
        heights = TILE_TALL if split == "train" else HELD_TILE_TALL
        for number in range(count):
            tile, index_boxes, body_boxes = photo_tile(rng, picture, indices, bodies, SIZE, heights)
            if split == "train" and rng.random() < 0.6:
                tile = camera(rng, light(rng, tile, TRAINING_EXPOSURE), sharp=0.8)
            name = f"p_{photo.source}_{photo.path.stem}_{number}"
            _write(out, split, name, tile, index_boxes, body_boxes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--scenes", type=int, default=9000)
    parser.add_argument("--tiles", type=int, default=12)
    parser.add_argument("--real-decks", action="store_true", help="lay real cut cards too")
    parser.add_argument("--tall", type=float, nargs=2, default=TALL, help="index heights, px")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.photos:
        build_tiles(args.out, args.photos, args.tiles, args.seed)
    build_scenes(args.out, max(20, args.scenes // 30), args.seed + 500, held_out=True)
    cuts = training_cuts(args.photos) if args.photos and args.real_decks else None
    build_scenes(args.out, args.scenes, args.seed, held_out=False, cuts=cuts, tall=tuple(args.tall))
    (args.out / "data.yaml").write_text(
        f"path: {args.out.resolve()}\ntrain: images/train\nval: images/val\n"
        "names:\n  0: index\n  1: card\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
