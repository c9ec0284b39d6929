"""Questions that outlive what raised them: a hand that the camera contradicts is not put right by
its cards being taken away.

What was seen stands until a person has answered it, or until the cards that it is about lie in full
sight again and it is seen no more.
"""

from __future__ import annotations

from dataclasses import replace

from kiosk.table import events as e
from kiosk.table.places import small_of, zone_of
from kiosk.table.reason import Kept, Reason
from kiosk.table.state import DEALER, Core, RoundSettings
from kiosk.table.zones import whole


def still_open(core: Core, found: list[Reason]) -> list[Reason]:
    """The reasons that are seen no more and not answered either."""
    here = {reason.id for reason in found}
    return [
        _without_cards(one.reason)
        for one in core.kept
        if one.reason.id not in here and any(_away(core, name) for name in one.zones)
    ]


def _away(core: Core, name: str) -> bool:
    """The cards of the zone's hand do not all lie in sight."""
    zone = core.zone(name)
    hidden = core.cleared or zone.bare or zone.view.occluded or not whole(zone)
    return bool(zone.hand) and hidden


def _without_cards(reason: Reason) -> Reason:
    """The question as it is asked when its cards are gone: a person may say that all was right."""
    actions = [action for action in reason.actions if action not in ("name-card", "no-card")]
    return replace(
        reason,
        evidence=False,
        doubt=None,
        sign=reason.sign or "kept",
        actions=tuple(dict.fromkeys((*actions, "dismiss"))),
    )


def keep(core: Core, reasons: tuple[Reason, ...], t: float, settings: RoundSettings) -> Core:
    """Notes which of the reasons of time ``t`` have to be answered whatever becomes of the cards.

    Those that are asked; and those that keep a hand from ever being settled, once they have stood
    as long as a hand must lie still.
    """
    before = {one.reason.id: one for one in core.kept}
    since = {entry.id: entry.since for entry in core.asked}
    kept = []
    for reason in reasons:
        old = before.get(reason.id)
        if not reason.evidence:
            kept += [] if old is None else [old]
            continue
        stood = t - since.get(reason.id, t) >= settings.settle_after
        open_hand = any(not core.zone(name).fixed for name in reason.touches)
        if old is not None or core.is_asked(reason.id) or (stood and open_hand):
            zones = _in_sight(core, reason) | (old.zones if old is not None else frozenset())
            kept.append(Kept(reason, zones))
    return core if tuple(kept) == core.kept else replace(core, kept=tuple(kept))


def _in_sight(core: Core, reason: Reason) -> frozenset[str]:
    """Of the zones that it touches those whose cards lie there."""
    if reason.zone is not None and reason.touches == {reason.zone}:
        return reason.touches
    return frozenset(name for name in reason.touches if not _away(core, name))


def answered(core: Core, event: e.PersonEvent | e.ShownKept) -> Core:
    """Without what the person's entry answers: it is asked again if it is still seen."""
    zones = _answers(event)
    kept = tuple(one for one in core.kept if not zones & one.zones)
    return core if kept == core.kept else replace(core, kept=kept)


def _answers(event: e.PersonEvent | e.ShownKept) -> frozenset[str]:
    """The zones whose cards the entry is about."""
    if isinstance(event, e.CardEntered | e.DealtEntered):
        return frozenset({event.zone})
    if isinstance(event, e.DoubtAnswered):
        return frozenset({event.zone or DEALER})
    if not isinstance(event, e.BetsEntered):
        return frozenset()
    said = (event.action, event.exchanged, event.sixth, event.in_play, event.extra_two)
    box = {zone_of(event.box), small_of(event.box)} if any(x is not None for x in said) else set()
    return frozenset(box | ({DEALER} if event.buy is not None else set()))
