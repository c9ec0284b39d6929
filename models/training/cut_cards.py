"""Cuts real cards out of real photographs where their outline can be followed cleanly.

They are laid into rendered scenes for training, and on a felt in the end-to-end tests. Needs
OpenCV only. Nothing of it is kept in the project.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from kiosk.sightings import Box
from models.training.folds import Label, Photo, load_photos

CARD_W, CARD_H = 252, 352
"""Size of a cut card in pixels (40 px a centimetre)."""
INDICES = {"rf100-poker-cards": 4, "faces-kalkaran": 4, "poker-hand-detector": 2}
"""How many indices the cards of each known source carry."""
_PAD = 6
_TOUCH = 0.03
"""Share of two cards' boxes in common up to which they lie side by side."""
_FOREIGN = 0.15
"""Share of another card's index within a cut from which it is not the picture of one card."""


@dataclass(frozen=True)
class CutCard:
    """One card: its name, source and fold, BGR picture, index boxes (n, 4) in its pixels."""

    card: str
    source: str
    fold: str
    picture: np.ndarray
    indices: np.ndarray


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
    return np.asarray(cv2.boxPoints(rectangle))


def _to_card(quad: np.ndarray) -> np.ndarray:
    """The 3×3 matrix that makes the quad an upright card of CARD_W × CARD_H."""
    if np.hypot(*(quad[1] - quad[0])) > np.hypot(*(quad[2] - quad[1])):
        quad = np.roll(quad, 1, axis=0)
    inset = quad + (quad.mean(0) - quad) * 0.012
    target = np.array([[0, 0], [CARD_W, 0], [CARD_W, CARD_H], [0, CARD_H]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(inset.astype(np.float32), target))


def _own_indices(photo: Photo, card: Label) -> np.ndarray:
    """Index boxes (n, 4) of this card in the photograph: same name, inside the card's box."""
    x1, y1, x2, y2 = card.box
    found = [
        m.box
        for m in photo.indices
        if m.card == card.card
        and x1 <= m.box[0]
        and m.box[2] <= x2
        and y1 <= m.box[1]
        and m.box[3] <= y2
    ]
    return np.array(found, np.float32).reshape(-1, 4)


def cut_cards(photo: Photo) -> list[CutCard]:
    """All cards of a photograph that can be cut cleanly and show two indices or more."""
    wanted = [(card, boxes) for card in photo.cards if len(boxes := _own_indices(photo, card)) >= 2]
    if not wanted:
        return []
    whole = cv2.imread(str(photo.path))
    found = []
    for card, boxes in wanted:
        x1, y1 = max(0, int(card.box[0]) - _PAD), max(0, int(card.box[1]) - _PAD)
        part = whole[y1 : int(card.box[3]) + _PAD, x1 : int(card.box[2]) + _PAD]
        quad = _quad(part)
        if quad is None or part.mean() < 60:
            continue
        matrix = _to_card(quad)
        picture = cv2.warpPerspective(part, matrix, (CARD_W, CARD_H), flags=cv2.INTER_AREA)
        if _shows_another(photo, card, matrix, (x1, y1)):
            continue
        indices = _moved(boxes, matrix, (x1, y1))
        found.append(CutCard(card.card, photo.source, photo.fold, picture, indices))
    return found


def _moved(boxes: np.ndarray, matrix: np.ndarray, origin: tuple[int, int]) -> np.ndarray:
    """Boxes (n, 4) of the photograph as upright boxes in the cut card's pixels."""
    corners = boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2) - origin
    moved = cv2.perspectiveTransform(corners.reshape(-1, 1, 2).astype(np.float32), matrix)
    moved = moved.reshape(-1, 4, 2)
    return np.concatenate([moved.min(1), moved.max(1)], 1)


def _overlap(one: Box, other: Box) -> float:
    """Share of the smaller box that lies in the other."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return max(0.0, width) * max(0.0, height) / max(1.0, smaller)


def _shows_another(photo: Photo, card: Label, matrix: np.ndarray, origin: tuple[int, int]) -> bool:
    """Whether a part of another card's index lies within the cut (a fan, a stack), or may do:
    a card that overlaps this one and whose indices are not labelled."""
    labelled = {m.card for m in photo.indices}
    if any(c.card not in labelled and _overlap(c.box, card.box) > _TOUCH for c in photo.cards):
        return True
    others = [m.box for m in photo.indices if m.card != card.card]
    if not others:
        return False
    boxes = _moved(np.array(others, np.float32), matrix, origin)
    inside = np.minimum(boxes[:, 2:], (CARD_W, CARD_H)) - np.maximum(boxes[:, :2], 0)
    share = inside.clip(0).prod(1) / (boxes[:, 2:] - boxes[:, :2]).clip(1).prod(1)
    return bool((share > _FOREIGN).any())


def carried(source: str, cuts: Sequence[CutCard]) -> int:
    """How many indices the cards of a source carry: four where any of its cuts has a box for more
    than two, for a card that carries four must not be laid with two of them unlabelled."""
    return INDICES.get(source) or (4 if any(len(cut.indices) > 2 for cut in cuts) else 2)


def training_cuts(photos: Path) -> dict[str, list[CutCard]]:
    """Cut cards of the training photographs whose every index has its box, by source."""
    found: dict[str, list[CutCard]] = defaultdict(list)
    for photo in load_photos(photos):
        if photo.fold == "train" and not (photo.rank_only or photo.partial):
            found[photo.source] += cut_cards(photo)
    complete = {
        source: [cut for cut in cuts if len(cut.indices) == carried(source, cuts)]
        for source, cuts in found.items()
    }
    return {source: cuts for source, cuts in complete.items() if cuts}
