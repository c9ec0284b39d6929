"""Paints the table of one moment: cloth, cards, chips, furniture and hands with their shadows."""

from __future__ import annotations

import cv2
import numpy as np

from kiosk.cards import Card
from models.training.faces import FACE_H, FACE_W, card_mask
from models.training.recording import PX_PER_CM, felt
from models.training.recording.chips import SCALE as CHIP_SCALE
from models.training.recording.chips import draw_chip
from models.training.recording.deck import casino_style, draw_face
from models.training.recording.direction import CHIPS, SHOULDERS, Director
from models.training.recording.hands import SCALE as HAND_SCALE
from models.training.recording.hands import Sprite, draw_hand
from models.training.recording.things import Pose, Thing

_CARD_SCALE = FACE_W / 6.3
_MIP = 1.35
"""Cards and chips are kept this much finer than the picture shows them."""
_EXPOSURE = 1 / 60
_TOUCHING, _SEAM = 0.1, 0.5
_SHADOW = (0.9, 1.3)
"""Where the shadow of a thing lifted by 1 falls, centimetres."""

_HANDS = {
    # skin and sleeve (BGR), mirrored, cuff
    "right": ((146, 174, 220), (46, 36, 32), False, True),
    "left": ((146, 174, 220), (46, 36, 32), True, True),
    "player1": ((120, 150, 200), (110, 84, 60), False, False),
    "player2": ((160, 188, 232), (66, 60, 130), True, True),
    "player3": ((70, 98, 146), (150, 150, 146), False, False),
    "player4": ((140, 170, 214), (70, 80, 72), True, True),
}
_PLAYER_SHOULDER = 118.0


class Stage:
    """All sprites of one recording, drawn once, and the painting of a moment."""

    def __init__(self, director: Director, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.director = director
        self.style = casino_style(rng)
        self.cloth = felt.cloth(rng, director.places).astype(np.float32)
        self.furniture, self.furniture_cover = felt.furniture(rng)
        self.hands = {name: draw_hand(rng, *look) for name, look in _HANDS.items()}
        size = _mip_size(FACE_W, FACE_H, _CARD_SCALE)
        self._card_cover = _small(card_mask().astype(np.float32) / 255, size)
        self._back = _small(self.style.back.astype(np.float32), size)
        self._faces: dict[Card, np.ndarray] = {}
        self._chips = {}
        for value in CHIPS:
            picture, cover = draw_chip(str(value))
            chip = _mip_size(picture.shape[1], picture.shape[0], CHIP_SCALE)
            self._chips[f"chip{value}"] = (_small(picture, chip), _small(cover, chip))

    def paint(self, t: float) -> np.ndarray:
        """The table at ``t`` without light, BGR float32 of the picture's size."""
        canvas = self.cloth.copy()
        here = [(thing.order(t), thing) for thing in self.director.things if thing.at(t)]
        for _, thing in sorted(here, key=lambda pair: pair[0]):
            if thing.sprite not in self.hands:
                self._flat(canvas, thing, t)
        self._furnish(canvas)
        for thing in self.director.hands.values():
            self._hand(canvas, thing, t)
        return canvas

    def _furnish(self, canvas: np.ndarray) -> None:
        for x1, _, x2, y2 in (felt.SHOE, felt.RACK):
            a, c, d = round((x1 - 3) * PX_PER_CM), round((x2 + 3) * PX_PER_CM), 0
            d = round((y2 + 3) * PX_PER_CM)
            area, cover = canvas[:d, a:c], self.furniture_cover[:d, a:c, None]
            shadow = np.roll(cv2.GaussianBlur(cover, (0, 0), 9), (10, 7), (0, 1))[..., None]
            area *= 1 - 0.5 * shadow
            area[:] = area * (1 - cover) + self.furniture[:d, a:c] * cover

    def _face(self, card: Card) -> np.ndarray:
        if card not in self._faces:
            face = draw_face(self.style, card).astype(np.float32)
            self._faces[card] = _small(face, _mip_size(FACE_W, FACE_H, _CARD_SCALE))
        return self._faces[card]

    def _flat(self, canvas: np.ndarray, thing: Thing, t: float) -> None:
        """A card or a chip."""
        pose = thing.at(t)
        if pose is None:
            return
        squeeze = 1.0
        if thing.card is not None:
            picture = self._face(thing.card) if pose.face > 0.5 else self._back
            cover = self._card_cover
            squeeze = max(0.06, abs(np.cos(np.pi * pose.face)))
        else:
            picture, cover = self._chips[thing.sprite]
        swing = np.sin(np.pi * pose.face)
        turn = np.radians(pose.angle)
        c, s = np.cos(turn) / _MIP, np.sin(turn) / _MIP
        grow = 1 + 0.05 * swing
        matrix = np.array([[c * squeeze * grow, -s * grow], [s * squeeze * grow, c * grow]])
        middle = (cover.shape[1] / 2, cover.shape[0] / 2)
        _lay(
            canvas, picture, cover, matrix, middle, pose, 0.05 + 0.5 * swing, self._speed(thing, t)
        )

    def _hand(self, canvas: np.ndarray, thing: Thing, t: float) -> None:
        pose = thing.at(t)
        if pose is None or not -11.5 < pose.y < 71:
            return
        sprite: Sprite = self.hands[thing.sprite]
        sx, sy = SHOULDERS.get(thing.sprite, (thing.keys[0][1].x, _PLAYER_SHOULDER))
        forward = np.arctan2(pose.y - sy, pose.x - sx) - np.pi / 2
        scale = PX_PER_CM / HAND_SCALE * (1 + 0.03 * pose.lift)
        c, s = np.cos(forward) * scale, np.sin(forward) * scale
        matrix = np.array([[c, -s], [s, c]])
        lift = 0.45 + 0.8 * pose.lift
        _lay(
            canvas,
            sprite.picture,
            sprite.cover,
            matrix,
            sprite.tip,
            pose,
            lift,
            self._speed(thing, t),
            0.42,
        )

    def _speed(self, thing: Thing, t: float) -> tuple[float, float]:
        """How far it moves while the shutter is open, pixels."""
        one, other = thing.at(t - _EXPOSURE / 2), thing.at(t + _EXPOSURE / 2)
        if one is None or other is None:
            return 0.0, 0.0
        return (other.x - one.x) * PX_PER_CM, (other.y - one.y) * PX_PER_CM


def _mip_size(width: int, height: int, scale: float) -> tuple[int, int]:
    share = PX_PER_CM * _MIP / scale
    return round(width * share), round(height * share)


def _small(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def _lay(
    canvas: np.ndarray,
    picture: np.ndarray,
    cover: np.ndarray,
    matrix: np.ndarray,
    anchor: tuple[float, float],
    pose: Pose,
    lift: float,
    speed: tuple[float, float],
    depth: float = 0.5,
) -> None:
    """Put a sprite with its ``anchor`` at the pose, its shadow first, blurred by its motion.

    ``matrix``: 2 × 2 from sprite pixels to picture pixels. ``depth``: how dark the shadow is.
    """
    height, width = canvas.shape[:2]
    at = np.array([pose.x, pose.y]) * PX_PER_CM
    outline = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (cover.shape[1], cover.shape[0])
    corners = (outline - anchor) @ matrix.T + at
    reach = 8 + lift * 2.6 * PX_PER_CM + max(abs(speed[0]), abs(speed[1]))
    x1, y1 = np.maximum(np.floor(corners.min(0) - reach), 0).astype(int)
    x2, y2 = np.minimum(np.ceil(corners.max(0) + reach), (width, height)).astype(int)
    if x2 <= x1 or y2 <= y1:
        return
    shift = at - matrix @ np.array(anchor) - (x1, y1)
    affine = np.column_stack([matrix, shift])
    size = (int(x2 - x1), int(y2 - y1))
    alpha = cv2.warpAffine(cover, affine, size, flags=cv2.INTER_LINEAR)
    colour = cv2.warpAffine(
        picture, affine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    colour *= alpha[..., None]
    kernel = _streak(speed)
    if kernel is not None:
        alpha, colour = cv2.filter2D(alpha, -1, kernel), cv2.filter2D(colour, -1, kernel)
    fall = affine.copy()
    fall[:, 2] += np.array(_SHADOW) * lift * PX_PER_CM + 0.8
    shadow = cv2.warpAffine(cover, fall, size, flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(shadow, (0, 0), 1.3 + lift * 0.55 * PX_PER_CM)
    area = canvas[y1:y2, x1:x2]
    area *= 1 - depth * shadow[..., None]
    if lift < _TOUCHING:
        # Where a card lies on another a dark seam shows on all sides, not only away from the lamp.
        seam = cv2.GaussianBlur(alpha, (0, 0), 1.6)
        area *= 1 - _SEAM * seam[..., None]
    area *= 1 - alpha[..., None]
    area += colour


def _streak(speed: tuple[float, float]) -> np.ndarray | None:
    """The kernel of a motion, None when it is too short to see."""
    length = float(np.hypot(*speed))
    if length < 1.5:
        return None
    half = int(np.ceil(length / 2)) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    step = np.array(speed) / 2
    a = tuple(int(v) for v in np.round((half - step) * 16))
    b = tuple(int(v) for v in np.round((half + step) * 16))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_8, 4)
    return kernel / max(float(kernel.sum()), 1e-6)
