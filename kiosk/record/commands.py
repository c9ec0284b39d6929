"""``kiosk audit list | show | export | verify | rebuild``: the record on the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path

from kiosk.record.hands import SEARCH_STATES


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Registers ``audit`` and its subcommands."""
    audit = subparsers.add_parser("audit", help="the record of hands")
    actions = audit.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="lists hands, oldest first")
    _add_filters(listing)
    listing.add_argument("--limit", type=_count, metavar="N", help="at most the newest N hands")
    listing.add_argument("--json", action="store_true", help="one JSON object a line")
    listing.set_defaults(run=_named("list_hands"))
    show = actions.add_parser("show", help="shows one hand with all that happened in it")
    _add_place(show)
    show.add_argument("id", help="the hand's id, such as r-000123")
    show.add_argument("--json", action="store_true", help="one JSON object, with the raw entries")
    show.set_defaults(run=_show)
    export = actions.add_parser("export", help="writes hands as CSV or JSON, one hand as PDF")
    _add_filters(export)
    export.add_argument("--format", choices=("csv", "json", "pdf"), default="csv")
    export.add_argument("--id", metavar="HAND", help="the hand to print (pdf)")
    export.add_argument("--language", choices=("en", "ru"), default="en", help="of the PDF")
    export.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    export.set_defaults(run=_export)
    again = actions.add_parser("rebuild", help="makes the lists to search by again from the record")
    _add_place(again)
    again.set_defaults(run=_later("rebuild_lists"))
    check = actions.add_parser("verify", help="checks the whole record; names the first bad entry")
    _add_place(check)
    check.add_argument(
        "--head",
        action="append",
        default=[],
        type=_hash,
        metavar="HASH",
        help="a head noted elsewhere that must be in the record (may be repeated)",
    )
    check.add_argument("--json", action="store_true", help="one JSON object")
    check.set_defaults(run=_later("verify_record"))


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", help="the kiosk's data folder (default: the user's data folder)"
    )
    parser.add_argument(
        "--record",
        metavar="RECORD",
        help="the record: a file (default: DIR/record.db) or postgresql://USER@HOST/DATABASE",
    )


def _add_filters(parser: argparse.ArgumentParser) -> None:
    _add_place(parser)
    parser.add_argument(
        "--from", dest="since", metavar="TIME", help="from this date or time, 2031-05-17[T18:30]"
    )
    parser.add_argument(
        "--to", dest="until", metavar="TIME", help="to this date (included) or time (excluded)"
    )
    parser.add_argument("--table", help="name of the table")
    parser.add_argument("--person", help="who dealt or answered: a name, or the id in the record")
    parser.add_argument("--house", help="house rules, such as russian-a")
    parser.add_argument("--game", help="the game, such as russian")
    parser.add_argument("--seat", type=_count, metavar="N", help="a box that was in play")
    parser.add_argument(
        "--combination",
        help="in any box or the dealer's, such as full-house; with --seat in that box",
    )
    parser.add_argument(
        "--mistake",
        help="a mistake of the answer or its kind, such as arithmetic; any: any; "
        "with --seat at that box",
    )
    parser.add_argument(
        "--amount",
        metavar="A[..B]",
        help="paid to or taken from the hand or a box: 400, 400..900; with --seat that box",
    )
    parser.add_argument("--kiosk", help="name of the kiosk, in a record of many")
    parser.add_argument("--state", choices=SEARCH_STATES)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected 1 or more")
    return number


def _hash(text: str) -> str:
    """A slip in copying must not look like a record that was tampered with."""
    if not re.fullmatch("[0-9a-f]{64}", text.strip().lower()):
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected the whole hash, 64 of the signs 0 to 9 and a to f"
        )
    return text.strip().lower()


def _show(args: argparse.Namespace) -> int:
    """The words are the web room's, which knows how a hand is shown."""
    from kiosk.web.showhand import show_hand

    return show_hand(args, _names(args))


def _export(args: argparse.Namespace) -> int:
    """PDF pages are the web room's, which knows how a hand is shown."""
    names = _names(args)
    if args.format == "pdf":
        from kiosk.web.printhand import print_hand

        return print_hand(args, names)
    from kiosk.export_command import export_hands

    return export_hands(args, lambda person: names.get(person or "", ""))


def _names(args: argparse.Namespace) -> dict[str, str]:
    """The names in the data folder; who is asked for by name is asked for by id from here on."""
    from kiosk.people.names import names_in
    from kiosk.record.paths import data_dir

    names = names_in(data_dir(args.data))
    ids = {name: person for person, name in names.items()}
    if getattr(args, "person", None) is not None:
        args.person = ids.get(args.person, args.person)
    return names


def _named(name: str) -> Callable[[argparse.Namespace], int]:
    """As `_later`, the function being given the people's names."""

    def run(args: argparse.Namespace) -> int:
        from kiosk.record import audit

        status: int = getattr(audit, name)(args, _names(args))
        return status

    return run


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """The function of `kiosk.record.audit`, imported when it is called: the database library
    takes long to load, and other commands do not need it."""

    def run(args: argparse.Namespace) -> int:
        from kiosk.record import audit

        status: int = getattr(audit, name)(args)
        return status

    return run
