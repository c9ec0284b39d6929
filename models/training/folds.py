"""Which real photographs train, validate and test: by card set and by name, never by photograph.

rf100-poker-cards holds 13 card sets in 393 near-duplicate photographs, so whole sets are held out.
poker-hand-detector holds all 52 names of one deck, so names are held out: a photograph with any
test name tests, else one with any validation name validates. The lists are in ``folds.json``.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

SOURCES = (
    "rf100-poker-cards",
    "poker-hand-detector",
    "faces-kalkaran",
    "pinochle-edje",
    "evaluation-only-webcam-avgustine13",
)


@dataclass(frozen=True)
class Label:
    """One labelled box: ``card`` is a name or, in rank-only sources, a rank."""

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

    @property
    def cards(self) -> tuple[Label, ...]:
        return tuple(label for label in self.labels if label.kind == "card")

    @property
    def indices(self) -> tuple[Label, ...]:
        return tuple(label for label in self.labels if label.kind == "index")


@functools.cache
def fold_lists() -> dict[str, dict[str, list[str]]]:
    """The committed lists: source → {"test": […], "validation": […]} of sets or names."""
    text = resources.files("models.training").joinpath("folds.json").read_text("utf-8")
    lists: dict[str, dict[str, list[str]]] = json.loads(text)["sources"]
    return lists


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
    if lists is None:
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
        given = tuple(Label(m["card"], m["kind"], tuple(m["box"])) for m in labels[name])
        marks = corrected(folder.name, name, given)
        names = {mark.card for mark in given if mark.kind == "card"}
        fold, card_set = fold_of(folder.name, names)
        rank_only = bool(meta.get(name, {}).get("rank_only"))
        photos.append(Photo(folder.name, folder / name, fold, card_set, rank_only, marks))
    return tuple(photos)


def load_photos(root: Path) -> tuple[Photo, ...]:
    """All labelled photographs under ``root`` (the shared photo folder), sorted by source."""
    return tuple(photo for source in SOURCES for photo in load_folder(root / source))
