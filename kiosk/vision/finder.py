"""Finding corner indices and card bodies in a picture, at one scale."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from kiosk.errors import UserError
from kiosk.vision.anchors import BINS, likely_boxes
from kiosk.vision.boxes import drop_parts, suppress
from kiosk.vision.images import Image
from kiosk.vision.runtime import Floats, expect, open_session

INDEX_IOU = 0.45
BODY_IOU = 0.75
"""Overlap above which two boxes are one index or one body; fanned bodies overlap much."""

_STRIDE = 32
_PAD = 114
_SMALL = 0.75
"""Scale below which every pixel of the picture has to count; above, that takes longer and
shows no more."""

NO_ROWS: Floats = np.zeros((0, 5), np.float32)
"""No index, or no body."""


@dataclass(frozen=True)
class Found:
    """Indices and bodies, each (n, 5): x1, y1, x2, y2 in picture pixels, score; best first."""

    indices: Floats
    bodies: Floats

    def moved(self, dx: float, dy: float) -> Found:
        """The same, found in a part that starts at dx, dy of a larger picture."""
        shift = np.array([dx, dy, dx, dy, 0], np.float32)
        return Found(self.indices + shift, self.bodies + shift)


class Finder(Protocol):
    """Finds at one scale; ``scale`` is how much the picture is resized before."""

    name: str

    def find(self, image: Image, scale: float = 1.0) -> Found: ...


def nothing() -> Found:
    """An empty find."""
    return Found(NO_ROWS, NO_ROWS)


def joined(finds: list[Found]) -> Found:
    """Several finds of one picture as one: doubles and pieces of the same thing are dropped."""
    indices = np.concatenate([f.indices for f in finds])
    bodies = np.concatenate([f.bodies for f in finds])
    return Found(drop_parts(suppress(indices, INDEX_IOU), 0.7), suppress(bodies, BODY_IOU))


class OnnxFinder:
    """The exported finder on ONNX Runtime."""

    def __init__(self, path: Path, threshold: float = 0.25, threads: int = 2) -> None:
        self.name = path.name
        self._threshold = threshold
        self._session = open_session(path, threads, "finder")
        expect(self._session, path, "finder", ("images", 4), ("distances", 3))
        outputs = {output.name: output.shape[1] for output in self._session.get_outputs()}
        if outputs != {"distances": 4 * BINS, "logits": 2}:
            raise UserError(
                f"{path}: not a finder model as models.training.export writes it: expected "
                f"{4 * BINS} distances and logits of 2 classes (index, card), found "
                + ", ".join(f"{channels} {name}" for name, channels in outputs.items())
            )

    def find(self, image: Image, scale: float = 1.0) -> Found:
        """Everything at or above the threshold; ``image`` is rows × columns × 3 BGR."""
        canvas, real = letterbox(image, scale)
        outputs = ["distances", "logits"]
        distances, logits = self._session.run(outputs, {"images": as_tensor(canvas)})
        rows, columns = canvas.shape[:2]
        found = likely_boxes(distances[0], logits[0], self._threshold, (rows, columns))
        return decode(found, self._threshold, real, image.shape[:2])


def letterbox(image: Image, scale: float) -> tuple[Image, tuple[float, float]]:
    """The picture as the network sees it and the true scale in x and y.

    BGR, rows and columns multiples of 32; the picture stands at the top left, the rest is grey.
    """
    height, width = image.shape[:2]
    new_w, new_h = max(1, round(width * scale)), max(1, round(height * scale))
    if (new_w, new_h) != (width, height):
        way = cv2.INTER_AREA if scale < _SMALL else cv2.INTER_LINEAR
        resized = cv2.resize(image, (new_w, new_h), interpolation=way)
    else:
        resized = image
    full_w, full_h = (-(-n // _STRIDE) * _STRIDE for n in (new_w, new_h))
    canvas = np.full((full_h, full_w, 3), _PAD, np.uint8)
    canvas[:new_h, :new_w] = resized
    return canvas, (new_w / width, new_h / height)


def as_tensor(canvas: Image) -> Floats:
    """A letterboxed picture as the network's input [1, 3, H, W], RGB 0 … 1."""
    tensor = np.ascontiguousarray(canvas[:, :, ::-1].transpose(2, 0, 1)[None], np.float32)
    tensor /= 255.0
    return tensor


def decode(
    output: Floats, threshold: float, scale: tuple[float, float], size: tuple[int, ...]
) -> Found:
    """Boxes of one picture out of [6, N] (middle, width, height, scores of both classes in pixels
    of the network's input), in the picture's own pixels.

    ``size``: rows and columns of the picture. Boxes are cut at its edge.
    """
    height, width = size
    finds = []
    for row, limit in ((4, INDEX_IOU), (5, BODY_IOU)):
        chosen = output[:, output[row] >= threshold]
        cx, cy, w, h = chosen[:4]
        rows = np.stack([cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, chosen[row]], axis=1)
        rows[:, [0, 2]] = np.clip(rows[:, [0, 2]] / scale[0], 0, width)
        rows[:, [1, 3]] = np.clip(rows[:, [1, 3]] / scale[1], 0, height)
        large = (rows[:, 2] - rows[:, 0] >= 2) & (rows[:, 3] - rows[:, 1] >= 2)
        finds.append(suppress(np.asarray(rows[large], np.float32), limit))
    return Found(finds[0], finds[1])


class UltralyticsFinder:
    """A ``.pt`` of one's own through Ultralytics. A pickle: from the command line only."""

    def __init__(self, path: Path, threshold: float = 0.25, threads: int = 2) -> None:
        os.environ.setdefault("YOLO_AUTOINSTALL", "false")
        os.environ.setdefault("YOLO_OFFLINE", "true")
        if not path.is_file():
            raise UserError(f"{path}: the model file is not there")
        try:
            import torch
            from ultralytics import YOLO
        except ImportError:
            raise UserError(
                f"{path}: a .pt model needs the training extra: make train-setup"
            ) from None
        torch.set_num_threads(threads)
        self._torch: Any = torch
        try:
            model: Any = YOLO(str(path))
            names = dict(model.names)
            self._network: Any = model.model.float().eval()
        except Exception as error:
            raise UserError(f"{path}: not a usable .pt model ({error})") from None
        found = [str(names[number]) for number in sorted(names)]
        if found not in (["index"], ["index", "card"]):
            raise UserError(
                f"{path}: expected the classes index and card, in this order, found "
                f"{', '.join(found[:5]) or 'none'}"
            )
        self.name = path.name
        self._threshold = threshold
        if len(self._output(np.zeros((1, 3, 64, 64), np.float32))) != 4 + len(found):
            raise UserError(
                f"{path}: its output is not boxes with a score for each class (a model that "
                "suppresses doubles itself is to be saved with end2end=False)"
            )

    def find(self, image: Image, scale: float = 1.0) -> Found:
        """Everything at or above the threshold; prepared and decoded as for the exported model,
        so that both name the same cards (V11)."""
        canvas, real = letterbox(image, scale)
        output = self._output(as_tensor(canvas))
        if len(output) == 5:
            output = np.concatenate([output, np.zeros_like(output[:1])])
        return decode(np.asarray(output, np.float32), self._threshold, real, image.shape[:2])

    def _output(self, tensor: Floats) -> Floats:
        """What the network says of a picture (1, 3, h, w)."""
        with self._torch.inference_mode():
            return np.asarray(self._network(self._torch.from_numpy(tensor))[0][0].numpy())


def open_finder(path: Path, threshold: float, threads: int = 2) -> Finder:
    """The finder in ``path``: ``.onnx``, or ``.pt`` where Ultralytics is installed.

    Raises UserError for anything else.
    """
    if path.suffix == ".pt":
        return UltralyticsFinder(path, threshold, threads)
    if path.suffix == ".onnx":
        return OnnxFinder(path, threshold, threads)
    raise UserError(f"{path}: expected a model that ends in .onnx or .pt")
