"""Whether a person's action can be done now; if not, why, in one clear line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

from kiosk.errors import ActionError
from kiosk.table import events as e
from kiosk.table.bodies import RESULT_WORDS, amount, refuse
from kiosk.table.dealer import is_complete
from kiosk.table.entries import entries_mark
from kiosk.table.places import BOARD, box_of, is_small
from kiosk.table.plan import SIDE_BETS, Plan
from kiosk.table.stages import Derived, unanswered_boxes, wrong_boxes
from kiosk.table.state import BoxState, Core, RoundSettings, ZoneState
from kiosk.table.zones import names_now, open_doubts


class Desk:
    """A round as the checks look at it."""

    def __init__(self, core: Core, settings: RoundSettings, plan: Plan, derived: Derived) -> None:
        self.core, self.settings, self.plan, self.derived = core, settings, plan, derived

    def box(self, number: int) -> BoxState:
        try:
            return self.core.box(number)
        except KeyError:
            names = ", ".join(str(box) for box in self.settings.boxes)
            refuse(f"box: there is no box {number}, expected one of {names}")

    def zone(self, name: str) -> ZoneState:
        try:
            return self.core.zone(name)
        except KeyError:
            names = ", ".join(self.settings.zones)
            refuse(f"zone: there is no zone {name[:40]!r}, expected one of {names}")

    def in_play(self, number: int) -> BoxState:
        box = self.box(number)
        if not self.core.in_play(box):
            cannot("not-in-play", f"Box {number} is not in play.")
        return box

    def open(self) -> None:
        """Entries may be made: the hand is neither frozen for a dispute (P5) nor void."""
        if self.core.held:
            cannot("held", "The hand is held: let it go on first.")
        self.not_void()

    def not_void(self) -> None:
        if self.core.voided is not None:
            cannot("void", "The hand is void: go on to the next one.")


def cannot(kind: str, message: str) -> NoReturn:
    raise ActionError(kind, message, 409)


def verify(desk: Desk, event: e.PersonEvent) -> None:
    """Raises ActionError when the event cannot be done; changes nothing."""
    CHECKS[type(event)](desk, event)


def _bets(desk: Desk, event: e.BetsEntered) -> None:
    desk.open()
    box = desk.box(event.box)
    said = (
        event.action,
        event.exchanged,
        event.sixth,
        event.buy,
        event.in_play,
        event.extra_two,
        event.prizes,
    )
    if not event.bets and all(part is None for part in said):
        refuse("nothing was entered for the box")
    for name, value in event.bets:
        _bet(desk, name, value)
    most = desk.plan.most_exchanged
    if event.exchanged is not None and not 0 <= event.exchanged <= most:
        refuse(f"exchanged: expected a number of cards from 0 to {most}")
    if event.sixth and not desk.plan.sixth:
        refuse("sixth: this house sells no sixth card")
    if event.extra_two and not desk.plan.extra_two:
        refuse("extra_two: this house sells no two extra cards")
    if event.prizes and not desk.plan.house.progressive.enabled:
        refuse("prizes: this house has no jackpot")
    if event.buy and not desk.plan.buy:
        refuse("buy: this house does not sell the dealer's game")
    if event.buy and (event.action or box.action) == "fold":
        cannot("folded", f"Box {event.box} has folded: it cannot buy.")


def _bet(desk: Desk, name: str, value: Decimal | None) -> None:
    if name not in desk.plan.bets:
        refuse(f"bets: there is no bet {name[:40]!r}, expected one of {', '.join(desk.plan.bets)}")
    if value is None:
        return
    none = name == "ante" and desk.plan.ante_optional
    checked = amount(value, f"bets.{name}", zero=none or name in SIDE_BETS)
    low, high = desk.settings.ante_min, desk.settings.ante_max
    if name == "ante" and not low <= checked <= high and not (none and checked == 0):
        cannot("ante-out-of-limits", f"The ante must be from {low} to {high}, not {checked}.")


def _meter(desk: Desk, event: e.MeterEntered) -> None:
    desk.open()
    if not desk.plan.house.progressive.enabled:
        refuse("meter: this house has no jackpot")
    if event.amount is not None:
        amount(event.amount, "meter", zero=False)


def _dealt(desk: Desk, event: e.DealtEntered) -> None:
    desk.open()
    zone = desk.zone(event.zone)
    board = event.zone == BOARD
    if not board and (box_of(event.zone) is None or is_small(event.zone)):
        refuse("zone: only the board and the boxes have cards that were dealt first")
    size = desk.plan.flop if board else desk.plan.shape.box_cards
    if len(event.cards) != size:
        refuse(f"dealt: expected {size} cards, not {len(event.cards)}")
    if board and not set(event.cards) <= set(zone.cards):
        cannot("no-such-card", "The flop must be among the cards of the board.")


def _confirmed(desk: Desk, event: e.Confirmed) -> None:
    desk.open()
    box = desk.in_play(event.box)
    if event.entries not in (None, entries_mark(box, desk.settings, desk.plan)):
        cannot(
            "changed",
            f"The bets of box {event.box} were changed meanwhile: look again, then confirm.",
        )


def _card(desk: Desk, event: e.CardEntered) -> None:
    desk.open()
    zone = desk.zone(event.zone)
    if event.was is None and event.card is None:
        refuse("was, card: at least one must be a card")
    held = _held(desk.core, zone)
    read = set(names_now(zone)) | {left.card for left in zone.left}
    if event.was is not None and event.was not in held | read:
        cannot("no-such-card", f"{event.was} is not among the cards of {event.zone}.")
    if event.was is None and event.card in held:
        cannot("duplicate-card", f"{event.card} already is among the cards of {event.zone}.")


def _held(core: Core, zone: ZoneState) -> set[Any]:
    draws = {held.card for held in core.draws} if zone is core.dealer else set()
    return {*zone.cards} | draws


def _doubt(desk: Desk, event: e.DoubtAnswered) -> None:
    desk.open()
    strays = {d.key for d in desk.core.strays} - desk.core.answered_strays
    zone = desk.zone(event.zone) if event.zone is not None else None
    if event.key in strays:
        if event.card is not None and zone is None:
            refuse("zone: say to which zone the card belongs")
        return
    if zone is None or event.key not in open_doubts(zone):
        cannot("no-such-doubt", "This doubt is gone: the table has changed meanwhile.")


def _dismiss(desk: Desk, event: e.QuestionDismissed) -> None:
    desk.open()
    for question in desk.derived.questions(desk.core):
        if question.id == event.question:
            if not question.dismissable:
                cannot("cannot-dismiss", "This question needs an answer; it cannot be dismissed.")
            return
    cannot("no-such-question", "This question is gone: the table has changed meanwhile.")


def _answer(desk: Desk, event: e.AnswerGiven) -> None:
    desk.open()
    desk.in_play(event.box)
    if not event.bets:
        refuse("bets: at least one bet must be answered")
    for name, word, value, stake in event.bets:
        if name not in desk.plan.lines and not name.startswith("prize:"):
            names = ", ".join(desk.plan.lines)
            refuse(f"bets: there is no bet {name[:40]!r}, expected one of {names}")
        if word not in RESULT_WORDS:
            refuse(f"bets.{name}.result: expected one of {', '.join(RESULT_WORDS)}")
        amount(value, f"bets.{name}.amount", zero=True)
        if stake is not None:
            amount(stake, f"bets.{name}.stake_taken", zero=True)


def _reveal(desk: Desk, event: e.RevealPressed) -> None:
    desk.open()
    if not desk.derived.settlements.results and not any(b.overruled for b in desk.core.boxes):
        cannot("nothing-to-reveal", "No box is settled yet.")


def _next(desk: Desk, event: e.NextPressed) -> None:
    core, derived = desk.core, desk.derived
    if core.held:
        cannot("held", "The hand is held: let it go on first.")
    if core.voided is not None:
        return
    if derived.stage == "clear":
        cannot("no-hand", "No hand has been dealt yet.")
    if not derived.complete:
        cannot("not-settled", _missing(desk))
    results = derived.settlements.results
    for number in wrong_boxes(core, results):
        cannot("answer-wrong", f"Box {number}: the answer is wrong. Correct it or overrule it.")
    for number in unanswered_boxes(core, desk.settings, results):
        cannot(
            "answer-missing",
            f"Box {number} was shown without an answer. Enter it or overrule the box.",
        )
    for box in core.boxes:
        if core.in_play(box) and not box.revealed and not box.overruled:
            cannot(
                "not-revealed",
                f"Box {box.box} was answered: reveal the settlement first."
                if box.answers
                else f"Box {box.box} was not answered: answer it, or reveal the settlement first.",
            )


def _missing(desk: Desk) -> str:
    results = desk.derived.settlements.results
    ways = "answer its question, overrule it or void the hand"
    if is_complete(desk.core):
        for box in desk.core.boxes:
            if desk.core.in_play(box) and not box.overruled and box.box not in results:
                return f"Box {box.box} is not settled: {ways}."
    return f"The dealer's hand is not complete: {ways}."


def _hold(desk: Desk, event: e.HoldSet) -> None:
    if event.held == desk.core.held:
        state = "already held" if event.held else "not held"
        cannot("hold", f"The hand is {state}.")


def _overrule(desk: Desk, event: e.Overruled) -> None:
    desk.not_void()
    if not event.reason.strip():
        refuse("reason: must be given")
    if event.box is not None:
        desk.in_play(event.box)
    elif not any(desk.core.in_play(box) for box in desk.core.boxes):
        cannot("not-in-play", "No box is in play.")


def _void(desk: Desk, event: e.VoidCalled) -> None:
    desk.not_void()
    if not event.reason.strip():
        refuse("reason: must be given")
    if desk.derived.stage == "clear":
        cannot("no-hand", "No hand has been dealt yet.")


def _undo(desk: Desk, event: e.UndoPressed) -> None:
    """Whether there is something to take back is known to the log, not to the desk."""


CHECKS: Mapping[type, Callable[[Desk, Any], None]] = {
    e.BetsEntered: _bets,
    e.MeterEntered: _meter,
    e.DealtEntered: _dealt,
    e.Confirmed: _confirmed,
    e.CardEntered: _card,
    e.DoubtAnswered: _doubt,
    e.QuestionDismissed: _dismiss,
    e.AnswerGiven: _answer,
    e.RevealPressed: _reveal,
    e.NextPressed: _next,
    e.HoldSet: _hold,
    e.Overruled: _overrule,
    e.VoidCalled: _void,
    e.UndoPressed: _undo,
}
