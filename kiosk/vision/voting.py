"""What lies where, from many looks over time (V5, V7, V8, V15). Pure, time comes in with the looks.

Each zone keeps tracks. A card track belongs to a name, a doubt track to a place. A track carries
its score in each of the last looks, a look without it counting as zero; it shows while the median
reaches the limit. A card that was accepted stays while its place is covered, and leaves when its
place was seen bare or with another card, or after it has been out of sight too long. After
something moved over it, an accepted card has to be recognised again: a like card may lie there now.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from calibration.homography import Point
from kiosk.cards import Card
from kiosk.sightings import Box, Candidate
from kiosk.vision.zones import OUTSIDE, nearest

_HALF = 0.5
"""An accepted card in full sight stays while it is likelier than not; below, it was replaced."""


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

    ``bare``: ids of tracks (``track_ids``) whose place shows the bare felt now. ``other``: keys of
    doubts over which something moved and whose place no longer looks as it did before.
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


def new_state(zones: tuple[str, ...], settings: VotingSettings | None = None) -> TableState:
    """Nothing seen yet."""
    names = (*zones, OUTSIDE)
    return TableState(settings or VotingSettings(), tuple(ZoneState(name) for name in names))


def set_moving(state: TableState, zone: str, moving: bool) -> TableState:
    """Note that something moves over the zone, or no longer does."""
    old = state.zone(zone)
    if old.moving == moving:
        return state
    return _with(state, replace(_shaken(old) if moving else old, moving=moving))


def _shaken(zone: ZoneState) -> ZoneState:
    """The zone with nothing taken for granted: what lies there may be exchanged now."""
    return replace(
        zone,
        cards=tuple(replace(t, again=()) if t.accepted else t for t in zone.cards),
        doubts=tuple(replace(t, moved=True) for t in zone.doubts),
    )


def add_look(state: TableState, look: Look) -> TableState:
    """The state after one more look at a zone. Looks come in order of time."""
    zone, settings = state.zone(look.zone), state.settings
    gap = 0.0 if zone.last_look is None else max(0.0, look.t - zone.last_look)
    gap = min(gap, settings.longest_gap)
    cards = _card_tracks(zone, look, gap, settings)
    doubts, next_key = _doubt_tracks(zone, look, gap, settings)
    doubts = _not_named(doubts, cards, settings)
    bodies = (*zone.bodies, look.bodies)[-settings.looks :]
    return _with(
        state,
        replace(
            zone,
            cards=cards,
            doubts=doubts,
            bodies=bodies,
            last_look=look.t,
            next_key=next_key,
        ),
    )


def track_ids(zone: ZoneState) -> dict[str, tuple[Box, ...]]:
    """Accepted tracks by id with their last boxes: the places to check for bare felt."""
    places = {str(track.card): track.boxes for track in zone.cards if track.accepted}
    return places | {track.key: (track.box,) for track in zone.doubts if track.accepted}


def settled(zone: ZoneState, settings: VotingSettings) -> bool:
    """Whether more looks at the same still picture would change nothing."""
    return (
        len(zone.bodies) >= settings.looks
        and len(set(zone.bodies)) == 1
        and all(t.accepted and t.scores[-1] > 0 and 0.0 not in t.scores for t in zone.cards)
        and all(t.accepted and 0.0 not in t.scores for t in zone.doubts)
    )


def median(scores: tuple[float, ...], looks: int) -> float:
    """Median over the last ``looks``, those that are missing counting as zero (V8)."""
    padded = sorted((0.0,) * max(0, looks - len(scores)) + scores[-looks:])
    middle = len(padded) // 2
    return padded[middle] if len(padded) % 2 else min(padded[middle - 1], padded[middle])


def _with(state: TableState, zone: ZoneState) -> TableState:
    zones = tuple(zone if z.zone == zone.zone else z for z in state.zones)
    return replace(state, zones=zones)


def majority(settings: VotingSettings) -> int:
    """More than half of the looks that are remembered."""
    return settings.looks // 2 + 1


def _card_tracks(
    zone: ZoneState, look: Look, gap: float, settings: VotingSettings
) -> tuple[CardTrack, ...]:
    seen = {card.card: card for card in look.cards}
    clear = all(
        old.card in seen or _doubtful_score(old, look, settings) > 0
        for old in zone.cards
        if old.accepted
    )
    tracks: list[CardTrack] = []
    for old in zone.cards:
        track = _card_seen(old, seen.pop(old.card, None), look, gap, settings, clear)
        if track is not None:
            tracks.append(track)
    for card in seen.values():
        fresh = CardTrack(card.card, (card.confidence,), card.boxes, card.at)
        tracks.append(_judge(fresh, settings))
    return tuple(tracks)


def _card_seen(
    old: CardTrack,
    seen: SeenCard | None,
    look: Look,
    gap: float,
    settings: VotingSettings,
    clear: bool,
) -> CardTrack | None:
    """The track after this look; None when it has gone. ``clear``: no arm lies over the zone, all
    its cards are in sight."""
    boxes, at = (seen.boxes, seen.at) if seen else (old.boxes, old.at)
    score = seen.confidence if seen else _doubtful_score(old, look, settings)
    scores = (*old.scores, score)[-settings.looks :]
    if score >= _HALF:
        track = replace(old, scores=scores, boxes=boxes, at=at, gone=0, unseen=0.0)
        return _judge(_recognised(track, score, settings) if clear else track, settings)
    # Another name at its place, or a doubt there that hardly allows this one: it was replaced.
    replaced = score > 0 or any(
        other.card != old.card and nearest(other.at, old.at) <= settings.same_place
        for other in look.cards
    )
    gone = old.gone + 1 if replaced or str(old.card) in look.bare else 0
    track = replace(old, scores=scores, gone=gone, unseen=old.unseen + gap)
    if not track.accepted:
        return track if any(scores) else None
    if gone >= majority(settings) or track.unseen > settings.hold:
        return None
    return track


def _doubtful_score(track: CardTrack, look: Look, settings: VotingSettings) -> float:
    """What a doubt at the card's own place still says for its name."""
    chances = [
        dict(doubt.candidates).get(track.card, 0.0)
        for doubt in look.doubts
        if nearest((doubt.at,), track.at) <= settings.same_place
    ]
    return max(chances, default=0.0)


def _recognised(track: CardTrack, score: float, settings: VotingSettings) -> CardTrack:
    """The track after one more look at its place since something moved over it.

    Most looks say whether it is still that card; until then it stays as it was accepted.
    """
    if track.again is None:
        return track
    again = (*track.again, score)
    sure = sum(one >= settings.accept for one in again)
    if sure >= majority(settings):
        return replace(track, again=None)
    if len(again) >= settings.looks:
        return replace(track, again=None, accepted=False, scores=again[-settings.looks :])
    return replace(track, again=again)


def _judge(track: CardTrack, settings: VotingSettings) -> CardTrack:
    value = median(track.scores, settings.looks)
    if value >= settings.accept:
        return replace(track, accepted=True, confidence=value)
    return track


def _doubt_tracks(
    zone: ZoneState, look: Look, gap: float, settings: VotingSettings
) -> tuple[tuple[DoubtTrack, ...], int]:
    left = list(look.doubts)
    tracks: list[DoubtTrack] = []
    for old in zone.doubts:
        if old.key in look.other:
            continue
        near = [d for d in left if math.dist(d.at, old.at) <= settings.same_place]
        seen = min(near, key=lambda d: math.dist(d.at, old.at), default=None)
        if seen is not None:
            left.remove(seen)
        track = _doubt_seen(old, seen, look, gap, settings)
        if track is not None:
            tracks.append(track)
    number = zone.next_key
    for doubt in left:
        key = f"{zone.zone or 'outside'}-{number}"
        number += 1
        fresh = DoubtTrack(key, (1.0,), doubt.candidates, doubt.box, doubt.at, doubt.why)
        tracks.append(replace(fresh, accepted=settings.looks == 1))
    return tuple(tracks), number


def _not_named(
    doubts: tuple[DoubtTrack, ...], cards: tuple[CardTrack, ...], settings: VotingSettings
) -> tuple[DoubtTrack, ...]:
    """Without the doubts that lie on an index of an accepted card, unless that is judged anew."""
    named = [p for track in cards if track.accepted and track.again is None for p in track.at]
    return tuple(
        d for d in doubts if d.why == "conflict" or nearest(named, (d.at,)) > settings.same_place
    )


def _doubt_seen(
    old: DoubtTrack, seen: SeenDoubt | None, look: Look, gap: float, settings: VotingSettings
) -> DoubtTrack | None:
    scores = (*old.scores, 1.0 if seen else 0.0)[-settings.looks :]
    if seen is not None:
        return replace(
            old,
            scores=scores,
            candidates=seen.candidates,
            box=seen.box,
            at=seen.at,
            why=seen.why,
            accepted=old.accepted or median(scores, settings.looks) > 0,
            gone=0,
            unseen=0.0,
            moved=False,
        )
    named = any(nearest(card.at, (old.at,)) <= settings.same_place for card in look.cards)
    gone = old.gone + 1 if named or old.key in look.bare else 0
    track = replace(old, scores=scores, gone=gone, unseen=old.unseen + gap)
    if not track.accepted:
        return track if any(scores) else None
    if gone >= majority(settings) or track.unseen > settings.hold:
        return None
    return track
