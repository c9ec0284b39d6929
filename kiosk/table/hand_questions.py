"""Questions about the hands of one box: their cards, their count, their changes."""

from __future__ import annotations

from collections.abc import Iterator

from kiosk.table.case import dealt_to
from kiosk.table.dealer import is_complete
from kiosk.table.hand_reasons import away, doubts, hand_fits, unsteady
from kiosk.table.placed import judged
from kiosk.table.places import is_small
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason, Values
from kiosk.table.reasons import join_cards, zone_reason
from kiosk.table.state import BoxState, Core, RoundSettings, ZoneState, hands_of, zone_of
from kiosk.table.zones import OPENED, as_many_as_held, names_now


def box_reasons(core: Core, box: BoxState, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    """Everything about the box's hand, and its small hand where there is one."""
    if not core.in_play(box):
        yield from _not_in_play(core, box, settings)
        return
    if box.action == "fold":
        yield from _folded(core, box, settings, plan)
        return
    for name, expected in hands_of(box, plan.shape):
        zone = core.zone(name)
        small = is_small(name)
        yield from unsteady(zone, expected, settings)
        if not core.cleared:
            yield from doubts(zone, settings)
            yield from hand_fits(zone, expected, 0 if small else box.exchanged, settings)
            if zone.fixed:
                yield from _box_changed(zone, box, settings, plan)
        if not small:
            yield from _exchanged(zone, box, settings, plan)
        if len(zone.hand) != expected and small:
            yield from _small_count(core, zone, box, expected, settings)
        elif len(zone.hand) != expected:
            yield from _box_count(core, zone, box, expected, settings, plan)


def _not_in_play(core: Core, box: BoxState, settings: RoundSettings) -> Iterator[Reason]:
    for zone in core.places(box.box):
        lying = not zone.bare and not zone.stale and not core.cleared
        if box.in_play is False and lying:
            yield zone_reason(
                zone.zone,
                "not-in-play",
                "stray",
                delay=settings.question_after,
                actions=("in-play",),
            )


def _folded(core: Core, box: BoxState, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    """A fold needs no cards, unless a side bet stands that is settled by them (P2)."""
    if not judged(box, settings, plan):
        return
    zone = core.zone(zone_of(box.box))
    if not core.cleared and not zone.dealt:
        yield from doubts(zone, settings)
        yield from hand_fits(zone, plan.shape.box_cards, 0, settings)
    if not dealt_to(core, box, plan):
        yield zone_reason(
            zone.zone,
            "folded-unread",
            "count",
            delay=settings.question_after,
            steady=True,
            actions=("enter-dealt",),
        )


def _small_count(
    core: Core, zone: ZoneState, box: BoxState, expected: int, settings: RoundSettings
) -> Iterator[Reason]:
    """Asked once the box's hand lies open: both hands are opened together."""
    read = len(zone.hand)
    opened = len(core.zone(zone_of(box.box)).hand) >= OPENED
    if read > expected or (read and is_complete(core)) or (opened and is_complete(core)):
        yield zone_reason(
            zone.zone,
            "many" if read > expected else "count",
            "count",
            (("read", read), ("expected", expected)),
            delay=settings.question_after,
            steady=True,
            actions=("remove-card",) if read > expected else ("enter-card",),
        )


def _exchanged(
    zone: ZoneState, box: BoxState, settings: RoundSettings, plan: Plan
) -> Iterator[Reason]:
    """A hand seen before the dealer's opened need not be the one after the exchange."""
    gone = len(set(zone.early) - set(zone.cards))
    fewer = plan.house.draw.reshuffle_discards and 0 < gone < box.exchanged
    if not (zone.early and box.exchanged and zone.hand) or gone == box.exchanged or fewer:
        return
    yield zone_reason(
        zone.zone,
        "exchange" if gone else "early",
        "count",
        (("exchanged", box.exchanged), ("gone", gone), ("cards", join_cards(zone.cards))),
        delay=settings.question_after,
        steady=True,
        sign=join_cards(zone.cards),
        actions=("enter-bets",),
    )


def _box_changed(
    zone: ZoneState, box: BoxState, settings: RoundSettings, plan: Plan
) -> Iterator[Reason]:
    """New names in a zone whose hand has been settled."""
    if zone.view.occluded:
        return
    extra = [card for card in names_now(zone) if card not in zone.cards]
    if not extra:
        return
    gone = [h.card for h in zone.hand if h.card not in zone.lying and h.seen is not None]
    sixth = plan.sixth and not box.sixth and not gone and len(extra) == 1
    name = "six" if sixth else "changed" if zone.lying else "returned"
    yield zone_reason(
        zone.zone,
        name,
        "sixth-card" if sixth else "conflict",
        (("cards", join_cards(extra)), ("hand", join_cards(zone.cards))),
        delay=settings.doubt_after,
        sign=join_cards(extra),
        card=extra[0],
        actions=("enter-sixth", "replace-card"),
        evidence=bool(zone.lying) and as_many_as_held(zone),
    )


def _box_count(
    core: Core,
    zone: ZoneState,
    box: BoxState,
    expected: int,
    settings: RoundSettings,
    plan: Plan,
) -> Iterator[Reason]:
    read, size = len(zone.hand), plan.shape.box_cards
    dealt = is_complete(core)
    values: Values = (("read", read), ("expected", expected))
    if read > expected:
        sixth = plan.sixth and read == size + 1
        yield zone_reason(
            zone.zone,
            "six" if sixth else "many",
            "sixth-card" if sixth else "count",
            values,
            delay=settings.doubt_after,
            steady=True,
            actions=("enter-sixth", "remove-card") if sixth else ("remove-card",),
        )
    elif box.sixth and read == size:
        yield zone_reason(
            zone.zone,
            "no-sixth",
            "sixth-card",
            values,
            delay=settings.question_after,
            steady=True,
            actions=("no-sixth", "enter-card"),
        )
    elif read >= OPENED or (read and dealt):
        yield zone_reason(
            zone.zone,
            "count",
            "count",
            values,
            delay=settings.question_after,
            steady=True,
            actions=("enter-card", "fold"),
        )
    elif not read and dealt and away(core, zone):
        yield zone_reason(
            zone.zone,
            "unread",
            "count",
            delay=settings.question_after,
            steady=True,
            actions=("fold", "enter-card", "not-in-play"),
        )
