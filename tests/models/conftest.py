"""The real photographs, for the tests of the models."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from models.training.folds import Photo, load_photos

sys.path.insert(0, str(Path(__file__).parent))

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"


@pytest.fixture(scope="module")
def photos() -> tuple[Photo, ...]:
    if not PHOTOS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{PHOTOS} is missing in CI")
        pytest.skip(f"the real photographs are not here ({PHOTOS})")
    return load_photos(PHOTOS)
