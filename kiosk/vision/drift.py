"""Was the camera or the table moved? Marks of the felt are followed against a reference.

A reference is a picture of the bare felt and the places of its corners (print, seams, edges). Each
check follows them with optical flow in pictures whose light was evened out. Cards, hands and
shadows make some marks vanish; only when most of those that are left agree on the same shift is it
a movement. Time comes with the frames.
"""

from __future__ import annotations

import io
import zipfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.sightings import CAMERA_MOVED
from kiosk.vision.drift_marks import (
    Points,
    evened,
    find_marks,
    follow,
    moved_by,
    parts,
    sizes_of,
    small_grey,
    whole_shift,
)
from kiosk.vision.images import Image
from kiosk.vision.zones import OUTSIDE, Plane


@dataclass(frozen=True, slots=True)
class DriftSettings:
    """``fine``: pixels of a felt centimetre in the picture worked on. ``fires``: millimetres of
    shift from which it is a movement; ``stays``: up to which a mark is in its place. ``every``,
    ``again``: seconds between checks, and after one that saw a shift. ``agree``: millimetres by
    which two checks may differ. ``share``: of the marks seen that must agree on a shift.
    ``fewest``: marks and ``parts``: parts of the picture (4 × 3) that a judgement needs.
    ``gone``: seconds after which a steady picture without any known mark is a movement;
    ``proved``: seconds for which marks must have been in place before their absence means that.
    """

    fine: float = 6.7
    fires: float = 3.0
    stays: float = 1.5
    every: float = 0.8
    again: float = 0.25
    agree: float = 1.0
    share: float = 0.5
    fewest: int = 12
    parts: int = 4
    most: int = 150
    gone: float = 5.0
    proved: float = 30.0


@dataclass(frozen=True, slots=True)
class Reference:
    """The felt as it was set up: small grey picture, places of its marks there, and the size of
    the camera's picture."""

    picture: Image
    marks: Points
    width: int
    height: int

    def to_bytes(self) -> bytes:
        """As a file's content."""
        file = io.BytesIO()
        size = np.array([self.width, self.height])
        np.savez_compressed(file, picture=self.picture, marks=self.marks, size=size)
        return file.getvalue()


def read_reference(data: bytes) -> Reference | None:
    """A reference from a file's content; None when it is damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            picture, marks, size = file["picture"], file["marks"], file["size"]
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return None
    if picture.ndim != 2 or picture.dtype != np.uint8 or marks.ndim != 2 or marks.shape[1] != 2:
        return None
    return Reference(picture, marks.astype(np.float32), int(size[0]), int(size[1]))


@dataclass(frozen=True, slots=True)
class Drift:
    """A movement. ``mm``: typical shift on the felt; None when nothing of the felt is known any
    more. ``sure``: two checks agree; otherwise it may still be a hand, wait.
    """

    mm: float | None
    sure: bool


@dataclass(frozen=True, slots=True)
class _Seen:
    """One check: shift (2 × 3 matrix, reference → now) that most marks agree on, or None."""

    shift: NDArray[np.float64] | None
    mm: float
    in_place: float


class DriftWatch:
    """Compares frames with a reference. One owner, one thread.

    ``feed`` every frame; it works on few of them. ``confirm``: a person said that the zones fit as
    the felt lies now.
    """

    def __init__(self, settings: DriftSettings | None = None) -> None:
        self.settings = settings or DriftSettings()
        self.reference: Reference | None = None
        self._marks: Points = np.zeros((0, 2), np.float32)
        self._accepted = np.eye(2, 3)
        self._told: Drift | None = None
        self._next = float("-inf")
        self._before: _Seen | None = None
        self._since: float | None = None
        self._absent: float | None = None
        self._last: Image | None = None
        self._plane: Plane | None = None
        self._home: Image | None = None
        self._sizes: NDArray[np.float64] = np.zeros(0)

    @property
    def usable(self) -> bool:
        """Whether the reference has enough marks to judge by."""
        return len(self._marks) >= self.settings.fewest

    @property
    def due(self) -> float:
        """When a frame is looked at next; those before are not."""
        return self._next

    def use(self, reference: Reference | None) -> None:
        """Judge against this from now on (None: take one when the felt is next seen bare)."""
        self.reference = reference
        self._marks = reference.marks if reference is not None else np.zeros((0, 2), np.float32)
        self._accepted = np.eye(2, 3)
        self._plane = None
        self._forget()

    def confirm(self) -> None:
        """The felt is right as it lies now: later shifts count from here."""
        before = self._before
        if before is not None and before.shift is not None:
            self._accepted = before.shift
            self._forget()
        elif self._told is not None:
            self.use(None)

    def feed(self, image: Image, t: float, plane: Plane, bare: bool) -> Drift | None:
        """A frame taken at ``t``. ``bare``: no card lies on the felt and nothing moves there.

        The movement that stands, or None.
        """
        height, width = image.shape[:2]
        known = self.reference
        if known is not None and (known.width, known.height) != (width, height):
            self.use(None)
        if t < self._next:
            return self._told
        self._next = t + self.settings.every
        if self.reference is None:
            if bare:
                self.use(take_reference(image, plane, self.settings))
            return None
        if not self.usable:
            return None
        if self._plane is not plane:
            self._plane = plane
            self._home = evened(self.reference.picture)
            scale = self.reference.width / self.reference.picture.shape[1]
            self._sizes = sizes_of(self._marks, plane, scale)
        small = evened(small_grey(image, self.reference.picture.shape))
        self._judge(self._look(small), small, t)
        return self._told

    def _judge(self, seen: _Seen, small: Image, t: float) -> None:
        rules = self.settings
        before, self._before = self._before, seen
        told = self._told
        if seen.shift is not None and seen.mm >= rules.fires:
            self._next = t + rules.again
            self._absent = None
            same = before is not None and self._same(seen, before)
            self._told = Drift(seen.mm, sure=same or (told is not None and told.sure))
        elif seen.shift is not None or seen.in_place >= rules.share / 2:
            self._absent = None
            self._since = self._since if self._since is not None else t
            # Back in its place: only what was never sure goes by itself.
            if told is not None and (not told.sure or told.mm is None):
                self._told = None
        else:
            self._missing(seen, small, t)
        self._last = small

    def _same(self, one: _Seen, other: _Seen) -> bool:
        if one.shift is None or other.shift is None:
            return False
        apart = self._apart(moved_by(self._marks, one.shift), moved_by(self._marks, other.shift))
        return float(np.median(apart)) <= self.settings.agree

    def _missing(self, seen: _Seen, small: Image, t: float) -> None:
        """Nothing that is known can be seen: cards, a body over the felt, or quite another view."""
        rules = self.settings
        if self._told is not None and not self._told.sure:
            self._told = None
        proved = self._since is not None and t - self._since >= rules.proved
        last, shape = self._last, small.shape
        steady = (
            last is not None
            and last.shape == shape
            and float(np.mean(cv2.absdiff(small, last))) < 6.0
        )
        if not (proved and steady and seen.in_place < 0.05 and float(small.std()) > 8.0):
            self._absent = None
            return
        self._absent = self._absent if self._absent is not None else t
        if t - self._absent >= rules.gone:
            self._told = Drift(None, sure=True)

    def _forget(self) -> None:
        self._told = self._before = self._since = self._absent = self._last = None

    def _look(self, small: Image) -> _Seen:
        """Follow the marks into the picture; what do most of them say?"""
        assert self._home is not None
        rules = self.settings
        home = moved_by(self._marks, self._accepted)
        now, good = follow(self._home, small, self._marks, home)
        if good.sum() < rules.fewest:
            # Too far for the flow, perhaps: as a whole the picture may still say where to look.
            now, good = follow(
                self._home, small, self._marks, home + whole_shift(self._home, small)
            )
        away = self._apart(now, home)
        in_place = float((good & (away <= rules.stays)).sum() / len(good))
        if good.sum() < rules.fewest or parts(now[good], small.shape) < rules.parts:
            return _Seen(None, 0.0, in_place)
        shift, agree = cv2.estimateAffinePartial2D(
            self._marks[good], now[good], method=cv2.RANSAC, ransacReprojThreshold=1.0
        )
        if shift is None:
            return _Seen(None, 0.0, in_place)
        inside = agree.ravel().astype(bool)
        agreeing = now[good][inside]
        enough = inside.mean() >= rules.share and inside.sum() >= rules.fewest
        if not enough or parts(agreeing, small.shape) < rules.parts:
            return _Seen(None, 0.0, in_place)
        found = np.asarray(shift, np.float64)
        moved = self._apart(moved_by(self._marks, found), home)
        return _Seen(found, float(np.percentile(moved, 75)), in_place)

    def _apart(self, one: Points, other: Points) -> NDArray[np.float64]:
        """Millimetres on the felt between two places of each mark."""
        apart: NDArray[np.float64] = np.linalg.norm(one - other, axis=1) * self._sizes
        return apart


def take_reference(image: Image, plane: Plane, settings: DriftSettings | None = None) -> Reference:
    """The felt as it lies now, with its marks. It may have too few of them to be of use."""
    rules = settings or DriftSettings()
    height, width = image.shape[:2]
    middle = (plane.felt_width / 2, plane.felt_height / 2)
    shrink = min(1.0, rules.fine / max(plane.view.scale(middle), 1e-6))
    shape = max(1, round(height * shrink)), max(1, round(width * shrink))
    small = small_grey(image, shape)
    return Reference(
        small, find_marks(small, plane, width, rules.most, rules.fewest), width, height
    )


class DriftGuard:
    """Looks at a pipeline's pictures (see ``pipeline.Guard``) and says ``camera-moved``.

    ``use`` and ``confirm`` may be called from any thread; they are done before the next look.
    """

    every = 0.2

    def __init__(self, plane: Callable[[], Plane | None], bare: Callable[[], bool]) -> None:
        """``plane``: the felt as the pictures show it; ``bare``: whether no card lies there."""
        self._plane, self._bare = plane, bare
        self._watch = DriftWatch()
        self._orders: deque[Callable[[], None]] = deque()
        self.drift: Drift | None = None
        """The movement that stands."""

    @property
    def usable(self) -> bool | None:
        """Whether the felt has enough marks to judge by; None before it was seen bare."""
        return None if self._watch.reference is None else self._watch.usable

    def use(self, reference: Reference | None) -> None:
        """Compare with this picture of the felt from now on."""
        self._orders.append(lambda: self._watch.use(reference))

    def confirm(self) -> None:
        """A person says that the zones fit as the felt lies now."""
        self._orders.append(self._watch.confirm)

    def look(self, image: Image, t: float, still: frozenset[str]) -> str | None:
        """The trouble word, None while the felt lies where it did."""
        while self._orders:
            self._orders.popleft()()
        plane = self._plane()
        if plane is None:
            return None
        everywhere = still >= {*plane.zone_ids, OUTSIDE}
        self.drift = self._watch.feed(image, t, plane, everywhere and self._bare())
        return None if self.drift is None else CAMERA_MOVED
