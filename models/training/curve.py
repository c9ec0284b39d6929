"""Recall against index height on rendered decks that were never trained on.

    python -m models.training.curve --scenes 60 [--live] [--models FOLDER]

Held-out typefaces, pip shapes and artwork decks, all degradations, pictures of 640 pixels. A card
counts when one of its indices is seen whole (``painter.INDEX_SEEN``). It is read when its name is
certain and one of its boxes lies on one of these. It is *clear* when light and camera have left
one of them much as it was painted: many others nobody could read. A name is wrong when no card of
that name lies where it was found. ``--live``: as a table that lies still is read, on the median of
several looks at their sizes, instead of as a photograph.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from kiosk.cards import Card
from kiosk.sightings import Box, ReadCard
from kiosk.vision.closer import FINE_PX, look_scale
from kiosk.vision.merge import Merged, merge
from kiosk.vision.pipeline import PipelineSettings
from kiosk.vision.reader import Reader, open_reader
from kiosk.vision.turns import Memory, places, remember
from models.training.evaluate import rate
from models.training.scenes import Scene, clearness, random_deck, random_scene

EDGES = (9, 12, 16, 20, 24, 28, 34, 42, 60, 90)
SIZE = 640

CLEAR = 0.95
"""Correlation of an index as photographed with the same as painted from which on it is clear."""


@dataclass
class Count:
    """Cards of one height: all, the clear ones, those of them read; names given and wrong ones."""

    cards: int = 0
    read: int = 0
    clear: int = 0
    clear_read: int = 0
    named: int = 0
    wrong: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=60, help="pictures for each height")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--models", type=Path, help="folder with other weights and models.json")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--live", action="store_true", help="as the live table reads")
    parser.add_argument("--name", type=float, help="another naming threshold")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    reader = open_reader(threads=args.threads, folder=args.models)
    if args.name is not None:
        reader.thresholds = replace(reader.thresholds, name=args.name)
    look = live if args.live else photographed
    rng = np.random.default_rng(args.seed)
    rows = []
    for low, high in itertools.pairwise(EDGES):
        count = Count()
        for _ in range(args.scenes):
            deck = random_deck(rng, held_out=True)
            scene = random_scene(rng, [deck], SIZE, (low, high), once=True)
            judge(scene, look(reader, scene), count)
        rows.append({"from_px": low, "to_px": high, **_row(count)})
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    print("index height, px · cards read % [95 %] · clear ones read · wrong names of all given")
    for row in rows:
        print(
            "{from_px}–{to_px}: of {cards} {recall} · of {clear} {clear_recall} · "
            "{wrong} of {named}".format(**row)
        )


def _row(count: Count) -> dict[str, object]:
    return {
        "cards": count.cards,
        "recall": rate(count.read, count.cards),
        "clear": count.clear,
        "clear_recall": rate(count.clear_read, count.clear),
        "named": count.named,
        "wrong": count.wrong,
    }


def photographed(reader: Reader, scene: Scene) -> Merged:
    """What the reader makes of a scene as of a photograph."""
    reading = reader.read(scene.picture)
    return merge(reading.sightings, reading.bodies, reader.thresholds)


def live(reader: Reader, scene: Scene) -> Merged:
    """The cards of a scene that lies still that count on the live table: certain on the median of
    a round of looks in their sizes and turns."""
    tall = [max(x2 - x1, y2 - y1) for x1, y1, x2, y2 in (one.box for one in scene.indices)]
    height = float(np.median(tall)) if tall else FINE_PX
    memory: Memory = ()
    seen: dict[Card, list[ReadCard]] = {}
    sizes = PipelineSettings().closer
    for turn, size in enumerate(sizes):
        known = places(memory, None)
        scale = look_scale(height) * size
        reading = reader.read_part(scene.picture, None, 0.0, scale, turn, known, height)
        reading, memory = remember(memory, reading, turn)
        for card in merge(reading.sightings, reading.bodies, reader.thresholds).cards:
            seen.setdefault(card.card, []).append(card)
    certain = []
    for cards in seen.values():
        chances = [card.confidence for card in cards] + [0.0] * (len(sizes) - len(cards))
        if median(chances) >= reader.thresholds.name:
            certain.append(cards[-1])
    return Merged(tuple(certain))


def judge(scene: Scene, merged: Merged, count: Count) -> None:
    """Adds to ``count`` what was made of a scene."""
    found = {card.card: card for card in merged.cards}
    for name in {label.card for label in scene.indices}:
        boxes = [label.box for label in scene.indices if label.card == name]
        read = name in found and _on(found[name].boxes, boxes)
        clear = max(clearness(scene, box) for box in boxes) >= CLEAR
        count.cards += 1
        count.read += read
        count.clear += clear
        count.clear_read += read and clear
    count.named += len(merged.cards)
    count.wrong += wrong_names(scene, merged)


def wrong_names(scene: Scene, merged: Merged) -> int:
    """How many names were given where no such card lies."""
    return sum(
        not any(
            lying.card == card.card and _inside(lying.corners, box)
            for lying in scene.lying
            for box in card.boxes
        )
        for card in merged.cards
    )


def _inside(corners: np.ndarray, box: Box) -> bool:
    """Whether the middle of the box lies on the card, give or take a tenth of its index."""
    slack = 0.1 * max(box[2] - box[0], box[3] - box[1])
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    return cv2.pointPolygonTest(corners.astype(np.float32), middle, True) >= -slack


def _on(boxes: Sequence[Box], truth: Sequence[Box]) -> bool:
    return any(
        t[0] <= (b[0] + b[2]) / 2 <= t[2] and t[1] <= (b[1] + b[3]) / 2 <= t[3]
        for b in boxes
        for t in truth
    )


if __name__ == "__main__":
    main()
