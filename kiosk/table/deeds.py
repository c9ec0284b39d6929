"""Which entries need somebody's leave: those that end a dispute or change what was shown (P4, P5).

Pure: it names the right that an entry needs; who has it is known to ``kiosk.people.roles``.
"""

from __future__ import annotations

from collections.abc import Mapping

from kiosk.errors import ActionError
from kiosk.table import events as e
from kiosk.table.places import box_of
from kiosk.table.round import last_undoable
from kiosk.table.round_state import RoundState

RIGHTS: Mapping[str, str] = {
    "overrule": "round.overrule",
    "void": "round.void",
    "hold": "round.release",
    "undo": "round.undo-shown",
    "bets": "round.late-bets",
    "cards": "round.late-cards",
}
"""Action → the right that it needs where it needs one."""

OF_SUPERVISORS = frozenset({"round.overrule"})
"""Rights that an instructor has not: a wrong settlement passes by a supervisor's word only (P4)."""

WITH_REASON = frozenset(
    {"round.undo-shown", "round.release", "round.late-bets", "round.late-cards"}
)
"""Rights whose entries need a reason besides; those of the others cannot be without one."""


def right_of(state: RoundState, event: e.PersonEvent) -> str | None:
    """The right that the entry needs now; None: anybody at the table may enter it."""
    if isinstance(event, e.Overruled):
        return RIGHTS["overrule"]
    if isinstance(event, e.VoidCalled):
        return RIGHTS["void"]
    if isinstance(event, e.HoldSet):
        return None if event.held else RIGHTS["hold"]
    if isinstance(event, e.UndoPressed):
        return RIGHTS["undo"] if _undoes_much(state) else None
    if isinstance(event, e.BetsEntered):
        return RIGHTS["bets"] if _is_late(state, event.box) else None
    if isinstance(event, e.CardEntered | e.DealtEntered | e.DoubtAnswered):
        return RIGHTS["cards"] if _was_shown(state, event.zone) else None
    if isinstance(event, e.MeterEntered):
        return RIGHTS["bets"] if any(_is_late(state, box.box) for box in state.core.boxes) else None
    return None


def check_reason(right: str, event: e.PersonEvent) -> None:
    """ActionError when an entry of that right lacks its reason."""
    reason = getattr(event, "reason", "")
    if right in WITH_REASON and not reason.strip():
        raise ActionError("reason-needed", "This entry needs a reason.", 409)


def _undoes_much(state: RoundState) -> bool:
    """Whether undo would take back an act of an instructor, the freeze, or what was shown."""
    event = last_undoable(state)
    if isinstance(event, e.Overruled | e.VoidCalled | e.HoldSet):
        return True
    return state.settings.mode == "training" and (
        state.core.shown or any(box.overruled for box in state.core.boxes)
    )


def _is_late(state: RoundState, number: int) -> bool:
    """Whether the settlement of the box has been shown: its bets were laid before that; or whether
    the next deal lies on the felt: what is entered may be meant for that. The demo shows by itself,
    so that bets are always entered after it."""
    if state.settings.mode == "demo":
        return False
    if state.core.cleared and state.core.new_deal:
        return True
    return number in _shown_boxes(state)


def _was_shown(state: RoundState, zone: str | None) -> bool:
    """Whether a settlement that rests on the cards of the zone has been shown: other cards would
    make a wrong answer right (P4). The demo shows by itself."""
    if zone is None or state.settings.mode == "demo":
        return False
    number, shown = box_of(zone), _shown_boxes(state)
    return bool(shown) if number is None else number in shown


def _shown_boxes(state: RoundState) -> frozenset[int]:
    return frozenset(
        box.box for box in state.core.boxes if box.revealed or box.overruled is not None
    )
