"""Trains the finder with Ultralytics from the COCO-pretrained YOLOv5n backbone.

    python -m models.training.train_finder DATA --weights W.safetensors --hours 0.8 --run finder1

One run is one learning-rate schedule that spans ``--hours``; ``--resume`` goes on after a stop.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def _quiet_ultralytics(threads: int) -> None:
    """No downloads, no automatic installs, and all the threads that were asked for."""
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    from ultralytics.utils import torch_utils

    torch_utils.NUM_THREADS = threads
    import torch

    torch.set_num_threads(threads)


def _multiply_in_bf16() -> None:
    """Lets the network's convolutions run in bfloat16; losses stay in full precision."""
    import torch
    from ultralytics.nn import tasks

    whole = tasks.BaseModel._predict_once

    def in_bf16(self, x, *rest, **named):  # type: ignore[no-untyped-def]
        with torch.autocast("cpu", torch.bfloat16):
            found = whole(self, x, *rest, **named)
        return _in_full(found)

    tasks.BaseModel._predict_once = in_bf16


def _in_full(found):  # type: ignore[no-untyped-def]
    import torch

    if isinstance(found, torch.Tensor):
        return found.float() if found.is_floating_point() else found
    if isinstance(found, dict):
        return {key: _in_full(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return type(found)(_in_full(value) for value in found)
    return found


def pretrained(weights: Path, start: Path | None):  # type: ignore[no-untyped-def]
    """YOLOv5n for two classes with the pretrained backbone and neck, as an Ultralytics model."""
    from safetensors.torch import load_file
    from ultralytics import YOLO

    if start is not None:
        return YOLO(str(start))
    model = YOLO("yolov5n.yaml")
    loaded = load_file(str(weights))
    values = {k: v.float() if v.is_floating_point() else v for k, v in loaded.items()}
    missing = model.model.load_state_dict(values, strict=False).missing_keys
    assert all(key.startswith("model.24.") for key in missing), missing
    checkpoint = weights.with_suffix(".pt").name
    target = Path("runs") / checkpoint
    target.parent.mkdir(exist_ok=True)
    model.save(str(target))
    return YOLO(str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder made by finder_data")
    parser.add_argument("--weights", type=Path, help="pretrained backbone and neck (safetensors)")
    parser.add_argument("--start", type=Path, help="a .pt checkpoint to go on from instead")
    parser.add_argument("--hours", type=float, default=0.8)
    parser.add_argument("--epochs", type=int, help="so many epochs, whatever time they take")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--freeze", type=int, default=2, help="first layers kept as they are")
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--run", default="finder")
    parser.add_argument("--bf16", action="store_true", help="where the processor multiplies it")
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    _quiet_ultralytics(args.threads)
    from ultralytics import YOLO

    if args.bf16:
        _multiply_in_bf16()
    if args.resume:
        YOLO(f"runs/{args.run}/weights/last.pt").train(resume=True)
        return
    model = pretrained(args.weights, args.start)
    model.train(
        data=str(args.data / "data.yaml"),
        imgsz=320,
        batch=args.batch,
        time=None if args.epochs else args.hours,
        epochs=args.epochs or 20,
        device="cpu",
        workers=0,
        amp=False,
        project=str(Path("runs").resolve()),
        name=args.run,
        exist_ok=True,
        optimizer="AdamW",
        lr0=args.lr,
        lrf=0.02,
        cos_lr=True,
        warmup_epochs=0.1,
        mosaic=0,
        fliplr=0,
        flipud=0,
        degrees=0,
        translate=0,
        scale=0,
        hsv_h=0.02,
        hsv_s=0.5,
        hsv_v=0.3,
        erasing=0,
        freeze=args.freeze,
        val=False,
        plots=False,
        save_period=-1,
        seed=1,
    )


if __name__ == "__main__":
    main()
