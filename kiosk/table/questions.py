"""All that stands in the way of a certain settlement, from the evidence of the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kiosk.cards import Card
from kiosk.sightings import CAMERA_MOVED, Doubt
from kiosk.table.hand_questions import box_reasons
from kiosk.table.kept import still_open
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason
from kiosk.table.reasons import join_cards, zone_reason
from kiosk.table.shared_questions import shared_reasons
from kiosk.table.state import DEALER, Core, RoundSettings, ZoneState, zone_of
from kiosk.table.texts import TEXTS
from kiosk.table.zones import names_now


def table_reasons(core: Core, settings: RoundSettings, plan: Plan) -> tuple[Reason, ...]:
    """Everything that stands in the way, apart from what the rules say of the entries."""
    if core.voided is not None:
        return tuple(_trouble(core, settings))
    found = _found(core, settings, plan)
    if any(zone.view.occluded for zone in core.zones) and any(one.asked for one in core.asked):
        # What passes over the cards answers no question about them.
        here = {reason.id for reason in found}
        below = _found(_uncovered(core), settings, plan)
        found += [r for r in below if core.is_asked(r.id) and r.id not in here]
    found += still_open(core, found)
    return tuple(r for r in found if (r.id, r.sign or "") not in core.dismissed)


def _uncovered(core: Core) -> Core:
    """The table as it was last seen below what covers it."""
    zones = (
        replace(zone, view=replace(zone.view, occluded=False)) if zone.view.occluded else zone
        for zone in core.zones
    )
    return replace(core, zones=tuple(zones))


def _found(core: Core, settings: RoundSettings, plan: Plan) -> list[Reason]:
    found = [
        *_trouble(core, settings),
        *(_next_deal(core) if core.cleared else _loose(core, settings, plan)),
        *shared_reasons(core, settings, plan),
    ]
    for box in core.boxes:
        found += box_reasons(core, box, settings, plan)
    return found


def _next_deal(core: Core) -> Iterator[Reason]:
    """After the felt was clear nothing seen belongs to this round any more."""
    if core.new_deal:
        text = TEXTS["short-clear" if core.short else "open-hand"]
        yield Reason("q-open-hand", "stray", None, text, actions=("next",))


def _loose(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    yield from _conflicts(core, settings, plan)
    yield from _strays(core, settings)
    for zone in core.zones:
        yield from _leftovers(zone, settings)


def _trouble(core: Core, settings: RoundSettings) -> Iterator[Reason]:
    if core.trouble == CAMERA_MOVED:
        # Cards may have been read for a wrong place before it was noticed: nothing settles.
        yield Reason(
            id="q-moved",
            kind="trouble",
            zone=None,
            text=TEXTS[CAMERA_MOVED],
            touches=frozenset(settings.zones),
            delay=settings.doubt_after,
            actions=("place-stands", "set-up"),
        )
    elif core.trouble is not None:
        text = TEXTS.get(core.trouble, TEXTS["trouble"])
        yield Reason("q-trouble", "trouble", None, text, (("trouble", core.trouble),))


def _places(core: Core, plan: Plan) -> dict[Card, set[str]]:
    """Every card and the zones that hold or show it, or have thrown it away for good (COM-IN-2)."""
    places: dict[Card, set[str]] = {}
    for zone in core.zones:
        shown = () if zone.view.occluded else names_now(zone)
        for card in (*zone.cards, *shown):
            places.setdefault(card, set()).add(zone.zone)
    for draw in core.draws:
        places.setdefault(draw.card, set()).add(DEALER)
    for box in core.boxes:
        if box.exchanged and not plan.house.draw.reshuffle_discards:
            zone = core.zone(zone_of(box.box))
            left = {held.card for held in zone.left}
            for card in ({*zone.early, *zone.dealt} | left) - {*zone.cards}:
                places.setdefault(card, set()).add(zone.zone)
    return places


def _conflicts(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    places = _places(core, plan)
    every = frozenset(settings.zones)
    twice = {card: frozenset(zones) for card, zones in places.items() if len(zones) > 1}
    for card in core.conflicts:
        if _handled(core, card):
            continue
        seen = set(places.get(card, set())) | {
            z.zone for z in core.zones if any(_about(d, card) for d in z.view.doubts)
        }
        twice[card] = twice.get(card, frozenset()) | (frozenset(seen) or every)
    for card in sorted(twice, key=str):
        touches = twice[card]
        names = " ".join(z for z in settings.zones if z in touches)
        yield Reason(
            id=f"q-conflict-{card}",
            kind="conflict",
            zone=min(touches, key=settings.zones.index) if touches != every else None,
            text=TEXTS["conflict"],
            values=(("card", card.symbol), ("zones", names)),
            touches=touches,
            delay=settings.doubt_after,
            card=card,
            actions=("replace-card", "remove-card"),
            evidence=True,
        )


def _about(doubt: Doubt, card: Card) -> bool:
    return doubt.why == "conflict" and any(name == card for name, _ in doubt.candidates[:1])


def _handled(core: Core, card: Card) -> bool:
    """A person has said what one of the two is."""
    for zone in core.zones:
        if any(machine == card for machine, _ in zone.renames):
            return True
        answered = {key for key, _ in zone.answered}
        if any(_about(d, card) and d.key in answered for d in zone.view.doubts):
            return True
    return False


def _strays(core: Core, settings: RoundSettings) -> Iterator[Reason]:
    collected = {c for z in core.zones for c in z.cards if c not in z.lying}
    collected |= {h.card for h in core.draws}
    for doubt in core.strays:
        name = doubt.candidates[0][0] if doubt.candidates else None
        border = doubt.why == "border"
        if doubt.key in core.answered_strays or (name in collected and not border):
            continue
        yield Reason(
            id=f"q-stray-{doubt.key}",
            kind="stray",
            zone=None,
            text=TEXTS["border" if border else "stray"],
            touches=frozenset(settings.zones) if border else frozenset(),
            delay=settings.doubt_after,
            sign=doubt.key,
            card=name,
            doubt=doubt,
            actions=("name-card", "dismiss"),
            evidence=border,
        )
    for zone, cards, _ in core.outside:
        yield Reason(
            id=f"q-outside-{zone}",
            kind="stray",
            zone=zone,
            text=TEXTS["outside"],
            values=(("zone", zone), ("cards", join_cards(cards))),
            delay=settings.doubt_after,
            sign=join_cards(cards),
            actions=("dismiss",),
        )


def _leftovers(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
    if zone.leftover or zone.stale:
        cards = join_cards(sorted(zone.leftover, key=str))
        yield zone_reason(
            zone.zone,
            "leftover" if zone.leftover else "stale",
            "stray",
            (("cards", cards),),
            delay=settings.doubt_after,
            sign=cards,
        )
