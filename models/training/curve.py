"""Recall against index height on rendered decks that were never trained on.

    python -m models.training.curve --scenes 60 [--models FOLDER]

Held-out typefaces, pip shapes and artwork decks, all degradations, pictures of 640 pixels. A card
is read when its name is certain and one of its boxes lies on one of its visible indices.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from kiosk.vision.merge import merge
from kiosk.vision.reader import open_reader
from models.training.evaluate import rate
from models.training.scenes import random_deck, random_scene

EDGES = (9, 12, 16, 20, 24, 28, 34, 42, 60)
SIZE = 640


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=60, help="pictures for each height")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--models", type=Path, help="folder with other weights and models.json")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    reader = open_reader(threads=args.threads, folder=args.models)
    rng = np.random.default_rng(args.seed)
    read: dict[int, int] = defaultdict(int)
    cards: dict[int, int] = defaultdict(int)
    wrong: dict[int, int] = defaultdict(int)
    for place, low in enumerate(EDGES[:-1]):
        for _ in range(args.scenes):
            deck = random_deck(rng, held_out=True)
            scene = random_scene(rng, [deck], SIZE, (low, EDGES[place + 1]), once=True)
            reading = reader.read(scene.picture)
            merged = merge(reading.sightings, reading.bodies, reader.thresholds)
            lying = {label.card for label in scene.indices}
            found = {card.card: card for card in merged.cards}
            for card in lying:
                cards[low] += 1
                boxes = [label.box for label in scene.indices if label.card == card]
                read[low] += card in found and _on(found[card].boxes, boxes)
            wrong[low] += sum(card not in lying for card in found)
    rows = [
        {
            "from_px": low,
            "to_px": EDGES[place + 1],
            "cards": cards[low],
            "recall": rate(read[low], cards[low]),
            "wrong": wrong[low],
        }
        for place, low in enumerate(EDGES[:-1])
    ]
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    print("index height, px · cards read % [95 %] · wrong names")
    for row in rows:
        print(
            f"{row['from_px']}–{row['to_px']}: of {row['cards']} {row['recall']} · {row['wrong']}"
        )


def _on(boxes: tuple[tuple[float, ...], ...], truth: list[tuple[float, ...]]) -> bool:
    return any(
        t[0] <= (b[0] + b[2]) / 2 <= t[2] and t[1] <= (b[1] + b[3]) / 2 <= t[3]
        for b in boxes
        for t in truth
    )


if __name__ == "__main__":
    main()
