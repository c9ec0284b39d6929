"""The empty table: cloth with its printed layout, the shoe the cards come from, the discard box.

Places are felt centimetres, taken from the layout that the kiosk plays the recording with.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.layout import Layout, load_layout
from calibration.polygon import bounds
from models.training.fonts import glyph_mask, held_out_file
from models.training.recording import PX_PER_CM
from models.training.surfaces import smooth_noise

LAYOUT = "russian-4"
SIZE = (1280, 720)
_FINE = 2
"""The cloth is drawn this many times finer and then reduced."""
_CLOTH = (66, 104, 22)
_PRINT = (150, 214, 226)
_WHITE = (214, 222, 220)
_FONTS = {"name": "texgyreadventor-bold.otf", "title": "URWBookman-Demi.otf"}

CARD_ROW = 16.6
"""Centimetres from a box's upper edge to the middle of its cards."""
SPOT_ROW = 5.4
"""Centimetres from a box's upper edge to its betting spots."""
SHOE = (78.0, -2.0, 93.0, 12.6)
RACK = (3.0, -2.0, 17.0, 11.4)


@dataclass(frozen=True)
class Places:
    """Where things go on the felt, centimetres: middle of the cards and spots of each zone."""

    layout: Layout

    def bounds(self, zone: str) -> tuple[float, float, float, float]:
        """x1, y1, x2, y2 of a zone."""
        return bounds(next(z.corners for z in self.layout.zones if z.id == zone))

    def cards(self, zone: str) -> tuple[float, float]:
        """Middle of the zone's cards."""
        x1, y1, x2, y2 = self.bounds(zone)
        return (x1 + x2) / 2, (y1 + y2) / 2 if zone == "dealer" else y1 + CARD_ROW

    def spot(self, zone: str, bet: str) -> tuple[float, float]:
        """Middle of a betting spot: ``ante``, ``bet`` or ``bonus``."""
        x1, y1, x2, _ = self.bounds(zone)
        across = {"ante": -6.4, "bet": 0.0, "bonus": 6.2}[bet]
        return (x1 + x2) / 2 + across, y1 + SPOT_ROW


def places() -> Places:
    """The places of the layout that ships."""
    return Places(load_layout(LAYOUT))


def _px(value: float) -> int:
    return round(value * PX_PER_CM * _FINE)


def _word(
    cloth: np.ndarray,
    text: str,
    x: float,
    y: float,
    height: float,
    ink: tuple[int, int, int] = _PRINT,
    face: str = "name",
    spread: float = 0.0,
) -> None:
    """Print ``text`` centred at (x, y), capitals ``height`` cm high, ``spread`` cm of tracking."""
    font = held_out_file(_FONTS[face])
    tall = _px(height)
    letters = [None if c == " " else glyph_mask(font, c, tall) for c in text]
    gap = _px(spread) + tall // 8
    widths = [tall // 2 if m is None else m.shape[1] for m in letters]
    left = _px(x) - (sum(widths) + gap * (len(text) - 1)) // 2
    top = _px(y) - tall // 2
    for mask, width in zip(letters, widths, strict=True):
        if mask is not None:
            area = cloth[top : top + tall, left : left + width]
            alpha = mask[: area.shape[0], : area.shape[1], None].astype(np.float32) / 255 * 0.86
            area[:] = area * (1 - alpha) + np.array(ink, np.float32) * alpha
        left += width + gap


def _frame(cloth: np.ndarray, x1: float, y1: float, x2: float, y2: float, r: float) -> None:
    """A rounded frame, 0.22 cm thick."""
    a, b, c, d, r_px, thick = _px(x1), _px(y1), _px(x2), _px(y2), _px(r), _px(0.22)
    for p, q in (
        ((a + r_px, b), (c - r_px, b)),
        ((a + r_px, d), (c - r_px, d)),
        ((a, b + r_px), (a, d - r_px)),
        ((c, b + r_px), (c, d - r_px)),
    ):
        cv2.line(cloth, p, q, _PRINT, thick, cv2.LINE_AA)
    for x, y, start in (
        (a + r_px, b + r_px, 180),
        (c - r_px, b + r_px, 270),
        (c - r_px, d - r_px, 0),
        (a + r_px, d - r_px, 90),
    ):
        cv2.ellipse(cloth, (x, y), (r_px, r_px), 0, start, start + 90, _PRINT, thick, cv2.LINE_AA)


def _box(cloth: np.ndarray, where: Places, zone: str) -> None:
    x1, y1, x2, y2 = where.bounds(zone)
    _frame(cloth, x1 + 0.5, y1 + 1.2, x2 - 0.5, y2 - 3.4, 2.2)
    x, y = where.spot(zone, "ante")
    cv2.circle(cloth, (_px(x), _px(y)), _px(2.7), _PRINT, _px(0.2), cv2.LINE_AA)
    _word(cloth, "ANTE", x, y, 0.85)
    x, y = where.spot(zone, "bet")
    cv2.rectangle(
        cloth, (_px(x - 2.7), _px(y - 2.7)), (_px(x + 2.7), _px(y + 2.7)), _PRINT, _px(0.2)
    )
    _word(cloth, "BET", x, y, 0.95)
    x, y = where.spot(zone, "bonus")
    rhomb = np.array([(x - 3.1, y), (x, y - 2.7), (x + 3.1, y), (x, y + 2.7)])
    points = np.round(rhomb * PX_PER_CM * _FINE).astype(np.int32)
    cv2.polylines(cloth, [points], True, _WHITE, _px(0.14), cv2.LINE_AA)
    _word(cloth, "BONUS", x, y, 0.6, _WHITE)
    x, y = where.cards(zone)
    _word(cloth, f"BOX {zone[-1]}", x, y + 7.8, 0.8, spread=0.3)


def cloth(rng: np.random.Generator, where: Places) -> np.ndarray:
    """The bare felt with its print, BGR uint8 of the picture's size, without light."""
    width, height = SIZE[0] * _FINE, SIZE[1] * _FINE
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = _CLOTH
    printed = picture.astype(np.uint8)
    x1, y1, x2, y2 = where.bounds("dealer")
    _frame(printed, x1 - 0.4, y1 - 3.0, x2 + 0.4, y2 + 0.1, 3.0)
    _word(printed, "RUSSIAN POKER", 48, 19.9, 1.9, face="title", spread=0.75)
    _word(printed, "DEALER PLAYS WITH ACE AND KING", 11.5, 20.3, 0.62, _WHITE, spread=0.05)
    _word(printed, "BET PAYS UP TO 100 TO 1", 84.8, 20.3, 0.62, _WHITE, spread=0.05)
    for zone in where.layout.zone_ids:
        if zone != "dealer":
            _box(printed, where, zone)
    picture = printed.astype(np.float32)
    fibre = cv2.GaussianBlur(rng.normal(0, 26, (height, width)).astype(np.float32), (0, 0), 1.4)
    nap = smooth_noise(rng, height, width, 90) * 2.4 + smooth_noise(rng, height, width, 420) * 3.5
    picture += (fibre + nap)[..., None]
    for x, y in (where.cards(zone) for zone in where.layout.zone_ids):
        worn = np.zeros((height // 8, width // 8), np.float32)
        cv2.ellipse(worn, (_px(x) // 8, _px(y) // 8), (_px(10) // 8, _px(5) // 8), 0, 0, 360, 1, -1)
        worn = cv2.resize(cv2.GaussianBlur(worn, (0, 0), 14), (width, height))
        picture += worn[..., None] * 4.0
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return np.clip(small, 0, 255).astype(np.uint8)


def furniture(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Shoe and discard box: (BGR picture, coverage 0 … 1) of the picture's size."""
    width, height = SIZE
    colour = np.zeros((height * _FINE, width * _FINE, 3), np.uint8)
    cover = np.zeros((height * _FINE, width * _FINE), np.uint8)

    def slab(x1: float, y1: float, x2: float, y2: float, ink: tuple[int, int, int]) -> None:
        a, b, c, d, r = _px(x1), _px(y1), _px(x2), _px(y2), _px(0.8)
        for canvas, value in ((colour, ink), (cover, 255)):
            cv2.rectangle(canvas, (a + r, b), (c - r, d), value, -1)
            cv2.rectangle(canvas, (a, b), (c, d - r), value, -1)
            for x in (a + r, c - r):
                cv2.circle(canvas, (x, d - r), r, value, -1, cv2.LINE_AA)

    x1, y1, x2, y2 = SHOE
    slab(x1, y1, x2, y2, (34, 30, 30))
    slab(x1 + 0.5, y1, x2 - 0.5, y2 - 1.6, (52, 46, 46))
    slab(x1 + 1.6, y1, x2 - 1.6, y2 - 4.2, (40, 36, 36))
    a, b = (_px(x1 + 3.4), _px(y2 - 1.1)), (_px(x2 - 3.4), _px(y2 - 0.5))
    cv2.rectangle(colour, a, b, (12, 10, 10), -1)
    x1, y1, x2, y2 = RACK
    slab(x1, y1, x2, y2, (34, 34, 88))
    slab(x1 + 0.6, y1, x2 - 0.6, y2 - 0.7, (46, 46, 118))
    slab(x1 + 1.8, y1, x2 - 1.8, y2 - 3.4, (36, 36, 96))
    shade = smooth_noise(rng, height * _FINE, width * _FINE, 260)[..., None] * 8
    picture = np.clip(colour.astype(np.float32) + shade, 0, 255)
    return (
        cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA),
        cv2.resize(cover, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32) / 255,
    )
