"""Exports trained checkpoints to the ONNX files that ship, and checks that both agree (V11).

python -m models.training.export --finder runs/finder1/weights/last.pt --namer runs/namer1/last.pt
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from models.training.namer_net import INPUT, NamerNet, WithFeatures, grown

SHIPPED = Path(__file__).resolve().parents[1]

CHECKPOINTS = Path(__file__).resolve().parent / "checkpoints"
"""The trained weights that the shipped files were exported from, in half precision."""


def export_finder(checkpoint: Path, target: Path) -> float:
    """Writes the finder as ONNX of any size; returns the largest difference in raw output."""
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics import YOLO

    model = YOLO(str(checkpoint))
    written = model.export(format="onnx", imgsz=320, dynamic=True, simplify=True, opset=17)
    _rename_output(Path(written), target)
    network = YOLO(str(checkpoint)).model.float().eval()
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    worst = 0.0
    for height, width in ((320, 320), (192, 352)):
        picture = torch.rand(1, 3, height, width, generator=torch.Generator().manual_seed(1))
        with torch.no_grad():
            expected = network(picture)[0].numpy()
        got = session.run(None, {session.get_inputs()[0].name: picture.numpy()})[0]
        worst = max(worst, float(np.abs(got[:, 4:] - expected[:, 4:]).max()))
    return worst


def _rename_output(written: Path, target: Path) -> None:
    """Stores the exported graph with its one output named ``output``."""
    graph_file = onnx.load(str(written))
    old = graph_file.graph.output[0].name
    for node in graph_file.graph.node:
        for number, name in enumerate(node.output):
            if name == old:
                node.output[number] = "output"
    graph_file.graph.output[0].name = "output"
    onnx.save(graph_file, str(target))
    if written.resolve() != target.resolve():
        written.unlink()


def export_namer(checkpoint: Path, target: Path) -> float:
    """Writes the namer as ONNX of any batch, and its last layer beside it as ``namer_head.npz``;
    returns the largest difference in logits."""
    state = torch.load(checkpoint, weights_only=True, map_location="cpu")
    model = grown(NamerNet(), state["model"])
    model.eval()
    sample = torch.rand(5, 3, INPUT, INPUT, generator=torch.Generator().manual_seed(1))
    torch.onnx.export(
        WithFeatures(model).eval(),
        (sample,),
        str(target),
        input_names=["crops"],
        output_names=["logits", "features"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}, "features": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    with torch.no_grad():
        expected = model(sample).numpy()
    last = model.head[3]
    np.savez(
        target.with_name("namer_head.npz"),
        weights=last.weight.detach().numpy(),
        bias=last.bias.detach().numpy(),
    )
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    return float(np.abs(session.run(None, {"crops": sample.numpy()})[0] - expected).max())


def keep_finder(checkpoint: Path, target: Path) -> None:
    """Writes the finder's weights alone, in half precision, to train on from or to run."""
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics import YOLO

    network = YOLO(str(checkpoint)).model
    network.args = {"imgsz": 320, "task": "detect"}
    network.pt_path = None
    for name in ("criterion", "ckpt_path", "yaml_file"):
        if hasattr(network, name):
            setattr(network, name, None)
    network.yaml.pop("yaml_file", None)
    network.half().eval()
    for weight in network.parameters():
        weight.requires_grad = False
    torch.save({"model": network, "ema": None, "train_args": network.args, "epoch": -1}, target)


def keep_namer(checkpoint: Path, target: Path) -> None:
    """Writes the namer's weights alone, in half precision."""
    state = torch.load(checkpoint, weights_only=True, map_location="cpu")["model"]
    halves = {k: v.half() if v.is_floating_point() else v for k, v in state.items()}
    torch.save({"model": halves}, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--namer", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    args = parser.parse_args()
    CHECKPOINTS.mkdir(exist_ok=True)
    if args.finder:
        kept = (CHECKPOINTS if args.out == SHIPPED else args.out) / "finder.pt"
        keep_finder(args.finder, kept)
        args.finder = kept
        worst = export_finder(args.finder, args.out / "finder.onnx")
        print(f"finder.onnx: scores differ by at most {worst:.2e} from the training model")
        assert worst < 1e-3
    if args.namer:
        kept = (CHECKPOINTS if args.out == SHIPPED else args.out) / "namer.pt"
        keep_namer(args.namer, kept)
        args.namer = kept
        worst = export_namer(args.namer, args.out / "namer.onnx")
        print(f"namer.onnx: logits differ by at most {worst:.2e} from the training model")
        assert worst < 1e-3


if __name__ == "__main__":
    main()
