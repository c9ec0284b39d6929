"""Questions that any hand can raise: doubts, a wrong count, cards never seen together."""

from __future__ import annotations

from collections.abc import Iterator

from kiosk.table.reason import Reason
from kiosk.table.reasons import join_cards, zone_reason
from kiosk.table.state import Core, RoundSettings, ZoneState
from kiosk.table.zones import as_many_as_held, names_now, open_doubts, whole


def doubts(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
    keys = open_doubts(zone)
    for doubt in zone.view.doubts:
        if doubt.key in keys:
            yield zone_reason(
                zone.zone,
                "doubt",
                "doubt",
                delay=settings.doubt_after,
                card=doubt.candidates[0][0] if doubt.candidates else None,
                doubt=doubt,
                actions=("name-card", "no-card"),
                key=doubt.key,
                evidence=as_many_as_held(zone),
            )


def _denied(zone: ZoneState) -> int:
    """Names read that a person has said are no cards of the hand."""
    denied = {machine for machine, card in zone.renames if card is None}
    return sum(1 for read in zone.view.cards if read.card in denied)


def hand_fits(
    zone: ZoneState, expected: int, exchanged: int, settings: RoundSettings
) -> Iterator[Reason]:
    """Reasons common to the dealer's and a box's hand that has the right number of names."""
    if len(zone.hand) != expected:
        return
    named = len(names_now(zone)) + len(open_doubts(zone))
    lying = max(len(zone.hand), named) + _denied(zone)
    if zone.view.bodies > lying and not zone.view.occluded and not zone.stale:
        yield zone_reason(
            zone.zone,
            "bodies",
            "count",
            (("bodies", zone.view.bodies), ("read", len(zone.hand))),
            delay=settings.question_after,
            steady=True,
            sign=f"{zone.view.bodies}: {join_cards(zone.cards)}",
            actions=("enter-card",),
            evidence=as_many_as_held(zone),
        )
    if len(zone.left) > exchanged:
        yield zone_reason(
            zone.zone,
            "left",
            "count",
            (("cards", join_cards(h.card for h in zone.left)),),
            delay=settings.doubt_after,
            steady=True,
            sign=join_cards(h.card for h in zone.left),
            card=zone.left[0].card,
            actions=("enter-card",),
        )


def unsteady(zone: ZoneState, expected: int, settings: RoundSettings) -> Iterator[Reason]:
    if len(zone.hand) == expected and not zone.known and not zone.fixed and not whole(zone):
        yield zone_reason(
            zone.zone,
            "unsteady",
            "count",
            delay=settings.question_after,
            steady=True,
            sign=join_cards(zone.cards),
            actions=("enter-card",),
        )


def away(core: Core, zone: ZoneState) -> bool:
    """No card of this round lies in the zone."""
    return zone.bare or core.cleared
