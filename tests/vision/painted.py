"""A felt with painted cards for tests that need pixels but no trained model.

A painted card is a white body with two blocks, whose colour tells the card. The finder and namer
here read these colours back, so everything between pixels and table view is the real thing.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from kiosk.cards import RANKS, SUITS, Card
from kiosk.sightings import Box
from kiosk.vision.finder import Found
from kiosk.vision.images import Image
from kiosk.vision.namer import Named
from kiosk.vision.reader import Reader

CM = 1280 / 96
FELT = (60, 110, 40)
SKIN = (120, 150, 210)
_CARD_W, _CARD_H = 6.3 * CM, 8.8 * CM


def colours(card: Card) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Red marks an index; the blue of its upper half tells the rank, of its lower the suit."""
    return (8 + 14 * RANKS.index(card.rank), 0, 200), (8 + 50 * SUITS.index(card.suit), 0, 200)


class Felt:
    """A picture to put things on, in felt centimetres; ``frame`` adds a sensor's noise."""

    def __init__(self, seed: int = 1, light: float = 1.0) -> None:
        self.image: Image = np.full((720, 1280, 3), FELT, np.uint8)
        self.light = light
        self._rng = np.random.default_rng(seed)
        self._noise: list[Image] = []
        self._count = 0

    def card(self, name: str, x: float, y: float, *, hide: int = 0) -> None:
        """Its top left corner at x, y; ``hide`` 1 or 2 of its indices; 'back' shows none."""
        x1, y1 = x * CM, y * CM
        x2, y2 = x1 + _CARD_W, y1 + _CARD_H
        _fill(self.image, (x1, y1, x2, y2), (255, 255, 255))
        if name == "back":
            return
        rank, suit = colours(Card.parse(name))
        spots = [(x1 + 4, y1 + 4), (x2 - 20, y2 - 30)]
        for px, py in spots[hide:]:
            _fill(self.image, (px, py, px + 16, py + 13), rank)
            _fill(self.image, (px, py + 13, px + 16, py + 26), suit)

    def hand(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Something skin coloured over a part of the felt."""
        _fill(self.image, (x1 * CM, y1 * CM, x2 * CM, y2 * CM), SKIN)

    def clear(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Bare felt again."""
        _fill(self.image, (x1 * CM, y1 * CM, x2 * CM, y2 * CM), FELT)

    def frame(self) -> Image:
        """The picture as a camera would give it now."""
        if not self._noise:
            coarse = self._rng.integers(0, 4, (6, 180, 320, 1), np.uint8)
            self._noise = [
                cv2.resize(n.repeat(3, 2), (1280, 720), interpolation=cv2.INTER_NEAREST)
                for n in coarse
            ]
        self._count += 1
        lit = self.image if self.light == 1 else cv2.convertScaleAbs(self.image, alpha=self.light)
        noise = self._noise[self._count % len(self._noise)]
        return cv2.add(lit, noise).astype(np.uint8, copy=False)


def _fill(image: Image, box: Box, shade: tuple[int, int, int]) -> None:
    x1, y1, x2, y2 = (round(v) for v in box)
    image[max(0, y1) : max(0, y2), max(0, x1) : max(0, x2)] = shade


class PaintedFinder:
    """Finds blocks and bodies by colour; counts its looks and the pixels it was given."""

    name = "painted"

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def find(self, image: Image, scale: float = 1.0) -> Found:
        self.sizes.append(image.shape[1::-1])
        block = (image[:, :, 2] > 140) & (image[:, :, 1] < 40)
        white = (image[:, :, 1] > 180) | block
        return Found(_boxes(block, 150), _boxes(white, 3000))


def _boxes(mask: np.ndarray, least: int) -> np.ndarray:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    rows = [(x, y, x + w, y + h, 0.9) for x, y, w, h, size in stats[1:] if size >= least]
    return np.array(rows, np.float32).reshape(-1, 5)


class PaintedNamer:
    """Reads the blocks' blue."""

    def name(self, image: Image, boxes: list[Box], turns: Sequence[int] = (0,)) -> list[Named]:
        named = []
        for x1, y1, x2, y2 in boxes:
            middle = round((y1 + y2) / 2)
            rank = _blue(image[int(y1) + 3 : middle - 2, int(x1) + 4 : int(x2) - 4], 14, 12)
            suit = _blue(image[middle + 2 : int(y2) - 3, int(x1) + 4 : int(x2) - 4], 50, 3)
            card = Card(RANKS[rank], SUITS[suit])
            named.append(Named(0.99, ((card, 0.99),)))
        return named


def _blue(patch: Image, step: int, most: int) -> int:
    """The number that the blue against the red tells, whatever the light."""
    blue, red = (float(np.median(patch[:, :, channel])) for channel in (0, 2))
    return min(max(round((blue / max(red, 1) * 200 - 8) / step), 0), most)


def painted_reader() -> tuple[Reader, PaintedFinder]:
    """A reader for painted cards, and its finder to ask what it was shown."""
    finder = PaintedFinder()
    return Reader(finder, PaintedNamer()), finder
