"""V11: the exported model and the training model find the same. Needs the training extra."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import models
from kiosk.vision.finder import OnnxFinder, UltralyticsFinder, as_tensor, letterbox
from kiosk.vision.images import load_photo
from kiosk.vision.merge import merge
from kiosk.vision.namer import Namer, Temperatures
from kiosk.vision.reader import open_reader
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
        (one,) = exported._session.run(None, {"images": tensor})
        with torch.inference_mode():
            other = trained._network(torch.from_numpy(tensor))[0].numpy()
        assert one.shape == other.shape and one.shape[1] == 6
        assert np.allclose(one[:, :4], other[:, :4], atol=0.02)
        assert np.allclose(one[:, 4:], other[:, 4:], atol=1e-5)
        trained.find(picture, scale)


def test_v11_exported_namer_names_the_same(tmp_path: Path) -> None:
    import torch

    from models.training.namer_net import NamerNet

    torch.manual_seed(3)
    torch.save({"model": NamerNet().state_dict()}, tmp_path / "last.pt")
    assert export_namer(tmp_path / "last.pt", tmp_path / "namer.onnx") < 1e-3


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


class _TrainedNamer(Namer):
    """The namer as it was trained, in PyTorch, behind the kiosk's own cutting and averaging."""

    def __init__(self) -> None:
        import torch

        from models.training.namer_net import NamerNet, grown

        settings = models.settings()["temperatures"]
        super().__init__(models.namer_path(), Temperatures.from_settings(settings))
        state = torch.load(CHECKPOINTS / "namer.pt", weights_only=True)["model"]
        self._torch, self._net = torch, grown(NamerNet(), state)
        self._net.eval()

    def _run(self, tensor: np.ndarray, output: str) -> np.ndarray:
        with self._torch.inference_mode():
            return self._net(self._torch.from_numpy(np.ascontiguousarray(tensor))).numpy()
