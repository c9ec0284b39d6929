"""Reading figures on labelled photographs, per source and fold.

    python -m models.training.evaluate ../shared/photos            # the shared photographs
    python -m models.training.evaluate FOLDER [--json]             # any folder with labels.json
    python -m models.training.evaluate FOLDER --turns              # each photograph in four turns

A card is read when its name is in ``cards`` and one of its boxes lies in the labelled card. Every
labelled card counts. A named card that matches no label is wrong, and so is a right name in the
wrong place. Rank-only sources are judged by rank, partly labelled pictures by the cards labelled.
Rates carry their 95 % Wilson bounds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from kiosk.errors import UserError
from kiosk.sightings import ReadCard
from kiosk.vision.images import load_photo
from kiosk.vision.merge import merge
from kiosk.vision.reader import Reader, open_reader
from models.training.alike import pair_table
from models.training.folds import Label, Photo, of_folds, open_photos


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
    shown: Counter[str] = field(default_factory=Counter)
    """Labelled cards by name, or by rank where that is all that is labelled."""
    taken_for: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(card, name it got for certain) → how often (V4)."""
    names: set[str] = field(default_factory=set)
    sets: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Counts another group's photographs in."""
        for name in ("photos", "whole", "labelled", "read", "named", "right", "doubts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.names |= other.names
        self.sets |= other.sets
        self.shown += other.shown
        self.taken_for += other.taken_for
        self.wrong += other.wrong

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
            "pairs": pair_table(self.shown, self.taken_for),
            "taken_for": {f"{a} as {b}": n for (a, b), n in self.taken_for.most_common()},
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
    """Adds one read photograph to the counts. Where only some of its cards are labelled, what lies
    elsewhere under another name is not judged. Any name where no card lies is wrong."""
    left = list(photo.cards)
    if photo.partial:
        marks = (*left, *photo.nothing)
        cards = [c for c in cards if any(str(c.card) == m.card or _inside(c, m) for m in marks)]
        doubts = 0
    tally.photos += 1
    tally.labelled += len(left)
    tally.doubts += doubts
    tally.sets.add(photo.card_set)
    tally.shown.update(label.card for label in left)
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
            under = next((m.card for m in photo.cards if _inside(card, m)), "no card")
            tally.taken_for[under, name] += 1
            tally.wrong.append(f"{photo.path.name}:{card.card}@{card.confidence:.3f}")
    tally.whole += not left and not wrong


def turned(label: Label, turn: int, width: int, height: int) -> Label:
    """A label after ``turn`` quarter turns to the left of a picture of that size."""
    x1, y1, x2, y2 = label.box
    for _ in range(turn % 4):
        x1, y1, x2, y2 = y1, width - x2, y2, width - x1
        width, height = height, width
    return replace(label, box=(x1, y1, x2, y2))


def evaluate(photos: Iterable[Photo], reader: Reader, turn: int = 0) -> dict[str, Tally]:
    """Tallies by ``source/fold``. ``turn``: quarter turns of each photograph before it is read."""
    tallies: dict[str, Tally] = {}
    for photo in photos:
        picture = load_photo(photo.path)
        if turn:
            height, width = picture.shape[:2]
            labels = tuple(turned(label, turn, width, height) for label in photo.labels)
            photo = replace(photo, labels=labels)
            picture = np.ascontiguousarray(np.rot90(picture, turn))
        reading = reader.read(picture)
        merged = merge(reading.sightings, reading.bodies, reader.thresholds)
        tally = tallies.setdefault(f"{photo.source}/{photo.fold}", Tally())
        judge(photo, merged.cards, tally, len(merged.doubts))
    return tallies


def _print_turns(photos: list[Photo], reader: Reader) -> None:
    """Cards read in each turn, and how far the worst lies below the best (V3)."""
    shares = []
    for turn in range(4):
        tallies = evaluate(photos, reader, turn).values()
        read, cards = sum(t.read for t in tallies), sum(t.labelled for t in tallies)
        wrong = sum(t.named - t.right for t in tallies)
        shares.append(100 * read / max(1, cards))
        print(f"{90 * turn}°: {read}/{cards} {rate(read, cards)} · wrong {wrong}")
    print(f"worst below best: {max(shares) - min(shares):.2f} points")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fold", action="append", help="only these folds (default: all but train)")
    parser.add_argument("--models", type=Path, help="folder with other weights and models.json")
    parser.add_argument("--turns", action="store_true", help="each photograph in four turns (V3)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    folder: Path = args.folder
    try:
        chosen = of_folds(folder, open_photos(folder), args.fold or ["test", "validation"])
    except UserError as problem:
        sys.exit(f"error: {problem}")
    reader = open_reader(threads=args.threads, folder=args.models)
    if args.turns:
        _print_turns(chosen, reader)
        return
    tallies = evaluate(chosen, reader)
    total, name = Tally(), "test" if any(g.endswith("/test") for g in tallies) else "of these"
    for group, tally in tallies.items():
        if name == "of these" or group.endswith("/test"):
            total.add(tally)
    # Sources by rank name no card.
    total.names = {name for name in total.names if len(name) == 2}
    rows = {**tallies, f"all {name}": total}
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
    print("cards that look alike, in the last row: taken for the other for certain")
    for line in pair_table(total.shown, total.taken_for):
        print("  ", line)


if __name__ == "__main__":
    main()
