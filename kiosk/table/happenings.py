"""What happened between two states of a round, as outputs for page, panel and record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kiosk.table import outputs as out
from kiosk.table.reasons import blocking, question_text
from kiosk.table.round_state import RoundState
from kiosk.table.settlement import is_assumed
from kiosk.table.state import HandCard, zone_of
from kiosk.table.verdicts import answered


def happenings(
    before: RoundState | None, after: RoundState, reason: str = ""
) -> tuple[out.Output, ...]:
    """The outputs of one step; ``before`` None: the round has just begun. ``reason``: that of the
    person's event, if it had one."""
    return (
        *_stage(before, after),
        *_cards(before, after),
        *_questions(before, after),
        *_boxes(before, after),
        *_acts(before, after, reason),
        *_settled(before, after),
    )


def _stage(before: RoundState | None, after: RoundState) -> Iterable[out.Output]:
    was = before.derived.stage if before is not None else "clear"
    if was != after.derived.stage:
        yield out.StageChanged(after.id, was, after.derived.stage)


def recorded(hand: tuple[HandCard, ...]) -> tuple[out.RecordedCard, ...]:
    """The hand as the record keeps it."""
    return tuple(
        out.RecordedCard(
            str(held.card),
            held.confidence,
            held.source,
            None if held.seen is None else str(held.seen),
        )
        for held in hand
    )


def hands(state: RoundState) -> tuple[tuple[str, tuple[out.RecordedCard, ...]], ...]:
    """All hands of the round by zone; the dealer's draws as zone ``draws``."""
    known = [(zone.zone, recorded(zone.hand)) for zone in state.core.zones if zone.hand]
    if state.core.draws:
        known.append(("draws", recorded(state.core.draws)))
    return tuple(known)


def _cards(before: RoundState | None, after: RoundState) -> Iterable[out.Output]:
    old, new = dict(hands(before)) if before is not None else {}, dict(hands(after))
    for zone in dict.fromkeys((*new, *old)):
        if old.get(zone, ()) != new.get(zone, ()):
            yield out.CardsAccepted(after.id, zone, new.get(zone, ()))


def _questions(before: RoundState | None, after: RoundState) -> Iterable[out.Output]:
    old = {} if before is None else {q.id: q for q in before.derived.questions(before.core)}
    new = {q.id: q for q in after.derived.questions(after.core)}
    for id in old:
        if id not in new:
            yield out.QuestionCleared(after.id, id)
    for id, reason in new.items():
        if id not in old:
            text = question_text(reason, secret=not after.core.shown)
            yield out.QuestionRaised(after.id, id, reason.zone, reason.kind, text)


def _boxes(before: RoundState | None, after: RoundState) -> Iterable[out.Output]:
    old: dict[int, Any] = {} if before is None else _results(before)
    new = _results(after)
    for box in old:
        if box not in new:
            why = blocking(after.core, after.derived.reasons, zone_of(box))
            yield out.BoxUnsettled(after.id, box, tuple(reason.id for reason in why))
    for box, (result, assumed) in new.items():
        if old.get(box) != (result, assumed):
            yield out.BoxSettled(after.id, box, result, assumed)


def _results(state: RoundState) -> dict[int, tuple[Any, bool]]:
    return {
        box: (result, is_assumed(state.core, state.core.box(box), state.plan))
        for box, result in state.derived.settlements.results.items()
    }


def _acts(before: RoundState | None, after: RoundState, reason: str) -> Iterable[out.Output]:
    if before is None:
        return
    old, new = before.core, after.core
    shown = {b.box for b in new.boxes if b.revealed} - {b.box for b in old.boxes if b.revealed}
    if shown:
        yield out.Revealed(after.id, tuple(sorted(shown)))
    if old.held != new.held:
        yield out.HandHeld(after.id, new.held, new.hold_reason if new.held else reason)
    if new.voided is not None and old.voided is None:
        yield out.RoundVoided(after.id, *new.voided)


def _settled(before: RoundState | None, after: RoundState) -> Iterable[out.Output]:
    new = round_settled(after)
    if new is None:
        return
    old = None if before is None else round_settled(before)
    if old is None or old != new:
        corrected = before is not None and before.recorded
        yield out.RoundSettled(after.id, **new, corrected=corrected)


def round_settled(state: RoundState) -> dict[str, Any] | None:
    """What the record keeps of a complete round; None while it is not complete."""
    core, settlements = state.core, state.derived.settlements
    playing = [box for box in core.boxes if core.in_play(box)]
    if not state.derived.complete or not playing:
        return None
    results = settlements.results
    return {
        "case": settlements.case,
        "settlement": settlements.whole,
        "assumed": tuple(
            b.box for b in playing if b.box in results and is_assumed(core, b, state.plan)
        ),
        "overruled": tuple((b.box, *b.overruled) for b in playing if b.overruled),
        "answers": tuple(
            (b.box, answered(state, b))
            for b in playing
            if b.answers or state.settings.mode == "training"
        ),
        "hands": hands(state),
    }
