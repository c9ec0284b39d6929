"""Fits temperatures and chooses the naming threshold on validation material; writes models.json.

    python -m models.training.thresholds --photos ../shared/photos --cutouts DATA [--keep]

Temperatures: maximum likelihood on validation cut-outs as the shipped finder would cut them
(validation photographs) and on rendered held-out decks. Threshold: the lowest at which at most
``--wrong`` of the named validation cards are wrong. ``--keep`` tells the figures of
those in force.
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
from kiosk.vision.merge import Thresholds, merge
from kiosk.vision.namer import BOTH_WAYS
from kiosk.vision.reader import open_reader
from models.training.evaluate import Tally, judge
from models.training.folds import load_photos
from models.training.namer_data import SPAN, STORE_SPAN

DEFAULTS = {"find": 0.25, "name": 0.9, "doubt": 0.3, "index": 0.5}
EDGES = (0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)
NAMES = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99]
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


def risk_curve(
    photos: Path, names: list[float], folder: Path | None = None
) -> list[dict[str, float]]:
    """Recall and wrong names on the validation photographs for each naming threshold."""
    reader = open_reader(folder=folder)
    kept = []
    for photo in load_photos(photos):
        if photo.fold == "validation":
            kept.append((photo, reader.read(cv2.imread(str(photo.path)))))
    rows = []
    for name in names:
        limits = Thresholds(
            reader.thresholds.find, name, reader.thresholds.doubt, reader.thresholds.index
        )
        tally = Tally()
        for photo, reading in kept:
            merged = merge(reading.sightings, reading.bodies, limits)
            judge(photo, merged.cards, tally, len(merged.doubts))
        rows.append(
            {
                "name": name,
                "cards": tally.labelled,
                "read": tally.read,
                "named": tally.named,
                "wrong": tally.named - tally.right,
            }
        )
    return rows


def chosen(curve: list[dict[str, float]], least: float, wrong: float) -> float:
    """The lowest naming threshold, from ``least`` on, with no larger share of wrong names; the
    highest of the curve where there is none."""
    good = [
        row["name"]
        for row in curve
        if row["name"] >= least and row["wrong"] <= wrong * max(1, row["named"])
    ]
    return good[0] if good else curve[-1]["name"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--cutouts", type=Path, required=True)
    parser.add_argument("--wrong", type=float, default=0.001)
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
    curve = risk_curve(args.photos, NAMES, args.models)
    if not args.keep:
        settings["thresholds"]["name"] = chosen(curve, args.least, args.wrong)
        _write(settings, args.models)
    temperatures = settings["temperatures"]
    print("temperatures", temperatures, "naming threshold", settings["thresholds"])
    for row in reliability(logits[:, real], ranks[real], suits[real], temperatures):
        print("reliability", *row)
    for row in curve:
        print("risk", row)


def _write(settings: Mapping[str, object], folder: Path | None) -> None:
    target = (folder or Path(models.__file__).parent) / "models.json"
    target.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
    models.settings.cache_clear()


if __name__ == "__main__":
    main()
