"""What accounts say to people, in the language of the page."""

from __future__ import annotations

from datetime import UTC, datetime

from kiosk.people import PeopleError, Role
from kiosk.web.texts import gettext, msgid

ROLES = {
    Role.TRAINEE: msgid("Trainee"),
    Role.INSTRUCTOR: msgid("Instructor"),
    Role.SUPERVISOR: msgid("Supervisor"),
    Role.ADMIN: msgid("Admin"),
}

DEEDS = {
    "added": msgid("added"),
    "role": msgid("role changed"),
    "renamed": msgid("renamed"),
    "password": msgid("password set"),
    "pin": msgid("PIN set"),
    "erased": msgid("erased"),
    "unlocked": msgid("unlocked"),
    "first-admin": msgid("first admin made"),
    "signed-out": msgid("signed out everywhere"),
    "settings": msgid("settings changed"),
}

PROBLEMS = (
    msgid("The accounts cannot be read or written: {place}: {why}."),
    msgid("The password must have {least} to {most} characters."),
    msgid("The password is too easy to guess."),
    msgid("The PIN of this role must have {least} to {most} digits."),
    msgid("The PIN is too easy to guess (1111, 1234)."),
    msgid("Too many wrong tries. Try again in {n} seconds."),
    msgid("This PIN was tried wrongly too often: have a new one set."),
    msgid("The name must have 1 to {most} printable characters."),
    msgid("There already is a person named {name}."),
    msgid("A person needs a password or a PIN."),
    msgid("An admin needs a password."),
    msgid("An admin needs a password: set one first."),
    msgid("This is not the code shown on the terminal."),
    msgid("The kiosk is set up already."),
    msgid("Name or password is wrong."),
    msgid("The PIN is wrong."),
    msgid("There is no such person."),
    msgid("The person has changed meanwhile; try again."),
    msgid("You may not add or change people of this role."),
    msgid("This is the last admin: make another one first."),
    msgid("The two passwords are not the same."),
    msgid("Enter your name and your password."),
    msgid("PINs count at the kiosk only: use your password."),
    msgid("Who deals can be chosen at the kiosk only."),
    msgid("This person may not allow that."),
    msgid("This action needs nobody's leave."),
    msgid("Sign in with your password for this."),
)
"""Every text of a PeopleError."""


def told(problem: PeopleError) -> str:
    """The problem in the language of the page."""
    return gettext(problem.text).format(**problem.values)


def clock(seconds: int) -> str:
    """A time in the past for people, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def detail_text(detail: str) -> str:
    """What else the log says of a deed: roles in words, before and after where one changed."""
    roles = {role.word: role for role in ROLES}
    return " → ".join(
        role_name(roles[part]) if part in roles else part for part in detail.split(" → ")
    )


def role_name(role: Role) -> str:
    """A role in words."""
    return gettext(ROLES[role])
