"""``python -m models.training.recording OUT.mp4 [--seed N]``: render the bundled recording."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.training.recording.camera import Camera
from models.training.recording.direction import FPS, Director
from models.training.recording.encode import write_video
from models.training.recording.felt import SIZE
from models.training.recording.rounds import direct
from models.training.recording.stage import Stage
from models.training.recording.truth import payments, truth

CRF = 25


def frames(director: Director, stage: Stage, camera: Camera) -> Iterator[np.ndarray]:
    """All frames in order, with progress on standard error."""
    count = round(director.t * FPS)
    for number in range(count):
        if number % (FPS * 10) == 0:
            print(f"frame {number} of {count}", file=sys.stderr, flush=True)
        yield camera.shoot(stage.paint(number / FPS), number)


def main() -> int:
    """Render, and write ``truth.json`` beside the video."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="video to write; truth.json goes beside it")
    parser.add_argument("--seed", type=int, default=7, help="deck, table and small irregularities")
    parser.add_argument("--crf", type=int, default=CRF, help="quality, lower is better")
    parser.add_argument("--still", type=float, action="append", help="only this second, as OUT.png")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    director, acts = direct(args.seed, payments())
    stage, camera = Stage(director, args.seed), Camera(args.seed)
    if args.still:
        for t in args.still:
            picture = camera.shoot(stage.paint(t), round(t * FPS))
            cv2.imwrite(str(args.out.with_name(f"{args.out.stem}-{t:g}.png")), picture)
        return 0
    write_video(args.out, frames(director, stage, camera), SIZE, FPS, args.crf)
    text = json.dumps(truth(acts, director.t, args.seed), indent=1, ensure_ascii=False)
    args.out.with_name("truth.json").write_text(text + "\n", encoding="utf-8")
    print(f"{args.out}: {args.out.stat().st_size / 1e6:.2f} MB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
