"""Ultralytics' own prediction of stock YOLO11n, to measure the kiosk's reading beside."""

from __future__ import annotations

import os
from collections.abc import Callable

import numpy as np


def stock_prediction(picture: np.ndarray, threads: int) -> Callable[[], object]:
    """Predicts on the picture (BGR) at its own size, in PyTorch on so many threads.

    ImportError where Ultralytics is not installed.
    """
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    import torch
    from ultralytics import YOLO

    torch.set_num_threads(threads)
    model = YOLO("yolo11n.yaml")
    size = tuple(-(-side // 32) * 32 for side in picture.shape[:2])

    def once() -> object:
        return model.predict(picture, imgsz=size, verbose=False, device="cpu")

    once()
    return once
