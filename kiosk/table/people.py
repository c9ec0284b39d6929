"""What a person's event changes in the state. Checked before by ``checks``, and total: replaying
a log never fails here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kiosk.cards import Card
from kiosk.table import events as e
from kiosk.table.dealer import buyers, drawing_of, is_complete
from kiosk.table.kept import answered
from kiosk.table.plan import Plan
from kiosk.table.reason import Reason
from kiosk.table.state import (
    DEALER,
    BoxState,
    Core,
    HandCard,
    ZoneState,
    expected_in,
    hands_of,
)
from kiosk.table.zones import names_now


def enter(
    core: Core, event: e.PersonEvent | e.ShownKept, plan: Plan, asked: tuple[Reason, ...]
) -> Core:
    """The state after a person's event. ``asked``: the questions open before it."""
    if isinstance(event, e.QuestionDismissed):
        return _dismiss(core, event, asked)
    change = CHANGES.get(type(event))
    return core if change is None else answered(change(core, event, plan), event)


def _bets(core: Core, event: e.BetsEntered, plan: Plan) -> Core:
    box = core.box(event.box)
    amounts = dict(box.bets)
    for name, value in event.bets:
        if value or (value is not None and name == "ante"):
            amounts[name] = value
        else:
            amounts.pop(name, None)
    sixth = event.sixth
    if sixth is None and any(name == "sixth" and value for name, value in event.bets):
        sixth = True
    undone = {
        "sixth": sixth is False,
        "extra_two": event.extra_two is False,
        "exchange": event.exchanged == 0,
        "buy": event.buy is False,
    }
    amounts = {name: value for name, value in amounts.items() if not undone.get(name)}
    done = (event.exchanged, sixth, event.extra_two, event.prizes)
    stakes = event.bets or event.action or any(part is not None for part in done)
    changed = replace(
        box,
        bets=tuple(sorted(amounts.items())),
        action=event.action or box.action,
        exchanged=box.exchanged if event.exchanged is None else event.exchanged,
        sixth=box.sixth if sixth is None else sixth,
        extra_two=box.extra_two if event.extra_two is None else event.extra_two,
        prizes=box.prizes if event.prizes is None else event.prizes,
        buy=box.buy if event.buy is None else event.buy,
        in_play=box.in_play if event.in_play is None else event.in_play,
        confirmed=box.confirmed and not stakes,
    )
    core = core.with_box(changed)
    for name, _ in hands_of(changed, plan.shape):
        core = _loosen(core, name, plan)
    return core


def _meter(core: Core, event: e.MeterEntered, plan: Plan) -> Core:
    return replace(core, meter=event.amount)


def _dealt(core: Core, event: e.DealtEntered, plan: Plan) -> Core:
    return core.with_zone(replace(core.zone(event.zone), dealt=event.cards))


def _loosen(core: Core, name: str, plan: Plan) -> Core:
    """A hand that no longer has the right number of cards is open to the camera again."""
    zone = core.zone(name)
    if not zone.fixed or len(zone.hand) == expected_in(core, name, plan):
        return core
    core = core.with_zone(replace(zone, fixed=False))
    return replace(core, draws=()) if name == DEALER else core


def _confirm(core: Core, event: e.Confirmed, plan: Plan) -> Core:
    box = core.box(event.box)
    buy = False if box.buy is None and is_complete(core) else box.buy
    return core.with_box(replace(box, confirmed=True, buy=buy))


def _card(core: Core, event: e.CardEntered, plan: Plan) -> Core:
    zone = core.zone(event.zone)
    if event.was is None:
        assert event.card is not None
        return _add(core, zone, event.card, plan)
    if event.zone == DEALER and any(h.card == event.was for h in core.draws):
        core = _correct_draw(core, event.was, event.card)
    zone = _rename(core.zone(event.zone), event.was, event.card)
    return _loosen(core.with_zone(zone), event.zone, plan)


def _correct_draw(core: Core, was: Card, card: Card | None) -> Core:
    """A draw renamed, or taken away together with those that followed it."""
    place = next(i for i, h in enumerate(core.draws) if h.card == was)
    if card is None:
        return replace(core, draws=core.draws[:place])
    held = _by_person(core.draws[place], card)
    return replace(core, draws=(*core.draws[:place], held, *core.draws[place + 1 :]))


def _by_person(held: HandCard, card: Card) -> HandCard:
    return replace(held, card=card, source="person")


def _rename(zone: ZoneState, was: Card, card: Card | None) -> ZoneState:
    renames = dict(zone.renames)
    machine = {read.card for read in zone.view.cards if renames.get(read.card, read.card) == was}
    machine |= {h.seen for h in zone.hand if h.card == was and h.seen is not None}
    renames.update(dict.fromkeys(machine, card))
    hand: list[HandCard] = []
    for held in zone.hand:
        if held.card != was:
            hand.append(held)
        elif card is not None and all(other.card != card for other in zone.hand):
            hand.append(_by_person(held, card))
    dealt = tuple(card or was if old == was else old for old in zone.dealt)
    early = tuple(card or was if old == was else old for old in zone.early)
    left = tuple(h for h in zone.left if h.card != was)
    if card is not None and len(left) != len(zone.left) and card not in {h.card for h in hand}:
        hand.append(HandCard(card, source="person"))
    changed = replace(zone, hand=tuple(hand), renames=_pairs(renames), left=left)
    return _vouched(replace(changed, dealt=dealt, early=early))


def _pairs(renames: dict[Card, Card | None]) -> tuple[tuple[Card, Card | None], ...]:
    return tuple(sorted(renames.items(), key=lambda pair: str(pair[0])))


def _add(core: Core, zone: ZoneState, card: Card, plan: Plan) -> Core:
    """A card the person sees. On a complete dealer's hand it is the card drawn."""
    state = drawing_of(core, plan)
    if zone.zone == DEALER and state is not None and state.due and buyers(core):
        return replace(core, draws=(*core.draws, _entered(zone, card)))
    renames = {m: c for m, c in zone.renames if not (m == card and c is None)}
    left = tuple(h for h in zone.left if h.card != card)
    zone = replace(zone, hand=(*zone.hand, _entered(zone, card)), left=left)
    zone = _vouched(replace(zone, renames=_pairs(renames)))
    return _loosen(core.with_zone(zone), zone.zone, plan)


def _entered(zone: ZoneState, card: Card) -> HandCard:
    read = names_now(zone).get(card)
    if read is None:
        return HandCard(card, source="person")
    place = read.boxes[0] if read.boxes else None
    return HandCard(card, read.confidence, "person", read.card, place)


def _vouched(zone: ZoneState) -> ZoneState:
    """A hand that only a person has named needs no camera to be known."""
    entered = bool(zone.hand) and all(held.seen is None for held in zone.hand)
    return replace(zone, known=True) if entered else zone


def _doubt(core: Core, event: e.DoubtAnswered, plan: Plan) -> Core:
    if any(stray.key == event.key for stray in core.strays):
        core = replace(core, answered_strays=core.answered_strays | {event.key})
        zone = None if event.zone is None else core.zone(event.zone)
    else:
        zone = core.zone(event.zone or DEALER)
        zone = replace(zone, answered=(*zone.answered, (event.key, event.card)))
        core = core.with_zone(zone)
    if zone is None or event.card is None or event.card in zone.cards:
        return core
    return _add(core, zone, event.card, plan)


def _dismiss(core: Core, event: e.QuestionDismissed, asked: tuple[Reason, ...]) -> Core:
    reason = next((r for r in asked if r.id == event.question), None)
    if reason is None or reason.sign is None:
        return core
    zone = core.zone(reason.zone) if reason.zone in {z.zone for z in core.zones} else None
    if zone is not None and reason.id.endswith(("-leftover", "-stale")):
        return core.with_zone(replace(zone, leftover=frozenset(), stale=False))
    if zone is not None and reason.id.endswith("-left"):
        return core.with_zone(replace(zone, left=()))
    if zone is not None and reason.id.endswith("-unsteady"):
        core = core.with_zone(replace(zone, known=True))
    return replace(core, dismissed=core.dismissed | {(reason.id, reason.sign)})


def _answer(core: Core, event: e.AnswerGiven, plan: Plan) -> Core:
    box = core.box(event.box)
    answers, answerers = (*box.answers, event.bets), (*box.answerers, event.who)
    return core.with_box(replace(box, answers=answers, answerers=answerers))


def _reveal(core: Core, event: e.RevealPressed, plan: Plan) -> Core:
    return reveal(core)


def reveal(core: Core) -> Core:
    """Every box that is settled or overruled may be shown, and the dealer's hand."""
    boxes = tuple(_shown(core, box) for box in core.boxes)
    return replace(core, boxes=boxes, shown=True)


def _shown(core: Core, box: BoxState) -> BoxState:
    ready = core.in_play(box) and (box.box in core.settled or box.overruled is not None)
    if not ready or box.revealed:
        return box
    return replace(box, revealed=True, at_reveal=len(box.answers))


def _kept(core: Core, event: e.ShownKept, plan: Plan) -> Core:
    known = dict(event.boxes)
    boxes = tuple(keep_shown(b, known[b.box]) if b.box in known else b for b in core.boxes)
    return replace(core, boxes=boxes, shown=core.shown or any(box.revealed for box in boxes))


def keep_shown(box: BoxState, at_reveal: int | None) -> BoxState:
    """The box as shown after so many answers; None: as not shown."""
    return replace(box, revealed=at_reveal is not None, at_reveal=at_reveal or 0)


def _hold(core: Core, event: e.HoldSet, plan: Plan) -> Core:
    return replace(core, held=event.held, hold_reason=event.reason if event.held else "")


def _overrule(core: Core, event: e.Overruled, plan: Plan) -> Core:
    mark = (event.who, event.reason)
    boxes = tuple(
        replace(box, overruled=mark) if core.in_play(box) and event.box in (None, box.box) else box
        for box in core.boxes
    )
    return replace(core, boxes=boxes)


def _void(core: Core, event: e.VoidCalled, plan: Plan) -> Core:
    return replace(core, voided=(event.reason, event.who))


CHANGES: Mapping[type, Callable[[Core, Any, Plan], Core]] = {
    e.BetsEntered: _bets,
    e.MeterEntered: _meter,
    e.DealtEntered: _dealt,
    e.Confirmed: _confirm,
    e.CardEntered: _card,
    e.DoubtAnswered: _doubt,
    e.AnswerGiven: _answer,
    e.RevealPressed: _reveal,
    e.HoldSet: _hold,
    e.Overruled: _overrule,
    e.VoidCalled: _void,
    e.ShownKept: _kept,
}
