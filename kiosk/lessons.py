"""Mistakes at the live table, handed on to the drills of who made them: by a thread of its own, so
that no file is waited for at the table."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.errors import ActionError
from kiosk.people import People
from kiosk.record.schema import Place
from kiosk.record.terms import NOBODY
from kiosk.teach.drills import Drills, Trainee

log = logging.getLogger(__name__)

_MOST_WAITING = 1000
"""Hands; a file that cannot be used must not fill the memory."""

Answers = Iterable[tuple[int, Mapping[str, Any]]]
"""Box and its answer, as the record keeps it."""


class Lessons:
    """Takes hands that are over and has their mistakes asked again. ``over`` never waits."""

    def __init__(self, drills: Drills, people: People) -> None:
        self._drills, self._people = drills, people
        self._waiting: deque[tuple[str, str, tuple[Mapping[str, Any], ...]]] = deque(
            maxlen=_MOST_WAITING
        )
        self._wake = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="lessons", daemon=True)

    def start(self) -> None:
        """Begins to work."""
        self._thread.start()

    def stop(self, timeout: float = 3.0) -> None:
        """Finishes what waits, then ends; returns within so many seconds."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def over(self, place: Place, answers: Answers) -> None:
        """A hand is over. Only training hands teach something: who answered, or, where nobody
        known did, who dealt."""
        if place.mode != "training":
            return
        mistakes: dict[str, list[Mapping[str, Any]]] = {}
        for _, answer in answers:
            who = answer.get("who")
            person = place.person if who is None or who in NOBODY else str(who)
            if person is not None:
                mistakes.setdefault(person, []).extend(answer.get("mistakes", ()))
        with self._wake:
            self._waiting += [
                (person, place.house, tuple(made)) for person, made in mistakes.items() if made
            ]
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._stopping)
                if not self._waiting:
                    return
                person, house, mistakes = self._waiting.popleft()
            try:
                self._learn(person, house, mistakes)
            except ActionError as problem:
                log.warning("mistakes at the table could not be kept: %s", problem)
            except Exception:
                log.exception("mistakes at the table could not be kept")

    def _learn(self, person: str, house: str, mistakes: Iterable[Mapping[str, Any]]) -> None:
        if not self._is_known(person):
            return
        trainee = Trainee(person, guest=False)
        self._drills.learn(trainee, house, mistakes)
        if not self._is_known(person):
            # Erased meanwhile, perhaps before this was kept.
            self._drills.forget(person)

    def _is_known(self, person: str) -> bool:
        found = self._people.person(person)
        return found is not None and found.erased is None
