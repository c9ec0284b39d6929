"""Labelled pictures of cards on a table: with which deck, who lies where, what is seen of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from kiosk.sightings import Box
from models.training.art_decks import art_decks
from models.training.bend import Bend
from models.training.clutter import chip, finger
from models.training.cut_cards import CutCard
from models.training.degrade import EXPOSURE, camera, light
from models.training.faces import FACE_H, FACE_W, DeckStyle
from models.training.mixed_cards import mixed
from models.training.painter import HalfIndex, IndexLabel, Lying, Painter
from models.training.scene_decks import Deck, PrintedDeck, RealDeck
from models.training.surfaces import surface

BENT_SHARE = 0.15
"""Share of pictures whose deck has been bent."""


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


def random_scene(
    rng: np.random.Generator,
    decks: list[Deck],
    size: int = 320,
    index_height: tuple[float, float] = (11, 62),
    once: bool = False,
    stops: tuple[float, float] = EXPOSURE,
) -> Scene:
    """One random picture of ``size`` pixels square; index heights in pixels, log-uniform.

    ``once``: each card lies there at most once, as on a table. ``stops``: of exposure.
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
        chip(rng, painter, scale * rng.uniform(60, 90))
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.2 else 0):
        finger(rng, painter, scale * rng.uniform(40, 80))
    indices, bodies = painter.labels()
    picture = camera(rng, light(rng, painter.canvas, stops), sharp=0.5 if tall > 18 else 0.75)
    return Scene(picture, indices, bodies, painter.faces(), painter.canvas, painter.halves())


def clearness(scene: Scene, box: Box) -> float:
    """Correlation of the grey levels of a box in the picture with those of the painted one."""
    assert scene.canvas is not None
    x1, y1, x2, y2 = (max(0, int(v)) for v in box)
    pair = [
        cv2.cvtColor(picture[y1:y2, x1:x2], cv2.COLOR_BGR2GRAY).ravel().astype(np.float64)
        for picture in (scene.canvas, scene.picture)
    ]
    if min(np.ptp(levels) for levels in pair) == 0:
        return 0.0
    return float(np.corrcoef(pair[0], pair[1])[0, 1])
