"""The life of a round: ``new_round``, ``apply``, ``replay``.

The log of events is the only history: the state is what replaying it gives, and undo replays it
without the event taken back. Time comes in with the events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from kiosk.errors import ActionError, UserError
from kiosk.sightings import TableView
from kiosk.table import events as e
from kiosk.table import outputs as out
from kiosk.table.checks import Desk, verify
from kiosk.table.dealer import buyers, fix_shared, take_draw
from kiosk.table.evidence import look, unwatched
from kiosk.table.happenings import happenings
from kiosk.table.kept import keep
from kiosk.table.leftovers import handed_over
from kiosk.table.people import enter, keep_shown, reveal
from kiosk.table.places import SHARED
from kiosk.table.plan import Plan
from kiosk.table.questions import table_reasons
from kiosk.table.reasons import blocking, update_asked
from kiosk.table.round_state import Entry, RoundState
from kiosk.table.snapshot import case_of, snapshot
from kiosk.table.stages import derive
from kiosk.table.state import DEALER, Core, RoundSettings, bare_core
from kiosk.table.zones import merge, watch_felt

__all__ = [
    "RoundState",
    "apply",
    "can",
    "case_of",
    "check_settings",
    "count_up",
    "is_untouched",
    "last_undoable",
    "new_round",
    "replay",
    "snapshot",
    "with_next",
    "with_settings",
]

PASSES = 6
"""Bound of the passes in which a change settles down; three are needed at most in practice."""

LONGEST_LOG = 1000
"""Entries kept for undo: a table left alone for hours must not fill the memory."""


def new_round(settings: RoundSettings, id: str, t: float = 0.0) -> RoundState:
    """A round on felt that nobody has looked at yet. UserError: settings that do not fit."""
    check_settings(settings)
    return _begin(settings, id, bare_core(settings, t), 1, t)


def check_settings(settings: RoundSettings) -> None:
    """UserError for settings under which no round can be played."""
    plan = settings.plan
    if not settings.boxes or len(set(settings.boxes)) != len(settings.boxes):
        raise UserError(f"boxes {settings.boxes}: expected different box numbers, at least one")
    if len(settings.boxes) > plan.house.max_boxes:
        raise UserError(
            f"the layout has {len(settings.boxes)} boxes, house {settings.house} allows "
            f"{plan.house.max_boxes}: choose another layout or house"
        )
    if not 0 < settings.ante_min <= settings.ante_max:
        raise UserError(
            f"ante limits {settings.ante_min} to {settings.ante_max}: expected 0 < min <= max"
        )


def _begin(settings: RoundSettings, id: str, base: Core, version: int, t: float) -> RoundState:
    derived = derive(base, settings, settings.plan)
    return RoundState(settings, id, base, (), base, derived, version, t)


def apply(state: RoundState, event: e.Event) -> tuple[RoundState, tuple[out.Output, ...]]:
    """The state after an event, and what happened. ActionError: the person cannot do that now."""
    t = max(event.t, state.now)
    if not isinstance(event, e.ViewSeen | e.Tick):
        verify(Desk(state.core, state.settings, state.plan, state.derived), event)
    if isinstance(event, e.NextPressed):
        return _finish(state, t)
    if isinstance(event, e.UndoPressed):
        after, said = _undo(state, t, event.who, event.reason or out.SLIP)
    else:
        after = _step(state, event, t)
        said = happenings(state, after, getattr(event, "reason", ""))
    if any(isinstance(output, out.RoundSettled) for output in said):
        after = replace(after, recorded=True)
    if _goes_on(after, t):
        finished, more = _finish(after, t)
        return finished, said + more
    return after, said


def can(state: RoundState, event: e.Event) -> bool:
    """Whether ``apply`` would take the event."""
    try:
        apply(state, event)
    except ActionError:
        return False
    return True


def replay(base: Core, log: Iterable[Entry], settings: RoundSettings) -> Core:
    """The state that a log leads to from the beginning of its round."""
    plan = settings.plan
    core = base
    for t, event in log:
        core = _reduce(core, event, t, settings, plan)
    return core


def _step(state: RoundState, event: e.Event, t: float) -> RoundState:
    core = _reduce(state.core, event, t, state.settings, state.plan)
    if core == state.core:
        if isinstance(event, e.ViewSeen | e.Tick):
            return replace(state, now=t)
        return replace(state, now=t, log=(*state.log, (t, event)))
    after = replace(
        state,
        core=core,
        derived=derive(core, state.settings, state.plan),
        log=(*state.log, (t, event)),
        version=state.version + 1,
        now=t,
    )
    return _shortened(after) if len(after.log) > LONGEST_LOG else after


def _shortened(state: RoundState) -> RoundState:
    """The older half of the log becomes the beginning: it can no longer be taken back."""
    cut = len(state.log) // 2
    base = replay(state.base, state.log[:cut], state.settings)
    return replace(state, base=base, log=state.log[cut:])


def _reduce(core: Core, event: e.Logged, t: float, settings: RoundSettings, plan: Plan) -> Core:
    if isinstance(event, e.ViewSeen):
        core = look(core, event.view, t, settings)
    elif not isinstance(event, e.Tick):
        asked = derive(core, settings, plan).questions(core)
        core = enter(core, event, plan, asked)
        if core.waiting is not None and not core.held:
            core = look(unwatched(replace(core, waiting=None)), core.waiting, t, settings)
    for _ in range(PASSES):
        advanced = _advance(core, t, settings, plan)
        if advanced == core:
            break
        core = advanced
    return core


def _advance(core: Core, t: float, settings: RoundSettings, plan: Plan) -> Core:
    """One pass of everything that follows by itself at time ``t``."""
    if not core.held:
        if core.voided is None and not core.cleared:
            core = merge(core, t, settings)
            core = _dealer_on(core, t, settings, plan)
        core = watch_felt(core, t, settings)
    derived = derive(core, settings, plan)
    core = keep(update_asked(core, derived.reasons, t), derived.reasons, t, settings)
    results = derived.settlements.results
    core = replace(core, settled=frozenset(results))
    for box in results:
        for zone in core.places(box):
            if not zone.fixed:
                core = core.with_zone(replace(zone, fixed=True))
    if not derived.complete:
        return replace(core, done_at=None)
    core = core if core.done_at is not None else replace(core, done_at=t)
    return reveal(core) if settings.mode == "demo" else core


def _dealer_on(core: Core, t: float, settings: RoundSettings, plan: Plan) -> Core:
    shared = [zone.zone for zone in core.zones if zone.zone in SHARED]
    if all(core.zone(name).fixed for name in shared) and not buyers(core):
        return core
    reasons = table_reasons(core, settings, plan)
    for name in shared:
        core = fix_shared(core, core.zone(name), plan, bool(blocking(core, reasons, name)))
    return take_draw(core, plan, t, settings, bool(blocking(core, reasons, DEALER)))


def _undo(
    state: RoundState, t: float, who: str, reason: str
) -> tuple[RoundState, tuple[out.Output, ...]]:
    place = _last_undoable(state)
    if place is None:
        raise ActionError("nothing-to-undo", "There is nothing to take back in this hand.")
    _, event = state.log[place]
    assert not isinstance(event, e.ViewSeen | e.Tick | e.ShownKept)
    log = state.log[:place] + state.log[place + 1 :]
    core = replay(state.base, log, state.settings)
    kept = _kept_shown(state, core, t)
    if kept is not None:
        log = (*log, (t, kept))
        core = _reduce(core, kept, t, state.settings, state.plan)
    tick = e.Tick(t)
    now = _reduce(core, tick, t, state.settings, state.plan)
    if now != core:
        log = (*log, (t, tick))
    derived = derive(now, state.settings, state.plan)
    after = replace(state, core=now, derived=derived, log=log, version=state.version + 1, now=t)
    return after, (out.Undone(state.id, who, event, reason), *happenings(state, after, reason))


def _kept_shown(state: RoundState, core: Core, t: float) -> e.ShownKept | None:
    """What an undo that leads to ``core`` must not change: which settlements were shown, and which
    answers came before that. None: it changes nothing of it."""
    results = state.derived.settlements.results
    boxes = tuple(
        (box.box, box.at_reveal if box.revealed else None)
        for box in state.core.boxes
        # Of a box that was taken as settled by hand nothing was shown.
        if not box.revealed or box.box in results or box.overruled is None
    )
    same = all(keep_shown(core.box(box), at) == core.box(box) for box, at in boxes)
    return None if same else e.ShownKept(t, boxes)


def last_undoable(state: RoundState) -> e.Logged | None:
    """The event that undo would take back; None: there is none."""
    place = _last_undoable(state)
    return None if place is None else state.log[place][1]


def _last_undoable(state: RoundState) -> int | None:
    """What was shown cannot be hidden again, nor an answer that was marked be taken back."""
    revealed = {box.box for box in state.core.boxes if box.revealed}
    for place in range(len(state.log) - 1, -1, -1):
        _, event = state.log[place]
        if isinstance(event, e.ViewSeen | e.Tick | e.ShownKept | e.RevealPressed):
            continue
        if isinstance(event, e.AnswerGiven) and event.box in revealed:
            continue
        return place
    return None


def _goes_on(state: RoundState, t: float) -> bool:
    """Whether the next round begins by itself (V15): never while held or disputed."""
    core, settings = state.core, state.settings
    if state.held or not core.cleared:
        return False
    if core.voided is not None:
        return True
    bare_for = 0.0 if core.clear_since is None else t - core.clear_since
    if settings.mode == "demo":
        shown = core.done_at is not None and t - core.done_at >= settings.linger
        return core.new_deal or shown or bare_for >= settings.clear_after + settings.linger
    playing = [box for box in core.boxes if core.in_play(box)]
    seen = all(box.revealed or box.overruled for box in playing)
    if core.short and playing:
        return False
    return state.derived.complete and seen and (core.new_deal or not playing)


def _finish(state: RoundState, t: float) -> tuple[RoundState, tuple[out.Output, ...]]:
    settings = state.next_settings or state.settings
    old = state.core
    zones = tuple(handed_over(zone, old, t, settings) for zone in old.zones)
    base = replace(
        bare_core(settings, t),
        zones=zones,
        conflicts=old.conflicts,
        strays=old.strays,
        outside=old.outside,
        trouble=old.trouble,
    )
    after = _begin(settings, count_up(state.id), base, state.version + 1, t)
    overruled = tuple((box.box, *box.overruled) for box in old.boxes if box.overruled)
    after = replace(after, overruled_before=overruled)
    after = _step(after, e.Tick(t), t)
    said: list[out.Output] = [out.RoundFinished(state.id, state.derived.complete)]
    said += [out.QuestionCleared(state.id, q.id) for q in state.derived.questions(old)]
    return after, (*said, *happenings(None, after))


def count_up(id: str) -> str:
    """The id after this one: ``r-000123`` → ``r-000124``."""
    found = re.fullmatch(r"(.*?)(\d+)", id)
    if found is None:
        return f"{id}-2"
    return f"{found[1]}{int(found[2]) + 1:0{len(found[2])}d}"


def is_untouched(state: RoundState) -> bool:
    """Whether the felt is bare and nobody has entered anything: rules may change here."""
    core = state.core
    return (
        state.derived.stage == "clear"
        and not core.held
        and core.trouble is None
        and all(zone.bare and not (zone.hand or zone.leftover or zone.stale) for zone in core.zones)
        and not (core.strays or core.conflicts or core.outside)
        and all(isinstance(event, e.ViewSeen | e.Tick) for _, event in state.log)
    )


def with_next(state: RoundState, settings: RoundSettings | None) -> RoundState:
    """The same round; the next one is played under other settings, None: under the same.
    ActionError when those know other zones: then the felt must be bare (``with_settings``)."""
    if settings is not None and settings.zones != state.settings.zones:
        raise ActionError("other-zones", "The felt must be bare before its zones change.")
    return replace(state, next_settings=settings)


def with_settings(state: RoundState, settings: RoundSettings) -> RoundState:
    """The same felt under other settings, while no hand is on it. ActionError otherwise."""
    if state.derived.stage != "clear":
        raise ActionError("hand-open", "The hand must be finished before settings change.")
    fresh = new_round(settings, state.id, state.now)
    fresh = replace(fresh, version=state.version + 1)
    views = tuple(zone.view for zone in state.core.zones)
    seen = TableView(state.now, views, state.core.conflicts, state.core.strays)
    return _step(fresh, e.ViewSeen(seen), state.now)
