"""The command line: one program, ``kiosk``; every room adds its own commands."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence

from kiosk import __version__
from kiosk.deck_commands import add_parts as add_deck_parts
from kiosk.errors import UserError
from kiosk.setup_commands import add_parts as add_setup_parts

_ROOMS = (
    "kiosk.run_command",
    "kiosk.read_command",
    "kiosk.rules.commands",
    "calibration.commands",
    "kiosk.record.commands",
    "kiosk.people.commands",
    "firmware_bridge.commands",
    "kiosk.doctor",
    "kiosk.misread_commands",
    "kiosk.bench.commands",
)


class _Parser(argparse.ArgumentParser):
    """Bad usage is one line and exit status 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(2, f"{self.prog}: {message}. Type {self.prog} --help for the manual.\n")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = _Parser(
        prog="kiosk",
        description="Dealer-training kiosk: reads the cards on a table, shows what is owed.",
    )
    parser.add_argument("--version", action="version", version=f"kiosk {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    parts = {room: importlib.import_module(room).add_commands(commands) for room in _ROOMS}
    add_setup_parts(parts["calibration.commands"])
    add_deck_parts(parts["calibration.commands"])
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. 0 done, 1 something did not hold, 2 bad input or usage."""
    _fill_closed_streams()
    # What a camera does is an answer of each command; only ``run`` keeps a log of it.
    logging.getLogger("kiosk.vision").addHandler(logging.NullHandler())
    try:
        args = build_parser().parse_args(arguments)
        status: int = args.run(args)
        sys.stdout.flush()
    except UserError as problem:
        print(f"kiosk: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except OSError as problem:
        _drop_output()
        where = problem.filename or "the output"
        print(f"kiosk: {where}: {problem.strerror or problem}", file=sys.stderr)
        return 2
    return status


def _fill_closed_streams() -> None:
    """Standard streams that the caller closed lead nowhere. Otherwise the next file opened, which
    may be the record, would get the number of one, and all that libraries say."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _drop_output() -> None:
    """What is still to be written leads nowhere, so that the end says nothing more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
