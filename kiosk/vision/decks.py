"""Decks that were shown to the kiosk, kept on disk; the weights before each stay to go back to.

``DATA/decks/NAME/1``, ``2`` … hold ``deck.json`` (figures, and which weights they belong to),
``head.npz`` (the fitted layer) and ``cutouts.npz`` (what was shown). ``DATA/decks/in-use.json``
says which one the kiosk reads with, and which ones it read with before.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from kiosk.cards import DECK, Card
from kiosk.errors import UserError
from kiosk.vision.deck_check import DeckFigures
from kiosk.vision.enrol import Sample
from kiosk.vision.head import Head, load_head

_Choice = tuple[str, int] | None
"""Name and version of a deck; None: the weights that ship."""

FORMAT = 1
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$")
_IN_USE = "in-use.json"

_MOST_BEFORE = 20
"""Choices kept to go back to."""

MOST_WRONG = 0.1
"""Share of a card's variations that may be named wrongly for certain."""


@dataclass(frozen=True, eq=False)
class KnownDeck:
    """A deck as it was checked. ``head``: the layer to read with; None for other weights.

    ``recall`` and ``wrong``: shares 0 … 1 of the check. ``stale``: checked with other weights
    than those in use, so its figures say nothing about these.
    """

    name: str
    version: int
    made: str
    recall: float
    wrong: float
    figures: Mapping[str, Any]
    head: Head | None
    stale: bool

    def good_enough(self, limit: float) -> bool:
        """Whether the recall reaches the limit (0 … 1) with these weights, and no card takes
        another's name."""
        return not self.why_not(limit)

    def why_not(self, limit: float) -> tuple[str, ...]:
        """Why nothing is settled with it: ``stale``; ``recall`` below the limit, with ``found``
        where its cards are found too seldom for that; ``misnamed`` cards."""
        if self.stale:
            return ("stale",)
        read = {"recall": self.recall, "found": 1.0 if self.found is None else self.found}
        low = tuple(word for word, share in read.items() if share < limit)
        return (*low, *(("misnamed",) if self.misnamed else ()))

    @property
    def found(self) -> float | None:
        """Share 0 … 1 of the looks at its cards that found them; None: was not counted."""
        found = self.figures.get("found")
        return None if found is None else float(found)

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Cards that were named wrongly for certain too often."""
        cards = self.figures["cards"]
        return tuple(name for name, found in cards.items() if found["wrong"] > MOST_WRONG)


class DeckStore:
    """The folder of decks. Every method raises UserError with what to do when it cannot."""

    def __init__(self, folder: Path, namer: str) -> None:
        self._folder = folder
        self._namer = namer

    @staticmethod
    def good_name(name: str) -> bool:
        """Whether a deck can be called so."""
        return _NAME.match(name.strip()) is not None

    def names(self) -> list[str]:
        """Names of all decks, sorted."""
        if not self._folder.is_dir():
            return []
        return sorted(p.name for p in self._folder.iterdir() if self._versions(p.name))

    def in_use(self) -> tuple[str, int] | None:
        """Name and version of the deck that is read with; None: the weights that ship."""
        return self._chosen()[0]

    @property
    def stamp(self) -> int | None:
        """Changes with each choice, in this process or another one; None: none was made."""
        try:
            return (self._folder / _IN_USE).stat().st_mtime_ns
        except OSError:
            return None

    def _chosen(self) -> tuple[_Choice, tuple[_Choice, ...]]:
        """What is read with, and what was before, newest last."""
        try:
            said = json.loads((self._folder / _IN_USE).read_text("utf-8"))
            before = said.get("before", [])
            return _choice(said), tuple(_choice(one) for one in before)
        except FileNotFoundError:
            return None, ()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{self._folder / _IN_USE}: cannot be read ({error}); choose the deck again"
            ) from None

    def use(self, name: str | None, version: int | None = None) -> KnownDeck | None:
        """Choose a deck (its newest version, or the one named) or, with None, what ships."""
        deck = None if name is None else self.load(name, version)
        try:
            now, before = self._chosen()
        except UserError:
            now, before = None, ()
        chosen = None if deck is None else (deck.name, deck.version)
        self._choose(chosen, before if chosen == now else (*before, now))
        return deck

    def back(self) -> KnownDeck | None:
        """What was read with before: another deck, an earlier version, or what ships."""
        now, before = self._chosen()
        if not before:
            if now is None:
                raise UserError("no deck is in use: the kiosk reads with the weights that ship")
            before = (None,)
        deck = None if before[-1] is None else self.load(*before[-1])
        self._choose(before[-1], before[:-1])
        return deck

    def _choose(self, chosen: _Choice, before: tuple[_Choice, ...]) -> None:
        said = {**_said(chosen), "before": [_said(one) for one in before[-_MOST_BEFORE:]]}
        self._write(self._folder / _IN_USE, json.dumps(said) + "\n")

    def load(self, name: str, version: int | None = None) -> KnownDeck:
        """A deck by name: its newest version, or the one named."""
        versions = self._versions(name)
        if not versions:
            known = ", ".join(self.names()) or "none yet"
            raise UserError(f"deck {name!r}: was never shown to this kiosk (known: {known})")
        if version is not None and version not in versions:
            raise UserError(f"deck {name!r}: has no version {version} (there are {versions})")
        chosen = version or versions[-1]
        place = self._folder / name / str(chosen)
        try:
            data = json.loads((place / "deck.json").read_text("utf-8"))
            if data["format"] != FORMAT:
                raise ValueError(f"format {data['format']}, expected {FORMAT}")
            stale = data["namer"] != self._namer
            return KnownDeck(
                name=name,
                version=chosen,
                made=str(data["made"]),
                recall=float(data["figures"]["recall"]),
                wrong=float(data["figures"]["wrong"]),
                figures=data["figures"],
                head=None if stale else load_head(place / "head.npz"),
                stale=stale,
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(f"{place}: cannot be read ({error}); show the deck again") from None

    def save(
        self,
        name: str,
        made: str,
        figures: DeckFigures,
        head: Head,
        samples: Mapping[Card, tuple[Sample, ...]],
    ) -> KnownDeck:
        """Keep what was found as the deck's next version. ``made``: ISO time."""
        if not self.good_name(name):
            raise UserError(
                f"deck {name[:40]!r}: expected a name of letters, digits, spaces, dots and dashes"
            )
        version = (self._versions(name) or [0])[-1] + 1
        place = self._folder / name / str(version)
        fresh = place.with_name(f".{version}.new")
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            data = {
                "format": FORMAT,
                "name": name,
                "made": made,
                "namer": self._namer,
                "figures": figures.to_json(),
            }
            (fresh / "deck.json").write_text(json.dumps(data, indent=1) + "\n", "utf-8")
            head.save(fresh / "head.npz")
            _save_samples(fresh / "cutouts.npz", samples)
            os.replace(fresh, place)
        except OSError as error:
            raise UserError(f"{place}: cannot be written: {error.strerror or error}") from None
        return self.load(name, version)

    def shown(self, name: str) -> tuple[dict[Card, tuple[Sample, ...]], dict[Card, float]]:
        """What was shown of a deck's newest version, to check it again with other weights: its
        cut-outs, and the share of looks that found each card. UserError where that was not
        counted, or not all cards are there."""
        found = {
            Card.parse(card): float(figures["found"])
            for card, figures in self.load(name).figures["cards"].items()
            if "found" in figures
        }
        samples = self.samples(name)
        if set(found) != set(samples) or len(samples) < len(DECK):
            raise UserError(f"deck {name}: too little of it was kept, show it again")
        return samples, found

    def samples(self, name: str, version: int | None = None) -> dict[Card, tuple[Sample, ...]]:
        """Cut-outs of what was shown of a deck."""
        chosen = self.load(name, version)
        path = self._folder / name / str(chosen.version) / "cutouts.npz"
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                rows = zip(data["cards"], data["looks"], data["wide"], data["at"], strict=True)
                found: dict[Card, tuple[Sample, ...]] = {}
                for place, look, wide, at in rows:
                    card = DECK[int(place)]
                    sample = Sample(wide, int(look), (float(at[0]), float(at[1])))
                    found[card] = (*found.get(card, ()), sample)
                return found
        except (OSError, ValueError, KeyError, IndexError, BadZipFile) as error:
            raise UserError(f"{path}: cannot be read ({error}); show the deck again") from None

    def _versions(self, name: str) -> list[int]:
        place = self._folder / name
        if not _NAME.match(name) or not place.is_dir():
            return []
        return sorted(int(p.name) for p in place.iterdir() if p.name.isdigit())

    def _write(self, path: Path, text: str) -> None:
        fresh = path.with_name(path.name + ".new")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(text, "utf-8")
            os.replace(fresh, path)
        except OSError as error:
            raise UserError(f"{path}: cannot be written: {error.strerror or error}") from None


def _choice(said: Mapping[str, Any]) -> _Choice:
    return (str(said["deck"]), int(said["version"])) if said["deck"] else None


def _said(chosen: _Choice) -> dict[str, object]:
    name, version = chosen or (None, None)
    return {"deck": name, "version": version}


def _save_samples(path: Path, samples: Mapping[Card, tuple[Sample, ...]]) -> None:
    rows = [
        (DECK.index(card), s.look, s.wide, s.at) for card, kept in samples.items() for s in kept
    ]
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            cards=np.array([row[0] for row in rows], np.int16),
            looks=np.array([row[1] for row in rows], np.int32),
            wide=np.stack([row[2] for row in rows]),
            at=np.array([row[3] for row in rows], np.float32),
        )
