"""From markers seen to the felt's place in the picture, by least squares.

Four corner pieces lie with their marked corner on the corners of a rectangle of known size. Each
may lie a little turned: its turn is found too. Without a known lens its bending is estimated from
the same picture; the board, lying anywhere flat on the felt, makes that safer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import BadCornersError, Point, check_corners
from calibration.lens import Lens
from calibration.markers import Found
from kiosk.errors import UserError

Array = NDArray[np.float64]

GOOD_MM = 1.0
"""Typical distance (root mean square) up to which the pieces agree with the plane."""

_GUESSED_FOCUS = 0.8
"""Focal length as a share of the picture's width where none is known. Only the product of bending
and focal length shows in one picture, so the guess changes nothing."""

_BENDS = 2
"""Coefficients estimated where the lens is not known: k1 and k2."""

_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Fit:
    """``corners``: the felt's corners in pixels of the camera's picture, in a layout's order.

    ``lens``: what bends the picture, known before or estimated. ``error_px``, ``error_mm``: root
    mean square distance of the markers from the model. ``width``, ``height``: of the felt,
    centimetres, as given or, where left open, as measured from the markers' own size.
    """

    corners: tuple[Point, Point, Point, Point]
    lens: Lens | None
    error_px: float
    error_mm: float
    width: float
    height: float
    board: bool

    @property
    def good(self) -> bool:
        """Whether the markers agree with each other."""
        return self.error_mm <= GOOD_MM


def fit_felt(
    found: Found, width: float, height: float, lens: Lens | None = None, ruler: float = 1.0
) -> Fit:
    """The felt of ``width`` × ``height`` centimetres from its four corner pieces.

    ``lens``: measured before, for the size of this picture. ``ruler``: length of the printed
    ruler as measured, over its true length. Raises UserError when a piece is missing or the
    pieces lie in a wrong order.
    """
    if found.missing:
        numbers = ", ".join(str(corner + 1) for corner in found.missing)
        raise UserError(f"corner pieces not seen: {numbers}; uncover them, avoid glare")
    return _Problem(found, (width, height), lens, ruler).solve()


def measure_felt(found: Found, lens: Lens | None = None, ruler: float = 1.0) -> Fit:
    """The same with the felt's size left open: worked out from the markers' own size.

    Good to about a hundredth; it tells a wrong measure from a wrong place.
    """
    if found.missing:
        raise UserError("corner pieces are missing")
    return _Problem(found, None, lens, ruler).solve()


class _Problem:
    """The unknowns as one vector: corners (8), turns (4), board (3), bending (2), size (2)."""

    def __init__(
        self, found: Found, size: tuple[float, float] | None, lens: Lens | None, ruler: float
    ) -> None:
        self._found, self._size, self._known = found, size, lens
        self._scale = np.array([found.width, found.height], float)
        self._pieces = [
            np.array(tag.markers.tag_corners(tag.corner), float) * ruler for tag in found.tags
        ]
        self._seen = [np.array(tag.points, float) for tag in found.tags]
        board = found.board
        self._board = None if board is None else np.array(board.flat, float) * ruler
        if board is not None:
            self._seen.append(np.array(board.seen, float))

    def solve(self) -> Fit:
        start = self._start()
        self._order_holds(start)
        try:
            values = least_squares(self._misses, start)
        except np.linalg.LinAlgError:
            raise UserError("no felt fits these markers: lay them anew") from None
        corners, _, _, lens, size = self._parts(values)
        bent = _bend(corners, lens)
        misses = self._misses(values).reshape(-1, 2)
        error = float(np.sqrt((misses**2).sum(1).mean()))
        per_cm = math.sqrt(_area(corners) / (size[0] * size[1]))
        return Fit(
            corners=_four(bent),
            lens=lens,
            error_px=error,
            error_mm=error / per_cm * 10,
            width=float(size[0]),
            height=float(size[1]),
            board=self._board is not None,
        )

    def _start(self) -> Array:
        size = self._size or self._rough_size()
        flat = np.vstack(
            [corner + piece for corner, piece in zip(_rect(size), self._pieces, strict=True)]
        )
        seen = np.vstack([self._straight(points) for points in self._seen[:4]])
        matrix, _ = cv2.findHomography(flat, seen)
        if matrix is None:
            raise UserError("the corner pieces do not make a felt: do two lie on each other?")
        corners = cv2.perspectiveTransform(_rect(size)[None], matrix)[0]
        parts = [(corners / self._scale).ravel(), np.zeros(4)]
        if self._board is not None:
            parts.append(
                _lay(
                    self._board, self._straight(self._seen[4]), np.linalg.inv(matrix).astype(float)
                )
            )
        if self._known is None:
            parts.append(np.zeros(_BENDS))
        if self._size is None:
            parts.append(np.array(size) / 100)
        return np.concatenate(parts)

    def _rough_size(self) -> tuple[float, float]:
        """Distances between the pieces, measured with the tags as a ruler."""
        sides = []
        for one, other in ((0, 1), (3, 2), (0, 3), (1, 2)):
            tags = (self._seen[one], self._seen[other])
            per_cm = [
                np.mean(np.linalg.norm(t - np.roll(t, 1, 0), axis=1))
                / np.linalg.norm(self._pieces[0][1] - self._pieces[0][0])
                for t in tags
            ]
            away = np.linalg.norm(tags[0].mean(0) - tags[1].mean(0))
            sides.append(float(away / np.mean(per_cm)))
        lead = 2 * float(np.abs(self._pieces[0].mean(0)[0]))
        return (sides[0] + sides[1]) / 2 + lead, (sides[2] + sides[3]) / 2 + lead

    def _order_holds(self, start: Array) -> None:
        try:
            check_corners(_four(np.array([points.mean(0) for points in self._seen[:4]])))
            check_corners(_four(start[:8].reshape(4, 2)))
        except BadCornersError:
            raise UserError(
                "the corner pieces lie in a wrong order: 1 far left, 2 far right, 3 near right, "
                "4 near left, seen from the players' side"
            ) from None

    def _straight(self, points: Array) -> Array:
        if self._known is None:
            return points
        lens = self._known
        return np.array([lens.undistort((float(x), float(y))) for x, y in points])

    def _parts(self, values: Array) -> tuple[Array, Array, Array, Lens | None, tuple[float, float]]:
        corners, rest = values[:8].reshape(4, 2) * self._scale, values[8:]
        turns, rest = rest[:4], rest[4:]
        place = np.zeros(3)
        if self._board is not None:
            place, rest = rest[:3], rest[3:]
        lens = self._known
        if lens is None:
            lens, rest = self._guess(rest[:_BENDS]), rest[_BENDS:]
        size = self._size or (float(rest[0] * 100), float(rest[1] * 100))
        return corners, turns, place, lens, size

    def _guess(self, bends: Array) -> Lens:
        focus = _GUESSED_FOCUS * self._found.width
        middle = self._found.width / 2, self._found.height / 2
        return Lens(focus, focus, *middle, float(bends[0]), float(bends[1]))

    def _misses(self, values: Array) -> Array:
        """Pixels between each marker point as seen and as the unknowns would show it."""
        corners, turns, place, lens, size = self._parts(values)
        flat = [
            corner + piece @ _turn(turn).T
            for corner, piece, turn in zip(_rect(size), self._pieces, turns, strict=True)
        ]
        if self._board is not None:
            flat.append(self._board @ _turn(place[2]).T + place[:2])
        matrix = _plane(_rect(size), corners)
        straight = cv2.perspectiveTransform(np.vstack(flat)[None], matrix)[0]
        misses: Array = _bend(straight, lens) - np.vstack(self._seen)
        return misses.ravel()


def _four(points: Array) -> tuple[Point, Point, Point, Point]:
    one, two, three, four = ((float(x), float(y)) for x, y in points)
    return one, two, three, four


def _rect(size: tuple[float, float]) -> Array:
    w, h = size
    return np.array([[0, 0], [w, 0], [w, h], [0, h]], float)


def _plane(source: Array, target: Array) -> Array:
    """The homography of four points, in double precision (differences are taken of it)."""
    rows, right = [], []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(right)), 1.0).reshape(3, 3)


def _turn(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def _area(corners: Array) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _lay(flat: Array, seen: Array, to_felt: Array) -> Array:
    """Where the board lies on the felt: x, y and turn of its own axes."""
    there = cv2.perspectiveTransform(seen[None], to_felt)[0]
    a, b = flat - flat.mean(0), there - there.mean(0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    x, y = there.mean(0) - flat.mean(0) @ _turn(turn).T
    return np.array([x, y, turn])


def _bend(points: Array, lens: Lens | None) -> Array:
    """``Lens.distort`` for many points at once (within its reach)."""
    if lens is None:
        return points
    x, y = (points[:, 0] - lens.cx) / lens.fx, (points[:, 1] - lens.cy) / lens.fy
    r2 = x * x + y * y
    radial = 1 + r2 * (lens.k1 + r2 * (lens.k2 + r2 * lens.k3))
    bent_x = x * radial + 2 * lens.p1 * x * y + lens.p2 * (r2 + 2 * x * x)
    bent_y = y * radial + lens.p1 * (r2 + 2 * y * y) + 2 * lens.p2 * x * y
    return np.column_stack([bent_x * lens.fx + lens.cx, bent_y * lens.fy + lens.cy])


def least_squares(misses: Callable[[Array], Array], start: Array) -> Array:
    """The unknowns that make the sum of squared misses least (Levenberg and Marquardt)."""
    values, damping = start, 1e-3
    now = misses(values)
    for _ in range(_ROUNDS):
        slope = np.column_stack(
            [(misses(values + step) - now) / 1e-6 for step in np.eye(len(values)) * 1e-6]
        )
        square, pull = slope.T @ slope, slope.T @ now
        gained = False
        while not gained and damping < 1e9:
            move = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-12), -pull)
            after = misses(values + move)
            gained = bool(after @ after < now @ now)
            damping = damping / 5 if gained else damping * 5
        if not gained:
            break
        done = float(now @ now - after @ after) < 1e-10 * float(now @ now)
        values, now = values + move, after
        if done:
            break
    return values
