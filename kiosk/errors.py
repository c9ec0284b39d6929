"""The project's errors that people see: one clear line each, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path


class UserError(Exception):
    """Bad input or bad usage. The text names the file or field and what was expected."""


class ActionError(Exception):
    """An action of a person that cannot be done now.

    ``kind`` is a stable word for programs, ``status`` the HTTP status that fits it.
    """

    def __init__(self, kind: str, message: str, status: int = 409) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status


def user_path(text: str | os.PathLike[str]) -> Path:
    """The path that a person wrote, ``~`` filled in; UserError for a user who has no folder."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise UserError(
            f"{text}: no user of that name has a folder; expected a whole path"
        ) from None
