"""The project's errors that people see: one clear line each, never a traceback."""

from __future__ import annotations


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
