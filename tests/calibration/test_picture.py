"""Focus, sharpness, exposure and light of a picture: pass or fail."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from calibration.marker_set import SMALL
from calibration.picture import check_picture

sys.path.insert(0, str(Path(__file__).parent))
from rendered_felt import RenderedFelt

CORNERS = ((80.0, 60.0), (1200.0, 60.0), (1200.0, 690.0), (80.0, 690.0))


@pytest.fixture(scope="module")
def felt() -> RenderedFelt:
    made = RenderedFelt(96.0, 54.0)
    for corner in range(4):
        made.lay_corner(SMALL, corner)
    return made


def verdicts(felt: RenderedFelt, **light: float) -> dict[str, bool]:
    picture, _ = felt.shoot(CORNERS, None, (1280, 720), **light)
    return {check.name: check.ok for check in check_picture(picture)}


def test_a_good_picture_passes(felt: RenderedFelt) -> None:
    assert set(verdicts(felt).values()) == {True}


def test_a_blurred_picture_fails_by_its_focus(felt: RenderedFelt) -> None:
    found = verdicts(felt, blur=2.2)
    assert not found["focus"]
    assert found["exposure"]


def test_too_dark_and_too_bright_are_told(felt: RenderedFelt) -> None:
    assert not verdicts(felt, light=0.3)["exposure"]
    assert not verdicts(felt, light=2.2)["exposure"]


def test_a_soft_corner_and_a_dark_side_are_told(felt: RenderedFelt) -> None:
    picture, _ = felt.shoot(CORNERS, None, (1280, 720))
    soft, _ = felt.shoot(CORNERS, None, (1280, 720), blur=2.6)
    picture[:240, :420] = soft[:240, :420]
    found = {check.name: check.ok for check in check_picture(picture)}
    assert found["focus"]
    assert not found["sharpness"]
    fall = np.linspace(1.0, 0.12, 1280)[None, :, None]
    uneven = (picture * fall).astype(np.uint8)
    assert not {check.name: check.ok for check in check_picture(uneven)}["light"]


def test_bare_cloth_says_that_there_is_nothing_to_measure() -> None:
    rng = np.random.default_rng(1)
    cloth = np.clip(rng.normal((50, 110, 40), 3, (720, 1280, 3)), 0, 255).astype(np.uint8)
    found = {check.name: check for check in check_picture(cloth)}
    assert not found["focus"].ok
    assert found["focus"].value is None
    assert "lay the marker sheet" in found["focus"].advice
