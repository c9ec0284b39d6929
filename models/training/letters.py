"""How well the namer that ships reads the letters of each alphabet on drawn decks.

    python -m models.training.letters [--decks 40] [--models FOLDER] [--trained]

Jacks, queens, kings and aces with Latin, Russian, German and French letters in held-out typefaces
(those that have them), 32 pixels high, clear to worn, in one quarter turn a deck; each is named
from its true box at one look both ways up. ``--trained``: in typefaces that were trained on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from kiosk.cards import DECK
from kiosk.vision.namer import Namer
from kiosk.vision.reader import open_reader
from models.training.evaluate import rate
from models.training.faces import LETTERS, DeckStyle
from models.training.fonts import font_files, has_glyphs
from models.training.sheets import Named, drawn_sheet, name_sheet, worn

LETTERED = tuple(card for card in DECK if card.rank in "JQKA")
TALL = 32.0
MUCH = (0.0, 0.5, 1.0)


def lettered(alphabet: str, held_out: bool) -> list[Path]:
    """The typefaces that have the letters of an alphabet."""
    text = "".join(LETTERS[alphabet].values())
    return [path for path in font_files(held_out) if has_glyphs(path, text)]


def read_letters(
    namer: Namer, least: float, alphabet: str, decks: int, seed: int = 5, held_out: bool = True
) -> Named:
    """All court cards and aces of so many drawn decks in one alphabet. ``least``: chance from
    which on a name is certain."""
    rng, found = np.random.default_rng(seed), Named()
    faces = lettered(alphabet, held_out)
    for number in range(decks):
        face = faces[int(rng.integers(len(faces)))]
        style = replace(
            DeckStyle.random(rng, held_out), font=face, letters=alphabet, corners=2, beside=False
        )
        sheet = worn(rng, drawn_sheet(style, LETTERED, TALL), MUCH[number % len(MUCH)])
        name_sheet(namer, sheet.turned(int(rng.integers(4))), least, found)
    return found


def row(alphabet: str, found: Named) -> dict[str, object]:
    """Figures of one alphabet: cards, those named rightly for certain, in all and by rank, and the
    wrong names."""

    def share(ranks: Sequence[str]) -> tuple[float, float, float]:
        right, shown = (
            sum(n for card, n in counts.items() if card[0] in ranks)
            for counts in (found.right, found.shown)
        )
        return rate(right, shown)

    return {
        "alphabet": alphabet,
        "letters": " ".join(LETTERS[alphabet][rank] for rank in "JQKA"),
        "cards": sum(found.shown.values()),
        "read": share("JQKA"),
        "by_rank": {rank: share(rank)[0] for rank in "JQKA"},
        "wrong": sum(found.taken_for.values()),
        "taken_for": {f"{a} as {b}": n for (a, b), n in found.taken_for.most_common()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=int, default=40, help="decks of each alphabet")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--models", type=Path, help="folder with other weights and models.json")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--trained", action="store_true", help="in typefaces that were trained on")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    reader = open_reader(threads=args.threads, folder=args.models)
    assert isinstance(reader.namer, Namer)
    rows = []
    for alphabet in LETTERS:
        found = read_letters(
            reader.namer, reader.thresholds.name, alphabet, args.decks, args.seed, not args.trained
        )
        rows.append(row(alphabet, found))
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    print("alphabet (J Q K A): cards · read % [95 %] · by rank % · wrong names")
    for one in rows:
        print("{alphabet} ({letters}): {cards} · {read} · {by_rank} · {wrong}".format(**one))
        if one["wrong"]:
            print("   ", one["taken_for"])


if __name__ == "__main__":
    main()
