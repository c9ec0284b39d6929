"""Cuts real cards out of the shared real photographs, for laying them on a felt in tests.

A card is cut where its outline can be followed cleanly: bright paper, four corners, right shape.
Nothing of it is kept in the project.
"""

from __future__ import annotations

import functools
import json
import os
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
import pytest

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
SOURCES = ("rf100-poker-cards", "poker-hand-detector", "faces-kalkaran")
CARD_W, CARD_H = 252, 352
"""Size of a cut card in pixels (40 px a centimetre)."""


def photos_or_skip() -> Path:
    """The shared photographs; skips where they are absent (a user's clone), fails in CI."""
    if not PHOTOS.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{PHOTOS} is missing in CI")
        pytest.skip(f"the real photographs are not here ({PHOTOS})")
    return PHOTOS


def _quad(part: np.ndarray) -> np.ndarray | None:
    """The four corners of the one card in a picture, or None when its outline is not clean."""
    grey = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    _, paper = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    outline = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(outline)
    area = cv2.contourArea(hull)
    (_, (w, h), _) = rectangle = cv2.minAreaRect(hull)
    if area < 0.2 * part.shape[0] * part.shape[1] or not 0.9 < area / (w * h + 1e-6) < 0.999:
        return None
    if not 1.3 < max(w, h) / max(1.0, min(w, h)) < 1.62 or cv2.contourArea(outline) < 0.9 * area:
        return None
    return cv2.boxPoints(rectangle)


def _upright(part: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """The card inside the quad as an upright picture of CARD_W × CARD_H."""
    if np.hypot(*(quad[1] - quad[0])) > np.hypot(*(quad[2] - quad[1])):
        quad = np.roll(quad, 1, axis=0)
    inset = quad + (quad.mean(0) - quad) * 0.012
    target = np.array([[0, 0], [CARD_W, 0], [CARD_W, CARD_H], [0, CARD_H]], np.float32)
    matrix = cv2.getPerspectiveTransform(inset.astype(np.float32), target)
    return cv2.warpPerspective(part, matrix, (CARD_W, CARD_H), flags=cv2.INTER_AREA)


@functools.cache
def real_cards() -> dict[str, list[tuple[str, np.ndarray]]]:
    """Card name → cut cards as (source, BGR picture of CARD_W × CARD_H)."""
    found: dict[str, list[tuple[str, np.ndarray]]] = defaultdict(list)
    for source in SOURCES:
        labels = json.loads((PHOTOS / source / "labels.json").read_text("utf-8"))
        for name in sorted(labels):
            cards = [m for m in labels[name] if m["kind"] == "card"]
            indices = [m for m in labels[name] if m["kind"] == "index"]
            picture = None
            for mark in cards:
                x1, y1, x2, y2 = mark["box"]
                whole = (
                    sum(
                        m["card"] == mark["card"]
                        and x1 <= m["box"][0]
                        and m["box"][2] <= x2
                        and y1 <= m["box"][1]
                        and m["box"][3] <= y2
                        for m in indices
                    )
                    >= 2
                )
                if not whole or len(found[mark["card"]]) >= 8:
                    continue
                if picture is None:
                    picture = cv2.imread(str(PHOTOS / source / name))
                pad = 6
                part = picture[
                    max(0, int(y1) - pad) : int(y2) + pad, max(0, int(x1) - pad) : int(x2) + pad
                ]
                quad = _quad(part)
                if quad is not None and part.mean() > 60:
                    found[mark["card"]].append((source, _upright(part, quad)))
    return dict(found)
