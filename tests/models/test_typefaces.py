"""Typefaces: none trains that has the drawings of a held-out one (needs the training extra)."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("fontTools")

from models.training.faces import DeckStyle
from models.training.fonts import (
    HELD_OUT,
    TWINS,
    TWINS_TRAINED,
    font_files,
    glyph_mask,
    held_out_file,
)
from models.training.recording.deck import FONT, casino_style

pytestmark = pytest.mark.train

ALIKE = 0.9
"""Agreement from which on two faces are cuts of one drawing."""

RANKS = "23456789AJQK"


def drawn(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The rank glyphs of a face in one size, (12, 24, 20) from 0 to 1, and their proportions."""
    masks = [glyph_mask(path, rank, 24) for rank in RANKS]
    shapes = np.stack([cv2.resize(mask, (20, 24)) for mask in masks]).astype(np.float32) / 255
    return shapes, np.array([mask.shape[1] / mask.shape[0] for mask in masks])


def agreement(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> float:
    """0 to 1: mean share of ink in common, times the mean likeness of the widths."""
    common = np.minimum(one[0], other[0]).sum((1, 2)) / np.maximum(one[0], other[0]).sum((1, 2))
    widths = np.minimum(one[1], other[1]) / np.maximum(one[1], other[1])
    return float(common.mean() * widths.mean())


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    try:
        font_files(held_out=True)
        held_out_file("URWBookman-Demi.otf")
        held_out_file("texgyreadventor-bold.otf")
    except FileNotFoundError as problem:
        pytest.skip(f"the typefaces are not installed: {problem}")


def test_no_training_typeface_has_the_drawings_of_a_held_out_one() -> None:
    names = ("URWBookman-Demi.otf", "URWBookman-Light.otf", "URWBookman-LightItalic.otf")
    held = [held_out_file(name) for name in (*names, "texgyreadventor-bold.otf")]
    held += [held_out_file("texgyreadventor-regular.otf"), *font_files(held_out=True)]
    shapes = {path.name: drawn(path) for path in held}
    twins = []
    for path in font_files():
        own = drawn(path)
        twins += [(path.name, name) for name, one in shapes.items() if agreement(own, one) > ALIKE]
    assert not twins


def test_a_drawing_agrees_with_itself_and_not_with_another_one() -> None:
    bold, regular = (drawn(held_out_file(f"RobotoSlab-{w}.otf")) for w in ("Bold", "Regular"))
    assert agreement(bold, bold) == pytest.approx(1.0)
    assert agreement(bold, regular) < ALIKE
    assert agreement(bold, drawn(held_out_file("URWBookman-Demi.otf"))) < ALIKE


def test_validation_draws_no_face_whose_twin_the_shipped_weights_know() -> None:
    for held_out, parts in ((True, TWINS_TRAINED), (False, (*HELD_OUT, *TWINS))):
        names = [path.name.lower() for path in font_files(held_out)]
        assert names and not any(part.lower() in name for name in names for part in parts)
    assert len(font_files(held_out=True)) >= 6
    assert set(TWINS_TRAINED) <= set(HELD_OUT)


def test_the_recording_is_drawn_in_faces_that_validation_leaves_out_too() -> None:
    assert held_out_file("texgyreadventor-bold.otf").is_file()
    styles = [casino_style(np.random.default_rng(7)) for _ in range(2)]
    assert styles[0] == styles[1] and styles[0].font.name == FONT
    with pytest.raises(FileNotFoundError, match="docs/training"):
        held_out_file("DejaVuSans.ttf")


def test_held_out_styles_repeat_with_their_seed() -> None:
    one, other = (DeckStyle.random(np.random.default_rng(9), held_out=True) for _ in range(2))
    assert one == other and one.font in font_files(held_out=True)
