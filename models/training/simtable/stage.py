"""Paints the table of one moment: what lies still is kept, what moves is laid over it."""

from __future__ import annotations

import cv2
import numpy as np

from kiosk.cards import Card
from models.training.faces import card_mask
from models.training.recording.hands import SCALE as HAND_SCALE
from models.training.recording.hands import Sprite, draw_hand
from models.training.recording.things import Pose, Thing
from models.training.simtable.deck import Deck
from models.training.simtable.felt import centre_scale, paint_felt
from models.training.simtable.places import Places

_MIP = 1.3
"""Sprites are kept this much finer than the picture shows them."""
_SHADOW = (0.07, 0.1)
"""Where the shadow of a card falls, centimetres."""
_CHIP_CM = 3.9
_ARM = ((146, 174, 220), (46, 36, 32))
"""Skin and sleeve, BGR."""


class Stage:
    """One table seen by one camera. Pictures carry no light and no noise yet."""

    def __init__(self, places: Places, deck: Deck, width: int, height: int, seed: int) -> None:
        self.places, self.deck = places, deck
        self.size = (width, height)
        self.matrix = np.array(places.layout.homography(width, height))
        self.felt = paint_felt(places, width, height, seed)
        scale = centre_scale(places, width, height)
        self._mip = scale * _MIP
        rng = np.random.default_rng(seed)
        right = _slim(draw_hand(rng, *_ARM, False), scale)
        self._arms = {"right": right, "left": _mirrored(right)}
        card = (round(6.3 * self._mip), round(8.8 * self._mip))
        self._cover = cv2.resize(card_mask(), card, interpolation=cv2.INTER_AREA)
        self._back = cv2.resize(deck.back, card, interpolation=cv2.INTER_AREA)
        self._faces: dict[Card, np.ndarray] = {}
        self._card_size = card
        self._chip = _draw_chip(self._mip)
        self._still: list[tuple[int, Pose]] = []
        self._base = self.felt.copy()
        self._of: object = None

    def paint(self, things: list[Thing], t: float) -> np.ndarray:
        """The table at ``t``, BGR uint8. The picture is the caller's."""
        here = [(thing.order(t), thing, pose) for thing in things if (pose := thing.at(t))]
        here.sort(key=lambda entry: entry[0])
        flat = [(thing, pose) for _, thing, pose in here if thing.sprite not in self._arms]
        count = 0
        while count < len(flat) and _rests(flat[count][0], t):
            count += 1
        self._keep(things, flat[:count])
        canvas = self._base.copy()
        for thing, pose in flat[count:]:
            self._lay(canvas, thing, pose)
        for _, thing, pose in here:
            if thing.sprite in self._arms and pose.y > -11.5:
                self._arm(canvas, thing.sprite, pose)
        return canvas

    def _keep(self, things: list[Thing], flat: list[tuple[Thing, Pose]]) -> None:
        """Brings the picture of what lies still up to date."""
        now = [(id(thing), pose) for thing, pose in flat]
        known = len(self._still)
        if self._of is not things or now[:known] != self._still:
            self._base, self._of, known = self.felt.copy(), things, 0
        for thing, pose in flat[known:]:
            self._lay(self._base, thing, pose)
        self._still = now

    def _lay(self, canvas: np.ndarray, thing: Thing, pose: Pose) -> None:
        """A card or a chip with its shadow."""
        if thing.card is None:
            picture, cover = self._chip
            squeeze = 1.0
        else:
            picture = self._face(thing.card) if pose.face > 0.5 else self._back
            cover = self._cover
            squeeze = max(0.06, abs(float(np.cos(np.pi * pose.face))))
        height, width = cover.shape
        turn = np.radians(pose.angle)
        c, s = np.cos(turn) / self._mip, np.sin(turn) / self._mip
        place = np.array([[c * squeeze, -s, pose.x], [s * squeeze, c, pose.y], [0, 0, 1]])
        matrix = self.matrix @ place @ _shift(-width / 2, -height / 2)
        area = _area(matrix, width, height, self.size, margin=6)
        if area is None:
            return
        x1, y1, x2, y2 = area
        matrix = _shift(-x1, -y1) @ matrix
        size = (x2 - x1, y2 - y1)
        alpha = cv2.warpPerspective(cover, matrix, size, flags=cv2.INTER_LINEAR)
        colour = cv2.warpPerspective(
            picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        shadow = cv2.GaussianBlur(
            cv2.warpAffine(alpha, np.array([[1, 0, 1.2], [0, 1, 1.8]]), size), (0, 0), 1.6
        )
        part = canvas[y1:y2, x1:x2]
        dark = part * (1 - shadow[..., None].astype(np.float32) * (0.45 / 255))
        share = alpha[..., None].astype(np.float32) / 255
        part[:] = (dark * (1 - share) + colour * share).astype(np.uint8)

    def _face(self, card: Card) -> np.ndarray:
        if card not in self._faces:
            self._faces[card] = cv2.resize(
                self.deck.face(card), self._card_size, interpolation=cv2.INTER_AREA
            )
        return self._faces[card]

    def _arm(self, canvas: np.ndarray, side: str, pose: Pose) -> None:
        sprite, per_cm = self._arms[side]
        sx, sy = self.places.shoulder(side)
        forward = np.arctan2(pose.y - sy, pose.x - sx) - np.pi / 2
        grow = (1 + 0.03 * pose.lift) / per_cm
        c, s = np.cos(forward) * grow, np.sin(forward) * grow
        place = np.array([[c, -s, pose.x], [s, c, pose.y], [0, 0, 1]])
        height, width = sprite.cover.shape
        matrix = self.matrix @ place @ _shift(-sprite.tip[0], -sprite.tip[1])
        area = _area(matrix, width, height, self.size, margin=30)
        if area is None:
            return
        x1, y1, x2, y2 = area
        matrix = _shift(-x1, -y1) @ matrix
        size = (x2 - x1, y2 - y1)
        alpha = cv2.warpPerspective(sprite.cover, matrix, size)
        colour = cv2.warpPerspective(sprite.picture, matrix, size)
        fall = cv2.warpAffine(alpha, np.array([[1, 0, 9.0], [0, 1, 13.0]]), size)
        passes = (1 - 0.4 * cv2.blur(fall, (25, 25))) * (1 - alpha)
        part = canvas[y1:y2, x1:x2]
        seen = part * passes[..., None]
        seen += colour
        part[:] = seen


def _rests(thing: Thing, t: float) -> bool:
    """Whether the thing moves neither now nor in the next moment."""
    return thing.at(t) == thing.at(t + 0.02)


def _shift(dx: float, dy: float) -> np.ndarray:
    return np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]], float)


def _area(
    matrix: np.ndarray, width: int, height: int, size: tuple[int, int], margin: int
) -> tuple[int, int, int, int] | None:
    """The part of the picture that a sprite touches."""
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]]).T
    moved = matrix @ corners
    xs, ys = moved[0] / moved[2], moved[1] / moved[2]
    x1, y1 = max(0, int(xs.min()) - margin), max(0, int(ys.min()) - margin)
    x2, y2 = min(size[0], int(xs.max()) + margin), min(size[1], int(ys.max()) + margin)
    return (x1, y1, x2, y2) if x2 > x1 and y2 > y1 else None


def _slim(sprite: Sprite, scale: float) -> tuple[Sprite, float]:
    """The arm at the picture's scale, its colours times its coverage; pixels per centimetre."""
    share = min(1.0, scale / HAND_SCALE)
    size = (round(sprite.cover.shape[1] * share), round(sprite.cover.shape[0] * share))
    picture = cv2.resize(sprite.picture, size, interpolation=cv2.INTER_AREA)
    cover = cv2.resize(sprite.cover, size, interpolation=cv2.INTER_AREA)
    tip = (sprite.tip[0] * share, sprite.tip[1] * share)
    return Sprite(picture * cover[..., None], cover, tip), HAND_SCALE * share


def _mirrored(arm: tuple[Sprite, float]) -> tuple[Sprite, float]:
    """The other arm."""
    sprite, scale = arm
    picture, cover = sprite.picture[:, ::-1].copy(), sprite.cover[:, ::-1].copy()
    return Sprite(picture, cover, (cover.shape[1] - sprite.tip[0], sprite.tip[1])), scale


def _draw_chip(scale: float) -> tuple[np.ndarray, np.ndarray]:
    """A chip from above: picture and coverage."""
    size = round(_CHIP_CM * scale)
    middle, radius = (size // 2, size // 2), size // 2 - 1
    picture = np.full((size, size, 3), (40, 36, 150), np.uint8)
    for turn in range(0, 360, 60):
        cv2.ellipse(
            picture, middle, (radius, radius), 0, turn, turn + 22, (226, 230, 232), -1, cv2.LINE_AA
        )
    cv2.circle(picture, middle, round(radius * 0.78), (40, 36, 150), -1, cv2.LINE_AA)
    cv2.circle(picture, middle, round(radius * 0.55), (226, 230, 232), 2, cv2.LINE_AA)
    cover = np.zeros((size, size), np.uint8)
    cv2.circle(cover, middle, radius, 255, -1, cv2.LINE_AA)
    return picture, cover
