"""Procedural card faces and backs with the exact boxes of their corner indices.

A face is a BGR picture of FACE_W × FACE_H pixels (40 px a centimetre of a 6.3 × 8.8 cm card).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from models.training import artwork
from models.training.fonts import glyph_mask, has_glyphs, random_font
from models.training.suits import PipStyle, suit_mask

FACE_W, FACE_H = 252, 352
CORNER_RADIUS = 14

LETTERS = {
    "latin": {"T": "10", "J": "J", "Q": "Q", "K": "K", "A": "A"},
    "russian": {"T": "10", "J": "В", "Q": "Д", "K": "К", "A": "Т"},
    "german": {"T": "10", "J": "B", "Q": "D", "K": "K", "A": "A"},
    "french": {"T": "10", "J": "V", "Q": "D", "K": "R", "A": "A"},
}
BESIDE_SHARE, BESIDE_TRAINED = 0.05, 0.15
"""Share of drawn decks whose suit stands beside its rank; larger in training, where such are learnt
by fewer cut-outs than the others."""

_PIPS = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0), (0.5, 1)],
    "3": [(0.5, 0), (0.5, 0.5), (0.5, 1)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    "6": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
    "7": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25)],
    "8": [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1), (0.5, 0.25), (0.5, 0.75)],
    "9": [(0, 0), (1, 0), (0, 0.33), (1, 0.33), (0, 0.67), (1, 0.67), (0, 1), (1, 1), (0.5, 0.5)],
    "T": [
        (0, 0),
        (1, 0),
        (0, 0.33),
        (1, 0.33),
        (0, 0.67),
        (1, 0.67),
        (0, 1),
        (1, 1),
        (0.5, 0.17),
        (0.5, 0.83),
    ],
}


@dataclass(frozen=True)
class DeckStyle:
    """Everything that makes one deck look different from another."""

    font: Path
    pips: PipStyle
    letters: str
    rank_height: float
    suit_ratio: float
    gap: float
    squeeze: float
    margin: tuple[float, float]
    corners: int
    pip_height: float
    paper: tuple[int, int, int]
    red: tuple[int, int, int]
    black: tuple[int, int, int]
    four_colour: bool
    beside: bool
    held_out: bool
    seed: int
    back: np.ndarray = field(repr=False, compare=False)

    @classmethod
    def random(cls, rng: np.random.Generator, held_out: bool = False) -> DeckStyle:
        font = random_font(rng, held_out)
        letters = rng.choice(["latin", "russian", "german", "french"], p=[0.86, 0.06, 0.04, 0.04])
        if not has_glyphs(font, "".join(LETTERS[str(letters)].values())):
            letters = "latin"
        jumbo = rng.random() < 0.35
        paper = int(rng.integers(222, 256))
        return cls(
            font=font,
            pips=PipStyle.random(rng, held_out),
            letters=str(letters),
            rank_height=rng.uniform(0.135, 0.2) if jumbo else rng.uniform(0.085, 0.135),
            suit_ratio=rng.uniform(0.5, 1.0),
            gap=rng.uniform(0.08, 0.25),
            squeeze=rng.uniform(0.62, 1.0),
            margin=(rng.uniform(0.03, 0.065), rng.uniform(0.03, 0.06)),
            corners=4 if rng.random() < 0.3 else 2,
            pip_height=rng.uniform(0.12, 0.2),
            paper=(paper - int(rng.integers(0, 14)), paper - int(rng.integers(0, 7)), paper),
            red=(int(rng.integers(10, 60)), int(rng.integers(10, 50)), int(rng.integers(170, 236))),
            black=tuple(int(v) for v in rng.integers(8, 52, 3)),
            four_colour=bool(rng.random() < 0.1),
            beside=bool(rng.random() < (BESIDE_SHARE if held_out else BESIDE_TRAINED)),
            held_out=held_out,
            seed=int(rng.integers(1 << 31)),
            back=draw_back(rng),
        )

    def ink(self, suit: str) -> tuple[int, int, int]:
        """BGR ink of a suit."""
        if self.four_colour and suit == "c":
            return (40, 120, 20)
        if self.four_colour and suit == "d":
            return (190, 80, 20)
        return self.red if suit in "dh" else self.black


def stamp(picture: np.ndarray, mask: np.ndarray, x: float, y: float, ink: tuple[int, ...]) -> None:
    """Paint ``ink`` through ``mask`` with its top left at (x, y), in place, clipped."""
    x, y = round(x), round(y)
    x1, y1 = max(x, 0), max(y, 0)
    x2, y2 = min(x + mask.shape[1], picture.shape[1]), min(y + mask.shape[0], picture.shape[0])
    if x2 <= x1 or y2 <= y1:
        return
    alpha = mask[y1 - y : y2 - y, x1 - x : x2 - x, None].astype(np.float32) / 255
    area = picture[y1:y2, x1:x2]
    area[:] = (area * (1 - alpha) + np.array(ink, np.float32) * alpha).astype(np.uint8)


def index_picture(style: DeckStyle, rank: str, suit: str) -> tuple[np.ndarray, np.ndarray]:
    """The ink of one corner index, upright: (mask of rank and suit, same shape throughout)."""
    text = LETTERS[style.letters].get(rank, rank)
    height = max(8, round(style.rank_height * FACE_H))
    letter = glyph_mask(style.font, text, height)
    room = style.squeeze * height * (1.15 if len(text) > 1 else 0.95)
    if letter.shape[1] > room:
        letter = cv2.resize(letter, (max(4, round(room)), height), interpolation=cv2.INTER_AREA)
    pip = suit_mask(suit, style.pips, max(6, round(height * style.suit_ratio)))
    gap = max(1, round(height * style.gap * 0.7))
    if style.beside:
        full = np.zeros((height, letter.shape[1] + gap + pip.shape[1]), np.uint8)
        full[:, : letter.shape[1]] = letter
        top = (height - pip.shape[0]) // 2
        full[top : top + pip.shape[0], letter.shape[1] + gap :] = pip
        return full, letter
    width = max(letter.shape[1], pip.shape[1])
    full = np.zeros((letter.shape[0] + gap + pip.shape[0], width), np.uint8)
    x = (width - letter.shape[1]) // 2
    full[: letter.shape[0], x : x + letter.shape[1]] = letter
    x = (width - pip.shape[1]) // 2
    full[letter.shape[0] + gap :, x : x + pip.shape[1]] = pip
    return full, letter


def draw_face(
    style: DeckStyle, rank: str, suit: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """One face: (BGR picture, index boxes of shape (corners, 4) as x1, y1, x2, y2 on the card)."""
    face = np.empty((FACE_H, FACE_W, 3), np.uint8)
    face[:] = style.paper
    ink = style.ink(suit)
    index, _ = index_picture(style, rank, suit)
    side = style.margin[0] * FACE_W + index.shape[1]
    _draw_middle(face, style, rank, suit, side, ink)
    mx = style.margin[0] * FACE_W + (max(0, 0.11 * FACE_W - index.shape[1]) / 2)
    my = style.margin[1] * FACE_H
    spots = [(mx, my, False), (FACE_W - mx - index.shape[1], FACE_H - my - index.shape[0], True)]
    if style.corners == 4:
        spots += [
            (FACE_W - mx - index.shape[1], my, False),
            (mx, FACE_H - my - index.shape[0], True),
        ]
    boxes = []
    for x, y, turned in spots:
        mask = index[::-1, ::-1] if turned else index
        face[
            max(0, int(y) - 2) : int(y) + mask.shape[0] + 2,
            max(0, int(x) - 2) : int(x) + mask.shape[1] + 2,
        ] = style.paper
        stamp(face, mask, x, y, ink)
        boxes.append((x, y, x + mask.shape[1], y + mask.shape[0]))
    return face, np.array(boxes, np.float32)


def _draw_middle(
    face: np.ndarray, style: DeckStyle, rank: str, suit: str, side: float, ink: tuple[int, int, int]
) -> None:
    """Pips of a number card, or a court picture, between the index columns."""
    left = max(0.2 * FACE_W, min(side + 6, 0.3 * FACE_W))
    if rank in "JQK":
        pictures = artwork.courts(style.held_out)
        seed = (style.seed + 31 * ord(rank) + 7 * ord(suit)) % max(1, len(pictures))
        x1, x2 = int(left * 0.85), int(FACE_W - left * 0.85)
        y1, y2 = int(0.07 * FACE_H), int(0.93 * FACE_H)
        if pictures:
            face[y1:y2, x1:x2] = cv2.resize(
                pictures[seed], (x2 - x1, y2 - y1), interpolation=cv2.INTER_AREA
            )
        else:
            _draw_ornament(face[y1:y2, x1:x2], np.random.default_rng(style.seed + ord(rank)))
        if style.seed % 3:
            cv2.rectangle(face, (x1, y1), (x2, y2), ink, 1, cv2.LINE_AA)
        return
    height = style.pip_height * FACE_H * (1.7 if rank == "A" else 1.0)
    pip = suit_mask(suit, style.pips, max(8, round(height)))
    for px, py in _PIPS[rank]:
        x = left + 0.06 * FACE_W + px * (FACE_W - 2 * (left + 0.06 * FACE_W))
        y = 0.17 * FACE_H + py * 0.66 * FACE_H
        mask = pip[::-1] if py > 0.5 else pip
        stamp(face, mask, x - pip.shape[1] / 2, y - pip.shape[0] / 2, ink)


def _draw_ornament(area: np.ndarray, rng: np.random.Generator) -> None:
    """A busy two-fold picture where no artwork deck is installed."""
    height, width = area.shape[:2]
    for _ in range(40):
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.integers(2, width // 3)), int(rng.integers(2, height // 6)))
        cv2.ellipse(
            area,
            centre,
            axes,
            int(rng.integers(180)),
            0,
            360,
            colour,
            -1 if rng.random() < 0.5 else 2,
            cv2.LINE_AA,
        )
    area[height // 2 :] = area[: height - height // 2][::-1, ::-1]


def draw_back(rng: np.random.Generator) -> np.ndarray:
    """A card back: frame and a repeated pattern in one or two colours, BGR."""
    back = np.full((FACE_H, FACE_W, 3), int(rng.integers(225, 256)), np.uint8)
    colour = np.array(
        rng.choice([(30, 30, 170), (150, 60, 20), (40, 40, 40), (40, 110, 30), (120, 30, 110)])
    ) + rng.integers(-20, 40, 3)
    colour = tuple(int(v) for v in np.clip(colour, 0, 255))
    edge = int(rng.integers(0, 24))
    step = int(rng.integers(6, 26))
    tile = np.full((step, step, 3), back[0, 0], np.uint8)
    kind = rng.integers(4)
    if kind == 0:
        cv2.line(tile, (0, 0), (step, step), colour, max(1, step // 5), cv2.LINE_AA)
        cv2.line(tile, (step, 0), (0, step), colour, max(1, step // 5), cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(tile, (step // 2, step // 2), step // 3, colour, -1, cv2.LINE_AA)
    elif kind == 2:
        tile[:] = colour
    else:
        tile[: step // 2, : step // 2] = colour
        tile[step // 2 :, step // 2 :] = colour
    inner_h, inner_w = FACE_H - 2 * edge, FACE_W - 2 * edge
    pattern = np.tile(tile, (inner_h // step + 1, inner_w // step + 1, 1))[:inner_h, :inner_w]
    back[edge : FACE_H - edge, edge : FACE_W - edge] = pattern
    if rng.random() < 0.5:
        cv2.circle(
            back, (FACE_W // 2, FACE_H // 2), int(rng.integers(20, 80)), colour, -1, cv2.LINE_AA
        )
    return back


def card_mask() -> np.ndarray:
    """Coverage mask of a card with rounded corners, uint8 of FACE_H × FACE_W."""
    mask = np.zeros((FACE_H, FACE_W), np.uint8)
    r = CORNER_RADIUS
    cv2.rectangle(mask, (r, 0), (FACE_W - r - 1, FACE_H - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (FACE_W - 1, FACE_H - r - 1), 255, -1)
    for x in (r, FACE_W - r - 1):
        for y in (r, FACE_H - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask
