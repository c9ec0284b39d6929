"""Index boxes that the reader finds on labelled cards whose indices nobody has boxed.

    python -m models.training.assist PHOTOS

Writes ``assisted.json``: source → photograph → [card, x1, y1, x2, y2]. Only photographs that train,
only cards with no labelled index, and only what agrees with the label: a certain name, in the box
of exactly one card, which bears it. The namer trains on them; the finder does not, for it would
take the indices that were not found for background.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from kiosk.sightings import Box, Sighting
from kiosk.vision.images import load_photo
from kiosk.vision.merge import confidence_of
from kiosk.vision.reader import Reader, open_reader
from kiosk.vision.rectangles import holds
from models.training.folds import ASSISTED, Photo, load_photos
from models.training.photos import complete_cards

FOUND = 0.5
"""Least score of the finder: a box that it is less sure of may be cut badly."""


def agreeing(photo: Photo, sightings: Sequence[Sighting], name: float) -> list[tuple[str, Box]]:
    """Cards and boxes of the sightings that agree with the label of a card without index boxes.
    ``name``: least confidence."""
    unboxed = {id(card) for card in complete_cards(photo)[1]}
    found = []
    for sighting in sightings:
        under = [card for card in photo.cards if holds(card.box, sighting.centre)]
        if len(under) != 1 or id(under[0]) not in unboxed or sighting.found < FOUND:
            continue
        if confidence_of(sighting) >= name and str(sighting.candidates[0][0]) == under[0].card:
            found.append((under[0].card, sighting.box))
    return found


def assisted(photos: Sequence[Photo], reader: Reader) -> dict[str, dict[str, list[list[object]]]]:
    """What goes into the file: of photographs that train, with whole cards named."""
    found: dict[str, dict[str, list[list[object]]]] = {}
    for photo in photos:
        if photo.fold != "train" or photo.rank_only or photo.partial:
            continue
        reading = reader.read(load_photo(photo.path))
        rows = agreeing(photo, reading.sightings, reader.thresholds.name)
        if rows:
            boxes = [[card, *(round(v, 1) for v in box)] for card, box in sorted(rows)]
            found.setdefault(photo.source, {})[photo.path.name] = boxes
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    args = parser.parse_args()
    found = assisted(load_photos(args.photos), open_reader())
    lines = []
    for source, images in found.items():
        rows = ",\n".join(f"  {json.dumps(image)}: {json.dumps(r)}" for image, r in images.items())
        lines.append(f" {json.dumps(source)}: {{\n{rows}\n }}")
        print(f"{source}: {sum(map(len, images.values()))} boxes in {len(images)} photographs")
    ASSISTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
