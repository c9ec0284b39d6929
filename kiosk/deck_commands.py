"""``kiosk calibrate deck``: show a deck by photographs, list decks, choose one (V2)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.cards import DECK, Card
from kiosk.deck_words import said_of
from kiosk.errors import UserError

if TYPE_CHECKING:
    from kiosk.sightings import Box
    from kiosk.vision.decks import KnownDeck
    from kiosk.vision.enrol import Enrolment
    from kiosk.vision.images import Image
    from kiosk.vision.namer import Namer
    from kiosk.vision.reader import Reader

    Labels = list[tuple[Card, Box]]


def add_parts(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register ``deck`` and ``decks`` under ``kiosk calibrate``."""
    deck = parts.add_parser(
        "deck",
        help="show your deck to a camera, or by photographs: how well each card is read",
        description="Cameras (camera:0, rtsp://…), photographs, folders of photographs or videos "
        "that show each of the 52 cards twice or more, some at a time. At a camera the missing "
        "cards are told as they come; Ctrl-C ends it and keeps nothing. A folder with a "
        "labels.json says which cards they are; without one, a card that is read for certain "
        "counts as what it was read as. Exit 1 when cards are missing or the deck is read too "
        "badly. On the page: /calibrate/deck.",
    )
    deck.add_argument("name", metavar="NAME", help="what to call the deck")
    deck.add_argument(
        "sources", nargs="+", metavar="SOURCE", help="as kiosk run --source takes them"
    )
    _options(deck)
    deck.set_defaults(run=_private(run_deck))

    decks = parts.add_parser(
        "decks",
        help="list the decks that were shown; choose one, or check one again",
        description="A running kiosk reads with the deck that is chosen here within a second.",
    )
    choice = decks.add_mutually_exclusive_group()
    choice.add_argument("--use", metavar="NAME", help="read with this deck's weights")
    choice.add_argument("--back", action="store_true", help="read with the weights before")
    choice.add_argument("--none", action="store_true", help="read with the weights that ship")
    choice.add_argument(
        "--recheck",
        metavar="NAME",
        help="check what was shown of this deck with the weights of today, and read with it",
    )
    _options(decks)
    decks.set_defaults(run=_private(run_decks))


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=float, default=0.8, help="least share read (default 0.8)")
    parser.add_argument("--model", metavar="M", help="finder of your own: .onnx, or .pt with torch")
    parser.add_argument("--json", action="store_true", help="the figures of a check as JSON")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the kiosk's data")


def _private(
    run: Callable[[argparse.Namespace], int],
) -> Callable[[argparse.Namespace], int]:
    """The command, its data folder kept private."""

    def kept(args: argparse.Namespace) -> int:
        from kiosk.private import kept_private
        from kiosk.record.paths import data_dir

        with kept_private(data_dir(args.data)):
            return run(args)

    return kept


def run_deck(args: argparse.Namespace) -> int:
    """Read, check, fit, keep; 1 when cards are missing or the deck is read too badly."""
    from kiosk.deck_reading import check_and_use, deck_store

    store = deck_store(args.data)
    if not store.good_name(args.name):
        raise UserError(f"{args.name[:40]!r}: expected letters, digits, spaces, dots and dashes")
    _check_limit(args.limit)
    reader = _shipped(args.model)
    try:
        state = _shown(reader, args.sources)
        if state.missing:
            names = ", ".join(card.symbol for card in state.missing)
            print(f"kiosk: not seen twice: {names}", file=sys.stderr)
            return 1
        shown = state.samples, state.found
        deck = check_and_use(store, args.name.strip(), _naming(reader), shown, _progress)
    except KeyboardInterrupt:
        print("\nkiosk: stopped: the deck is as it was before", file=sys.stderr)
        raise
    return _tell(deck, args.limit, args.json)


def run_decks(args: argparse.Namespace) -> int:
    """List the decks, choose one, or check one again; 1 when that one is read too badly."""
    from kiosk.deck_reading import check_and_use, deck_store

    store = deck_store(args.data)
    _check_limit(args.limit)
    if args.recheck:
        shown = store.shown(args.recheck)
        naming = _naming(_shipped(args.model))
        deck = check_and_use(store, args.recheck, naming, shown, _progress)
        return _tell(deck, args.limit, args.json)
    if args.use:
        store.use(args.use)
    elif args.back:
        store.back()
    elif args.none:
        store.use(None)
    now = store.in_use()
    for name in store.names():
        deck = store.load(name)
        mark = "*" if now and now[0] == name else " "
        note = ": checked with other weights, check it again" if deck.stale else ""
        print(f"{mark} {name}, version {deck.version} of {deck.made}: {deck.recall:.1%} read{note}")
    if now is None:
        print("in use: the weights that ship; deck not checked")
    return 0


def _check_limit(limit: float) -> None:
    if not 0 <= limit <= 1:
        raise UserError(f"--limit {limit}: expected a share from 0 to 1")


def _shipped(model: str | None) -> Reader:
    """A reader that names with the weights that ship; ``model``: a finder of one's own."""
    from kiosk.vision.reader import open_reader

    return open_reader(model)


def _naming(reader: Reader) -> tuple[Namer, float]:
    from kiosk.vision.namer import Namer

    assert isinstance(reader.namer, Namer)
    return reader.namer, reader.thresholds.name


def _tell(deck: KnownDeck, limit: float, as_json: bool) -> int:
    """Prints a deck's figures; 1 when it is read too badly."""
    if as_json:
        print(json.dumps({"name": deck.name, "version": deck.version, **deck.figures}))
    else:
        print(_for_people(deck, limit))
    return 0 if deck.good_enough(limit) else 1


def _progress(share: float) -> None:
    print(f"\rchecking the deck: {share:.0%}", end="\n" if share >= 1 else "", file=sys.stderr)


def _shown(reader: Reader, names: Iterable[str]) -> Enrolment:
    """What all sources show, in order; a camera is looked at until no card is missing."""
    from kiosk.deck_camera import shown_to
    from kiosk.vision.enrol import Enrolment, look_at
    from kiosk.vision.sources.grammar import parse_source

    state = Enrolment()
    for name in names:
        source = parse_source(name)
        if source.live:
            print(_GUIDE, file=sys.stderr)
            state = shown_to(source, reader, state, _Missing().tell, _warn)
            continue
        for image, labels in _pictures(Path(source.target)):
            state = look_at(state, image, reader.read(image), reader.thresholds, labels)
            print(f"\rcards seen: {len(state.shown)} of {len(DECK)}", end="", file=sys.stderr)
        print(file=sys.stderr)
    return state


_GUIDE = (
    "lay the 52 cards under the camera, some at a time, each until it is counted; Ctrl-C ends it"
)


class _Missing:
    """Prints what is missing, a line at each change."""

    def __init__(self) -> None:
        self._last = ""

    def tell(self, state: Enrolment) -> None:
        """One line, if it is another than the last one."""
        line = f"{len(state.shown)} of {len(DECK)}"
        if state.missing:
            line += f"; missing: {' '.join(card.symbol for card in state.missing)}"
        if state.asked:
            likely = " ".join(f"{asked.candidates[0][0].symbol}?" for asked in state.asked)
            line += f"; not sure of: {likely} (lay it nearer, or in better light)"
        if line != self._last:
            print(line, file=sys.stderr)
        self._last = line


def _warn(line: str) -> None:
    print(f"kiosk: {line}", file=sys.stderr)


def _pictures(path: Path) -> Iterator[tuple[Image, Labels | None]]:
    """Every picture of a file or folder, in order, with its true cards where a labels.json has
    them."""
    from kiosk.vision.images import load_photo
    from kiosk.vision.photographs import still_moments
    from kiosk.vision.sources.grammar import is_photo, photos_in

    if path.is_dir():
        known = _labels(path / "labels.json")
        photos = [photo for photo in photos_in(path) if known is None or photo.name in known]
        if not photos:
            raise UserError(f"{path}: the folder holds no photographs")
        for photo in photos:
            yield load_photo(photo), None if known is None else known[photo.name]
    elif is_photo(path):
        yield load_photo(path), None
    else:
        for image, _ in still_moments(path):
            yield image, None


def _labels(path: Path) -> dict[str, Labels] | None:
    """``{"a.jpg": [{"card": "As", "box": [x1, y1, x2, y2]}, …]}``, if it is there."""
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text("utf-8"))
        return {
            name: [
                (Card.parse(label["card"]), _box(label["box"]))
                for label in labels
                if label.get("kind", "card") == "card"
            ]
            for name, labels in data.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path}: expected cards with their boxes ({error})") from None


def _box(values: Sequence[float]) -> Box:
    x1, y1, x2, y2 = (float(value) for value in values)
    return (x1, y1, x2, y2)


def _for_people(deck: KnownDeck, limit: float) -> str:
    figures = deck.figures
    lines = [
        f"deck {deck.name}, version {deck.version}: {figures['recall']:.1%} read at a single look "
        f"(before fitting {figures['before']:.1%}; found {figures['found']:.1%}), wrong names "
        f"{figures['wrong']:.2%}"
    ]
    weak = sorted(figures["cards"].items(), key=lambda pair: pair[1]["after"])[:8]
    least = ", ".join(f"{Card.parse(name).symbol} {f['after']:.0%}" for name, f in weak)
    lines.append(f"read least: {least}")
    if figures["alike"]:
        pairs = ", ".join(
            f"{Card.parse(a).symbol}/{Card.parse(b).symbol}" for a, b, _ in figures["alike"][:8]
        )
        lines.append(f"hard to tell apart: {pairs}")
    if not deck.good_enough(limit):
        lines.append(f"{said_of(deck, limit)}: the kiosk settles nothing with this deck")
    return "\n".join(lines)
