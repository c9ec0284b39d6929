"""The one owner of the table's state: a thread fed by one queue.

Views of the camera are coalesced (the newest waits), people's actions are kept in order and
answered. Listeners are told after each step, from this thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import Any

from kiosk.errors import ActionError
from kiosk.sightings import TableView
from kiosk.table.bodies import event_from, for_hand
from kiosk.table.deeds import OF_SUPERVISORS, check_reason, right_of
from kiosk.table.events import Event, PersonEvent, Tick, ViewSeen
from kiosk.table.outputs import Output
from kiosk.table.round import (
    RoundState,
    apply,
    is_untouched,
    new_round,
    with_next,
    with_settings,
)
from kiosk.table.state import RoundSettings

log = logging.getLogger(__name__)

Listener = Callable[[RoundState, RoundState, Event, tuple[Output, ...]], None]
"""Told (before, after, event, outputs) after each step that changed or said something."""

Allowed = Callable[[str], bool]
"""Whether the person who acts has a right (see ``kiosk.table.deeds``)."""

_TICK = 0.2
_ANSWER_WITHIN = 5.0

SILENT = 5.0
"""Seconds without a view after which what was seen last says nothing about the table now."""


_LEAVE = {
    False: "An instructor must allow this with a PIN.",
    True: "A supervisor must allow this with a PIN.",
}

_Rules = tuple[RoundSettings, Callable[[], None]]
"""Settings that wait, and what is called when they take force."""

_Act = tuple[str, dict[str, Any], str, Allowed | None, Future[RoundState]]


def check_right(state: RoundState, event: PersonEvent, allowed: Allowed | None) -> None:
    """ActionError when the entry needs a right that the person has not, or lacks its reason.

    Who may all (``allowed`` None) gives a reason like everybody else.
    """
    right = right_of(state, event)
    if right is None:
        return
    if allowed is not None and not allowed(right):
        raise ActionError("needs-leave", _LEAVE[right in OF_SUPERVISORS], 403)
    check_reason(right, event)


class TableOwner:
    """Owns the round. Rounds count up from ``first_id``; nothing else may give out their ids.

    A view that cannot be taken, and a camera side that falls silent, become a trouble of the
    round: people are asked, as for a lost camera.
    """

    def __init__(
        self,
        settings: RoundSettings,
        first_id: str,
        listener: Listener,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._listener = listener
        self._state = new_round(settings, first_id, clock())
        self._actions: deque[_Act] = deque()
        self._view: TableView | None = None
        self._heard: float | None = None
        self._logged = ""
        self._pending: _Rules | None = None
        self._next: _Rules | None = None
        """Those that ``next_settings`` of the round come from."""
        self._wake = threading.Condition()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.failure: str | None = None
        """Why the last view could not be taken, None when it could."""

    @property
    def state(self) -> RoundState:
        """The round as it stands."""
        return self._state

    def start(self) -> None:
        """Begin to work."""
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish what waits, then end."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(3.0)

    def set_settings(self, settings: RoundSettings, applied: Callable[[], None]) -> None:
        """Other rules from the next round on, or at once on untouched felt: never within a round.
        ``applied`` is called from the table's thread when they take force."""
        with self._wake:
            self._pending = (settings, applied)
            self._wake.notify()

    def see(self, view: TableView) -> None:
        """A new view of the camera; replaces one that still waits."""
        with self._wake:
            self._view = view
            self._heard = self._clock()
            self._wake.notify()

    def act(
        self, name: str, body: dict[str, Any], who: str, allowed: Allowed | None = None
    ) -> RoundState:
        """A person's action, as the POST routes name them. ActionError when it cannot be done, or
        was entered for another hand than lies there when its turn comes.

        ``allowed``: the rights of the person, looked at when the action's turn comes (None: all).
        """
        answer: Future[RoundState] = Future()
        with self._wake:
            if self._stopping:
                raise ActionError("stopping", "The kiosk is being stopped.", 503)
            self._actions.append((name, body, who, allowed, answer))
            self._wake.notify()
        try:
            return answer.result(_ANSWER_WITHIN)
        except TimeoutError:
            if answer.cancel():
                raise ActionError("busy", "The kiosk is too busy; try again.", 503) from None
        # Its turn has come: whoever was told to try again now would do it twice.
        return answer.result()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_work, _TICK)
                action = self._actions.popleft() if self._actions else None
                view, self._view = (None, self._view) if action else (self._view, None)
                if self._stopping and action is None:
                    return
            try:
                if self._pending is not None:
                    # First: what was asked before this action must count for it.
                    self._change_rules()
                if action is not None:
                    self._do(*action)
                else:
                    self._take(ViewSeen(view) if view is not None else self._nothing_seen())
            except Exception as problem:
                # The thread that owns the table must outlive every fault; the page shows this one.
                log.exception("the table's thread met a fault")
                self.failure = f"{type(problem).__name__}: {problem}"

    def _has_work(self) -> bool:
        return bool(self._actions) or self._view is not None or self._stopping

    def _do(
        self,
        name: str,
        body: dict[str, Any],
        who: str,
        allowed: Allowed | None,
        answer: Future[RoundState],
    ) -> None:
        if not answer.set_running_or_notify_cancel():
            return
        try:
            entered = for_hand(body, self._state.id)
            event = event_from(name, entered, self._clock(), who)
            check_right(self._state, event, allowed)
            self._step(event)
        except Exception as problem:
            if not isinstance(problem, ActionError):
                log.exception("the action %s failed", name)
                problem = ActionError("internal", "The kiosk could not do this; see its log.", 500)
            answer.set_exception(problem)
            return
        try:
            answer.set_result(self._state)
        except InvalidStateError:  # pragma: no cover - given up while it was done
            return

    def _change_rules(self) -> None:
        """Puts waiting rules in force if no hand is on the felt and nothing was entered; else the
        next round is played under them, unless they need bare felt: then it is played under the
        rules in force, because older ones that waited are no longer wanted."""
        before, pending = self._state, self._pending
        if pending is None:
            return
        settings, _ = pending
        if is_untouched(before):
            self._state, self._next = with_settings(before, settings), None
            self._tell_rules(pending)
            self._listener(before, self._state, Tick(self._clock()), ())
        elif settings.zones != before.settings.zones:
            self._state, self._next = with_next(before, None), None
        elif self._next is not pending:
            self._state, self._next = with_next(before, settings), pending

    def _tell_rules(self, rules: _Rules) -> None:
        """Says that rules are in force now; newer ones may wait already."""
        with self._wake:
            if self._pending is rules:
                self._pending = None
        try:
            rules[1]()
        except Exception:
            # The round under these rules has begun: it must be recorded all the same.
            log.exception("what hears of new rules failed")

    def _nothing_seen(self) -> Event:
        now = self._clock()
        with self._wake:
            silent = self._heard is not None and now - self._heard > SILENT
            if silent:
                self._heard = None
        return self._distrust("stale") if silent else Tick(now)

    def _distrust(self, word: str) -> ViewSeen:
        return ViewSeen(TableView(self._clock(), (), trouble=word))

    def _take(self, event: Event) -> None:
        try:
            self._step(event)
        except Exception as problem:
            self.failure = f"{type(problem).__name__}: {problem}"
            if self.failure != self._logged:
                self._logged = self.failure
                log.exception("the table could not take %s", type(event).__name__)
            if isinstance(event, ViewSeen) and event.view.trouble is None:
                self._take(self._distrust("not-understood"))
        else:
            if isinstance(event, ViewSeen) and event.view.trouble != "not-understood":
                self.failure = None

    def _step(self, event: Event) -> None:
        before = self._state
        after, outputs = apply(before, event)
        self._state = after
        if after.id != before.id and self._next is not None:
            # Before the listeners: the record begins the new round under the new rules.
            rules, self._next = self._next, None
            self._tell_rules(rules)
        if after.version != before.version or outputs or not isinstance(event, ViewSeen | Tick):
            try:
                self._listener(before, after, event, outputs)
            except Exception:
                # A listener's fault (page, record) must not stop the table.
                log.exception("a listener failed")
