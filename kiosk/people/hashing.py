"""Passwords and PINs: what they must be like, and their salted hashes (scrypt)."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from werkzeug.security import check_password_hash, generate_password_hash

from kiosk.people.database import PeopleError
from kiosk.people.roles import Role

METHOD = "scrypt:32768:8:1"
SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 200
LONGEST_PIN = 12
PIN_DIGITS = {
    Role.TRAINEE: 4,
    Role.INSTRUCTOR: 6,
    Role.SUPERVISOR: 6,
    Role.ADMIN: 6,
}
"""Least digits of a PIN: those who may overrule need more."""

NOBODY = generate_password_hash("nobody has this", METHOD)
"""Checked where there is no hash, so that the time taken does not tell whether there is one."""


def hash_password(password: str, name: str) -> str:
    """The hash of a new password. PeopleError when it is too easy or too long."""
    text = _plain(password)
    if not SHORTEST_PASSWORD <= len(text) <= LONGEST_PASSWORD:
        raise PeopleError(
            "bad-password",
            "The password must have {least} to {most} characters.",
            400,
            least=SHORTEST_PASSWORD,
            most=LONGEST_PASSWORD,
        )
    if len(set(text.casefold())) < 5 or text.casefold() == name.casefold():
        raise PeopleError("bad-password", "The password is too easy to guess.", 400)
    return generate_password_hash(text, METHOD)


def hash_pin(pin: str, role: Role) -> str:
    """The hash of a new PIN. PeopleError when it is no PIN or too easy."""
    least = PIN_DIGITS[role]
    if not re.fullmatch(r"[0-9]+", pin) or not least <= len(pin) <= LONGEST_PIN:
        raise PeopleError(
            "bad-pin",
            "The PIN of this role must have {least} to {most} digits.",
            400,
            least=least,
            most=LONGEST_PIN,
        )
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise PeopleError("bad-pin", "The PIN is too easy to guess (1111, 1234).", 400)
    return generate_password_hash(pin, METHOD)


def fits(hashed: str | None, secret: str) -> bool:
    """Whether the secret is the one that was hashed. Takes as long when there is no hash."""
    text = _plain(secret)[: LONGEST_PASSWORD + 1]
    return check_password_hash(hashed or NOBODY, text) and hashed is not None


def _plain(secret: str) -> str:
    """The same text however a keyboard composed it."""
    return unicodedata.normalize("NFKC", secret)
