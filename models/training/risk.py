"""What each naming threshold costs: cards read and wrong names, on cards never trained on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from kiosk.vision.images import load_photo
from kiosk.vision.merge import merge
from kiosk.vision.reader import Reader
from models.training import curve
from models.training.evaluate import Tally, judge
from models.training.folds import load_photos
from models.training.scenes import Scene, random_deck, random_scene

TALL = (20.0, 60.0)
"""Heights of an index in pixels that the reader is meant for, as drawn scenes have them."""

SCENES_OF_A_DECK = 2


@dataclass(frozen=True)
class Risk:
    """Cards shown, those of them read, all names given for certain and the wrong ones."""

    cards: int = 0
    read: int = 0
    named: int = 0
    wrong: int = 0

    def __add__(self, other: Risk) -> Risk:
        return Risk(
            self.cards + other.cards,
            self.read + other.read,
            self.named + other.named,
            self.wrong + other.wrong,
        )


Curve = dict[float, Risk]
"""Naming threshold → what it costs."""


def on_photos(reader: Reader, photos: Path, names: Sequence[float]) -> Curve:
    """On the validation photographs."""
    tallies = {name: Tally() for name in names}
    for photo in load_photos(photos):
        if photo.fold != "validation":
            continue
        reading = reader.read(load_photo(photo.path))
        for name, tally in tallies.items():
            limits = replace(reader.thresholds, name=name)
            merged = merge(reading.sightings, reading.bodies, limits)
            judge(photo, merged.cards, tally, len(merged.doubts))
    return {
        name: Risk(tally.labelled, tally.read, tally.named, tally.named - tally.right)
        for name, tally in tallies.items()
    }


def held_scenes(count: int, seed: int) -> Iterator[Scene]:
    """Pictures of drawn decks that are never trained on, every degradation, each card once."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        if number % SCENES_OF_A_DECK == 0:
            deck = random_deck(rng, held_out=True)
        yield random_scene(rng, [deck], curve.SIZE, TALL, once=True)


def on_scenes(reader: Reader, scenes: Iterable[Scene], names: Sequence[float]) -> Curve:
    """On drawn scenes, read as photographs are and judged as ``curve`` judges."""
    counts = {name: curve.Count() for name in names}
    for scene in scenes:
        reading = reader.read(scene.picture)
        for name, count in counts.items():
            limits = replace(reader.thresholds, name=name)
            curve.judge(scene, merge(reading.sightings, reading.bodies, limits), count)
    return {
        name: Risk(count.cards, count.read, count.named, count.wrong)
        for name, count in counts.items()
    }
