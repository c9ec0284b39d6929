"""What the buttons do: presses become the same actions that the page posts. Pure.

``PanelModel`` remembers only where the dealer is on the panel (box, field, question, card, own
settlement so far); everything else is read from the round's snapshot at each press.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from firmware_bridge import asks, dealt, entries, picks
from firmware_bridge.protocol import BUTTONS, Kind
from firmware_bridge.screen import display, lights
from firmware_bridge.view import (
    Action,
    Lines,
    Offer,
    Snapshot,
    Translate,
    View,
    answering,
    box_of,
    frozen,
    shown,
    sure,
)

DEFERRED: Final = frozenset({"next", "exchange", "reveal", "sixth"})
"""Buttons with a second meaning when held: they act when let go."""
_LONG_STEPS: Final = 9
_REASON: Final = "panel"

Offers = Callable[[Snapshot], Offer]


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


class PanelModel:
    """The panel as a person uses it.

    ``translate`` turns a gettext id into the language of the display; ``offers`` tells what the
    house of a snapshot sells.
    """

    def __init__(
        self, translate: Translate = str, offers: Offers = lambda snapshot: Offer()
    ) -> None:
        self._translate = translate
        self._offers = offers
        self._view = View()
        self._round: object = None
        self._waiting: set[str] = set()
        self._told: dict[int, str] = {}
        self._seen: dict[int, str] = {}

    @property
    def selected(self) -> int | None:
        """The box chosen, if any."""
        return self._view.selected

    def notice(self, text: str) -> None:
        """Show a short message on the last line until the next press."""
        self._view = replace(self._view, notice=text)

    def late(self) -> None:
        """A press came too late to act: say so, it must be given again."""
        self.notice(self._translate(_("LATE: press again")))

    def choose(self, number: int | None, snapshot: Snapshot) -> None:
        """Choose a box as the page does: the same box again changes nothing, None chooses none."""
        self._enter(snapshot)
        if number != self._view.selected and (number is None or box_of(snapshot, number)):
            self._view = View(selected=number)

    def seen(self) -> None:
        """The display shows what it was last told: what is confirmed from now on is that."""
        self._seen = self._told

    def saw(self, box: int) -> bool:
        """Whether the dealer has seen the entries of this box as they were last told."""
        return box in self._told and self._seen.get(box) == self._told[box]

    def entered(self, box: int, snapshot: Snapshot) -> None:
        """The dealer has entered something for a box that he saw: he knows what it is now."""
        mark = (box_of(snapshot, box) or {}).get("entries")
        if mark:
            self._seen = {**self._seen, box: mark}

    def event(self, kind: Kind, button: str, snapshot: Snapshot) -> list[Action]:
        """The actions of one key event of the board (S11: every kind has its meaning).

        A stuck key does nothing; a press and its long press never act both.
        """
        if kind is Kind.PRESS and button in DEFERRED:
            self._waiting.add(button)
            return []
        if kind is Kind.PRESS:
            return self.press(button, snapshot)
        if kind is Kind.RELEASE and button in self._waiting:
            self._waiting.discard(button)
            return self.press(button, snapshot)
        if kind is Kind.LONG:
            if button in DEFERRED and button not in self._waiting:
                return []
            self._waiting.discard(button)
            return self.long(button, snapshot)
        return []

    def forget(self) -> None:
        """The link was lost: a press begun before has no end any more."""
        self._waiting.clear()

    def press(self, button: str, snapshot: Snapshot) -> list[Action]:
        """The actions ``(name, body)`` of a short press; names and bodies of the page's API."""
        if button not in BUTTONS:
            raise ValueError(f"unknown button {button!r}")
        self._enter(snapshot)
        if button.startswith("box"):
            return self._choose(int(button[3:]), snapshot)
        if button in _ANYWHERE:
            return _ANYWHERE[button](snapshot)
        self._view, actions = self._step(button, snapshot)
        return [self._marked(action) for action in actions]

    def _marked(self, action: Action) -> Action:
        """A confirm names the entries that the dealer saw, so that no others are confirmed."""
        name, body = action
        mark = self._seen.get(body.get("box", 0)) if name == "confirm" else None
        return (name, {**body, "entries": mark}) if mark else action

    def _step(self, button: str, snapshot: Snapshot) -> tuple[View, list[Action]]:
        """Where the dealer is decides what the other buttons mean."""
        view, translate = self._view, self._translate
        if view.ask is not None:
            return asks.press(view, button, snapshot, translate)
        if view.pick is not None:
            return picks.press(view, button, snapshot, translate)
        if view.dealt is not None:
            return dealt.press(view, button, snapshot, translate)
        box = box_of(snapshot, view.selected)
        if box is None:
            return self._nothing_chosen(button, snapshot)
        if shown(snapshot, box) and not view.fixing:
            return entries.look(view, button, box, snapshot)
        if view.fixing or answering(snapshot, box):
            return entries.answer(view, button, box, self._offers(snapshot), translate)
        return entries.enter(view, button, box, snapshot, self._offers(snapshot), translate)

    def _nothing_chosen(self, button: str, snapshot: Snapshot) -> tuple[View, list[Action]]:
        view = self._view
        if button == "confirm":
            return view, _confirm_all(snapshot)
        ask = asks.begin(snapshot, self._translate) if button in ("plus", "minus") else None
        if ask is not None:
            return View(ask=ask), []
        return replace(view, notice=self._translate(_("Choose a box first"))), []

    def long(self, button: str, snapshot: Snapshot) -> list[Action]:
        """The actions of a press held down: plus and minus go on nine steps (ten in all), next
        calls a misdeal, exchange takes the last entry back, reveal overrules by hand, sixth opens
        the cards of the box chosen (else the dealer's) to put them right, or leaves them."""
        self._enter(snapshot)
        if button == "next":
            return [("void", {"reason": _REASON})]
        if button == "exchange":
            return [("undo", {"reason": _REASON})]
        if button == "reveal":
            return [("overrule", {"box": self._view.selected, "reason": _REASON})]
        box = box_of(snapshot, self._view.selected)
        if button == "sixth":
            self._cards("dealer" if box is None else box["zone"], snapshot)
        if button in ("plus", "minus") and box is not None and not self._view.apart:
            up, offer = button == "plus", self._offers(snapshot)
            if shown(snapshot, box) and not self._view.fixing:
                return []
            if self._view.fixing or answering(snapshot, box):
                self._view = entries.step_draft(self._view, up, box, offer, _LONG_STEPS)
            elif box.get("in_play"):
                return entries.step(self._view, up, box, snapshot, offer, _LONG_STEPS)
        return []

    def _cards(self, zone: str, snapshot: Snapshot) -> None:
        selected = self._view.selected
        if self._view.pick is not None:
            self._view = View(selected=selected)
        else:
            self._view = View(selected=selected, pick=picks.begin(snapshot, zone))

    def display(self, snapshot: Snapshot) -> Lines:
        """The four display lines, 20 ASCII characters each."""
        self._enter(snapshot, keep_notice=True)
        boxes = snapshot.get("boxes", ())
        self._told = {box["box"]: box["entries"] for box in boxes if box.get("entries")}
        return display(snapshot, self._view, self._translate, self._offers(snapshot))

    def lights(self, snapshot: Snapshot) -> tuple[int, ...]:
        """The six box lights; see ``screen.lights``."""
        return lights(snapshot)

    def _enter(self, snapshot: Snapshot, keep_notice: bool = False) -> None:
        """A new round starts with nothing chosen; a press takes the notice away."""
        if snapshot.get("id") != self._round:
            self._round = snapshot.get("id")
            self._view = View(notice=self._view.notice if keep_notice else "")
        elif not keep_notice:
            self._view = replace(self._view, notice="")
        view = dealt.settle(picks.settle(self._view, snapshot), snapshot)
        self._view = asks.settle(view, snapshot, self._translate)

    def _choose(self, number: int, snapshot: Snapshot) -> list[Action]:
        view = self._view
        if box_of(snapshot, number) is None:
            self.notice(self._translate(_("No such box here")))
        elif view.selected == number and not view.apart:
            self._view = View()
        else:
            self._view = View(selected=number)
        return []


_ANYWHERE: Final[dict[str, Callable[[Snapshot], list[Action]]]] = {
    "reveal": lambda snapshot: [("reveal", {})],
    "next": lambda snapshot: [("next", {})],
    "hold": lambda snapshot: [("hold", {"held": not frozen(snapshot), "reason": _REASON})],
}
"""Buttons that mean the same wherever one is."""


def _confirm_all(snapshot: Snapshot) -> list[Action]:
    return [
        ("confirm", {"box": box["box"]})
        for box in snapshot.get("boxes", ())
        if box.get("in_play") and not sure(box)
    ]
