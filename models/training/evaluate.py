"""Reading figures on labelled photographs, per source and fold.

    python -m models.training.evaluate ../shared/photos            # the shared photographs
    python -m models.training.evaluate FOLDER [--json]             # any folder with labels.json

A card is read when its name is in ``cards`` and one of its boxes lies in the labelled card. Every
labelled card counts. A named card that matches no label is wrong, and so is a right name in the
wrong place. Rank-only sources are judged by rank. Rates carry their 95 % Wilson bounds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kiosk.sightings import ReadCard
from kiosk.vision.images import load_photo
from kiosk.vision.merge import merge
from kiosk.vision.reader import Reader, open_reader
from models.training.folds import Label, Photo, load_folder, load_photos


@dataclass
class Tally:
    """Counts of one group of photographs."""

    photos: int = 0
    whole: int = 0
    labelled: int = 0
    read: int = 0
    named: int = 0
    right: int = 0
    doubts: int = 0
    names: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, object]:
        """All of it as plain data."""
        return {
            "photos": self.photos,
            "names": len(self.names),
            "sets": len(self.sets),
            "cards": self.labelled,
            "read": self.read,
            "recall": rate(self.read, self.labelled),
            "named": self.named,
            "right": self.right,
            "precision": rate(self.right, self.named),
            "whole": rate(self.whole, self.photos),
            "doubts": self.doubts,
            "wrong": self.wrong,
        }


def rate(hits: int, count: int) -> tuple[float, float, float]:
    """Share with its lower and upper 95 % Wilson bounds, in percent."""
    if not count:
        return (math.nan, math.nan, math.nan)
    z, p = 1.96, hits / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return (round(100 * p, 2), round(100 * low, 2), round(100 * high, 2))


def _inside(card: ReadCard, label: Label) -> bool:
    x1, y1, x2, y2 = label.box
    return any(x1 <= (b[0] + b[2]) / 2 <= x2 and y1 <= (b[1] + b[3]) / 2 <= y2 for b in card.boxes)


def judge(photo: Photo, cards: Iterable[ReadCard], tally: Tally, doubts: int) -> None:
    """Adds one read photograph to the counts."""
    left = list(photo.cards)
    tally.photos += 1
    tally.labelled += len(left)
    tally.doubts += doubts
    tally.sets.add(photo.card_set)
    tally.names |= {label.card for label in left}
    wrong = 0
    for card in cards:
        name = card.card.rank if photo.rank_only else str(card.card)
        tally.named += 1
        match = next((m for m in left if m.card == name and _inside(card, m)), None)
        if match:
            tally.right += 1
            tally.read += 1
            left.remove(match)
        else:
            wrong += 1
            tally.wrong.append(f"{photo.path.name}:{card.card}@{card.confidence:.3f}")
    tally.whole += not left and not wrong


def evaluate(photos: Iterable[Photo], reader: Reader) -> dict[str, Tally]:
    """Tallies by ``source/fold``."""
    tallies: dict[str, Tally] = {}
    for photo in photos:
        picture = load_photo(photo.path)
        reading = reader.read(picture)
        merged = merge(reading.sightings, reading.bodies, reader.thresholds)
        tally = tallies.setdefault(f"{photo.source}/{photo.fold}", Tally())
        judge(photo, merged.cards, tally, len(merged.doubts))
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fold", action="append", help="only these folds (default: all but train)")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    folder: Path = args.folder
    photos = load_folder(folder) if (folder / "labels.json").exists() else load_photos(folder)
    folds = args.fold or ["test", "validation"]
    chosen = [photo for photo in photos if photo.fold in folds]
    tallies = evaluate(chosen, open_reader(args.model, args.threads))
    total = Tally()
    for group, tally in tallies.items():
        if group.endswith("/test"):
            for name in ("photos", "whole", "labelled", "read", "named", "right", "doubts"):
                setattr(total, name, getattr(total, name) + getattr(tally, name))
            total.names |= {name for name in tally.names if len(name) == 2}
            total.sets |= tally.sets
    rows = {**tallies, "all test": total}
    if args.json:
        json.dump({name: tally.figures() for name, tally in rows.items()}, sys.stdout, indent=1)
        return
    print(
        "group: photos (names, sets) · cards read % [95 %] · named right % [95 %] · whole photos %"
    )
    for name, tally in rows.items():
        f = tally.figures()
        print(
            f"{name}: {f['photos']} ({f['names']}, {f['sets']}) · {f['read']}/{f['cards']} "
            f"{f['recall']} · {f['right']}/{f['named']} {f['precision']} · {f['whole']} · "
            f"doubts {f['doubts']}"
        )
        if tally.wrong:
            print("   wrong:", ", ".join(tally.wrong[:30]))


if __name__ == "__main__":
    main()
