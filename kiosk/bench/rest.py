"""What the kiosk costs while nothing happens: a still felt at 1080p, fifteen pictures a second."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import cv2
import numpy as np
import psutil

from kiosk.app import Kiosk
from kiosk.bench.figures import Figure
from kiosk.config import Settings, VisionSettings

WIDTH, HEIGHT, FPS = 1920, 1080, 15
_FRAMES = 45
_SETTLE = 15.0
"""Seconds for the start and for the first looks at every zone."""


def still_film(folder: Path) -> Path:
    """A film as a camera sends it (JPEG pictures): a bare felt and a sensor's noise."""
    path = folder / "still.avi"
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"MJPG"), float(FPS), (WIDTH, HEIGHT)
    )
    rng = np.random.default_rng(1)
    light = np.linspace(1.1, 0.8, WIDTH, dtype=np.float32)[None, :, None]
    felt = np.full((HEIGHT, WIDTH, 3), (60, 104, 30), np.float32) * light
    cv2.rectangle(felt, (620, 30), (1300, 330), (150, 214, 226), 5, cv2.LINE_AA)
    for _ in range(_FRAMES):
        noise = rng.normal(0, 2.0, (HEIGHT, WIDTH, 1)).astype(np.float32)
        writer.write(np.clip(felt + noise, 0, 255).astype(np.uint8))
    writer.release()
    return path


def rest(args: argparse.Namespace) -> list[Figure]:
    """Processor time of the kiosk (record and panel included, nobody watching its pages)."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            source=str(still_film(Path(folder))),
            data=Path(folder) / "data",
            vision=VisionSettings(threads=args.threads),
        )
        kiosk = Kiosk(settings)
        kiosk.start()
        try:
            time.sleep(_SETTLE)
            seconds = min(args.seconds, 60.0)
            steps = kiosk.sight.steps
            began, before = time.monotonic(), _spent()
            time.sleep(seconds)
            passed, after = time.monotonic() - began, _spent()
            rate = (kiosk.sight.steps - steps) / passed
        finally:
            kiosk.stop()
    shares = {name: (after[name] - before.get(name, 0.0)) / passed * 100 for name in after}
    return [
        Figure("felt still", f"{WIDTH}×{HEIGHT}, {FPS} pictures a second"),
        Figure("processor use at rest", sum(shares.values()), "% of one core"),
        *(Figure(f"of that {name}", share, "%") for name, share in shares.items()),
        Figure("frames worked on per second", rate),
    ]


def _spent() -> dict[str, float]:
    """Processor seconds so far: of the kiosk, of its camera process, of all other children."""
    own = psutil.Process().cpu_times()
    spent = {"the kiosk's process": own.user + own.system, "the camera's process": 0.0}
    for child in psutil.Process().children(recursive=True):
        try:
            times, name = child.cpu_times(), " ".join(child.cmdline())
        except psutil.Error:
            continue
        key = "the camera's process" if "spawn_main" in name else "the simulated panel"
        spent[key] = spent.get(key, 0.0) + times.user + times.system
    return spent
