"""Real cards for laying on a felt in tests, cut out of the shared real photographs."""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from pathlib import Path

import pytest

from models.training.cut_cards import CutCard, cut_cards
from models.training.folds import load_photos

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"


def photos_or_skip() -> Path:
    """The shared photographs; skips where they are absent (a user's clone), fails in CI."""
    if not PHOTOS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{PHOTOS} is missing in CI")
        pytest.skip(f"the real photographs are not here ({PHOTOS})")
    return PHOTOS


@functools.cache
def real_cards() -> dict[str, list[CutCard]]:
    """Card name → cut cards; those of test photographs first."""
    found: dict[str, list[CutCard]] = defaultdict(list)
    order = {"test": 0, "validation": 1, "train": 2}
    for photo in sorted(load_photos(PHOTOS), key=lambda photo: order[photo.fold]):
        if not photo.rank_only and not photo.source.startswith("evaluation-only"):
            for card in cut_cards(photo):
                found[card.card].append(card)
    return dict(found)
