"""What the camera side hands to the table side: plain, frozen values, all JSON-able.

Sighting: one thing found in one frame. TableView: what lies where after merging, voting over
time and zoning. Pixels are those of the upright picture; times are seconds of a monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.cards import Card

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""

Candidate = tuple[Card, float]
"""A card and its calibrated probability."""

Direction = tuple[float, float]
"""A vector of length 1 in the picture: x to the right, y down."""


CAMERA_MOVED = "camera-moved"
"""Trouble word: camera or table were moved, the zones no longer lie where the layout says."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One corner index found in one frame, with what the namer thinks it is.

    ``candidates`` are sorted most likely first; ``index`` is the probability that the cut-out is a
    corner index at all; ``found`` is the finder's score. All probabilities 0 … 1. ``up``: where
    the head of the index points; None where that is not plain.
    """

    box: Box
    found: float
    index: float
    candidates: tuple[Candidate, ...]
    up: Direction | None = None

    @property
    def centre(self) -> tuple[float, float]:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class Body:
    """One card body (face or back) found in one frame: evidence for counting, never for naming."""

    box: Box
    found: float


@dataclass(frozen=True, slots=True)
class FrameReading:
    """Everything found in one frame. ``t``: when the frame was taken, monotonic seconds."""

    t: float
    width: int
    height: int
    sightings: tuple[Sighting, ...] = ()
    bodies: tuple[Body, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card the kiosk would settle on: one name, all index boxes that showed it."""

    card: Card
    confidence: float
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that may be a card and that only a person can name.

    ``key`` stays the same from view to view while the doubt lies in the same place.
    ``why``: ``low-confidence``, ``conflict`` (same name in two places), ``border`` (between zones).
    """

    key: str
    box: Box
    candidates: tuple[Candidate, ...]
    why: str


@dataclass(frozen=True, slots=True)
class ZoneView:
    """What lies in one zone now, after voting.

    ``bodies``: lower bound of card bodies seen (faces and backs). ``occluded``: something moves
    over the zone, so ``cards`` is what was accepted before. ``empty``: bare felt is seen.
    """

    zone: str
    cards: tuple[ReadCard, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    bodies: int = 0
    occluded: bool = False
    empty: bool = True


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table at one moment. Zone ids: ``dealer``, ``box1`` … ``box6``, and where a game
    has them ``dealer-small``, ``box1-small`` …, ``board``, ``muck``.

    ``conflicts``: cards whose name lies in two places at once. ``stray``: doubts outside any zone.
    """

    t: float
    zones: tuple[ZoneView, ...]
    conflicts: tuple[Card, ...] = ()
    stray: tuple[Doubt, ...] = ()
    trouble: str | None = field(default=None)
    """Why the view cannot be trusted as a whole (``camera-lost``, ``stale``, ``camera-moved``)."""

    def zone(self, name: str) -> ZoneView:
        """The zone of that id; KeyError when the layout has none."""
        for view in self.zones:
            if view.zone == name:
                return view
        raise KeyError(name)
