"""``kiosk people list | add | role | pin | password | rename | remove | unlock``.

Passwords and PINs are never arguments, which every user of the machine could see: they are asked
for on the terminal, or read from standard input when that is none.
"""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from kiosk.errors import UserError
from kiosk.people.accounts import Person
from kiosk.people.database import PeopleError
from kiosk.people.people import People, open_people
from kiosk.people.roles import ROLE_WORDS, Role

Work = Callable[[People, argparse.Namespace], int]


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Registers ``people`` and its subcommands."""
    people = subparsers.add_parser(
        "people",
        help="who may do what: accounts, roles, PINs",
        description="Accounts of this kiosk. Passwords and PINs are asked for on the terminal, or "
        "read line by line from standard input.",
    )
    actions = people.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = _action(actions, "list", "everybody, with role", _list)
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    add = _action(actions, "add", "a new person", _add)
    add.add_argument("name", help="the name, or a pseudonym")
    add.add_argument("--role", choices=ROLE_WORDS, default="trainee", help="default: trainee")
    add.add_argument(
        "--with",
        dest="secrets",
        choices=("pin", "password", "both"),
        help="what to ask for (default: a PIN for trainees, a password for the others)",
    )
    role = _named(actions, "role", "gives another role; the person is signed out", _role)
    role.add_argument("role", choices=ROLE_WORDS)
    _named(actions, "pin", "sets a PIN; the person is signed out", _pin)
    _named(actions, "password", "sets a password; the person is signed out", _password)
    rename = _named(actions, "rename", "gives another name", _rename)
    rename.add_argument("new_name", metavar="NEW-NAME")
    _named(actions, "remove", "erases the name for ever; records keep a number only", _remove)
    _named(actions, "unlock", "ends the lock of wrong tries", _unlock)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str, work: Work
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help)
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="the kiosk's data folder (default: the user's)"
    )
    parser.set_defaults(run=lambda args: _run(work, args))
    return parser


def _named(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str, work: Work
) -> argparse.ArgumentParser:
    parser = _action(actions, name, help, work)
    parser.add_argument("name", help="the person's name or id")
    return parser


def _run(work: Work, args: argparse.Namespace) -> int:
    from kiosk.private import kept_private
    from kiosk.record.paths import data_dir

    folder = data_dir(args.data)
    with kept_private(folder):
        return _with_people(work, args, folder)


def _with_people(work: Work, args: argparse.Namespace, folder: Path) -> int:
    people = open_people(folder)
    try:
        if work is not _add and not (people.exists and people.everybody()):
            return _nobody_yet(work, folder)
        return work(people, args)
    except PeopleError as problem:
        raise UserError(str(problem)) from None
    finally:
        people.close()


def _nobody_yet(work: Work, folder: Path) -> int:
    """Says where no account was found, which may be another folder than was meant."""
    told = f"there are no accounts in {folder} yet; kiosk people add NAME --role admin makes one"
    if work is not _list:
        raise UserError(told)
    print(told, file=sys.stderr)
    return 0


def _list(people: People, args: argparse.Namespace) -> int:
    for person in people.everybody():
        since = datetime.fromtimestamp(person.created, UTC).strftime("%Y-%m-%d")
        ways = [w for w, has in (("password", person.has_password), ("PIN", person.has_pin)) if has]
        if args.json:
            told = {
                "id": person.id,
                "name": person.name,
                "role": person.role.word,
                "password": person.has_password,
                "pin": person.has_pin,
                "created": since,
            }
            print(json.dumps(told, ensure_ascii=False))
        else:
            way = ", ".join(ways) or "cannot sign in: no password, no PIN"
            print(f"{person.id}  {person.role.word:<10}  {since}  {person.name}  ({way})")
    return 0


def _add(people: People, args: argparse.Namespace) -> int:
    role = Role.of(args.role)
    wanted = args.secrets or ("pin" if role == Role.TRAINEE else "password")
    password = _ask("Password") if wanted in ("password", "both") else None
    pin = _ask("PIN") if wanted in ("pin", "both") else None
    person = people.add(args.name, role, password=password, pin=pin)
    print(f"{person.id}  {person.role.word}  {person.name}")
    return 0


def _role(people: People, args: argparse.Namespace) -> int:
    before = _find(people, args.name)
    after = people.set_role(before.id, Role.of(args.role))
    if before.has_pin and not after.has_pin:
        print(
            f"The PIN was too short for this role and is gone. Type: kiosk people pin {before.id}",
            file=sys.stderr,
        )
    return 0


def _pin(people: People, args: argparse.Namespace) -> int:
    people.set_pin(_find(people, args.name).id, _ask("PIN"))
    return 0


def _password(people: People, args: argparse.Namespace) -> int:
    people.set_password(_find(people, args.name).id, _ask("Password"))
    return 0


def _rename(people: People, args: argparse.Namespace) -> int:
    people.set_name(_find(people, args.name).id, args.new_name)
    return 0


def _remove(people: People, args: argparse.Namespace) -> int:
    people.erase(_find(people, args.name).id)
    return 0


def _unlock(people: People, args: argparse.Namespace) -> int:
    people.unlock(_find(people, args.name).id)
    return 0


def _find(people: People, name: str) -> Person:
    found = people.named(name) or people.person(name)
    if found is None or found.erased is not None:
        raise UserError(f"nobody is named {name!r}: kiosk people list shows all")
    return found


def _ask(what: str) -> str:
    """A secret: typed twice on a terminal, else the next line of standard input."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line.strip("\r\n"):
            raise UserError(f"standard input: expected a line with the {what}")
        return line.rstrip("\r\n")
    first = getpass.getpass(f"{what}: ")
    if getpass.getpass(f"{what} once more: ") != first:
        raise UserError(f"{what}: the two are not the same")
    return first
