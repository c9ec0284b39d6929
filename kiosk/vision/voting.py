"""What lies where, from many looks over time (V5, V7, V8, V15). Pure, time comes in with the looks.

Each zone keeps tracks. A card track belongs to a name, a doubt track to a place. A track carries
its score in each of the last looks, a look without it counting as zero; it shows while the median
reaches the limit. A card that was accepted stays while its place is covered, and leaves when its
place was seen bare or with another card, or after it has been out of sight too long. After
something moved over it, an accepted card has to be recognised again: a like card may lie there now.
"""

from __future__ import annotations

import math
from dataclasses import replace

from kiosk.sightings import Box
from kiosk.vision.tracks import (
    CardTrack,
    DoubtTrack,
    Look,
    SeenCard,
    SeenDoubt,
    TableState,
    VotingSettings,
    ZoneState,
    majority,
    median,
)
from kiosk.vision.zones import OUTSIDE, nearest

_HALF = 0.5
"""An accepted card in full sight stays while it is likelier than not; below, it was replaced."""

_DOUBTFUL = 0.999
"""Most that a doubtful look says for a name, as a share of what a certain one needs: a name that is
likely at a place that may be no index makes no card certain."""


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


def _with(state: TableState, zone: ZoneState) -> TableState:
    zones = tuple(zone if z.zone == zone.zone else z for z in state.zones)
    return replace(state, zones=zones)


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
    return track if _stays(track, settings) else None


def _stays(track: CardTrack | DoubtTrack, settings: VotingSettings) -> bool:
    """Whether a track that the last look did not show is kept."""
    if not track.accepted:
        return any(track.scores)
    return track.gone < majority(settings) and track.unseen <= settings.hold


def _doubtful_score(track: CardTrack, look: Look, settings: VotingSettings) -> float:
    """What a doubt at the card's own place still says for its name: less than a certain look."""
    chances = [
        dict(doubt.candidates).get(track.card, 0.0)
        for doubt in look.doubts
        if nearest((doubt.at,), track.at) <= settings.same_place
    ]
    return min(max(chances, default=0.0), _DOUBTFUL * settings.accept)


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
    return track if _stays(track, settings) else None
