"""Questions about one hand, the dealer's or a box's: its cards, its count, its changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kiosk.table.dealer import buyers, dealer_change, drawing_of, is_complete
from kiosk.table.plan import Plan
from kiosk.table.reasons import Reason, Values, join_cards, zone_reason
from kiosk.table.state import (
    DEALER,
    BoxState,
    Core,
    RoundSettings,
    ZoneState,
    expected_cards,
    zone_of,
)
from kiosk.table.zones import OPENED, names_now, open_doubts, whole


def _doubts(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
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
            )


def _denied(zone: ZoneState) -> int:
    """Names read that a person has said are no cards of the hand."""
    denied = {machine for machine, card in zone.renames if card is None}
    return sum(1 for read in zone.view.cards if read.card in denied)


def _hand(
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
            sign=f"{zone.view.bodies}/{len(zone.hand)}",
            actions=("enter-card",),
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


def _unsteady(zone: ZoneState, expected: int, settings: RoundSettings) -> Iterator[Reason]:
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


def dealer_reasons(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    zone, needed = core.dealer, plan.shape.dealer_cards
    read = len(zone.hand)
    yield from _unsteady(zone, needed, settings)
    if not core.cleared:
        yield from _doubts(zone, settings)
        yield from _hand(zone, needed, 0, settings)
        if zone.fixed:
            yield from _dealer_changed(core, settings, plan)
    if not zone.fixed:
        if read > needed or OPENED <= read < needed:
            name = "many" if read > needed else "count"
            yield zone_reason(
                DEALER,
                name,
                "count",
                (("read", read), ("expected", needed)),
                delay=settings.question_after,
                steady=True,
                actions=("remove-card",) if read > needed else ("enter-card",),
            )
        elif read < OPENED and _away(core, zone) and _boxes_opened(core):
            yield zone_reason(
                DEALER,
                "unread",
                "count",
                delay=settings.question_after,
                steady=True,
                actions=("enter-card",),
            )


def _away(core: Core, zone: ZoneState) -> bool:
    """No card of this round lies in the zone."""
    return zone.bare or core.cleared


def _boxes_opened(core: Core) -> bool:
    return any(len(core.zone(zone_of(b.box)).hand) >= OPENED for b in core.boxes)


def _dealer_changed(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    change, state, buying = dealer_change(core, plan), drawing_of(core, plan), buyers(core)
    assert state is not None
    if change is None:
        if core.draws and not buying:
            cards = join_cards(h.card for h in core.draws)
            yield _dealer_reason("no-buyer", "buy", (("cards", cards),), settings.doubt_after)
        elif buying and state.due and core.dealer.bare:
            yield replace(
                _dealer_reason("no-draw", "buy", (), settings.question_after),
                touches=frozenset(zone_of(b.box) for b in buying),
            )
        return
    if change.draw:
        return
    extra, gone = join_cards(change.extra), join_cards(change.gone)
    if buying and state.due and not change.gone:
        values: Values = (("cards", extra), ("discard", state.discard.symbol))
        yield _dealer_reason("discard-first", "buy", values, settings.question_after)
    elif buying and state.due and len(change.gone) == 1 == len(change.extra):
        values = (("gone", gone), ("discard", state.discard.symbol))
        yield _dealer_reason("wrong-discard", "buy", values, settings.doubt_after)
    elif plan.buy and not buying and len(change.gone) == 1 == len(change.extra):
        values = (("gone", gone), ("cards", extra))
        yield _dealer_reason("no-purchase", "buy", values, settings.doubt_after)
    else:
        values = (("cards", extra),)
        yield _dealer_reason("changed", "conflict", values, settings.doubt_after)


def _dealer_reason(name: str, kind: str, values: Values, delay: float) -> Reason:
    return zone_reason(
        DEALER,
        name,
        kind,
        values,
        delay=delay,
        actions=("enter-buy", "replace-card") if kind == "buy" else ("replace-card",),
    )


def box_reasons(core: Core, box: BoxState, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    zone = core.zone(zone_of(box.box))
    if not core.in_play(box):
        lying = not zone.bare and not zone.stale and not core.cleared
        if box.in_play is False and lying:
            yield zone_reason(
                zone.zone,
                "not-in-play",
                "stray",
                delay=settings.question_after,
                actions=("in-play",),
            )
        return
    if box.action == "fold":
        return
    expected = expected_cards(box, plan.shape.box_cards)
    yield from _unsteady(zone, expected, settings)
    if not core.cleared:
        yield from _doubts(zone, settings)
        yield from _hand(zone, expected, box.exchanged, settings)
        if zone.fixed:
            yield from _box_changed(zone, box, settings, plan)
    if len(zone.hand) != expected:
        yield from _box_count(core, zone, box, expected, settings, plan)


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
    elif not read and dealt and _away(core, zone):
        yield zone_reason(
            zone.zone,
            "unread",
            "count",
            delay=settings.question_after,
            steady=True,
            actions=("fold", "enter-card", "not-in-play"),
        )
