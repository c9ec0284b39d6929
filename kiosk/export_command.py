"""``kiosk audit export``: the hands that fit, as CSV or JSON."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import TextIO

from kiosk.errors import UserError
from kiosk.exporting import CSV_COLUMNS, CSV_KINDS, Found, Namer, csv_row, found_in, told_json
from kiosk.record.audit import opened, wanted_hands
from kiosk.record.canonical import canonical
from kiosk.record.reading import RecordReader
from kiosk.record.search import HandFilter

_PORTION = 500


def export_hands(args: argparse.Namespace, name: Namer) -> int:
    """Writes the hands to the file named, or to standard output. Raises UserError."""
    wanted = wanted_hands(args)
    with opened(args) as record, _output(args.out) as file:
        if args.format == "csv":
            _as_csv(_found(record, wanted, CSV_KINDS), file, name)
        else:
            _as_json(_found(record, wanted, None), file, name)
    return 0


def _found(
    record: RecordReader, wanted: HandFilter, kinds: tuple[str, ...] | None
) -> Iterator[Found]:
    """Oldest first, read a portion at a time; without those whose worth must not be told, of which
    standard error tells how many there are."""
    hands = iter(record.hands(wanted, newest_first=False))
    left_out = 0
    while portion := list(islice(hands, _PORTION)):
        hidden = record.hidden(portion)
        left_out += len(hidden)
        told = [hand for hand in portion if (hand.kiosk, hand.id) not in hidden]
        yield from found_in(record, told, kinds)
    if left_out:
        print(f"kiosk: left out: {left_out} in training, neither shown nor over", file=sys.stderr)


@contextmanager
def _output(path: Path | None) -> Iterator[TextIO]:
    try:
        opened_file = (
            nullcontext(sys.stdout)
            if path is None
            else path.open("w", encoding="utf-8", newline="")
        )
        with opened_file as file:
            yield file
    except OSError as error:
        if path is None:
            raise
        raise UserError(f"{path}: cannot be written ({error.strerror})") from error


def _as_csv(found: Iterator[Found], file: TextIO, name: Namer) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for each in found:
        writer.writerow(csv_row(each, name))


def _as_json(found: Iterator[Found], file: TextIO, name: Namer) -> None:
    file.write('{"hands": [')
    for number, each in enumerate(found):
        file.write((",\n" if number else "\n") + canonical(told_json(each, name)))
    file.write("\n]}\n")
