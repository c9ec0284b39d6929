"""Bumped camera or table: told within two seconds, and never for hands, cards or light."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.layout import load_layout
from kiosk.vision.drift import DriftGuard, DriftWatch, read_reference, take_reference
from kiosk.vision.zones import OUTSIDE, plane_of

SIZE = (1280, 720)
PER_CM = 1280 / 96
PLANE = plane_of(load_layout("russian-4"), *SIZE)
FPS = 5


def felt() -> np.ndarray:
    """A printed felt: box outlines, an arc, some lettering."""
    picture = np.full((720, 1280, 3), (52, 98, 26), np.uint8)
    for x in range(4):
        left = 40 + x * 310
        cv2.rectangle(picture, (left, 330), (left + 260, 680), (140, 200, 220), 3)
        cv2.putText(picture, f"BOX {x + 1}", (left + 60, 640), 0, 1.2, (140, 200, 220), 3)
    cv2.ellipse(picture, (640, 60), (520, 220), 0, 0, 180, (150, 205, 225), 4)
    cv2.putText(picture, "RUSSIAN POKER", (430, 250), 0, 1.6, (150, 205, 225), 4)
    return picture


FELT = felt()


class Table:
    """Frames of the felt as a camera gives them, with time going on."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(5)
        self.watch = DriftWatch()
        self.t = 0.0
        self.base = FELT.copy()
        self.shift = np.eye(2, 3)
        self.light: np.ndarray | float = 1.0
        self.hand: float | None = None

    def bump(self, dx: float, dy: float, degrees: float = 0.0) -> None:
        """The camera moves by so many millimetres of felt and turns."""
        self.shift = cv2.getRotationMatrix2D((640, 360), degrees, 1.0)
        self.shift[:, 2] += (dx * PER_CM / 10, dy * PER_CM / 10)

    def frame(self) -> np.ndarray:
        picture = self.base.copy()
        if self.hand is not None:
            place = (int(self.hand * 1500 - 100), 470)
            cv2.ellipse(picture, place, (230, 150), 20, 0, 360, (110, 140, 190), -1)
            cv2.line(picture, place, (place[0] + 90, 740), (60, 40, 40), 190)
        moved = cv2.warpAffine(picture, self.shift, SIZE, borderMode=cv2.BORDER_REPLICATE)
        lit = cv2.GaussianBlur(moved, (0, 0), 0.7) * np.asarray(self.light)
        return np.clip(lit + self.rng.normal(0, 2.5, lit.shape), 0, 255).astype(np.uint8)

    def run(self, seconds: float, bare: bool = False) -> list[object]:
        """What stood after each frame."""
        told = []
        for _ in range(round(seconds * FPS)):
            self.t += 1 / FPS
            # Between its checks the watch does not look at the picture at all.
            frame = self.frame() if self.t >= self.watch.due else FELT
            told.append(self.watch.feed(frame, self.t, PLANE, bare))
        return told

    def cards(self) -> None:
        rng = np.random.default_rng(9)
        for x, y in [
            (90, 380),
            (150, 390),
            (420, 400),
            (470, 395),
            (760, 420),
            (500, 40),
            (580, 44),
        ]:
            cv2.rectangle(self.base, (x, y), (x + 84, y + 117), (240, 244, 244), -1)
            name = str(rng.integers(2, 10))
            cv2.putText(self.base, name, (x + 6, y + 30), 0, 1.0, (20, 20, 160), 2)


@pytest.fixture
def table() -> Table:
    made = Table()
    assert made.run(1.0, bare=True)[-1] is None
    assert made.watch.usable
    return made


@pytest.mark.parametrize("angle", [0, 100, 215, 300])
def test_a_shift_of_five_millimetres_is_told_within_two_seconds(table: Table, angle: int) -> None:
    table.cards()
    table.light = np.array([0.62, 0.7, 0.8])
    assert table.run(2.0)[-1] is None
    way = math.radians(angle)
    table.bump(5 * math.cos(way), 5 * math.sin(way))
    drift = table.run(2.0)[-1]
    assert drift is not None
    assert drift.sure
    assert drift.mm == pytest.approx(5, abs=0.7)


@pytest.mark.parametrize("bump", [(0, 0, 1.0), (30, -18, 1.5), (120, 45, 0)])
def test_turns_and_large_moves_are_told(table: Table, bump: tuple[float, float, float]) -> None:
    table.bump(*bump)
    drift = table.run(2.0)[-1]
    assert drift is not None
    assert drift.sure


def test_hands_cards_and_light_are_no_movement(table: Table) -> None:
    told = table.run(1.0)
    for place in np.linspace(0, 1, 20):
        table.hand = float(place)
        told += table.run(0.2)
    table.hand = 0.5
    told += table.run(3.0)
    table.hand = None
    table.cards()
    told += table.run(2.0)
    fall = np.linspace(1.15, 0.35, 1280)[None, :, None]
    table.light = fall * np.array([0.7, 0.9, 1.1])
    told += table.run(2.0)
    shadow = np.ones((1, 1280, 1))
    shadow[:, 500:] = 0.5
    table.light = shadow
    told += table.run(2.0)
    table.light = 0.25
    told += table.run(2.0)
    assert [drift for drift in told if drift is not None] == []


def test_a_millimetre_is_no_movement(table: Table) -> None:
    table.bump(0.8, 0.7)
    assert set(table.run(3.0)) == {None}


def test_it_stands_until_a_person_confirms_and_counts_from_there(table: Table) -> None:
    table.bump(14, 0)
    assert table.run(2.0)[-1] is not None
    table.bump(0, 0)
    assert table.run(2.0)[-1] is not None, "back in its place, but nobody has looked yet"
    table.bump(14, 0)
    table.run(1.0)
    table.watch.confirm()
    assert table.run(3.0)[-1] is None
    table.bump(14, 6)
    assert table.run(2.0)[-1] is not None


def test_a_hand_that_leaves_takes_an_unsure_word_with_it(table: Table) -> None:
    """A single glimpse of a shift is not yet a movement."""
    table.bump(8, 0)
    first = None
    while first is None:
        first = table.run(0.2)[-1]
    assert not first.sure
    table.bump(0, 0)
    assert table.run(1.0)[-1] is None


def test_quite_another_view_is_told_after_some_seconds(table: Table) -> None:
    table.run(32.0)
    table.base = np.random.default_rng(2).integers(0, 255, (72, 128, 3)).astype(np.uint8)
    table.base = cv2.resize(table.base, SIZE, interpolation=cv2.INTER_NEAREST)
    assert table.run(3.0)[-1] is None
    drift = table.run(5.0)[-1]
    assert drift is not None
    assert drift.mm is None
    table.base = FELT.copy()
    assert table.run(2.0)[-1] is None


def test_plain_cloth_has_nothing_to_judge_by() -> None:
    table = Table()
    table.base[:] = (52, 98, 26)
    assert set(table.run(2.0, bare=True)) == {None}
    assert not table.watch.usable
    table.base = FELT.copy()
    assert set(table.run(2.0)) == {None}


def test_a_reference_outlives_the_program_and_tells_of_a_bump_meanwhile(table: Table) -> None:
    kept = take_reference(FELT, PLANE).to_bytes()
    read = read_reference(kept)
    assert read is not None
    table.watch = DriftWatch()
    table.watch.use(read)
    table.bump(0, 7)
    assert table.run(2.0)[-1] is not None
    assert read_reference(kept[:200]) is None
    assert read_reference(b"nothing") is None


def test_the_guard_gives_the_trouble_word_and_takes_orders(table: Table) -> None:
    guard = DriftGuard(lambda: PLANE, lambda: True)
    still = frozenset({*PLANE.zone_ids, OUTSIDE})

    def look(seconds: float) -> str | None:
        word = None
        for _ in range(round(seconds * 5)):
            table.t += guard.every
            word = guard.look(table.frame(), table.t, still)
        return word

    assert guard.usable is None
    assert look(1.0) is None
    assert guard.usable
    table.bump(9, 9)
    assert look(2.0) == "camera-moved"
    guard.confirm()
    assert look(2.0) is None
