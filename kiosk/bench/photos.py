"""Reading figures on labelled photographs that were never trained on."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from kiosk.bench.figures import Figure
from kiosk.errors import UserError
from kiosk.vision.reader import open_reader

if TYPE_CHECKING:
    from models.training.evaluate import Tally


def reading(args: argparse.Namespace) -> list[Figure]:
    """Per source and in total; ``--photos`` names the folder."""
    from models.training.evaluate import Tally, evaluate
    from models.training.folds import of_folds, open_photos

    if args.photos is None or not args.photos.is_dir():
        raise UserError("--photos: name the folder of labelled photographs")
    tested = of_folds(args.photos, open_photos(args.photos), ["test"])
    tallies = evaluate(tested, open_reader(threads=args.threads))
    total = Tally()
    figures = []
    for name, tally in tallies.items():
        what = (
            f"{name}: {tally.photos} photographs, {len(tally.names)} names, {len(tally.sets)} sets"
        )
        figures += _rates(what, tally)
        total.add(tally)
    return [*figures, *_rates(f"all: {total.photos} photographs", total)]


def _rates(what: str, tally: Tally) -> list[Figure]:
    """Shares by card and by whole photograph, each with its count and 95 % bounds (V18)."""
    from models.training.evaluate import rate

    counts = (
        ("cards read", tally.read, tally.labelled),
        ("named right", tally.right, tally.named),
        ("whole photographs right", tally.whole, tally.photos),
    )
    figures = []
    for unit, hits, count in counts:
        share, low, high = rate(hits, count)
        figures.append(Figure(f"{what}: {unit}, {hits} of {count} ({low}–{high} %)", share, "%"))
    return figures
