"""What the buttons do: presses become the same actions that the page posts. Pure.

``PanelModel`` remembers only where the dealer is on the panel (box, field, own settlement so far);
everything else is read from the round's snapshot at each press.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from firmware_bridge.protocol import BUTTONS, Kind
from firmware_bridge.screen import (
    ENTRY_FIELDS,
    RESULTS,
    DraftBet,
    Lines,
    Snapshot,
    Translate,
    View,
    answering,
    box_of,
    display,
    lights,
    placed,
    shown,
    sure,
    wrong,
)

Action = tuple[str, dict[str, Any]]

DEFERRED: Final = frozenset({"next", "exchange", "reveal"})
"""Buttons with a second meaning when held: they act when let go."""
_LONG_STEPS: Final = 9
_REASON: Final = "panel"


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


class PanelModel:
    """The panel as a person uses it.

    ``translate`` turns a gettext id into the language of the display.
    """

    def __init__(self, translate: Translate = str) -> None:
        self._translate = translate
        self._view = View()
        self._round: object = None
        self._waiting: set[str] = set()

    @property
    def selected(self) -> int | None:
        """The box chosen, if any."""
        return self._view.selected

    def notice(self, text: str) -> None:
        """Show a short message on the last line until the next press."""
        self._view = replace(self._view, notice=text)

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
        plain = self._plain(button, snapshot)
        if plain is not None:
            return plain
        box = box_of(snapshot, self._view.selected)
        if button == "confirm" and box is None:
            return self._confirm_all(snapshot)
        if box is None:
            self.notice(self._translate(_("Choose a box first")))
            return []
        if shown(snapshot, box) and not self._view.fixing:
            return self._look(button, box)
        if self._view.fixing or answering(snapshot, box):
            return self._answer(button, box)
        return self._entry(button, box, snapshot)

    def long(self, button: str, snapshot: Snapshot) -> list[Action]:
        """The actions of a press held down: plus and minus go on nine steps (ten in all), next
        calls a misdeal, exchange takes the last entry back, reveal overrules by hand."""
        self._enter(snapshot)
        if button == "next":
            return [("void", {"reason": _REASON})]
        if button == "exchange":
            return [("undo", {})]
        if button == "reveal":
            return [("overrule", {"box": self._view.selected, "reason": _REASON})]
        box = box_of(snapshot, self._view.selected)
        if button in ("plus", "minus") and box is not None:
            if self._view.fixing or answering(snapshot, box):
                for _step in range(_LONG_STEPS):
                    self._step_draft(button == "plus", box)
                return []
            if box.get("in_play"):
                return self._step(button == "plus", box, snapshot, _LONG_STEPS)
        return []

    def display(self, snapshot: Snapshot) -> Lines:
        """The four display lines, 20 ASCII characters each."""
        self._enter(snapshot, keep_notice=True)
        return display(snapshot, self._view, self._translate)

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

    def _choose(self, number: int, snapshot: Snapshot) -> list[Action]:
        if box_of(snapshot, number) is None:
            self.notice(self._translate(_("No such box here")))
        elif self._view.selected == number:
            self._view = View()
        else:
            self._view = View(selected=number)
        return []

    def _plain(self, button: str, snapshot: Snapshot) -> list[Action] | None:
        """Buttons that mean the same wherever one is."""
        if button == "reveal":
            return [("reveal", {})]
        if button == "next":
            return [("next", {})]
        if button == "hold":
            return [("hold", {"held": not snapshot.get("held"), "reason": _REASON})]
        return None

    def _confirm_all(self, snapshot: Snapshot) -> list[Action]:
        return [
            ("confirm", {"box": box["box"]})
            for box in snapshot.get("boxes", ())
            if box.get("in_play") and not sure(box)
        ]

    def _look(self, button: str, box: Any) -> list[Action]:
        if button == "confirm" and wrong(box):
            self._view = View(selected=self._view.selected, fixing=True)
        if button in ("bet", "plus"):
            self._view = replace(self._view, at=self._view.at + 1)
        return []

    def _entry(self, button: str, box: Any, snapshot: Snapshot) -> list[Action]:
        number = box["box"]
        if not box.get("in_play"):
            return [("bets", {"box": number, "in_play": True})] if button == "plus" else []
        table: dict[str, Callable[[], list[Action]]] = {
            "bet": self._next_field,
            "plus": lambda: self._step(True, box, snapshot, 1),
            "minus": lambda: self._step(False, box, snapshot, 1),
            "fold": lambda: _bets(number, action=_other(box.get("action"), "fold", "play")),
            "sixth": lambda: _bets(number, sixth=not box.get("sixth")),
            "exchange": lambda: _bets(number, exchanged=(box.get("exchanged", 0) + 1) % 6),
            "confirm": lambda: [("confirm", {"box": number})],
        }
        return table[button]()

    def _next_field(self) -> list[Action]:
        self._view = replace(self._view, at=(self._view.at + 1) % len(ENTRY_FIELDS))
        return []

    def _step(self, up: bool, box: Any, snapshot: Snapshot, steps: int) -> list[Action]:
        """Change the field chosen. The least ante minus one step takes the box out of play."""
        name = ENTRY_FIELDS[self._view.at % len(ENTRY_FIELDS)]
        if name == "buy":
            return _bets(box["box"], buy=up)
        limits = snapshot["table"]
        bets = box.get("bets", {})
        now = _decimal(bets.get(name) or 0)
        step = _step_of(name, bets, limits)
        then = now + step * steps if up else now - step * steps
        if name == "ante":
            least, most = _decimal(limits["ante_min"]), _decimal(limits["ante_max"])
            if then < least and now == least and steps == 1:
                return _bets(box["box"], in_play=False)
            then = min(max(then, least), most)
        then = max(then, Decimal(0))
        return [] if then == now else _bets(box["box"], bets={name: _number(then)})

    def _answer(self, button: str, box: Any) -> list[Action]:
        names = placed(box)
        if button == "bet":
            self._view = replace(self._view, at=(self._view.at + 1) % max(len(names), 1))
        elif button in ("plus", "minus"):
            self._step_draft(button == "plus", box)
        elif button == "exchange":
            self._turn_draft(box)
        elif button == "confirm":
            return self._give(box, names)
        return []

    def _give(self, box: Any, names: tuple[str, ...]) -> list[Action]:
        draft = self._view.draft
        if any(name not in draft for name in names):
            self.notice(self._translate(_("Some bets have no answer")))
            return []
        bets = {
            name: {"result": draft[name].result, "amount": _number(draft[name].amount)}
            for name in names
        }
        self._view = replace(self._view, fixing=False)
        return [("answer", {"box": box["box"], "bets": bets})]

    def _draft_at(self, box: Any) -> tuple[str, Decimal, DraftBet | None]:
        names = placed(box)
        name = names[self._view.at % len(names)]
        return name, _decimal(box["bets"][name]), self._view.draft.get(name)

    def _put_draft(self, name: str, bet: DraftBet) -> None:
        self._view = replace(self._view, draft={**self._view.draft, name: bet})

    def _step_draft(self, up: bool, box: Any) -> None:
        """Plus pays one stake more (1:1, 2:1 …); minus one less, below nothing it is taken."""
        name, stake, draft = self._draft_at(box)
        paid = draft.amount if draft is not None and draft.result == "win" else Decimal(0)
        paid += stake if up else -stake
        self._put_draft(name, DraftBet("win", paid) if paid > 0 else DraftBet("lose", stake))

    def _turn_draft(self, box: Any) -> None:
        name, stake, draft = self._draft_at(box)
        at = RESULTS.index(draft.result) + 1 if draft is not None else 0
        result = RESULTS[at % len(RESULTS)]
        amount = stake if result in ("win", "lose") else Decimal(0)
        self._put_draft(name, DraftBet(result, amount))


def _bets(number: int, **entries: Any) -> list[Action]:
    return [("bets", {"box": number, **entries})]


def _other(now: object, one: str, two: str) -> str:
    return two if now == one else one


def _decimal(amount: object) -> Decimal:
    return Decimal(str(amount))


def _number(amount: Decimal) -> int | Decimal:
    return int(amount) if amount == amount.to_integral_value() else amount


def _step_of(name: str, bets: Any, limits: Any) -> Decimal:
    """How much one press of plus changes: ante by the least ante, insurance by one ante, bet by one
    ante, bonus by a tenth of the ante (its usual size)."""
    ante = _decimal(bets.get("ante") or limits["ante_min"])
    if name == "ante":
        return _decimal(limits["ante_min"])
    return ante / 10 if name == "bonus" else ante
