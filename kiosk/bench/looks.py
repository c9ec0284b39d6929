"""How long one look takes: a whole table, one zone, a large photograph; beside stock YOLO11n."""

from __future__ import annotations

import argparse
import importlib
import statistics
from collections.abc import Callable

import cv2
import numpy as np

from kiosk.bench.figures import Figure, reference, spread, timed
from kiosk.cards import DECK
from kiosk.vision.closer import look_scale
from kiosk.vision.images import Image
from kiosk.vision.reader import open_reader

INDEX_PX = 26
"""Height of an index on the measured table, pixels."""

CARDS = 15
"""Cards on it, two indices each."""

_CARD_PX = (71, 99)
_ROUNDS = 15


def table_picture() -> Image:
    """A felt of 1280×720 with CARDS drawn cards in three rows."""
    deck = importlib.import_module("models.training.simtable.deck").draw_deck()
    rng = np.random.default_rng(4)
    noise = rng.normal((52, 96, 24), 3, (720, 1280, 3))
    picture: Image = np.clip(noise, 0, 255).astype(np.uint8)
    for place in range(CARDS):
        face = cv2.resize(deck.face(DECK[place * 3]), _CARD_PX, interpolation=cv2.INTER_AREA)
        x, y = 150 + 210 * (place % 5), 60 + 220 * (place // 5)
        picture[y : y + _CARD_PX[1], x : x + _CARD_PX[0]] = face
    return picture


def looks(args: argparse.Namespace) -> list[Figure]:
    """Whole table, one zone and a photograph of 12 megapixels, each beside a reference; and, where
    the training extra is installed, beside Ultralytics' own prediction of stock YOLO11n."""
    reader = open_reader(threads=args.threads)
    picture = table_picture()
    scale = look_scale(INDEX_PX)
    zone = (120, 40, 640, 200)
    large = cv2.resize(picture, (4000, 3000), interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    beside = reference()
    work: dict[str, Callable[[], object]] = {
        "whole look": lambda: reader.read_part(picture, None, 0.0, scale),
        "look at one zone": lambda: reader.read_part(picture, zone, 0.0, scale),
        "photograph of 12 megapixels": lambda: reader.read(large),
    }
    stock = _stock_yolo(picture, args.threads)
    if stock is not None:
        work["YOLO11n in PyTorch"] = stock
    times: dict[str, list[float]] = {name: [] for name in work}
    base = []
    for number in range(_ROUNDS):
        base.append(beside())
        for name, once in work.items():
            if name.startswith("photograph") and number % 5:
                continue
            times[name].append(timed(once))
    found = len(reader.read_part(picture, None, 0.0, scale).sightings)
    figures = [
        Figure(
            "picture",
            f"1280×720, {found} of {2 * CARDS} indices of {INDEX_PX} px found, looked at with "
            f"scale {scale:.2f}, {args.threads} threads",
        )
    ]
    for name in work:
        figures += spread(name, times[name], base)
    if stock is not None:
        share = statistics.median(times["whole look"]) / statistics.median(
            times["YOLO11n in PyTorch"]
        )
        figures.append(Figure("whole look as a share of YOLO11n in PyTorch", share))
    else:
        figures.append(Figure("YOLO11n in PyTorch", "not measured: needs make train-setup"))
    return figures


def _stock_yolo(picture: Image, threads: int) -> Callable[[], object] | None:
    """Ultralytics' own prediction of stock YOLO11n at the picture's size, if it is installed."""
    room = importlib.import_module("models.training.stock")
    try:
        found: Callable[[], object] = room.stock_prediction(picture, threads)
    except ImportError:
        return None
    return found
