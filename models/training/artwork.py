"""Court pictures and backs cut out of installed artwork decks (never committed)."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path

import cv2
import numpy as np

DECK_DIR = Path("/usr/share/aisleriot/cards")
DECKS = (
    "anglo",
    "anglo_modern",
    "anglo_poker",
    "atlasnye",
    "bellot",
    "neoclassical",
    "paris",
    "plastic",
    "tigullio",
    "dondorf",
    "gnomangelo",
    "ornamental",
)
HELD_OUT_DECKS = ("bellot", "plastic")
"""Decks whose courts drawn decks carry for validation only."""
HELD_OUT_WHOLE = ("anglo_poker", "paris")
"""Decks that are laid as a whole for validation only, so that drawn ones carry nothing of them."""
_COLUMNS, _ROWS, _CELL_HEIGHT = 13, 5, 300


@functools.cache
def sheet(deck: str) -> np.ndarray | None:
    """The whole deck as one BGR picture of 13 × 5 cells, or None where it is not installed."""
    path = DECK_DIR / f"{deck}.svgz"
    if not path.exists():
        return None
    done = subprocess.run(
        [
            "rsvg-convert",
            "--height",
            str(_CELL_HEIGHT * _ROWS),
            "--background-color",
            "white",
            str(path),
        ],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        return None
    return cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_COLOR)


@functools.cache
def courts(held_out: bool = False) -> tuple[np.ndarray, ...]:
    """Pictures of jacks, queens and kings without their indices, BGR, of differing size."""
    found = []
    kept_back = (*HELD_OUT_DECKS, *HELD_OUT_WHOLE)
    decks = HELD_OUT_DECKS if held_out else [deck for deck in DECKS if deck not in kept_back]
    for deck in decks:
        if (picture := sheet(deck)) is None:
            continue
        width, height = picture.shape[1] / _COLUMNS, picture.shape[0] / _ROWS
        for row in range(4):
            for column in (10, 11, 12):
                x, y = column * width, row * height
                cell = picture[
                    int(y + 0.1 * height) : int(y + 0.9 * height),
                    int(x + 0.2 * width) : int(x + 0.8 * width),
                ]
                found.append(np.ascontiguousarray(cell))
    return tuple(found)
