"""Naming cut-outs: rank, suit, or no index, with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from kiosk.cards import RANKS, SUITS, Card
from kiosk.errors import UserError
from kiosk.sightings import Box, Candidate, Direction
from kiosk.vision.head import Head
from kiosk.vision.images import Image
from kiosk.vision.runtime import Floats, expect, open_session
from kiosk.vision.standing import mean_direction

CROP = 48
"""Side of the namer's input in pixels."""

SPAN = 1.3
"""Side of the cut-out in longer sides of the index box."""

UPRIGHT = (0,)
"""A cut-out as it stands in the picture."""

BOTH_WAYS = (0, 2)
"""As it stands and upside down: slower, and errors that hang on the turn are averaged out."""

_KEPT = 6
_BATCH = 64
_CARDS = [[Card(rank, suit) for suit in SUITS] for rank in RANKS]


@dataclass(frozen=True, slots=True)
class Temperatures:
    """What logits are divided by so that probabilities come true."""

    rank: float = 1.0
    suit: float = 1.0
    index: float = 1.0

    @classmethod
    def from_settings(cls, values: Mapping[str, object]) -> Temperatures:
        """From the ``temperatures`` of the models' settings. Raises ValueError for a bad one."""
        known = {}
        for name in ("rank", "suit", "index"):
            value = values.get(name, 1.0)
            if not isinstance(value, int | float) or not value > 0:
                raise ValueError(f"temperatures.{name}: expected a number above 0, got {value!r}")
            known[name] = float(value)
        return cls(**known)


@dataclass(frozen=True, slots=True)
class Named:
    """What a cut-out shows: probability of being an index, candidates most likely first, and where
    its head points (None where the turns looked at do not agree on it)."""

    index: float
    candidates: tuple[Candidate, ...]
    up: Direction | None = None


class Namer:
    """The exported namer on ONNX Runtime."""

    def __init__(
        self,
        path: Path,
        temperatures: Temperatures | None = None,
        threads: int = 2,
        head: Head | None = None,
    ) -> None:
        self.temperatures = temperatures or Temperatures()
        self.head = head
        """A last layer fitted to the deck in use; None: the one in the file."""
        self._session = open_session(path, threads, "namer")
        expect(self._session, path, "namer", ("crops", 4), ("logits", 2))
        if all(output.name != "up" for output in self._session.get_outputs()):
            raise UserError(
                f"{path}: not a namer model of this version: it does not say how an index stands "
                "(output up): export it again from its checkpoint"
            )
        columns = self._session.get_outputs()[0].shape[1]
        if isinstance(columns, int) and columns != 18:
            raise UserError(
                f"{path}: not a namer model: expected 18 outputs (13 ranks, 4 suits, index), "
                f"found {columns}"
            )

    def name(self, image: Image, boxes: list[Box], turns: Sequence[int] = UPRIGHT) -> list[Named]:
        """What each box (pixels of ``image``) shows, in order.

        ``turns``: quarter turns to look at each cut-out in; probabilities are averaged over them.
        """
        if not boxes:
            return []
        tensor = as_input(np.stack([cut(image, box) for box in boxes]))
        head = self.head
        outputs, ups = [], []
        for turn in turns:
            logits, up = self._seen(np.rot90(tensor, turn, (2, 3)), head)
            outputs.append(probabilities(logits, self.temperatures))
            ups.append(turned_back(up, turn))
        ranks, suits, index = (np.mean([o[i] for o in outputs], axis=0) for i in range(3))
        return [
            Named(
                float(index[i]),
                candidates(ranks[i], suits[i]),
                mean_direction([(float(up[i, 0]), float(up[i, 1])) for up in ups]),
            )
            for i in range(len(boxes))
        ]

    def features(self, tensor: Floats) -> Floats:
        """What the last layer sees, (n, f), for inputs (n, 3, CROP, CROP), RGB 0 … 1.

        UserError where the weights do not offer it.
        """
        try:
            return self._run(tensor, ["features"])[0]
        except ValueError:
            raise UserError("this namer cannot be fitted to a deck: it gives no features") from None

    def _seen(self, tensor: Floats, head: Head | None) -> tuple[Floats, Floats]:
        """Logits (n, 18), and where the heads point (n, 2)."""
        seen, up = self._run(tensor, ["logits" if head is None else "features", "up"])
        return (seen if head is None else head.logits(seen)), up

    def _run(self, tensor: Floats, outputs: list[str]) -> list[Floats]:
        parts = [
            self._session.run(outputs, {"crops": np.ascontiguousarray(tensor[i : i + _BATCH])})
            for i in range(0, len(tensor), _BATCH)
        ]
        return [np.concatenate(part) for part in zip(*parts, strict=True)]


def as_input(crops: Image) -> Floats:
    """Cut-outs (n, CROP, CROP, 3) BGR as the namer's input (n, 3, CROP, CROP), RGB 0 … 1."""
    tensor = np.ascontiguousarray(crops[:, :, :, ::-1].transpose(0, 3, 1, 2), np.float32)
    tensor /= 255.0
    return tensor


def cut(image: Image, box: Box, pixels: int = CROP, span: float = SPAN) -> Image:
    """The square cut-out round a box, ``pixels`` a side and ``span`` longer sides of the box wide;
    the picture's edge is repeated."""
    cx, cy = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    side = max(box[2] - box[0], box[3] - box[1], 1.0) * span
    scale = pixels / side
    if scale >= 0.6:
        return _placed(image, scale, cx, cy, pixels)
    half = side / 2 + 2
    x1, y1 = int(max(0, cx - half)), int(max(0, cy - half))
    part = image[y1 : int(cy + half) + 1, x1 : int(cx + half) + 1]
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _placed(
        small.astype(np.uint8, copy=False), 1.0, (cx - x1) * scale, (cy - y1) * scale, pixels
    )


def _placed(image: Image, scale: float, x: float, y: float, pixels: int) -> Image:
    """A square of so many pixels with the point at its middle."""
    middle = pixels / 2
    matrix = np.array([[scale, 0, middle - x * scale], [0, scale, middle - y * scale]], np.float64)
    crop = cv2.warpAffine(
        image,
        matrix,
        (pixels, pixels),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return crop.astype(np.uint8, copy=False)


def probabilities(logits: Floats, temperatures: Temperatures) -> tuple[Floats, Floats, Floats]:
    """Ranks (n, 13), suits (n, 4) and index (n,) from logits (n, 18)."""
    return (
        _softmax(logits[:, :13] / temperatures.rank),
        _softmax(logits[:, 13:17] / temperatures.suit),
        1 / (1 + np.exp(-np.clip(logits[:, 17] / temperatures.index, -40, 40))),
    )


def turned_back(ups: Floats, turn: int) -> Floats:
    """Directions (n, 2) seen in cut-outs that were turned by ``turn`` quarters, as they are in the
    picture."""
    for _ in range(turn % 4):
        ups = np.stack([-ups[:, 1], ups[:, 0]], 1)
    return ups


def _softmax(values: Floats) -> Floats:
    powers = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def candidates(ranks: Floats, suits: Floats) -> tuple[Candidate, ...]:
    """The likeliest cards with their probability, rank and suit taken as independent."""
    joint = np.outer(ranks, suits)
    best = np.argsort(-joint, axis=None)[:_KEPT]
    return tuple((_CARDS[k // 4][k % 4], float(joint[k // 4, k % 4])) for k in best)
