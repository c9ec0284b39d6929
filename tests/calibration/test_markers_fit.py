"""From printed markers to the felt's place: the truth is rendered through a plane and a lens."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.fit import Fit, fit_felt, measure_felt
from calibration.homography import Point, from_corners
from calibration.layout import load_layout
from calibration.lens import Lens
from calibration.lens_fit import FEWEST, fit_lens, useful
from calibration.marker_set import LARGE, PAPERS, SMALL
from calibration.markers import Found, find_markers
from calibration.sheet import sheet_pdf
from calibration.view import View, make_view
from kiosk.errors import UserError

sys.path.insert(0, str(Path(__file__).parent))
from rendered_felt import RenderedFelt

WIDTH, HEIGHT = 96.0, 54.0
LENSES = {
    "straight": None,
    "webcam": Lens(1400.0, 1400.0, 960.0, 540.0, -0.11, 0.06, 0.0008, -0.0006, -0.01),
    "mustache": Lens(1390.0, 1390.0, 950.0, 535.0, 0.09, -0.18, 0.001, -0.002, 0.05),
    "wide": Lens(1150.0, 1160.0, 950.0, 548.0, -0.22, 0.08, 0.0, 0.0, -0.012),
}
ABOVE = ((120.0, 90.0), (1800.0, 90.0), (1800.0, 1000.0), (120.0, 1000.0))
ASLANT = ((300.0, 140.0), (1640.0, 110.0), (1840.0, 980.0), (90.0, 1010.0))


def felt_with_pieces(
    board: bool, turns: tuple[float, ...] = (0.7, -1.5, 1.0, -0.4)
) -> RenderedFelt:
    """Pieces laid a little crooked, as hands do."""
    felt = RenderedFelt(WIDTH, HEIGHT)
    for corner, turn in enumerate(turns):
        felt.lay_corner(SMALL, corner, turn)
    if board:
        felt.lay_board(SMALL, (38.0, 18.0), 11.0)
    return felt


def worst_mm(fit: Fit, truth: View, size: tuple[int, int] = (1920, 1080)) -> float:
    """Largest distance on the felt between where a thing lies and where the set-up puts it.

    Through a saved layout, as a kiosk uses it.
    """
    straight = [fit.lens.undistort(c) if fit.lens else c for c in fit.corners]
    rect = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT))
    view = make_view(from_corners(rect, straight), fit.lens)
    return max(
        math.dist(view.to_felt(truth.to_picture((float(x), float(y)))), (x, y)) * 10
        for x in np.linspace(0, WIDTH, 13)
        for y in np.linspace(0, HEIGHT, 9)
    )


@pytest.mark.parametrize(
    ("name", "corners"),
    [("straight", ABOVE), ("webcam", ASLANT), ("mustache", ABOVE), ("wide", ASLANT)],
)
def test_four_pieces_place_the_felt_within_two_millimetres(
    name: str, corners: tuple[Point, ...]
) -> None:
    picture, truth = felt_with_pieces(board=False).shoot(corners, LENSES[name])
    found = find_markers(picture)
    assert found.missing == ()
    fit = fit_felt(found, WIDTH, HEIGHT)
    assert fit.good
    assert worst_mm(fit, truth) <= 2.0
    if LENSES[name] is not None:
        known = fit_felt(found, WIDTH, HEIGHT, LENSES[name])
        assert worst_mm(known, truth) <= 0.5


def test_a_board_on_the_felt_helps_and_poor_light_does_no_harm() -> None:
    felt = felt_with_pieces(board=True)
    picture, truth = felt.shoot(ASLANT, LENSES["wide"], blur=1.4, noise=7.0, light=0.5)
    found = find_markers(picture)
    assert found.board is not None
    fit = fit_felt(found, WIDTH, HEIGHT)
    assert fit.board
    assert worst_mm(fit, truth) <= 2.0


def test_without_its_lens_the_plane_alone_would_miss_by_centimetres() -> None:
    """What the lens is worth: shows that the test above can fail."""
    picture, truth = felt_with_pieces(board=False).shoot(ABOVE, LENSES["wide"])
    flat = fit_felt(find_markers(picture), WIDTH, HEIGHT, Lens(1500, 1500, 960, 540))
    assert worst_mm(flat, truth) > 5.0
    assert not flat.good


def test_a_wrong_measure_is_noticed_and_the_right_one_named() -> None:
    picture, _ = felt_with_pieces(board=False).shoot(ABOVE, LENSES["webcam"])
    found = find_markers(picture)
    assert not fit_felt(found, WIDTH + 14, HEIGHT).good
    measured = measure_felt(found)
    assert measured.width == pytest.approx(WIDTH, rel=0.01)
    assert measured.height == pytest.approx(HEIGHT, rel=0.01)


def test_a_print_of_another_scale_needs_its_ruler() -> None:
    """Paper printed at 95 %: the rectangle is what was measured, only the pieces are smaller."""
    felt = RenderedFelt(WIDTH * 20 / 19, HEIGHT * 20 / 19)
    for corner in range(4):
        felt.lay_corner(SMALL, corner)
    found = find_markers(felt.shoot(ABOVE, None)[0])
    assert measure_felt(found, ruler=0.95).width == pytest.approx(WIDTH, rel=0.01)
    assert fit_felt(found, WIDTH, HEIGHT, ruler=0.95).good


def test_missing_and_swapped_pieces_are_named() -> None:
    felt = RenderedFelt(WIDTH, HEIGHT)
    for corner in (0, 1, 3):
        felt.lay_corner(SMALL, corner)
    found = find_markers(felt.shoot(ABOVE, None)[0])
    assert found.missing == (2,)
    with pytest.raises(UserError, match="not seen: 3"):
        fit_felt(found, WIDTH, HEIGHT)
    felt.lay_corner(SMALL, 2)
    tags = find_markers(felt.shoot(ABOVE, None)[0]).tags
    swapped = tuple(
        type(tag)(tag.corner, tag.markers, tags[other].points)
        for tag, other in zip(tags, (1, 0, 2, 3), strict=True)
    )
    with pytest.raises(UserError, match="wrong order"):
        fit_felt(Found(1920, 1080, swapped, None), WIDTH, HEIGHT)


def test_an_upside_down_camera_is_as_good() -> None:
    felt = felt_with_pieces(board=False)
    picture, truth = felt.shoot((ABOVE[2], ABOVE[3], ABOVE[0], ABOVE[1]), None)
    fit = fit_felt(find_markers(picture), WIDTH, HEIGHT)
    assert worst_mm(fit, truth) <= 2.0
    layout = load_layout("russian-4").with_camera(fit.corners, 1920, 1080)
    assert layout.view().to_felt(fit.corners[0]) == pytest.approx((0, 0), abs=1e-6)


def board_pictures(lens: Lens, size: tuple[int, int], count: int) -> list[Found]:
    """The board held to the camera from several sides."""
    width, height = SMALL.board_size
    board = RenderedFelt(width, height, around=3.0)
    board.lay_board(SMALL, (0.0, 0.0))
    rng = np.random.default_rng(3)
    matrix = np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]])
    rect = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]], float)
    found = []
    for number in range(count):
        away = 44 + 10 * (number % 3)
        turn, _ = cv2.Rodrigues(np.array([*rng.normal(0, 0.33, 2), rng.normal(0, 0.5)]))
        aim = np.array([(number % 3 - 1) * 0.25, (number // 3 % 3 - 1) * 0.14, 1.0]) * away
        seen = (rect - rect.mean(0)) @ turn.T + aim
        pixels = (seen / seen[:, 2:]) @ matrix.T
        corners = [(float(x), float(y)) for x, y, _ in pixels]
        found.append(find_markers(board.shoot(corners, lens, size, noise=4.0)[0]))
    return found


def test_a_series_of_the_board_gives_the_lens() -> None:
    truth = Lens(705.0, 706.5, 475.0, 274.5, -0.18, 0.09, 0.001, -0.0008, -0.02)
    series = board_pictures(truth, (960, 540), 9)
    fit = fit_lens(series)
    assert fit.data.error < 0.5
    assert fit.covered > 0.8
    # The lens and the camera's tilt can stand in for each other a little: what counts is that a
    # felt set up through this lens is right.
    full = truth.scaled(2, 2)
    picture, view = felt_with_pieces(board=False).shoot(ASLANT, full)
    placed = fit_felt(find_markers(picture), WIDTH, HEIGHT, fit.data.lens.scaled(2, 2))
    assert worst_mm(placed, view) <= 2.0
    assert useful(series[0], series[1:]) is None
    assert useful(series[0], series) == "same"
    assert useful(find_markers(np.full((540, 960, 3), 90, np.uint8)), []) == "no-board"
    with pytest.raises(UserError, match=f"{FEWEST} are needed"):
        fit_lens(series[:3])


@pytest.mark.parametrize("paper", PAPERS)
def test_the_printed_sheet_is_read_and_has_its_true_size(paper: str) -> None:
    """The PDF as a printer would put it on paper, read by the detectors."""
    per_cm = 150 / 2.54
    pages = [
        np.array(page.render(scale=150 / 72).to_numpy())
        for page in pypdfium2.PdfDocument(sheet_pdf(paper, "ru"))
    ]
    markers = PAPERS[paper][2]
    pieces, board = find_markers(pages[0]), find_markers(pages[1]).board
    assert pieces.missing == ()
    assert {tag.markers for tag in pieces.tags} == {markers}
    for tag in pieces.tags:
        side = math.dist(tag.points[0], tag.points[1]) / per_cm
        assert side == pytest.approx(markers.tag, rel=0.004)
    assert board is not None
    assert board.markers is markers
    assert board.share == 1.0
    flat, seen = np.array(board.flat), np.array(board.seen)
    spans = np.linalg.norm(seen[-1] - seen[0]), np.linalg.norm(flat[-1] - flat[0])
    assert spans[0] / per_cm == pytest.approx(spans[1], rel=0.002)


def test_a_paper_that_is_not_known_is_refused() -> None:
    with pytest.raises(UserError, match="a4, letter, a3"):
        sheet_pdf("a5")
    assert LARGE.piece * 2 < PAPERS["a3"][0]
