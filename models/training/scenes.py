"""Labelled pictures of cards on a table: who lies where, what of it can be seen.

A scene is painted card by card; what a later card, chip or finger covers is taken off the earlier
ones' visible area, so a label is given only to an index that can be read.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from kiosk.cards import DECK, Card
from models.training.art_decks import ArtDeck, art_decks
from models.training.bend import Bend
from models.training.cut_cards import CutCard
from models.training.degrade import camera, light
from models.training.faces import FACE_H, FACE_W, DeckStyle, card_mask, draw_back, draw_face
from models.training.mixed_cards import mixed
from models.training.surfaces import surface

INDEX_SEEN = 0.85
"""Share of an index that must be uncovered to be labelled."""
HALF_SEEN = (0.2, 0.78)
"""Share of an index that must be uncovered to be half an index."""
BENT_SHARE = 0.15
"""Share of pictures whose deck has been bent."""
BODY_SEEN = 0.12
"""Share of a card that must be uncovered and inside the picture to count as a body."""


@dataclass(frozen=True)
class IndexLabel:
    """One visible corner index: its card and box in pixels."""

    card: Card
    box: tuple[float, float, float, float]


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


@dataclass(frozen=True)
class Scene:
    """A finished picture (BGR uint8) with its visible indices and card bodies (boxes, pixels).

    ``lying``: all its faces, also those of which no index is seen whole; ``canvas``: the picture
    as painted, before light and camera; ``halves``: indices of which a part is seen.
    """

    picture: np.ndarray
    indices: tuple[IndexLabel, ...]
    bodies: tuple[tuple[float, float, float, float], ...]
    lying: tuple[Lying, ...] = ()
    canvas: np.ndarray | None = None
    halves: tuple[HalfIndex, ...] = ()


class Deck:
    """Faces of one style, drawn when first asked for.

    ``cards``: the names it has. ``index_height``: of its indices, in face pixels.
    """

    cards: tuple[Card, ...] = DECK

    def __init__(self, style: DeckStyle) -> None:
        self.style = style
        self.back = style.back
        self.index_height = style.rank_height * FACE_H * (1.4 + style.suit_ratio * 0.6)
        self._faces: dict[Card, tuple[np.ndarray, np.ndarray]] = {}

    def face(self, card: Card) -> tuple[np.ndarray, np.ndarray]:
        """The face (BGR) and its index boxes (corners, 4)."""
        if card not in self._faces:
            rng = np.random.default_rng(self.style.seed)
            self._faces[card] = draw_face(self.style, card.rank, card.suit, rng)
        return self._faces[card]


class RealDeck(Deck):
    """Real cards cut out of photographs, one of each name that was to be had."""

    def __init__(self, cuts: list[CutCard], rng: np.random.Generator) -> None:
        self.back = draw_back(rng)
        self._faces = {}
        for number in rng.permutation(len(cuts)):
            cut = cuts[number]
            self._faces[Card.parse(cut.card)] = (cut.picture, cut.indices)
        self.cards = tuple(self._faces)
        heights = [box[3] - box[1] for _, boxes in self._faces.values() for box in boxes]
        self.index_height = float(np.median(heights))


class PrintedDeck(Deck):
    """A deck of installed artwork, its paper and inks somewhat different each time."""

    def __init__(self, deck: ArtDeck, rng: np.random.Generator) -> None:
        self.back = draw_back(rng)
        self._gain = rng.uniform(0.86, 1.0) * rng.uniform(0.95, 1.0, 3)
        self._lift = rng.uniform(0, 40)
        self._printed = deck.faces
        self._faces = {}
        self.cards = tuple(deck.faces)
        heights = [boxes[0][3] - boxes[0][1] for _, boxes in deck.faces.values()]
        self.index_height = float(np.median(heights))

    def face(self, card: Card) -> tuple[np.ndarray, np.ndarray]:
        if card not in self._faces:
            face, boxes = self._printed[card]
            inked = self._lift + face.astype(np.float32) * ((255 - self._lift) / 255)
            self._faces[card] = ((inked * self._gain).astype(np.uint8), boxes)
        return self._faces[card]


def random_deck(
    rng: np.random.Generator,
    held_out: bool = False,
    cuts: dict[str, list[CutCard]] | None = None,
    real_share: float = 0.35,
    art_share: float = 0.4,
) -> Deck:
    """A drawn deck; in ``art_share`` of calls one of installed artwork; where cut cards are given,
    in ``real_share`` of calls one of real cards."""
    if cuts and rng.random() < real_share:
        sources = sorted(cuts)
        chosen = cuts[sources[int(rng.integers(len(sources)))]]
        swapped = mixed(chosen, rng) if rng.random() < 0.6 else []
        return RealDeck(swapped if len(swapped) > 8 else chosen, rng)
    if rng.random() < art_share and (printed := art_decks(held_out)):
        return PrintedDeck(printed[int(rng.integers(len(printed)))], rng)
    return Deck(DeckStyle.random(rng, held_out))


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
            cv2.perspectiveTransform(
                np.array([[[a, b], [c, b], [c, d], [a, d]]], np.float32), matrix
            )[0]
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
                    indices.append(IndexLabel(card, (float(x1), float(y1), float(x2), float(y2))))
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


def placement(scale: float, angle: float, x: float, y: float) -> np.ndarray:
    """Matrix that puts a face's centre at (x, y), turned by ``angle`` degrees, scaled."""
    turn = np.radians(angle)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c, -s, x], [s, c, y], [0, 0, 1]])
    return matrix @ np.array([[1, 0, -FACE_W / 2], [0, 1, -FACE_H / 2], [0, 0, 1]], float)


def view(rng: np.random.Generator, size: int, tilt: float) -> np.ndarray:
    """A perspective of the whole table as seen by a camera tilted by up to ``tilt`` (share)."""
    square = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    pulled = square + rng.uniform(-tilt, tilt, (4, 2)).astype(np.float32) * size
    return cv2.getPerspectiveTransform(square, pulled)


def _spots(rng: np.random.Generator, size: int, scale: float) -> list[tuple[float, float, float]]:
    """Where cards go: (x, y, angle) for rows, fans and scattered cards."""
    w, h = FACE_W * scale, FACE_H * scale
    spots: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(1, 2 + max(1, int(2.4 * size / h))))):
        x, y = rng.uniform(-0.1, 1.0) * size, rng.uniform(0, 1) * size
        angle, count = rng.uniform(0, 360), int(rng.integers(1, 8))
        kind = rng.random()
        if kind < 0.4:
            step = w * rng.uniform(0.17, 1.1)
            lean = rng.uniform(-4, 4)
            for i in range(count):
                a = np.radians(angle)
                spots.append(
                    (
                        x + i * step * np.cos(a),
                        y + i * step * np.sin(a),
                        angle + lean * i + rng.normal(0, 2),
                    )
                )
        elif kind < 0.6:
            spread, radius = rng.uniform(5, 16), h * rng.uniform(0.7, 1.6)
            for i in range(count):
                a = angle + (i - count / 2) * spread
                t = np.radians(a - 90)
                spots.append((x + radius * np.cos(t), y + radius * np.sin(t), a))
        elif kind < 0.75:
            step = h * rng.uniform(0.16, 1.1)
            a = np.radians(angle + 90)
            spots += [
                (x + i * step * np.cos(a), y + i * step * np.sin(a), angle + rng.normal(0, 2))
                for i in range(count)
            ]
        else:
            spots += [
                (rng.uniform(0, size), rng.uniform(0, size), rng.uniform(0, 360))
                for _ in range(count)
            ]
    return spots


def _chip(rng: np.random.Generator, painter: Painter, radius: float) -> None:
    height, width = painter.owner.shape
    x, y, r = int(rng.integers(width)), int(rng.integers(height)), max(3, int(radius))
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    mask = np.zeros((height, width), np.uint8)
    cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:] = colour
    for turn in range(0, 360, 60):
        cv2.ellipse(picture, (x, y), (r, r), 0, turn, turn + 25, (235, 235, 235), -1)
    cv2.circle(picture, (x, y), int(r * 0.7), colour, -1)
    if rng.random() < 0.6:
        cv2.putText(
            picture,
            str(rng.choice(["5", "25", "100", "500", "1K"])),
            (x - r // 2, y + r // 4),
            0,
            r / 40,
            (240, 240, 240),
            1,
            cv2.LINE_AA,
        )
    painter.cover(mask, picture)


def _finger(rng: np.random.Generator, painter: Painter, width_px: float) -> None:
    height, width = painter.owner.shape
    start = rng.uniform(0, 1, 2) * (width, height)
    angle, length = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 1) * width
    end = start + length * np.array([np.cos(angle), np.sin(angle)])
    mask = np.zeros((height, width), np.uint8)
    cv2.line(
        mask,
        tuple(int(v) for v in start),
        tuple(int(v) for v in end),
        255,
        max(4, int(width_px)),
        cv2.LINE_AA,
    )
    skin = np.array(
        ((140, 170, 215), (90, 120, 175), (50, 70, 110), (60, 50, 45))[int(rng.integers(4))]
    )
    noise = rng.normal(0, 4, (height, width, 1))
    painter.cover(mask, np.clip(skin * rng.uniform(0.7, 1.15) + noise, 0, 255))


def random_scene(
    rng: np.random.Generator,
    decks: list[Deck],
    size: int = 320,
    index_height: tuple[float, float] = (11, 62),
    once: bool = False,
) -> Scene:
    """One random picture of ``size`` pixels square; index heights in pixels, log-uniform.

    ``once``: each card lies there at most once, as on a table.
    """
    deck = decks[int(rng.integers(len(decks)))]
    tall = float(np.exp(rng.uniform(np.log(index_height[0]), np.log(index_height[1]))))
    scale = tall / deck.index_height
    scale = min(scale, size / FACE_H * 1.3)
    painter = Painter(surface(rng, size, size))
    look = view(rng, size, rng.choice([0.0, 0.04, 0.1], p=[0.3, 0.4, 0.3]))
    shade = rng.uniform(0, 0.5)
    down = 0.12 if rng.random() < 0.5 else 0.0
    bent = rng.random() < BENT_SHARE
    pack = list(rng.permutation(len(deck.cards)))
    for x, y, angle in _spots(rng, size, scale)[:40]:
        chosen = int(pack.pop() if once and pack else rng.integers(len(deck.cards)))
        card = None if rng.random() < down else deck.cards[chosen]
        bend = Bend.random(rng) if bent and rng.random() < 0.7 else None
        painter.card(deck, card, look @ placement(scale, angle, x, y), shade, bend)
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.4 else 0):
        _chip(rng, painter, scale * rng.uniform(60, 90))
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.2 else 0):
        _finger(rng, painter, scale * rng.uniform(40, 80))
    indices, bodies = painter.labels()
    picture = camera(rng, light(rng, painter.canvas), sharp=0.5 if tall > 18 else 0.75)
    return Scene(picture, indices, bodies, painter.faces(), painter.canvas, painter.halves())
