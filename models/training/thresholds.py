"""Fits temperatures and chooses the naming threshold on validation material; writes models.json.

    python -m models.training.thresholds --photos ../shared/photos --cutouts DATA [--keep]

Temperatures: maximum likelihood on validation cut-outs as the shipped finder would cut them
(validation photographs) and on rendered held-out decks.

Threshold: of ``NAMES``, from ``--least`` on, the lowest at which at most ``--wrong`` (1 in 1,000)
of the names given for certain are wrong, counted on two things together: the validation
photographs, and ``--scenes`` drawn scenes of held-out decks with indices of 20 to 60 pixels, each
read once, as a photograph is. Where none is as good, the highest. The photographs alone are too few
to show one wrong name in a thousand; no photograph of the test fold is looked at.

``--keep`` tells the figures of the temperatures and the threshold in force and changes nothing.
``--diagram FILE`` draws reliability and risk against coverage (SVG).
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

import models
from kiosk.vision.namer import BOTH_WAYS
from kiosk.vision.reader import open_reader
from models.training.diagram import diagram
from models.training.namer_data import SPAN, STORE_SPAN
from models.training.risk import Curve, held_scenes, on_photos, on_scenes

DEFAULTS = {"find": 0.25, "name": 0.9, "doubt": 0.3, "index": 0.5}
EDGES = (0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)
NAMES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99)
"""Naming thresholds whose cost is told."""
STEPS = np.exp(np.linspace(np.log(0.4), np.log(4), 60))


def cut_out_logits(
    files: list[Path], folder: Path | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits (turns, n, 18) in the turns that a photograph is read in, ranks and suits (n,) of
    stored cut-outs."""
    session = onnxruntime.InferenceSession(str(models.namer_path(folder)))
    turns: list[list[np.ndarray]] = [[] for _ in BOTH_WAYS]
    ranks, suits = [], []
    for path in files:
        data = np.load(path)
        size = data["crops"].shape[1]
        keep = round(size * SPAN / STORE_SPAN)
        start = (size - keep) // 2
        part = data["crops"][:, start : start + keep, start : start + keep]
        ranks.append(data["rank"].astype(int))
        suits.append(data["suit"].astype(int))
        for kept, turn in zip(turns, BOTH_WAYS, strict=True):
            batch = np.stack([cv2.resize(np.rot90(c, turn), (48, 48)) for c in part])
            batch = batch[..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
            kept += [
                session.run(None, {"crops": np.ascontiguousarray(batch[i : i + 256])})[0]
                for i in range(0, len(batch), 256)
            ]
    logits = np.stack([np.concatenate(parts) for parts in turns])
    return logits, np.concatenate(ranks), np.concatenate(suits)


def averaged(logits: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities (n, k) averaged over the turns, as the reader does. logits (turns, n, k)."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(-1, keepdims=True))
    return np.asarray((powers / powers.sum(-1, keepdims=True)).mean(0))


def fit(logits: np.ndarray, truth: np.ndarray) -> float:
    """The temperature of least negative log-likelihood. logits (turns, n, k), truth (n,)."""
    rows = np.arange(len(truth))
    losses = [
        float(-np.log(np.maximum(averaged(logits, step)[rows, truth], 1e-9)).mean())
        for step in STEPS
    ]
    return float(STEPS[int(np.argmin(losses))])


def fit_index(logit: np.ndarray, truth: np.ndarray) -> float:
    """As ``fit`` for the one is-index logit (turns, n). truth: bool (n,)."""
    return fit(np.stack([np.zeros_like(logit), logit], -1), truth.astype(int))


def reliability(
    logits: np.ndarray, ranks: np.ndarray, suits: np.ndarray, temperatures: dict[str, float]
) -> list[tuple[float, float, int]]:
    """(mean confidence, share right, count) in ten bins of index cut-outs."""
    rank = averaged(logits[..., :13], temperatures["rank"])
    suit = averaged(logits[..., 13:17], temperatures["suit"])
    sure = rank.max(1) * suit.max(1)
    right = (rank.argmax(1) == ranks) & (suit.argmax(1) == suits)
    rows = []
    for low, high in itertools.pairwise(EDGES):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            mean, share = float(sure[inside].mean()), float(right[inside].mean())
            rows.append((round(mean, 4), round(share, 4), int(inside.sum())))
    return rows


def chosen(curve: Curve, least: float, wrong: float) -> float:
    """The lowest naming threshold, from ``least`` on, with no larger share of wrong names; the
    highest of the curve where there is none."""
    good = [
        name
        for name, cost in sorted(curve.items())
        if name >= least and cost.wrong <= wrong * cost.named
    ]
    return good[0] if good else max(curve)


def table(photos: Curve, drawn: Curve, in_force: float) -> list[str]:
    """A line for each threshold: cards read and wrong names of all given, on the photographs, on
    the drawn scenes, and wrong ones of 1,000 on both; a star at the one in force."""
    lines = ["threshold · photographs: read · wrong · drawn: read · wrong · both: wrong of 1,000"]
    for name in sorted(photos):
        parts = [
            f"{cost.read} of {cost.cards} · {cost.wrong} of {cost.named}"
            for cost in (photos[name], drawn[name])
        ]
        both = photos[name] + drawn[name]
        share = 1000 * both.wrong / max(1, both.named)
        lines.append(f"{name}{'*' * (name == in_force)} · {' · '.join(parts)} · {share:.1f}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--cutouts", type=Path, required=True)
    parser.add_argument("--wrong", type=float, default=0.001, help="largest share of wrong names")
    parser.add_argument("--scenes", type=int, default=160, help="drawn scenes of held-out decks")
    parser.add_argument("--seed", type=int, default=11, help="of the drawn scenes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--diagram", type=Path, help="SVG to write: reliability, risk and coverage")
    parser.add_argument("--models", type=Path, help="folder with other weights; default: shipped")
    parser.add_argument("--least", type=float, default=0.9, help="never a lower naming threshold")
    parser.add_argument("--keep", action="store_true", help="print the figures, change nothing")
    args = parser.parse_args()
    files = [
        p
        for p in sorted(args.cutouts.glob("*.npz"))
        if p.stem.startswith(("real-validation", "held"))
    ]
    logits, ranks, suits = cut_out_logits(files, args.models)
    real = ranks >= 0
    if args.keep:
        settings = models.settings(args.models)
    else:
        temperatures = {
            "rank": round(fit(logits[:, real, :13], ranks[real]), 3),
            "suit": round(fit(logits[:, real, 13:17], suits[real]), 3),
            "index": round(fit_index(logits[:, :, 17], real), 3),
        }
        settings = {
            "finder": models.file_hash(models.finder_path(args.models)),
            "namer": models.file_hash(models.namer_path(args.models)),
            "temperatures": temperatures,
            "thresholds": dict(DEFAULTS),
        }
        _write(settings, args.models)
    reader = open_reader(threads=args.threads, folder=args.models)
    photos = on_photos(reader, args.photos, NAMES)
    drawn = on_scenes(reader, held_scenes(args.scenes, args.seed), NAMES)
    both = {name: photos[name] + drawn[name] for name in NAMES}
    if not args.keep:
        settings["thresholds"]["name"] = chosen(both, args.least, args.wrong)
        _write(settings, args.models)
    temperatures, in_force = settings["temperatures"], settings["thresholds"]["name"]
    print("temperatures", temperatures, "naming threshold", settings["thresholds"])
    bins = reliability(logits[:, real], ranks[real], suits[real], temperatures)
    for line in bins:
        print("reliability", *line)
    for line in table(photos, drawn, in_force):
        print("risk", line)
    if max(cost.named for cost in both.values()) * args.wrong < 1:
        print("risk too few names were given to show so small a share: ask for more --scenes")
    if args.diagram:
        args.diagram.write_text(diagram(bins, both, in_force), "utf-8")


def _write(settings: Mapping[str, object], folder: Path | None) -> None:
    target = (folder or Path(models.__file__).parent) / "models.json"
    target.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    models.settings.cache_clear()


if __name__ == "__main__":
    main()
