"""``kiosk read``: the cards of photographs, folders of photographs, and videos."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.errors import UserError

if TYPE_CHECKING:
    from kiosk.sightings import Doubt
    from kiosk.vision.photographs import Answer


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register ``read``."""
    parser = subparsers.add_parser(
        "read",
        help="read the cards of photographs, folders of photographs, or videos",
        description="Names the cards of each picture with the confidence in each, and what is "
        "doubtful, with the weights fitted to the deck in use. Exit 1 when a file could not be "
        "read; the others are read all the same.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a photograph, a folder of photographs, a video"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--model", metavar="M", help="finder of your own: .onnx, or .pt with torch")
    parser.add_argument("--threads", type=int, default=2, help="processor threads (default 2)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder of the kiosk's data: its deck in use"
    )
    parser.set_defaults(run=run_read)


def run_read(args: argparse.Namespace) -> int:
    """Read and print; 1 when a file could not be read."""
    # Here and not above: the other commands start without OpenCV and the runtime.
    from kiosk.deck_reading import reader_in_use
    from kiosk.vision.photographs import read_files

    if not 1 <= args.threads <= 64:
        raise UserError(f"--threads {args.threads}: expected 1 to 64")
    reader = reader_in_use(args.data, args.model, args.threads, _warn)
    failed = False
    for answer in read_files(reader, args.files):
        failed = failed or answer.error is not None
        if args.json:
            print(json.dumps(answer.to_json(), ensure_ascii=False), flush=True)
        elif answer.error is not None:
            print(answer.error, file=sys.stderr)
        else:
            print(_for_people(answer), flush=True)
    return 1 if failed else 0


def _warn(line: str) -> None:
    print(f"kiosk: {line}", file=sys.stderr)


def _for_people(answer: Answer) -> str:
    name = answer.image if answer.t is None else f"{answer.image} at {answer.t:.1f} s"
    cards = [f"{c.card.symbol} {c.confidence:.3f}" for c in answer.merged.cards]
    parts = [", ".join(cards) or "no card certain"]
    parts += [_question(doubt) for doubt in answer.merged.doubts]
    return f"{name}: {'; '.join(parts)} ({answer.ms:.0f} ms)"


def _question(doubt: Doubt) -> str:
    chances = " or ".join(f"{card.symbol} {p:.2f}" for card, p in doubt.candidates[:3])
    return f"doubtful at {doubt.box[0]:.0f},{doubt.box[1]:.0f}: {chances} ({doubt.why})"
