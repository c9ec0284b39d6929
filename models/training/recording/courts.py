"""Court figures built from simple shapes: a bust with crown or cap, two-fold like real courts."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.faces import stamp
from models.training.suits import PipStyle, suit_mask

WIDTH, HALF = 300, 340
"""Pixels of one half of a figure while it is drawn; the caller scales the whole down."""

_LINE = (40, 26, 24)
_CREAM = (214, 238, 248)
_SKIN = (198, 218, 242)
_GOLD = (64, 184, 238)
_RED = (38, 34, 196)
_BLUE = (150, 74, 30)
_HAIR = {"J": (70, 130, 190), "Q": (40, 74, 120), "K": (120, 130, 138)}

Colour = tuple[int, int, int]


class _Pen:
    """Filled and outlined shapes on one half, in its pixels."""

    def __init__(self, picture: np.ndarray) -> None:
        self.picture = picture

    def shape(self, points: list[tuple[float, float]], fill: Colour, line: int = 3) -> None:
        outline = np.round(np.array(points) * 16).astype(np.int32)
        cv2.fillPoly(self.picture, [outline], fill, cv2.LINE_AA, 4)
        if line:
            cv2.polylines(self.picture, [outline], True, _LINE, line, cv2.LINE_AA, 4)

    def oval(self, x: float, y: float, a: float, b: float, fill: Colour, line: int = 3) -> None:
        centre, axes = (round(x), round(y)), (round(a), round(b))
        cv2.ellipse(self.picture, centre, axes, 0, 0, 360, fill, -1, cv2.LINE_AA)
        if line:
            cv2.ellipse(self.picture, centre, axes, 0, 0, 360, _LINE, line, cv2.LINE_AA)

    def stroke(self, points: list[tuple[float, float]], ink: Colour, width: int) -> None:
        line = np.round(np.array(points) * 16).astype(np.int32)
        cv2.polylines(self.picture, [line], False, ink, width, cv2.LINE_AA, 4)


def court(rank: str, suit: str, pips: PipStyle, ink: Colour) -> np.ndarray:
    """The figure of ``rank`` (J, Q, K): BGR picture of 2·HALF × WIDTH, same when turned."""
    half = np.empty((HALF, WIDTH, 3), np.uint8)
    half[:] = _CREAM
    pen = _Pen(half)
    main, second = (_RED, _BLUE) if suit in "hd" else (_BLUE, _RED)
    if rank == "J":
        main, second = second, main
    _robe(pen, main, second)
    _attribute(pen, rank)
    _head(pen, rank)
    {"K": _crown, "Q": _tiara, "J": _cap}[rank](pen, second)
    pip = suit_mask(suit, pips, 62)
    stamp(half, pip, 16, 18, ink)
    whole = np.vstack([half, half[::-1, ::-1]])
    band = np.array([(0, HALF + 46), (0, HALF + 16), (WIDTH, HALF - 46), (WIDTH, HALF - 16)])
    cv2.fillPoly(whole, [band.astype(np.int32)], _GOLD, cv2.LINE_AA)
    cv2.polylines(whole, [band.astype(np.int32)], True, _LINE, 3, cv2.LINE_AA)
    for step in range(9):
        x = 18 + step * 33
        y = HALF + 31 - (62 * x) / WIDTH
        cv2.circle(whole, (x, round(y)), 7, second, -1, cv2.LINE_AA)
    return whole


def _robe(pen: _Pen, main: Colour, second: Colour) -> None:
    pen.shape([(20, 345), (40, 232), (112, 190), (188, 190), (260, 232), (285, 345)], main)
    pen.shape([(112, 345), (118, 192), (182, 192), (188, 345)], _GOLD)
    for row in range(5):
        y = 214 + row * 30
        pen.shape([(150, y - 13), (166, y), (150, y + 13), (134, y)], second, 2)
    for side in (-1, 1):
        for row in range(3):
            pen.stroke(
                [(150 + side * 46, 226 + row * 38), (150 + side * 112, 262 + row * 34)], _GOLD, 7
            )
        pen.shape(
            [(150 + side * 2, 226), (150 + side * 22, 182), (150 + side * 66, 194)],
            (240, 244, 246),
        )


def _head(pen: _Pen, rank: str) -> None:
    hair = _HAIR[rank]
    if rank == "Q":
        pen.oval(150, 134, 70, 78, hair)
        for side in (-1, 1):
            pen.oval(150 + side * 62, 186, 19, 25, hair)
    elif rank == "K":
        pen.oval(150, 122, 62, 60, hair)
        for side in (-1, 1):
            pen.oval(150 + side * 56, 156, 17, 22, hair)
    else:
        pen.oval(150, 138, 60, 62, hair)
        for side in (-1, 1):
            pen.oval(150 + side * 54, 172, 16, 15, hair)
    pen.oval(150, 130, 45, 58, _SKIN)
    if rank == "K":
        pen.shape([(106, 142), (194, 142), (186, 190), (150, 222), (114, 190)], hair)
        pen.oval(150, 154, 26, 13, _SKIN, 0)
    for side in (-1, 1):
        pen.stroke([(150 + side * 11, 112), (150 + side * 30, 109)], _LINE, 4)
        pen.oval(150 + side * 20, 122, 7, 5, _LINE, 0)
    pen.stroke([(150, 122), (144, 143), (152, 145)], _LINE, 3)
    pen.stroke([(138, 160), (150, 164), (162, 160)], _RED, 6)


def _crown(pen: _Pen, second: Colour) -> None:
    points = [(88, 84), (80, 22), (112, 56), (126, 12), (150, 52)]
    points += [(300 - x, y) for x, y in reversed(points[:-1])]
    pen.shape([*points], _GOLD)
    pen.shape([(88, 84), (212, 84), (208, 102), (92, 102)], second)
    for x, y in ((80, 22), (126, 12), (174, 12), (220, 22)):
        pen.oval(x, y, 9, 9, _RED)


def _tiara(pen: _Pen, second: Colour) -> None:
    pen.shape([(94, 82), (100, 40), (124, 62), (150, 20), (176, 62), (200, 40), (206, 82)], _GOLD)
    pen.shape([(94, 82), (206, 82), (204, 96), (96, 96)], second)
    pen.oval(150, 56, 10, 13, _RED)


def _cap(pen: _Pen, second: Colour) -> None:
    pen.shape([(84, 92), (92, 46), (150, 30), (212, 50), (216, 92)], second)
    pen.shape([(78, 88), (222, 88), (220, 106), (80, 106)], _GOLD)
    pen.stroke([(208, 88), (236, 52), (244, 14)], (240, 244, 246), 15)
    pen.stroke([(208, 88), (236, 52), (244, 14)], _LINE, 3)


def _attribute(pen: _Pen, rank: str) -> None:
    """What the figure holds: sword, flower or staff."""
    if rank == "K":
        pen.shape([(256, 300), (250, 60), (260, 34), (270, 60), (266, 300)], (224, 216, 210))
        pen.shape([(232, 250), (290, 250), (290, 264), (232, 264)], _GOLD)
    elif rank == "Q":
        pen.stroke([(248, 300), (254, 170)], (60, 120, 40), 8)
        for x, y in ((254, 128), (238, 146), (270, 146), (245, 164), (264, 164)):
            pen.oval(x, y, 13, 13, _RED)
        pen.oval(254, 148, 10, 10, _GOLD)
    else:
        pen.stroke([(258, 320), (258, 70)], (60, 90, 140), 11)
        pen.shape([(258, 130), (226, 100), (232, 150), (258, 160)], (224, 216, 210))
        pen.shape([(248, 72), (258, 30), (268, 72)], (224, 216, 210))
    pen.oval(252, 268, 20, 17, _SKIN)
