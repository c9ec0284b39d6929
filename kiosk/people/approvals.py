"""Leave given on the spot: an instructor's PIN lets one action pass. And the set-up code."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

from kiosk.people.accounts import Person
from kiosk.people.roles import may

LASTS_S = 60
MOST = 100
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters that look like others."""


@dataclass(frozen=True, slots=True)
class Approval:
    """Who allows which right, until when."""

    person: Person
    right: str
    until: float


class Approvals:
    """Approvals that wait to be used; each lets one action pass, soon."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._given: dict[str, Approval] = {}

    def give(self, person: Person, right: str) -> str | None:
        """A token for one action with that right; None when the person has not the right."""
        if not may(person.role, right):
            return None
        now = self._clock()
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._given = {t: a for t, a in self._given.items() if 0 < a.until - now <= LASTS_S}
            while len(self._given) >= MOST:
                self._given.pop(next(iter(self._given)))
            self._given[token] = Approval(person, right, now + LASTS_S)
        return token

    def take(self, token: str, right: str) -> Person | None:
        """The person who allowed it, None when nobody did. A token is good for one try."""
        with self._lock:
            found = self._given.pop(token, None)
        if found is None or found.right != right:
            return None
        return found.person if 0 < found.until - self._clock() <= LASTS_S else None


class SetupCode:
    """The code of one run of the kiosk with which the first admin is made."""

    def __init__(self) -> None:
        letters = "".join(secrets.choice(_LETTERS) for _ in range(12))
        self.text = "-".join(letters[place : place + 4] for place in (0, 4, 8))
        self._spent = False

    def fits(self, code: str) -> bool:
        """Whether it is the code; case, spaces and dashes do not count."""
        given = "".join(code.split()).replace("-", "").upper()
        mine = self.text.replace("-", "")
        return hmac.compare_digest(given.encode(), mine.encode()) and not self._spent

    def spend(self) -> None:
        """The code is good no more."""
        self._spent = True
