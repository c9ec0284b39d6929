"""The roles, from least to most, and the one table of what each may do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class Role(IntEnum):
    """Each role may do all that those before it may."""

    TRAINEE = 1
    INSTRUCTOR = 2
    SUPERVISOR = 3
    ADMIN = 4

    @property
    def word(self) -> str:
        """The name as it is stored and typed."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Role:
        """The role of that word; ValueError for another."""
        try:
            return cls[word.strip().upper()]
        except KeyError:
            raise ValueError(f"expected one of {', '.join(ROLE_WORDS)}") from None


ROLE_WORDS = tuple(role.word for role in Role)

NEEDS: Mapping[str, Role] = {
    "progress.own": Role.TRAINEE,
    "read.upload": Role.TRAINEE,
    "table.play": Role.TRAINEE,
    "round.overrule": Role.SUPERVISOR,
    "round.void": Role.INSTRUCTOR,
    "round.release": Role.INSTRUCTOR,
    "round.undo-shown": Role.INSTRUCTOR,
    "round.late-bets": Role.INSTRUCTOR,
    "round.late-cards": Role.INSTRUCTOR,
    "class.view": Role.INSTRUCTOR,
    "calibrate": Role.INSTRUCTOR,
    "settings.view": Role.INSTRUCTOR,
    "people.trainees": Role.INSTRUCTOR,
    "audit": Role.SUPERVISOR,
    "dispute.release": Role.SUPERVISOR,
    "people.all": Role.ADMIN,
    "settings.edit": Role.ADMIN,
}
"""Right → the least role that has it. What stands not here is open to all at the table."""

BY_PASSWORD = frozenset({"people.trainees", "people.all", "settings.view", "settings.edit"})
"""Rights over accounts and settings: only who signed in with the password has them."""


def may(role: Role | None, right: str) -> bool:
    """Whether the role (None: nobody signed in) has the right. KeyError for an unknown right."""
    return role is not None and role >= NEEDS[right]


def may_manage(role: Role | None, of: Role) -> bool:
    """Whether a person of ``role`` may add, change or erase people of role ``of``.

    An admin all; others only people below themselves: whoever sets a PIN could act under it.
    """
    if role is None or not may(role, "people.trainees"):
        return False
    return role == Role.ADMIN or of < role
