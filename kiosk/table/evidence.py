"""What the camera saw last, kept in the state as evidence. Hands are not changed in here.

Only a change of names, doubts, bodies or cover is news; boxes and confidences move all the time.
"""

from __future__ import annotations

from dataclasses import replace

from kiosk.sightings import CAMERA_MOVED, Doubt, TableView, ZoneView
from kiosk.table.leftovers import still_there
from kiosk.table.places import MUCK
from kiosk.table.state import Core, RoundSettings, ZoneState


def look(core: Core, view: TableView, t: float, settings: RoundSettings) -> Core:
    """Takes a view at time ``t``; while the hand is held it waits."""
    if not core.held:
        return see(core, view, t, settings)
    if core.waiting is not None and _view_key(core.waiting) == _view_key(view):
        return core
    return replace(core, waiting=view)


def _view_key(view: TableView) -> tuple[object, ...]:
    zones = [(zone.zone, _key(zone)) for zone in view.zones]
    return (zones, view.conflicts, _doubt_keys(view.stray), view.trouble)


def unwatched(core: Core) -> Core:
    """Nobody has looked for a while: cards may have been exchanged since."""
    zones = tuple(zone if zone.passed else replace(zone, passed=True) for zone in core.zones)
    return core if zones == core.zones else replace(core, zones=zones)


def see(core: Core, view: TableView, t: float, settings: RoundSettings) -> Core:
    """Takes a view as evidence; hands are not changed yet. A troubled view changes no zone."""
    if view.trouble is not None:
        # A moved camera stays moved whatever else befalls it, until a picture without trouble.
        moved = core.trouble == CAMERA_MOVED
        word = CAMERA_MOVED if moved else view.trouble
        return replace(unwatched(core), trouble=word, clear_since=None)
    zones = []
    seen = {zone.zone: zone for zone in view.zones}
    for zone in core.zones:
        new = seen.get(zone.zone)
        zones.append(zone if new is None else _see_zone(zone, new, t, settings))
    game = {*settings.zones, MUCK}
    outside = tuple(
        (zone.zone, tuple(sorted((r.card for r in zone.cards), key=str)), len(zone.doubts))
        for zone in view.zones
        if zone.zone not in game and (zone.cards or zone.doubts)
    )
    strays = core.strays if _doubt_keys(core.strays) == _doubt_keys(view.stray) else view.stray
    conflicts = tuple(sorted(view.conflicts, key=str))
    return replace(
        core,
        zones=tuple(zones),
        outside=outside,
        strays=strays,
        conflicts=conflicts,
        trouble=None,
    )


def _doubt_keys(doubts: tuple[Doubt, ...]) -> list[tuple[object, ...]]:
    return [(d.key, d.why, [card for card, _ in d.candidates[:1]]) for d in doubts]


def _names(view: ZoneView) -> list[str]:
    return sorted(str(read.card) for read in view.cards)


def _key(view: ZoneView) -> tuple[object, ...]:
    """What counts as a change: names, doubts, bodies, cover. Not boxes and confidences."""
    return (_names(view), _doubt_keys(view.doubts), view.bodies, view.occluded, view.empty)


def _see_zone(zone: ZoneState, new: ZoneView, t: float, settings: RoundSettings) -> ZoneState:
    zone = still_there(zone, new, t, settings)
    if _key(zone.view) == _key(new):
        return zone
    still = _names(zone.view) == _names(new) and zone.view.occluded == new.occluded
    return replace(zone, view=new, names_at=zone.names_at if still else t, changed_at=t)
