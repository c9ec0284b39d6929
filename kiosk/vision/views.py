"""The table as it stands, out of the votes: what is certain, what is contested. Pure."""

from __future__ import annotations

from kiosk.cards import Card
from kiosk.sightings import Doubt, ReadCard, TableView, ZoneView
from kiosk.vision.tracks import (
    CardTrack,
    TableState,
    VotingSettings,
    ZoneState,
    majority,
    median,
)
from kiosk.vision.zones import OUTSIDE, nearest


def view(
    state: TableState, t: float, trouble: str | None = None, marked: frozenset[str] = frozenset()
) -> TableView:
    """The table as it stands.

    A name in two zones at once is a doubt in both: ``border`` when it can be one card that lies
    across them, otherwise ``conflict``. ``marked``: zones that something covers though nothing
    moves there.
    """
    homes = _homes(state)
    both = {card: places for card, places in homes.items() if len(places) > 1}
    border = {card for card, places in both.items() if _one_place(places, state.settings)}
    inside = {
        track.candidates[0][0]
        for zone in state.zones
        for track in zone.doubts
        if track.accepted and track.why == "conflict"
    }
    contested = {card: "border" if card in border else "conflict" for card in both}
    contested |= dict.fromkeys(inside, "conflict")
    views = tuple(
        _zone_view(zone, contested, state.settings, zone.zone in marked)
        for zone in state.zones
        if zone.zone != OUTSIDE
    )
    conflicts = sorted((c for c, why in contested.items() if why == "conflict"), key=str)
    return TableView(t, views, tuple(conflicts), _stray(state, homes), trouble)


def _homes(state: TableState) -> dict[Card, list[tuple[str, CardTrack]]]:
    homes: dict[Card, list[tuple[str, CardTrack]]] = {}
    for zone in state.zones:
        for track in zone.cards:
            if track.accepted:
                homes.setdefault(track.card, []).append((zone.zone, track))
    # An index outside the zones that fits on the card in a zone is that card's other corner.
    for card, places in homes.items():
        in_zones = [p for p in places if p[0] != OUTSIDE]
        if in_zones and _one_place(places, state.settings):
            homes[card] = in_zones
    return homes


def _one_place(places: list[tuple[str, CardTrack]], settings: VotingSettings) -> bool:
    points = [track.at for _, track in places]
    return all(
        nearest(one, other) <= settings.card_diagonal
        for i, one in enumerate(points)
        for other in points[:i]
    )


def _zone_view(
    zone: ZoneState, contested: dict[Card, str], settings: VotingSettings, marked: bool
) -> ZoneView:
    accepted = [track for track in zone.cards if track.accepted]
    cards = [
        ReadCard(track.card, track.confidence, track.boxes)
        for track in accepted
        if track.card not in contested
    ]
    cards.sort(key=lambda c: (-c.confidence, str(c.card)))
    doubts = [
        Doubt(f"{zone.zone}-{t.card}", t.boxes[0], ((t.card, t.confidence),), contested[t.card])
        for t in accepted
        if t.card in contested
    ]
    covered = [point for track in accepted for point in track.at]
    for doubt in zone.doubts:
        named = nearest(covered, (doubt.at,)) <= settings.same_place
        if doubt.accepted and not named:
            doubts.append(Doubt(doubt.key, doubt.box, doubt.candidates, doubt.why))
    doubts.sort(key=lambda d: (d.box[1], d.box[0]))
    bodies = max(_seen_bodies(zone, settings), len(accepted))
    looked = len(zone.bodies) >= majority(settings)
    still = not zone.moving and not marked
    return ZoneView(
        zone=zone.zone,
        cards=tuple(cards),
        doubts=tuple(doubts),
        bodies=bodies,
        occluded=not still,
        empty=looked and still and not (zone.cards or zone.doubts or bodies),
    )


def _seen_bodies(zone: ZoneState, settings: VotingSettings) -> int:
    return int(median(tuple(float(n) for n in zone.bodies), settings.looks))


def _stray(state: TableState, homes: dict[Card, list[tuple[str, CardTrack]]]) -> tuple[Doubt, ...]:
    outside = state.zone(OUTSIDE)
    stray = [
        Doubt(f"outside-{t.card}", t.boxes[0], ((t.card, t.confidence),), "border")
        for t in outside.cards
        if t.accepted and any(t is track for _, track in homes.get(t.card, ()))
    ]
    known = [
        point
        for zone in state.zones
        for track in zone.cards
        if track.accepted
        for point in track.at
    ]
    stray += [
        Doubt(d.key, d.box, d.candidates, d.why)
        for d in outside.doubts
        if d.accepted and nearest(known, (d.at,)) > state.settings.same_place
    ]
    return tuple(sorted(stray, key=lambda d: (d.box[1], d.box[0])))
