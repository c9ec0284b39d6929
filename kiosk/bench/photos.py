"""Reading figures on labelled photographs that were never trained on."""

from __future__ import annotations

import argparse

from kiosk.bench.figures import Figure
from kiosk.errors import UserError
from kiosk.vision.reader import open_reader


def reading(args: argparse.Namespace) -> list[Figure]:
    """Per source and in total; ``--photos`` names the folder."""
    from models.training.evaluate import evaluate, rate
    from models.training.folds import load_folder, load_photos

    if args.photos is None or not args.photos.is_dir():
        raise UserError("--photos: name the folder of labelled photographs")
    try:
        single = (args.photos / "labels.json").exists()
        photos = load_folder(args.photos) if single else load_photos(args.photos)
    except (OSError, ValueError, KeyError) as problem:
        raise UserError(f"{args.photos}: no labelled photographs ({problem})") from None
    tested = [photo for photo in photos if photo.fold == "test"]
    tallies = evaluate(tested, open_reader(threads=args.threads))
    figures = []
    for name, tally in tallies.items():
        what = (
            f"{name}: {tally.photos} photographs, {len(tally.names)} names, {len(tally.sets)} sets"
        )
        figures += [
            Figure(f"{what}: cards read", rate(tally.read, tally.labelled)[0], "%"),
            Figure(f"{what}: named right", rate(tally.right, tally.named)[0], "%"),
        ]
    read, labelled = (sum(getattr(t, a) for t in tallies.values()) for a in ("read", "labelled"))
    right, named = (sum(getattr(t, a) for t in tallies.values()) for a in ("right", "named"))
    return [
        *figures,
        Figure("all: cards read", rate(read, labelled)[0], "%"),
        Figure("all: named right", rate(right, named)[0], "%"),
    ]
