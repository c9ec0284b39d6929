"""What stands in the way of a certain settlement, and what people are asked about it.

A Reason blocks the zones it touches: at once while their hands are open, and for hands already
settled as soon as it has lasted long enough to be asked (a passing flicker takes nothing back).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kiosk.cards import Card
from kiosk.sightings import Doubt
from kiosk.table.dealer import buyers, dealer_change, drawing_of, is_complete
from kiosk.table.plan import Plan
from kiosk.table.state import (
    DEALER,
    Asked,
    BoxState,
    Core,
    RoundSettings,
    ZoneState,
    expected_cards,
    zone_of,
)
from kiosk.table.texts import BOX_TEXTS, DEALER_TEXTS, TEXTS
from kiosk.table.zones import OPENED, names_now, open_doubts, whole

Values = tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that a person may have to look at.

    ``touches``: zones that get no settlement while it stands. ``delay``: seconds until it is
    asked; ``steady``: counted from the last movement in the zone. ``sign``: what it is about, so
    that a dismissal ends when the table changes. ``text``: gettext msgid, filled with ``values``.
    ``secret_text``: what to say before the reveal when ``text`` would give the hand away.
    """

    id: str
    kind: str
    zone: str | None
    text: str
    values: Values = ()
    touches: frozenset[str] = frozenset()
    delay: float = 0.0
    steady: bool = False
    sign: str | None = None
    card: Card | None = None
    doubt: Doubt | None = None
    actions: tuple[str, ...] = ()
    secret_text: str | None = None

    @property
    def dismissable(self) -> bool:
        return self.sign is not None


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(str(card) for card in cards)


def _text(zone: str, name: str) -> tuple[str, Values]:
    if zone == DEALER:
        return DEALER_TEXTS[name], ()
    return BOX_TEXTS[name], (("box", int(zone.removeprefix("box"))),)


def _zone_reason(
    zone: str,
    name: str,
    kind: str,
    values: Values = (),
    *,
    delay: float,
    steady: bool = False,
    sign: str | None = None,
    card: Card | None = None,
    doubt: Doubt | None = None,
    actions: tuple[str, ...] = (),
    key: str = "",
) -> Reason:
    text, own = _text(zone, name)
    return Reason(
        id=f"q-{zone}-{name}{'-' + key if key else ''}",
        kind=kind,
        zone=zone,
        text=text,
        values=own + values,
        touches=frozenset({zone}),
        delay=delay,
        steady=steady,
        sign=sign,
        card=card,
        doubt=doubt,
        actions=(*actions, "dismiss") if sign is not None else actions,
    )


def table_reasons(core: Core, settings: RoundSettings, plan: Plan) -> tuple[Reason, ...]:
    """Everything that stands in the way, apart from what the rules say of the entries."""
    if core.voided is not None:
        return tuple(_trouble(core))
    found = [
        *_trouble(core),
        *(_next_deal(core) if core.cleared else _loose(core, settings)),
        *_dealer(core, settings, plan),
    ]
    for box in core.boxes:
        found += _box(core, box, settings, plan)
    return tuple(r for r in found if (r.id, r.sign or "") not in core.dismissed)


def _next_deal(core: Core) -> Iterator[Reason]:
    """After the felt was clear nothing seen belongs to this round any more."""
    if core.new_deal:
        yield Reason("q-open-hand", "stray", None, TEXTS["open-hand"], actions=("next",))


def _loose(core: Core, settings: RoundSettings) -> Iterator[Reason]:
    yield from _conflicts(core, settings)
    yield from _strays(core, settings)
    for zone in core.zones:
        yield from _leftovers(zone, settings)


def _trouble(core: Core) -> Iterator[Reason]:
    if core.trouble is not None:
        text = TEXTS.get(core.trouble, TEXTS["trouble"])
        yield Reason("q-trouble", "trouble", None, text, (("trouble", core.trouble),))


def _places(core: Core) -> dict[Card, set[str]]:
    """Every card and the zones that hold or show it."""
    places: dict[Card, set[str]] = {}
    for zone in core.zones:
        shown = () if zone.view.occluded else names_now(zone)
        for card in (*zone.cards, *shown):
            places.setdefault(card, set()).add(zone.zone)
    for draw in core.draws:
        places.setdefault(draw.card, set()).add(DEALER)
    return places


def _conflicts(core: Core, settings: RoundSettings) -> Iterator[Reason]:
    places = _places(core)
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
            values=(("card", str(card)), ("zones", names)),
            touches=touches,
            delay=settings.doubt_after,
            card=card,
            actions=("replace-card", "remove-card"),
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
        )
    for zone, cards, _ in core.outside:
        yield Reason(
            id=f"q-outside-{zone}",
            kind="stray",
            zone=zone,
            text=TEXTS["outside"],
            values=(("zone", zone), ("cards", _cards(cards))),
            delay=settings.doubt_after,
            sign=_cards(cards),
            actions=("dismiss",),
        )


def _doubts(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
    keys = open_doubts(zone)
    for doubt in zone.view.doubts:
        if doubt.key in keys:
            yield _zone_reason(
                zone.zone,
                "doubt",
                "doubt",
                delay=settings.doubt_after,
                card=doubt.candidates[0][0] if doubt.candidates else None,
                doubt=doubt,
                actions=("name-card", "no-card"),
                key=doubt.key,
            )


def _leftovers(zone: ZoneState, settings: RoundSettings) -> Iterator[Reason]:
    if zone.leftover or zone.stale:
        yield _zone_reason(
            zone.zone,
            "leftover",
            "stray",
            (("cards", _cards(sorted(zone.leftover, key=str)) or "?"),),
            delay=settings.doubt_after,
            sign=_cards(sorted(zone.leftover, key=str)),
        )


def _hand(
    zone: ZoneState, expected: int, exchanged: int, settings: RoundSettings
) -> Iterator[Reason]:
    """Reasons common to the dealer's and a box's hand that has the right number of names."""
    if len(zone.hand) != expected:
        return
    lying = max(len(zone.hand), len(names_now(zone)) + len(open_doubts(zone)))
    if zone.view.bodies > lying and not zone.view.occluded and not zone.stale:
        yield _zone_reason(
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
        yield _zone_reason(
            zone.zone,
            "left",
            "count",
            (("cards", _cards(h.card for h in zone.left)),),
            delay=settings.doubt_after,
            steady=True,
            sign=_cards(h.card for h in zone.left),
            card=zone.left[0].card,
            actions=("enter-card",),
        )


def _unsteady(zone: ZoneState, expected: int, settings: RoundSettings) -> Iterator[Reason]:
    if len(zone.hand) == expected and not zone.known and not zone.fixed and not whole(zone):
        yield _zone_reason(
            zone.zone,
            "unsteady",
            "count",
            delay=settings.question_after,
            steady=True,
            sign=_cards(zone.cards),
            actions=("enter-card",),
        )


def _dealer(core: Core, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
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
            yield _zone_reason(
                DEALER,
                name,
                "count",
                (("read", read), ("expected", needed)),
                delay=settings.question_after,
                steady=True,
                actions=("remove-card",) if read > needed else ("enter-card",),
            )
        elif read < OPENED and _away(core, zone) and _boxes_opened(core):
            yield _zone_reason(
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
            cards = _cards(h.card for h in core.draws)
            yield _dealer_reason("no-buyer", "buy", (("cards", cards),), settings.doubt_after)
        elif buying and state.due and core.dealer.bare:
            yield replace(
                _dealer_reason("no-draw", "buy", (), settings.question_after),
                touches=frozenset(zone_of(b.box) for b in buying),
            )
        return
    if change.draw:
        return
    extra, gone = _cards(change.extra), _cards(change.gone)
    if buying and state.due and not change.gone:
        values: Values = (("cards", extra), ("discard", str(state.discard)))
        yield _dealer_reason("discard-first", "buy", values, settings.question_after)
    elif buying and state.due and len(change.gone) == 1 == len(change.extra):
        values = (("gone", gone), ("discard", str(state.discard)))
        yield _dealer_reason("wrong-discard", "buy", values, settings.doubt_after)
    elif plan.buy and not buying and len(change.gone) == 1 == len(change.extra):
        values = (("gone", gone), ("cards", extra))
        yield _dealer_reason("no-purchase", "buy", values, settings.doubt_after)
    else:
        values = (("cards", extra),)
        yield _dealer_reason("changed", "conflict", values, settings.doubt_after)


def _dealer_reason(name: str, kind: str, values: Values, delay: float) -> Reason:
    return _zone_reason(
        DEALER,
        name,
        kind,
        values,
        delay=delay,
        actions=("enter-buy", "replace-card") if kind == "buy" else ("replace-card",),
    )


def _box(core: Core, box: BoxState, settings: RoundSettings, plan: Plan) -> Iterator[Reason]:
    zone = core.zone(zone_of(box.box))
    if not core.in_play(box):
        lying = not zone.bare and not zone.stale and not core.cleared
        if box.in_play is False and lying:
            yield _zone_reason(
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
    yield _zone_reason(
        zone.zone,
        name,
        "sixth-card" if sixth else "conflict",
        (("cards", _cards(extra)), ("hand", _cards(zone.cards))),
        delay=settings.doubt_after,
        sign=_cards(extra),
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
        yield _zone_reason(
            zone.zone,
            "six" if sixth else "many",
            "sixth-card" if sixth else "count",
            values,
            delay=settings.doubt_after,
            steady=True,
            actions=("enter-sixth", "remove-card") if sixth else ("remove-card",),
        )
    elif box.sixth and read == size:
        yield _zone_reason(
            zone.zone,
            "no-sixth",
            "sixth-card",
            values,
            delay=settings.question_after,
            steady=True,
            actions=("no-sixth", "enter-card"),
        )
    elif read >= OPENED or (read and dealt):
        yield _zone_reason(
            zone.zone,
            "count",
            "count",
            values,
            delay=settings.question_after,
            steady=True,
            actions=("enter-card", "fold"),
        )
    elif not read and dealt and _away(core, zone):
        yield _zone_reason(
            zone.zone,
            "unread",
            "count",
            delay=settings.question_after,
            steady=True,
            actions=("fold", "enter-card", "not-in-play"),
        )


def update_asked(core: Core, reasons: tuple[Reason, ...], t: float) -> Core:
    """Notes since when each reason stands and which are old enough to be asked."""
    before = {entry.id: entry for entry in core.asked}
    after = []
    for reason in reasons:
        entry = before.get(reason.id, Asked(reason.id, t, False))
        begin = entry.since
        if reason.steady and reason.zone is not None:
            begin = max(begin, core.zone(reason.zone).names_at)
        asked = entry.asked or t - begin >= reason.delay
        after.append(replace(entry, asked=asked))
    return core if tuple(after) == core.asked else replace(core, asked=tuple(after))


def blocking(core: Core, reasons: tuple[Reason, ...], zone: str) -> tuple[Reason, ...]:
    """The reasons that keep this zone's hand from being settled: its own and the dealer's.

    A hand already fixed gives way only to what has been asked.
    """
    grace = core.zone(zone).fixed
    touching = (r for r in reasons if zone in r.touches or DEALER in r.touches)
    return tuple(r for r in touching if not grace or core.is_asked(r.id))
