"""What ``kiosk audit`` does. Every function takes the parsed command line and gives the exit
status; bad input raises UserError."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from decimal import Decimal

from kiosk.errors import UserError
from kiosk.private import kept_private
from kiosk.record.asked import impossible
from kiosk.record.canonical import canonical
from kiosk.record.errors import RecordError
from kiosk.record.export import text_line, told_hand
from kiosk.record.findings import VerifyReport
from kiosk.record.paths import data_dir, parse_target
from kiosk.record.reading import HandDetail, RecordReader
from kiosk.record.record import Record
from kiosk.record.search import HandFilter
from kiosk.record.server import open_server


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[RecordReader]:
    """The record named on the command line, for reading. Raises UserError."""
    data = data_dir(args.data)
    if args.data is not None and not data.is_dir():
        raise UserError(f"--data {args.data}: there is no such folder")
    try:
        target = parse_target(args.record, data)
        if target.server is None:
            with Record.open(args.record, data, read_only=True) as record:
                yield record
        else:
            with closing(open_server(target.server, read_only=True)) as server:
                yield RecordReader(server, data, "")
    except RecordError as error:
        raise UserError(f"{error.sentence}; {error.advice}") from error


def wanted_hands(args: argparse.Namespace) -> HandFilter:
    """The filter that the command line asks for. Raises UserError."""
    try:
        least, most = amounts(args.amount)
    except ValueError as error:
        raise UserError(f"--amount {args.amount}: {error}; expected 400 or 400..900") from None
    wanted = HandFilter(
        since=_time(args.since, "--from", end=False),
        until=_time(args.until, "--to", end=True),
        table=args.table,
        person=args.person,
        house=args.house,
        game=args.game,
        combination=args.combination,
        mistake=args.mistake,
        box=args.seat,
        state=args.state,
        least=least,
        most=most,
        kiosk=args.kiosk,
    )
    if (found := impossible(wanted)) is not None:
        field, expected = found
        option = "to" if field == "until" else field
        raise UserError(f"--{option} {getattr(args, field)}: {expected}")
    return wanted


def amounts(text: str | None) -> tuple[Decimal | None, Decimal | None]:
    """The least and the most of ``400``, ``400..900``, ``400..`` or ``..900``.

    Raises ValueError for anything else.
    """
    if not text:
        return None, None
    first, dots, last = (part.strip() for part in text.partition(".."))
    found = [None if not part else _amount(part) for part in (first, last if dots else first)]
    least, most = found
    if least is None and most is None:
        raise ValueError(f"{text[:40]!r} is no amount")
    if least is not None and most is not None and least > most:
        raise ValueError(f"{text[:40]!r} ends before it begins")
    return least, most


def _amount(text: str) -> Decimal:
    try:
        amount = Decimal(text.replace(" ", "").replace(",", "."))
    except ArithmeticError:
        raise ValueError(f"{text[:40]!r} is no amount") from None
    if not amount.is_finite() or not 0 <= amount < 10**15:
        raise ValueError(f"{text[:40]!r} is no amount of money")
    return amount


def _time(text: str | None, option: str, *, end: bool) -> datetime | None:
    """A time of the command line; without an offset it is local. A bare date as end includes it."""
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text)
        if end and len(text) == len("2031-05-17"):
            when += timedelta(days=1)
        return when.astimezone()
    except (ValueError, OverflowError):
        raise UserError(f"{option} {text}: expected a date or time, 2031-05-17T18:30") from None


def list_hands(args: argparse.Namespace, names: Mapping[str, str]) -> int:
    """``audit list``. ``names``: person id → name."""
    wanted = wanted_hands(args)
    with opened(args) as record:
        hands = record.hands(wanted, newest_first=args.limit is not None, limit=args.limit)
        for hand in reversed(list(hands)) if args.limit is not None else hands:
            hidden = bool(record.hidden([hand]))
            if hidden and wanted.asks_for_worth:
                continue
            if args.json:
                print(canonical(told_hand(hand, record.settled(hand), hidden=hidden)))
            else:
                print(text_line(hand, names, hidden=hidden))
    return 0


def details(record: RecordReader, hand_id: str) -> list[HandDetail]:
    """The hands of this id, of all kiosks. UserError when there is none."""
    found = [detail for kiosk in record.kiosks() if (detail := record.hand(hand_id, kiosk=kiosk))]
    if not found:
        raise UserError(f"{hand_id}: the record has no hand of this id")
    return found


def rebuild_lists(args: argparse.Namespace) -> int:
    """``audit rebuild``: only while no kiosk writes the record."""
    data = data_dir(args.data)
    try:
        target = parse_target(args.record, data)
        if target.server is not None:
            raise UserError(f"--record {args.record}: rebuild works on a file")
        with Record.open(args.record, data, read_only=True):
            pass
        with kept_private(data), Record.open(args.record, data) as record:
            count = record.rebuild()
    except RecordError as error:
        raise UserError(f"{error.sentence}; {error.advice}") from error
    print(f"The lists were made again from {count} entries.")
    return 0


def verify_record(args: argparse.Namespace) -> int:
    """``audit verify``: exit status 1 when something does not hold."""
    with opened(args) as record:
        report = record.verify(args.head)
    if args.json:
        print(canonical(_report_json(report)))
    else:
        _print_report(report)
    return 0 if report.ok else 1


def _print_report(report: VerifyReport) -> None:
    first = report.first_bad
    if first is None:
        print(f"The record holds: {report.entries} entries, {report.pictures} pictures.")
    else:
        print(f"The record does not hold: {first.sentence}.")
        for finding in report.findings[1:]:
            print(f"  also: {finding.sentence}")
    for head in report.newest:
        print(f"Head of {head.kiosk}: entry {head.seq}, {head.day}, {head.hash}")


def _report_json(report: VerifyReport) -> dict[str, object]:
    return {
        "ok": report.ok,
        "entries": report.entries,
        "pictures": report.pictures,
        "findings": [
            {"kiosk": f.kiosk, "entry": f.seq, "what": f.what, "sentence": f.sentence}
            for f in report.findings
        ],
        "heads": [
            {"kiosk": h.kiosk, "entry": h.seq, "day": h.day, "hash": h.hash}
            for h in (*report.days, *report.newest)
        ],
    }
