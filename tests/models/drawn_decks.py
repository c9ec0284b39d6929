"""Styles of drawn decks that no weights were trained on, for the tests of the models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from kiosk.vision.namer import Namer, Temperatures
from models import namer_path, settings
from models.training.faces import DeckStyle
from models.training.simtable.deck import deck_style
from models.training.suits import PipStyle


def style_with(font: Path, rng: np.random.Generator) -> DeckStyle:
    """A random deck in this typeface, its pips slimmer than any trained on, two inks."""
    paper = int(rng.integers(225, 256))
    return replace(
        deck_style(),
        font=font,
        pips=PipStyle.random(rng, held_out=True),
        rank_height=rng.uniform(0.1, 0.16),
        suit_ratio=rng.uniform(0.6, 1.0),
        gap=rng.uniform(0.1, 0.22),
        squeeze=rng.uniform(0.7, 0.95),
        paper=(paper - int(rng.integers(0, 14)), paper - int(rng.integers(0, 7)), paper),
        red=(int(rng.integers(10, 60)), int(rng.integers(10, 50)), int(rng.integers(170, 236))),
        black=tuple(int(v) for v in rng.integers(8, 52, 3)),
    )


def shipped_namer() -> tuple[Namer, float]:
    """The namer that ships, on one thread, and the chance from which on it is certain."""
    namer = Namer(namer_path(), Temperatures.from_settings(settings()["temperatures"]), 1)
    return namer, float(settings()["thresholds"]["name"])
