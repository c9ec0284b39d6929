"""Pictures of a felt with real cards lying in the zones of the default layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.layout import load_layout
from models.training.cut_cards import CARD_H, CARD_W, CutCard

PX_PER_CM = 40.0
"""Of the cut cards."""


class FeltPictures:
    """Lays real cards on a drawn felt; ``width`` × ``height`` pixels, seeded."""

    def __init__(
        self, cards: Mapping[str, Sequence[CutCard]], width: int, height: int, seed: int
    ) -> None:
        self._cards = cards
        self._rng = np.random.default_rng(seed)
        layout = load_layout("russian-4")
        self._matrix = np.array(layout.homography(width, height), float).reshape(3, 3)
        self._zones = {zone.id: np.array(zone.corners, float) for zone in layout.zones}
        grain = self._rng.normal(0, 3, (height, width, 1))
        light = np.linspace(1.08, 0.88, width)[None, :, None]
        felt = np.full((height, width, 3), (52, 96, 24), float) * light + grain
        self._felt = np.clip(felt, 0, 255).astype(np.uint8)

    def empty(self) -> np.ndarray:
        """The bare felt."""
        return self._felt.copy()

    def lay(self, hands: Mapping[str, Sequence[str]], source: str | None = None) -> np.ndarray:
        """Zone → card names, each hand in a row so that every index can be seen."""
        picture = self.empty()
        for zone, names in hands.items():
            corners = self._zones[zone]
            left, top = corners.min(0)
            right, bottom = corners.max(0)
            step = min(7.0, (right - left - 7.6) / max(1, len(names) - 1))
            start = (left + right) / 2 - step * (len(names) - 1) / 2
            for number, name in enumerate(names):
                y = (top + bottom) / 2 + self._rng.normal(0, 0.2)
                self._card(picture, name, start + number * step, y, source)
        return picture

    def cover(self, picture: np.ndarray, zone: str, number: int, count: int) -> np.ndarray:
        """Something dark (a purse, a sleeve) over the card ``number`` of ``count`` in a zone."""
        covered = picture.copy()
        corners = self._zones[zone]
        left, top = corners.min(0)
        right, bottom = corners.max(0)
        step = min(7.0, (right - left - 7.6) / max(1, count - 1))
        x = (left + right) / 2 - step * (count - 1) / 2 + number * step
        y = (top + bottom) / 2
        area = np.array(
            [[x - 3.6, y - 5.2], [x + 3.6, y - 5.2], [x + 3.6, y + 5.2], [x - 3.6, y + 5.2]]
        )
        points = cv2.perspectiveTransform(area[None].astype(np.float32), self._matrix)[0]
        cv2.fillConvexPoly(covered, points.round().astype(np.int32), (38, 30, 34), cv2.LINE_AA)
        return covered

    def _card(self, picture: np.ndarray, name: str, x: float, y: float, source: str | None) -> None:
        found = [cut for cut in self._cards[name] if source in (None, cut.source)]
        cut = (found or list(self._cards[name]))[0]
        turn = np.radians(self._rng.normal(0, 1.5))
        place = np.array(
            [[np.cos(turn), -np.sin(turn), x], [np.sin(turn), np.cos(turn), y], [0, 0, 1]]
        )
        to_cm = np.array(
            [
                [1 / PX_PER_CM, 0, -CARD_W / 2 / PX_PER_CM],
                [0, 1 / PX_PER_CM, -CARD_H / 2 / PX_PER_CM],
                [0, 0, 1],
            ]
        )
        matrix = self._matrix @ place @ to_cm
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2])))) * 1.2
        small = (max(1, round(CARD_W * scale)), max(1, round(CARD_H * scale)))
        shrunk = cv2.resize(cut.picture, small, interpolation=cv2.INTER_AREA)
        grow = np.diag([CARD_W / small[0], CARD_H / small[1], 1])
        size = picture.shape[1::-1]
        mask = cv2.warpPerspective(
            np.full((small[1], small[0]), 255, np.uint8), matrix @ grow, size
        )
        warped = cv2.warpPerspective(shrunk, matrix @ grow, size, flags=cv2.INTER_LINEAR)
        alpha = mask[..., None].astype(np.float32) / 255
        picture[:] = (picture * (1 - alpha) + warped * alpha).astype(np.uint8)
