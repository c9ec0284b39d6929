"""Which real photographs train, validate and test: by card set and by name, never by photograph.

rf100-poker-cards holds 13 card sets in 393 near-duplicate photographs, so whole sets are held out.
poker-hand-detector holds all 52 names of one deck, so names are held out: a photograph with any
test name tests, else one with any validation name validates. The lists are in ``folds.json``.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from kiosk.errors import UserError

SOURCES = (
    "rf100-poker-cards",
    "poker-hand-detector",
    "faces-kalkaran",
    "pinochle-edje",
    "evaluation-only-webcam-avgustine13",
)


ASSISTED = Path(str(resources.files("models.training").joinpath("assisted.json")))
"""Where ``models.training.assist`` keeps what it found."""

NEVER_TRAINED = "evaluation-only-"
"""A source whose name begins so is tested on, never trained on."""


@dataclass(frozen=True)
class Label:
    """One labelled box: ``card`` is a name or, in rank-only sources, a rank; empty where none lies
    (kind ``none``)."""

    card: str
    kind: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True)
class Photo:
    """One real photograph with its labels, its fold and its card set."""

    source: str
    path: Path
    fold: str
    card_set: str
    rank_only: bool
    labels: tuple[Label, ...]
    partial: bool = False
    """Other cards lie there that nobody has labelled."""
    assisted: tuple[Label, ...] = ()
    """Indices that the reader has boxed on cards whose indices are not labelled."""

    @property
    def cards(self) -> tuple[Label, ...]:
        return tuple(label for label in self.labels if label.kind == "card")

    @property
    def indices(self) -> tuple[Label, ...]:
        return tuple(label for label in self.labels if label.kind == "index")

    @property
    def nothing(self) -> tuple[Label, ...]:
        """Places where something that is no card was named."""
        return tuple(label for label in self.labels if label.kind == "none")


@functools.cache
def fold_lists() -> dict[str, dict[str, list[str]]]:
    """The committed lists: source → {"test": […], "validation": […]} of sets or names."""
    text = resources.files("models.training").joinpath("folds.json").read_text("utf-8")
    lists: dict[str, dict[str, list[str]]] = json.loads(text)["sources"]
    return lists


@functools.cache
def assisted_boxes() -> dict[str, dict[str, list[list[Any]]]]:
    """What ``models.training.assist`` found: source → image → [card, x1, y1, x2, y2]."""
    found: dict[str, dict[str, list[list[Any]]]] = json.loads(ASSISTED.read_text("utf-8"))
    return found


@functools.cache
def corrections() -> tuple[dict[str, Any], ...]:
    """The committed corrections of labels, each looked at by a person."""
    text = resources.files("models.training").joinpath("corrections.json").read_text("utf-8")
    return tuple(json.loads(text)["corrections"])


def corrected(source: str, image: str, marks: tuple[Label, ...]) -> tuple[Label, ...]:
    """The labels of an image with its corrections."""
    for change in corrections():
        if (change["source"], change["image"]) != (source, image):
            continue
        if "add" in change:
            marks = (*marks, Label(change["add"], "card", tuple(change["box"])))
        else:
            marks = tuple(
                replace(m, card=change["to"]) if m.card == change["rename"] else m for m in marks
            )
    return marks


def fold_of(source: str, names: set[str]) -> tuple[str, str]:
    """(fold, card set) of a photograph that shows these names."""
    lists = fold_lists().get(source)
    card_set = " ".join(sorted(names))
    if lists is None or source.startswith(NEVER_TRAINED):
        return "test", card_set
    held = {fold: [set(entry.split()) for entry in lists[fold]] for fold in ("test", "validation")}
    for fold in ("test", "validation"):
        if any(names & group for group in held[fold]):
            return fold, card_set
    return "train", card_set


def load_folder(folder: Path) -> tuple[Photo, ...]:
    """All photographs of one folder with a ``labels.json`` (and perhaps a ``meta.json``)."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    described = folder / "meta.json"
    meta = json.loads(described.read_text("utf-8")) if described.exists() else {}
    photos = []
    for name in sorted(labels):
        given = tuple(Label(m["card"] or "", m["kind"], tuple(m["box"])) for m in labels[name])
        marks = corrected(folder.name, name, given)
        names = {mark.card for mark in given if mark.kind == "card"}
        fold, card_set = fold_of(folder.name, names)
        said = meta.get(name, {})
        rank_only, partial = bool(said.get("rank_only")), bool(said.get("partial"))
        boxes = assisted_boxes().get(folder.name, {}).get(name, []) if fold == "train" else []
        more = tuple(Label(card, "index", (a, b, c, d)) for card, a, b, c, d in boxes)
        place = folder / name
        photos.append(Photo(folder.name, place, fold, card_set, rank_only, marks, partial, more))
    return tuple(photos)


def load_photos(root: Path) -> tuple[Photo, ...]:
    """All labelled photographs under ``root``, one folder a source: those of the lists first.

    Folders that stand in no list, such as kept misreads, are for training, unless their name
    begins with ``NEVER_TRAINED``. FileNotFoundError when there is none at all.
    """
    there = [folder.name for folder in sorted(root.iterdir()) if (folder / "labels.json").exists()]
    if not there:
        raise FileNotFoundError(f"{root}: no folder in it has a labels.json")
    listed = [photo for one in SOURCES if one in there for photo in load_folder(root / one)]
    others = (photo for one in there if one not in SOURCES for photo in load_folder(root / one))
    return (
        *listed,
        *(photo if _never(photo) else replace(photo, fold="train") for photo in others),
    )


def _never(photo: Photo) -> bool:
    return photo.source.startswith(NEVER_TRAINED)


def open_photos(place: Path) -> tuple[Photo, ...]:
    """The photographs of one source's folder, or of all the folders in it.

    UserError where there are none that are labelled as they should be.
    """
    try:
        single = (place / "labels.json").exists()
        return load_folder(place) if single else load_photos(place)
    except (OSError, ValueError, LookupError, TypeError) as problem:
        raise UserError(f"{place}: no labelled photographs ({problem})") from None


def of_folds(place: Path, photos: Sequence[Photo], folds: Sequence[str]) -> list[Photo]:
    """Those of the photographs of ``place`` that are in these folds; UserError for none."""
    found = [photo for photo in photos if photo.fold in folds]
    if not found:
        there = Counter(photo.fold for photo in photos)
        raise UserError(
            f"{place}: no photograph is of the fold {' or '.join(folds)}; there are "
            f"{', '.join(f'{count} of {fold}' for fold, count in sorted(there.items()))}. "
            "One source of your own, its folder named alone, is of the fold test"
        )
    return found
