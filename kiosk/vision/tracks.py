"""What the votes remember: looks at a zone, tracks of cards and doubts, their scores. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.homography import Point
from kiosk.cards import Card
from kiosk.sightings import Box, Candidate


@dataclass(frozen=True, slots=True)
class VotingSettings:
    """``looks``: how many are remembered. ``accept``: median a card needs. ``hold``: seconds that
    an accepted card may be out of sight on a still zone before it is given up. ``longest_gap``:
    most seconds one pause between looks adds to that. ``same_place``, ``card_diagonal``: felt cm.
    """

    looks: int = 5
    accept: float = 0.9
    hold: float = 8.0
    longest_gap: float = 1.0
    same_place: float = 1.2
    card_diagonal: float = 10.9


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card named in one look. ``at``: the felt points of its indices."""

    card: Card
    confidence: float
    boxes: tuple[Box, ...]
    at: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SeenDoubt:
    """Something doubtful in one look."""

    candidates: tuple[Candidate, ...]
    box: Box
    at: Point
    why: str


@dataclass(frozen=True, slots=True)
class Look:
    """One look at one still zone.

    ``bare``: ids of tracks (``voting.track_ids``) whose place shows the bare felt now.
    ``other``: keys of doubts over which something moved and whose place no longer looks as it did
    before.
    """

    zone: str
    t: float
    cards: tuple[SeenCard, ...] = ()
    doubts: tuple[SeenDoubt, ...] = ()
    bodies: int = 0
    bare: frozenset[str] = frozenset()
    other: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CardTrack:
    """A name in a zone over the last looks, newest last.

    ``again``: scores of the looks that saw all the zone's cards after something moved over the
    accepted one, until these recognise it or do not; None while nothing has moved.
    """

    card: Card
    scores: tuple[float, ...]
    boxes: tuple[Box, ...]
    at: tuple[Point, ...]
    accepted: bool = False
    confidence: float = 0.0
    gone: int = 0
    unseen: float = 0.0
    again: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class DoubtTrack:
    """A doubtful place over the last looks, newest last. ``moved``: something moved over it since
    it was last seen."""

    key: str
    scores: tuple[float, ...]
    candidates: tuple[Candidate, ...]
    box: Box
    at: Point
    why: str
    accepted: bool = False
    gone: int = 0
    unseen: float = 0.0
    moved: bool = False


@dataclass(frozen=True, slots=True)
class ZoneState:
    """One zone's memory."""

    zone: str
    cards: tuple[CardTrack, ...] = ()
    doubts: tuple[DoubtTrack, ...] = ()
    bodies: tuple[int, ...] = ()
    moving: bool = False
    last_look: float | None = None
    next_key: int = 1


@dataclass(frozen=True, slots=True)
class TableState:
    """The memory of all zones, the place outside them last."""

    settings: VotingSettings
    zones: tuple[ZoneState, ...]

    def zone(self, name: str) -> ZoneState:
        """The zone's memory; KeyError when there is none."""
        for zone in self.zones:
            if zone.zone == name:
                return zone
        raise KeyError(name)


def median(scores: tuple[float, ...], looks: int) -> float:
    """Median over the last ``looks``, those that are missing counting as zero (V8)."""
    padded = sorted((0.0,) * max(0, looks - len(scores)) + scores[-looks:])
    middle = len(padded) // 2
    return padded[middle] if len(padded) % 2 else min(padded[middle - 1], padded[middle])


def majority(settings: VotingSettings) -> int:
    """More than half of the looks that are remembered."""
    return settings.looks // 2 + 1
