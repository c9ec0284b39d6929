"""Paints cards and other things over each other, and says which indices can still be read.

What a later card, chip or finger covers is taken off the earlier ones' visible area, so a label is
given only to an index that can be read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from kiosk.cards import Card
from models.training.bend import Bend
from models.training.faces import FACE_H, FACE_W, card_mask
from models.training.scene_decks import Deck

INDEX_SEEN = 0.85
"""Share of an index that must be uncovered to be labelled."""
HALF_SEEN = (0.2, 0.78)
"""Share of an index that must be uncovered to be half an index."""
BODY_SEEN = 0.12
"""Share of a card that must be uncovered and inside the picture to count as a body."""


@dataclass(frozen=True)
class IndexLabel:
    """One visible corner index: its card, its box in pixels, and its corners (4, 2) in pixels from
    the one that is top left when the index stands upright, clockwise."""

    card: Card
    box: tuple[float, float, float, float]
    quad: np.ndarray = field(repr=False, compare=False)


@dataclass(frozen=True)
class HalfIndex:
    """A corner index that is covered in part: its whole box, that of what is seen of it, and which
    share that is."""

    card: Card
    box: tuple[float, float, float, float]
    seen_box: tuple[float, float, float, float]
    seen: float


@dataclass(frozen=True)
class Lying:
    """A card that lies there face up, seen or not: its four corners (4, 2) in pixels."""

    card: Card
    corners: np.ndarray


_MASK = card_mask()


class Painter:
    """Puts cards and other things on a canvas and keeps count of what stays visible."""

    def __init__(self, background: np.ndarray) -> None:
        self.canvas = background
        self.owner = np.full(background.shape[:2], -1, np.int32)
        self._cards: list[tuple[Card | None, np.ndarray, float, list[np.ndarray]]] = []

    def card(
        self,
        deck: Deck,
        card: Card | None,
        matrix: np.ndarray,
        shade: float = 0.4,
        bend: Bend | None = None,
    ) -> None:
        """Lay a card (None: face down) by the 3×3 matrix from face pixels to canvas pixels."""
        face, boxes = deck.face(card) if card else (deck.back, np.zeros((0, 4), np.float32))
        shape = _MASK
        if bend is not None:
            face, shape = bend.picture(face, shape)
            boxes = bend.boxes(boxes, (FACE_W, FACE_H))
        outline = np.array([[0, 0], [FACE_W, 0], [FACE_W, FACE_H], [0, FACE_H]], np.float32)
        corners = cv2.perspectiveTransform(outline[None], matrix)[0]
        height, width = self.canvas.shape[:2]
        x1, y1 = np.floor(corners.min(0)).astype(int) - 3
        x2, y2 = np.ceil(corners.max(0)).astype(int) + 4
        x1, y1, x2, y2 = max(x1, 0), max(y1, 0), min(x2, width), min(y2, height)
        if x2 <= x1 or y2 <= y1:
            return
        shift = np.array([[1, 0, -x1], [0, 1, -y1], [0, 0, 1]], float) @ matrix
        size = (int(x2 - x1), int(y2 - y1))
        scale = np.sqrt(abs(np.linalg.det(matrix[:2, :2])))
        source, mask, grow = face, shape, np.eye(3)
        if scale < 0.55:
            grow = np.diag(
                [
                    face.shape[1] / max(1, round(FACE_W * scale * 1.25)),
                    face.shape[0] / max(1, round(FACE_H * scale * 1.25)),
                    1,
                ]
            )
            small = (round(face.shape[1] / grow[0, 0]), round(face.shape[0] / grow[1, 1]))
            source = cv2.resize(face, small, interpolation=cv2.INTER_AREA)
            mask = cv2.resize(shape, small, interpolation=cv2.INTER_AREA)
        warped = cv2.warpPerspective(
            source, shift @ grow, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        alpha = cv2.warpPerspective(mask, shift @ grow, size).astype(np.float32)[..., None] / 255
        area = self.canvas[y1:y2, x1:x2]
        if shade:
            shadow = cv2.GaussianBlur(alpha, (0, 0), 1.5)[..., None]
            area[:] = (area * (1 - shade * shadow)).astype(np.uint8)
        area[:] = (area * (1 - alpha) + warped * alpha).astype(np.uint8)
        self.owner[y1:y2, x1:x2][alpha[..., 0] > 0.5] = len(self._cards)
        quads = [
            np.roll(
                cv2.perspectiveTransform(
                    np.array([[[a, b], [c, b], [c, d], [a, d]]], np.float32), matrix
                )[0],
                # An index of the lower half stands upside down.
                2 if b + d > FACE_H else 0,
                axis=0,
            )
            for a, b, c, d in boxes
        ]
        area_px = cv2.contourArea(corners.astype(np.float32))
        self._cards.append((card, corners, area_px, quads))

    def cover(self, mask: np.ndarray, colour: np.ndarray) -> None:
        """Lay another thing over everything: mask uint8 of the canvas, colour BGR or a picture."""
        alpha = mask.astype(np.float32)[..., None] / 255
        self.canvas[:] = (self.canvas * (1 - alpha) + colour * alpha).astype(np.uint8)
        self.owner[mask > 127] = -2

    def labels(self) -> tuple[tuple[IndexLabel, ...], tuple[tuple[float, ...], ...]]:
        """What can be seen now: readable indices, and the visible extent of each card."""
        indices, bodies = [], []
        height, width = self.owner.shape
        for number, (card, _, area, quads) in enumerate(self._cards):
            mine = self.owner == number
            seen = int(mine.sum())
            if seen > BODY_SEEN * area:
                rows, columns = np.flatnonzero(mine.any(1)), np.flatnonzero(mine.any(0))
                bodies.append(
                    (float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1))
                )
            if card is None:
                continue
            for quad in quads:
                x1, y1 = quad.min(0)
                x2, y2 = quad.max(0)
                if x1 < -1 or y1 < -1 or x2 > width + 1 or y2 > height + 1:
                    continue
                zone = np.zeros((height, width), np.uint8)
                cv2.fillConvexPoly(zone, np.round(quad).astype(np.int32), 1)
                inside = zone.astype(bool)
                if inside.sum() and mine[inside].mean() >= INDEX_SEEN:
                    box = (float(x1), float(y1), float(x2), float(y2))
                    indices.append(IndexLabel(card, box, quad))
        return tuple(indices), tuple(bodies)

    def halves(self) -> tuple[HalfIndex, ...]:
        """Indices of which a part can be seen: covered, or cut by the picture's edge."""
        found = []
        for number, (card, _, _, quads) in enumerate(self._cards):
            for quad in quads if card else ():
                area = float(cv2.contourArea(quad.astype(np.float32)))
                (x1, y1), (x2, y2) = quad.min(0), quad.max(0)
                left, top = max(0, int(x1)), max(0, int(y1))
                part = self.owner[top : max(0, int(y2) + 1), left : max(0, int(x2) + 1)]
                if area <= 0 or not part.size:
                    continue
                zone = np.zeros(part.shape, np.uint8)
                cv2.fillConvexPoly(zone, np.round(quad - (left, top)).astype(np.int32), 1)
                mine = (part == number) & zone.astype(bool)
                share = float(mine.sum()) / area
                if not HALF_SEEN[0] <= share <= HALF_SEEN[1]:
                    continue
                rows, columns = np.flatnonzero(mine.any(1)), np.flatnonzero(mine.any(0))
                seen = (
                    float(left + columns[0]),
                    float(top + rows[0]),
                    float(left + columns[-1] + 1),
                    float(top + rows[-1] + 1),
                )
                box = (float(x1), float(y1), float(x2), float(y2))
                found.append(HalfIndex(card, box, seen, share))
        return tuple(found)

    def faces(self) -> tuple[Lying, ...]:
        """Every card laid face up, in order."""
        return tuple(Lying(card, corners) for card, corners, _, _ in self._cards if card)
