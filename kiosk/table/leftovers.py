"""Cards of the last hand that lie on after it: they count for no later hand.

They are off a zone once it was seen bare for a while, once other cards lie there in their place, or
once a person says that they belong to this hand. A place that is not read yet is not bare.
"""

from __future__ import annotations

from dataclasses import replace

from kiosk.cards import Card
from kiosk.sightings import ZoneView
from kiosk.table.state import DEALER, Core, RoundSettings, ZoneState


def handed_over(zone: ZoneState, old: Core, t: float, settings: RoundSettings) -> ZoneState:
    """The zone as the next round finds it at time ``t``; ``old``: how the last round ended."""
    read = {r.card for r in zone.view.cards}
    own = _own(zone, old)
    if zone.stale or (old.voided is not None and not old.cleared):
        # Nobody has said what lay there: whatever does is the last hand's.
        own = own | read
    fresh = bool(read - own) or old.new_deal
    off = old.cleared or zone.zone in old.gone
    bare = zone.bare and t - zone.changed_at >= settings.settle_after
    used = zone.touched or bool(zone.hand) or zone.stale or old.voided is not None
    lies = bool(read or zone.view.bodies) or (used and not (off or bare))
    stale = lies and not fresh
    named = zone.known and all(held.seen is not None for held in zone.hand)
    return ZoneState(
        zone.zone,
        zone.view,
        leftover=frozenset(own if stale and not off else read & own),
        stale=stale,
        unnamed=stale and not (named and zone.view.bodies <= len(own)),
        names_at=zone.names_at,
        changed_at=zone.changed_at,
    )


def _own(zone: ZoneState, old: Core) -> frozenset[Card]:
    """Every name that a card of the last hand had in this zone."""
    held = (*zone.hand, *zone.left, *(old.draws if zone.zone == DEALER else ()))
    seen = {h.seen for h in held if h.seen is not None}
    return frozenset({h.card for h in held} | seen | zone.leftover)


def still_there(zone: ZoneState, new: ZoneView, t: float, settings: RoundSettings) -> ZoneState:
    """The zone with those of its leftovers that a new view at time ``t`` leaves there."""
    if not (zone.leftover or zone.stale) or new.occluded:
        return zone
    read = {card.card for card in new.cards}
    if not read:
        long = zone.bare and t - zone.changed_at >= settings.settle_after
        return _none(zone) if long and new.empty and not (new.doubts or new.bodies) else zone
    if zone.unnamed:
        return replace(zone, leftover=zone.leftover | read)
    return _none(zone) if zone.leftover and not read & zone.leftover else zone


def _none(zone: ZoneState) -> ZoneState:
    return replace(zone, leftover=frozenset(), stale=False, unnamed=False)
