"""V11: the exported model and the training model find the same. Needs the training extra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import models
from kiosk.errors import UserError
from kiosk.vision.anchors import likely_boxes
from kiosk.vision.finder import (
    BODY_IOU,
    INDEX_IOU,
    Found,
    OnnxFinder,
    UltralyticsFinder,
    as_tensor,
    letterbox,
)
from kiosk.vision.images import load_photo
from kiosk.vision.merge import merge
from kiosk.vision.namer import Namer, Temperatures
from kiosk.vision.reader import open_reader
from kiosk.vision.rectangles import iou
from models.training.export import CHECKPOINTS, export_finder, export_namer
from models.training.folds import Photo

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("default")]


def test_v11_exported_finder_finds_the_same(tmp_path: Path) -> None:
    import torch
    from ultralytics import YOLO
    from ultralytics.nn.tasks import DetectionModel

    torch.manual_seed(3)
    model = YOLO("yolov5n.yaml")
    checkpoint = tmp_path / "own.pt"
    model.model = DetectionModel("yolov5n.yaml", nc=2, verbose=False)
    model.model.names = {0: "index", 1: "card"}
    model.save(str(checkpoint))
    assert export_finder(checkpoint, tmp_path / "own.onnx") < 1e-3
    picture = np.random.default_rng(1).integers(0, 256, (200, 333, 3), np.uint8)
    exported, trained = OnnxFinder(tmp_path / "own.onnx"), UltralyticsFinder(checkpoint)
    for scale in (1.0, 0.7, 1.4):
        tensor = as_tensor(letterbox(picture, scale)[0])
        distances, logits = exported._session.run(None, {"images": tensor})
        rows, columns = tensor.shape[2:]
        one = likely_boxes(distances[0], logits[0], 0.0, (rows, columns))
        with torch.inference_mode():
            other = trained._network(torch.from_numpy(tensor))[0].numpy()
        assert one.shape == other.shape[1:] and len(one) == 6
        assert np.allclose(one[:4], other[0, :4], atol=0.02)
        assert np.allclose(one[4:], other[0, 4:], atol=1e-5)
        trained.find(picture, scale)


@pytest.mark.parametrize("names", [{0: "card", 1: "index"}, {0: "cat"}, {0: "a", 1: "b", 2: "c"}])
def test_a_model_of_other_classes_is_refused(tmp_path: Path, names: dict[int, str]) -> None:
    with pytest.raises(UserError, match="expected the classes index and card, in this order"):
        UltralyticsFinder(_own_model(tmp_path, "yolov5n.yaml", names))


def test_a_model_that_suppresses_doubles_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="suppresses doubles itself"):
        UltralyticsFinder(_own_model(tmp_path, "yolo26n.yaml", {0: "index", 1: "card"}, True))


def _own_model(folder: Path, kind: str, names: dict[int, str], end2end: bool = False) -> Path:
    from ultralytics import YOLO
    from ultralytics.nn.tasks import DetectionModel

    model = YOLO(kind)
    model.model = DetectionModel(kind, nc=len(names), verbose=False)
    model.model.names = names
    model.model.model[-1].end2end = end2end
    model.save(str(folder / "own.pt"))
    return folder / "own.pt"


def test_v11_exported_namer_names_the_same(tmp_path: Path) -> None:
    import torch

    from models.training.namer_net import NamerNet

    torch.manual_seed(3)
    torch.save({"model": NamerNet().state_dict()}, tmp_path / "last.pt")
    assert export_namer(tmp_path / "last.pt", tmp_path / "namer.onnx") < 1e-3


def test_a_namer_that_does_not_say_how_an_index_stands_is_refused(tmp_path: Path) -> None:
    import onnx

    shipped = onnx.load(str(models.namer_path()))
    kept = [output for output in shipped.graph.output if output.name != "up"]
    del shipped.graph.output[:]
    shipped.graph.output.extend(kept)
    onnx.save(shipped, str(tmp_path / "older.onnx"))
    with pytest.raises(UserError, match=r"older\.onnx: not a namer model of this version"):
        Namer(tmp_path / "older.onnx")


def test_v11_the_shipped_models_name_the_same_as_those_they_came_from(
    photos: tuple[Photo, ...],
) -> None:
    chosen = [photo for photo in photos if photo.fold == "test"][::12]
    exported = open_reader()
    trained = open_reader(CHECKPOINTS / "finder.pt")
    trained.namer = _TrainedNamer()
    assert len({photo.source for photo in chosen}) == 4
    named = 0
    for photo in chosen:
        picture = load_photo(photo.path)
        one, other = (
            merge(reading.sightings, reading.bodies, exported.thresholds)
            for reading in (exported.read(picture), trained.read(picture))
        )
        assert [c.card for c in one.cards] == [c.card for c in other.cards], photo.path.name
        assert len(one.doubts) == len(other.doubts), photo.path.name
        named += len(one.cards)
    assert named > 40


def test_v11_ultralytics_own_prediction_finds_the_same(photos: tuple[Photo, ...]) -> None:
    """Its colour order, scaling of values, decoding and suppression of doubles, on the picture that
    the runtime prepares; and its own resizing too, where boxes may differ somewhat more."""
    from ultralytics import YOLO

    yolo, exported = YOLO(str(CHECKPOINTS / "finder.pt")), OnnxFinder(models.finder_path(), 0.25)
    chosen = [photo for photo in photos if photo.fold == "test"][::40]
    seen, alike = 0, 0
    for photo in chosen:
        picture = load_photo(photo.path)
        scale = 960 / max(picture.shape[:2])
        canvas, _ = letterbox(picture, scale)
        ours, theirs = exported.find(canvas), _predicted(yolo, canvas, canvas.shape[:2])
        for one, other in ((ours.indices, theirs.indices), (ours.bodies, theirs.bodies)):
            sure = [len(rows[rows[:, 4] > 0.5]) for rows in (one, other)]
            assert sure[0] == sure[1], photo.path.name
            for row in one[one[:, 4] > 0.5]:
                best = max(other, key=lambda found, row=row: iou(row[:4], found[:4]))
                assert iou(row[:4], best[:4]) > 0.97 and abs(row[4] - best[4]) < 0.01
        ours, theirs = exported.find(picture, scale), _predicted(yolo, picture, 960)
        for row in ours.indices[ours.indices[:, 4] > 0.6]:
            seen += 1
            alike += any(iou(row[:4], found[:4]) > 0.6 for found in theirs.indices)
    assert seen > 20 and alike >= 0.97 * seen


def _predicted(yolo: Any, picture: np.ndarray, size: Any) -> Found:
    """What Ultralytics' ``predict`` finds in a BGR picture, classes apart."""
    finds = []
    for number, limit in enumerate((INDEX_IOU, BODY_IOU)):
        rows = yolo.predict(
            picture,
            imgsz=size,
            conf=0.25,
            iou=limit,
            classes=[number],
            max_det=2000,
            verbose=False,
            device="cpu",
        )
        finds.append(rows[0].boxes.data.numpy()[:, :5])
    return Found(*finds)


class _TrainedNamer(Namer):
    """The namer as it was trained, in PyTorch, behind the kiosk's own cutting and averaging."""

    def __init__(self) -> None:
        import torch

        from models.training.namer_net import NamerNet, WithFeatures, grown

        settings = models.settings()["temperatures"]
        super().__init__(models.namer_path(), Temperatures.from_settings(settings))
        state = torch.load(CHECKPOINTS / "namer.pt", weights_only=True)["model"]
        self._torch, self._net = torch, WithFeatures(grown(NamerNet(), state)).eval()

    def _run(self, tensor: np.ndarray, outputs: list[str]) -> list[np.ndarray]:
        with self._torch.inference_mode():
            seen = self._net(self._torch.from_numpy(np.ascontiguousarray(tensor)))
        named = dict(zip(("logits", "features", "up"), seen, strict=True))
        return [named[output].numpy() for output in outputs]
