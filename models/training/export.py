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

from kiosk.vision.anchors import BINS, likely_boxes
from models.training.namer_net import INPUT, NamerNet, WithFeatures, grown

SHIPPED = Path(__file__).resolve().parents[1]

CHECKPOINTS = Path(__file__).resolve().parent / "checkpoints"
"""The trained weights that the shipped files were exported from, in half precision."""


def export_finder(checkpoint: Path, target: Path) -> float:
    """Writes the finder as ONNX of any size, with its raw distances and logits; returns the largest
    difference in score."""
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics import YOLO

    model = YOLO(str(checkpoint))
    written = model.export(format="onnx", imgsz=320, dynamic=True, simplify=True, opset=17)
    _cut_to_raw(Path(written), target)
    network = YOLO(str(checkpoint)).model.float().eval()
    session = onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])
    worst = 0.0
    for height, width in ((320, 320), (192, 352)):
        picture = torch.rand(1, 3, height, width, generator=torch.Generator().manual_seed(1))
        with torch.no_grad():
            expected = network(picture)[0].numpy()
        distances, logits = session.run(None, {session.get_inputs()[0].name: picture.numpy()})
        got = likely_boxes(distances[0], logits[0], 0.0, (height, width))
        assert np.abs(got[:4] - expected[0, :4]).max() < 0.05, "boxes differ"
        worst = max(worst, float(np.abs(got[4:] - expected[0, 4:]).max()))
    return worst


def _cut_to_raw(written: Path, target: Path) -> None:
    """Stores the exported graph without its last steps: what goes into the softmax over distances
    and into the sigmoid of the classes are its outputs ``distances`` and ``logits``."""
    graph_file = onnx.load(str(written))
    graph = graph_file.graph
    makers = {output: node for node in graph.node for output in node.output}
    last = makers[graph.output[0].name]
    sigmoid = next(makers[name] for name in last.input if makers[name].op_type == "Sigmoid")
    softmax = next(node for node in graph.node if node.op_type == "Softmax")
    reshape = makers[makers[softmax.input[0]].input[0]]
    raw = {reshape.input[0]: "distances", sigmoid.input[0]: "logits"}
    for node in graph.node:
        for names in (node.input, node.output):
            for number, name in enumerate(names):
                names[number] = raw.get(name, name)
    del graph.output[:]
    for name, channels in (("distances", 4 * BINS), ("logits", 2)):
        shape = [1, channels, "places"]
        graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
    _drop_unused(graph)
    onnx.checker.check_model(graph_file)
    onnx.save(graph_file, str(target))
    if written.resolve() != target.resolve():
        written.unlink()


def _drop_unused(graph: onnx.GraphProto) -> None:
    """Removes nodes and weights that no output needs."""
    wanted = {output.name for output in graph.output}
    kept = []
    for node in reversed(graph.node):
        if wanted & set(node.output):
            kept.append(node)
            wanted |= set(node.input)
    weights = [weight for weight in graph.initializer if weight.name in wanted]
    del graph.node[:], graph.initializer[:], graph.value_info[:]
    graph.node.extend(reversed(kept))
    graph.initializer.extend(weights)


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
        output_names=["logits", "features", "up"],
        dynamic_axes={name: {0: "n"} for name in ("crops", "logits", "features", "up")},
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
