"""The program as a whole: start, and what it needs on the disk."""

from __future__ import annotations

import argparse
import importlib.metadata
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2

from kiosk.bench.figures import Figure
from kiosk.bench.table import busiest_frame

_STARTS = 3


def start(args: argparse.Namespace) -> list[Figure]:
    """Process start to the first reading: ``kiosk read`` of one table picture."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "table.png"
        cv2.imwrite(str(picture), busiest_frame())
        command = [sys.executable, "-m", "kiosk.cli", "read", "--json", str(picture)]
        times, bare = [], []
        for _ in range(_STARTS):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", "import numpy"], check=True)
            bare.append(time.perf_counter() - began)
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - began)
    median, beside = statistics.median(times), statistics.median(bare)
    return [
        Figure("process start to first reading and end", median, "s"),
        Figure("the same, in starts of Python with numpy", median / beside),
    ]


def _needed(name: str, seen: dict[str, importlib.metadata.Distribution]) -> None:
    """Adds a distribution and all it requires without extras."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return
    seen[key] = found
    for line in found.requires or []:
        if "extra ==" not in line:
            _needed(re.split(r"[ ;<>=!~\[(]", line, maxsplit=1)[0], seen)


def size(args: argparse.Namespace) -> list[Figure]:
    """Installed size of the runtime: the program and everything it requires."""
    seen: dict[str, importlib.metadata.Distribution] = {}
    _needed("dealer-kiosk", seen)
    sizes = {}
    for name, found in seen.items():
        paths = [Path(str(found.locate_file(file))) for file in found.files or []]
        sizes[name] = sum(path.stat().st_size for path in paths if path.is_file())
    import kiosk

    own = Path(kiosk.__file__).parents[1]
    rooms = ("kiosk", "models", "calibration", "firmware_bridge")
    ours = sum(
        path.stat().st_size for room in rooms for path in (own / room).rglob("*") if path.is_file()
    )
    sizes["dealer-kiosk"] = ours
    largest = sorted(sizes.items(), key=lambda pair: -pair[1])[:5]
    return [
        Figure("installed size of the runtime", sum(sizes.values()) / 2**20, "MiB"),
        Figure("largest", ", ".join(f"{name} {value / 2**20:.0f}" for name, value in largest)),
    ]
