"""The lens: points bent and straightened, kept with the layout."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.layout import Layout, load_layout, parse_layout
from calibration.lens import Lens
from kiosk.errors import UserError

WEBCAM = Lens(1400.0, 1400.0, 960.0, 540.0, -0.11, 0.06, 0.0008, -0.0006, -0.01)
WIDE = Lens(1150.0, 1160.0, 950.0, 548.0, -0.22, 0.08, 0.0, 0.0, -0.012)


def _bent_layout(**changes: Any) -> Layout:
    data = load_layout("russian-4").model_dump(mode="json", exclude_none=True)
    data |= {
        "format": 2,
        "camera": {
            "width": 1920,
            "height": 1080,
            "corners": [[110, 90], [1800, 100], [1830, 1000], [80, 990]],
        },
        "lens": {
            "matrix": [1400, 1400, 960, 540],
            "coefficients": [-0.11, 0.06, 0.0008, -0.0006, -0.01],
            "error": 0.21,
        },
    }
    return parse_layout(data | changes, "test")


@pytest.mark.parametrize("lens", [WEBCAM, WIDE])
@given(x=st.floats(0, 1920), y=st.floats(0, 1080))
def test_straightened_points_bend_back(lens: Lens, x: float, y: float) -> None:
    assert math.dist(lens.distort(lens.undistort((x, y))), (x, y)) < 1e-4


@pytest.mark.parametrize("lens", [WEBCAM, WIDE])
def test_the_model_is_the_one_of_opencv(lens: Lens) -> None:
    matrix = np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]])
    bend = np.array([lens.k1, lens.k2, lens.p1, lens.p2, lens.k3])
    straight = np.array([[x, y] for x in (100, 700, 1800) for y in (60, 500, 1000)], float)
    rays = np.column_stack(
        [(straight[:, 0] - lens.cx) / lens.fx, (straight[:, 1] - lens.cy) / lens.fy, np.ones(9)]
    )
    theirs, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), matrix, bend)
    ours = [lens.distort((float(x), float(y))) for x, y in straight]
    assert np.abs(theirs.reshape(-1, 2) - np.array(ours)).max() < 1e-6


def test_a_lens_follows_the_size_of_the_picture() -> None:
    half = WEBCAM.scaled(0.5, 0.5)
    x, y = WEBCAM.distort((200.0, 160.0))
    assert half.distort((100.0, 80.0)) == pytest.approx((x / 2, y / 2))


def test_a_point_far_outside_goes_on_straight() -> None:
    near, far = WIDE.distort((4000.0, 548.0)), WIDE.distort((8000.0, 548.0))
    assert 1920 < near[0] < far[0]


def test_a_layout_keeps_its_lens(tmp_path: Any) -> None:
    layout = _bent_layout()
    path = tmp_path / "bent.toml"
    path.write_text(layout.to_toml(), "utf-8")
    assert load_layout(str(path)) == layout
    view = layout.view()
    for corner, seen in zip(
        ((0, 0), (96, 0), (96, 54), (0, 54)), layout.camera.corners, strict=True
    ):
        assert math.dist(view.to_picture(corner), seen) < 1e-3
        assert math.dist(view.to_felt(seen), corner) < 1e-6
    small = layout.view(960, 540)
    middle = view.to_picture((40.0, 20.0))
    assert small.to_picture((40.0, 20.0)) == pytest.approx((middle[0] / 2, middle[1] / 2))
    assert layout.with_camera(layout.camera.corners, 1920, 1080).format == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 1}, "needs format = 2"),
        ({"lens": {"matrix": [0, 1, 2, 3], "coefficients": [0] * 5}}, "positive"),
        ({"lens": {"matrix": [900, 900, 960, 540], "coefficients": [-0.9, 0, 0, 0, 0]}}, "edge"),
        ({"lens": {"matrix": [900, 900, 960, 540], "coefficients": [0.1]}}, "lens"),
    ],
)
def test_a_lens_that_cannot_be_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        _bent_layout(**changes)
