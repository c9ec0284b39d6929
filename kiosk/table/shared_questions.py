"""Questions about what counts for every box: the dealer's hand, the dealer's small, the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kiosk.table.dealer import (
    buyers,
    dealer_change,
    drawing_of,
    flop_of,
    is_complete,
    small_due,
)
from kiosk.table.hand_reasons import away, doubts, hand_fits, unsteady
from kiosk.table.placed import judged
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason, Values
from kiosk.table.reasons import join_cards, zone_reason
from kiosk.table.state import (
    BOARD,
    DEALER,
    DEALER_SMALL,
    Core,
    RoundSettings,
    ZoneState,
    zone_of,
)
from kiosk.table.zones import OPENED, as_many_as_held, names_now


def shared_reasons(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    """Everything about the dealer's hands and the board."""
    yield from dealer_reasons(core, settings, plan)
    if core.board is not None:
        yield from _board_reasons(core, core.board, settings, plan)
    if core.dealer_small is not None:
        yield from _small_reasons(core, core.dealer_small, settings, plan)


def dealer_reasons(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    zone, needed = core.dealer, plan.shape.dealer_cards
    read = len(zone.hand)
    yield from unsteady(zone, needed, settings)
    if not core.cleared:
        yield from doubts(zone, settings)
        yield from hand_fits(zone, needed, 0, settings)
        if zone.fixed and plan.buy:
            yield from _dealer_changed(core, settings, plan)
        elif zone.fixed:
            yield from _changed(zone, settings)
    if not zone.fixed:
        if read > needed or plan.opened <= read < needed:
            yield _count(zone, "many" if read > needed else "count", needed, settings)
        elif read < plan.opened and away(core, zone) and _boxes_opened(core):
            yield _unread(zone, settings)


def _boxes_opened(core: Core) -> bool:
    return any(len(core.zone(zone_of(b.box)).hand) >= OPENED for b in core.boxes)


def _dealer_changed(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    change, state, buying = dealer_change(core, plan), drawing_of(core, plan), buyers(core)
    if state is None:
        return
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
        yield _seen(core, _dealer_reason("no-purchase", "buy", values, settings.doubt_after))
    else:
        values = (("cards", extra),)
        yield _seen(core, _dealer_reason("changed", "conflict", values, settings.doubt_after))


def _seen(core: Core, reason: Reason) -> Reason:
    """Marked as what the camera sees beside the dealer's hand."""
    zone = core.dealer
    return replace(reason, evidence=bool(zone.lying) and as_many_as_held(zone))


def _dealer_reason(name: str, kind: str, values: Values, delay: float) -> Reason:
    return zone_reason(
        DEALER,
        name,
        kind,
        values,
        delay=delay,
        actions=("enter-buy", "replace-card") if kind == "buy" else ("replace-card",),
    )


def _common(core: Core, zone: ZoneState, needed: int, settings: RoundSettings) -> Iterator[Reason]:
    """What holds for the board as for the dealer's small hand."""
    yield from unsteady(zone, needed, settings)
    if not core.cleared:
        yield from doubts(zone, settings)
        yield from hand_fits(zone, needed, 0, settings)
        if zone.fixed:
            yield from _changed(zone, settings)
    if len(zone.hand) > needed:
        yield _count(zone, "many", needed, settings)


def _changed(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
    """New names where a hand has been accepted."""
    extra = [card for card in names_now(zone) if card not in zone.cards]
    if extra and not zone.view.occluded:
        yield zone_reason(
            zone.zone,
            "changed",
            "conflict",
            (("cards", join_cards(extra)),),
            delay=settings.doubt_after,
            card=extra[0],
            actions=("replace-card",),
            evidence=bool(zone.lying) and as_many_as_held(zone),
        )


def _unread(zone: ZoneState, settings: RoundSettings) -> Reason:
    return zone_reason(
        zone.zone,
        "unread",
        "count",
        delay=settings.question_after,
        steady=True,
        actions=("enter-card",),
    )


def _count(zone: ZoneState, name: str, needed: int, settings: RoundSettings) -> Reason:
    return zone_reason(
        zone.zone,
        name,
        "count",
        (("read", len(zone.hand)), ("expected", needed)),
        delay=settings.question_after,
        steady=True,
        actions=("remove-card",) if name == "many" else ("enter-card",),
    )


def _board_reasons(
    core: Core, zone: ZoneState, settings: RoundSettings, plan: Plan
) -> Iterator[Reason]:
    """The flop lies alone while the boxes decide; the rest comes before any hand opens."""
    read, last = len(zone.hand), plan.board_cards
    yield from _common(core, zone, last, settings)
    opened = len(core.dealer.hand) >= plan.opened or _boxes_opened(core)
    if read == 0 and opened and away(core, zone):
        yield _unread(zone, settings)
    elif 0 < read < last and (opened or read != plan.flop):
        stage = plan.flop if read < plan.flop and not opened else last
        yield _count(zone, "count", stage, settings)
    asking = [
        zone_of(box.box) for box in core.boxes if core.in_play(box) and judged(box, settings, plan)
    ]
    if zone.fixed and asking and not flop_of(core):
        yield zone_reason(
            BOARD,
            "flop",
            "count",
            delay=settings.doubt_after,
            actions=("name-flop",),
            touches=frozenset(asking),
        )


def _small_reasons(
    core: Core, zone: ZoneState, settings: RoundSettings, plan: Plan
) -> Iterator[Reason]:
    """SP-DEAL-2: dealt once there is a game, never before."""
    needed = plan.shape.small_cards
    yield from _common(core, zone, needed, settings)
    if 0 < len(zone.hand) < needed:
        yield _count(zone, "count", needed, settings)
    if zone.hand and is_complete(core) and not small_due(core, plan):
        cards = join_cards(zone.cards)
        yield zone_reason(
            DEALER_SMALL,
            "small-not-due",
            "count",
            (("cards", cards),),
            delay=settings.question_after,
            steady=True,
            sign=cards,
        )
