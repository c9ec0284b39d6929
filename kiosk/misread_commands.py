"""``kiosk misreads``: the kept misreads as a test of the weights that read now (V16)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register ``kiosk misreads``."""
    parser = commands.add_parser(
        "misreads",
        help="read the kept misreads again: what is misread still",
        description="Reads every picture that was kept with 'Misread: keep the picture', with the "
        "weights and the deck in use, and tells of each card whether it is read now, doubtful, or "
        "still misread; of a place where no card lies, whether it is left unnamed. Exit 1 when one "
        "is named wrongly for certain. To be run on each change of weights, deck or version.",
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the kiosk's data")
    parser.add_argument("--model", metavar="M", help="finder of your own: .onnx, or .pt with torch")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run_misreads)


def run_misreads(args: argparse.Namespace) -> int:
    """One line a card; 1 when one is still named wrongly for certain."""
    from kiosk.deck_reading import reader_in_use
    from kiosk.misreads import Misreads, told_of
    from kiosk.record.paths import data_dir
    from kiosk.vision.images import load_photo
    from kiosk.vision.merge import merge

    data = data_dir(args.data)
    kept = Misreads(data / "misreads").kept()
    if not kept:
        print(f"no misread is kept in {data / 'misreads'}")
        return 0
    reader = reader_in_use(args.data, args.model, told=_warn)
    counts = {"read": 0, "doubtful": 0, "unnamed": 0, "misread": 0}
    for one in kept:
        reading = reader.read(load_photo(one.picture))
        found = told_of(one, merge(reading.sightings, reading.bodies, reader.thresholds).cards)
        word = found if found in counts else "misread"
        counts[word] += 1
        if args.json:
            card = None if one.card is None else str(one.card)
            line = {"picture": one.picture.name, "card": card, "found": found}
            print(json.dumps(line))
        else:
            told = f"misread as {found}" if word == "misread" else found
            print(f"{one.picture.name}: {one.card or 'no card,'} {told}")
    if not args.json:
        print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["misread"] else 0


def _warn(line: str) -> None:
    print(f"kiosk: {line}", file=sys.stderr)
