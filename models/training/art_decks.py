"""Whole decks of installed artwork: every face and the boxes of its corner indices.

Faces come from three kinds of packages: sheets of 13 × 5 cells (gnome-cards-data), one drawing with
a named element a card (kdegames-card-data-kf5), one file a card (npm packages). None of it is kept
in the project; ``install-artwork.sh`` fetches it.
"""

from __future__ import annotations

import functools
import gzip
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from kiosk.cards import DECK, RANKS, Card
from models.training.artwork import HELD_OUT_WHOLE, sheet
from models.training.faces import FACE_H, FACE_W

SHEETS = (
    "anglo anglo_modern anglo_modern_4_color anglo_poker atlasnye gnomangelo neoclassical "
    "neoclassical_4_color ornamental paris simplistic slavic_costumes tango tigullio"
).split()
"""gnome-cards-data: sheets with a column a rank from ace to king and a row a suit: clubs, diamonds,
hearts, spades."""

NAMED = (
    "ancient-egyptians dondorf future gm-paris jolly-royal konqi-modern nicu-ornamental nicu-white "
    "oxygen oxygen-air oxygen-white penguins standard tigullio-international xskat-french"
).split()
"""kdegames-card-data-kf5: drawings whose elements are called 1_club … king_spade."""

PACKED = ("svg-cards", "react-playing-cards", "playing-cards-standard-deck")
"""npm packages with one picture a card."""

HELD_OUT = (*HELD_OUT_WHOLE, "oxygen-white", "playing-cards-standard-deck", "gm-paris")
"""Decks that are rendered for validation only; both drawings of the Paris pattern among them."""

NAMED_DIR = Path("/usr/share/carddecks")
PACKED_DIR = (
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    / "dealer-kiosk-artwork/node_modules"
)

_SUIT_WORDS = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_FACE_WORDS = {"J": "jack", "Q": "queen", "K": "king"}
_CORNER_W, _CORNER_H = 0.27, 0.36
"""Part of a face that its first corner index lies in."""
_INK = 60
"""Difference to the paper, in grey levels, from which on a pixel is ink."""


@dataclass(frozen=True)
class ArtDeck:
    """Faces (BGR, FACE_H × FACE_W) and index boxes ((2 or 4, 4), face pixels) by card."""

    name: str
    faces: Mapping[Card, tuple[np.ndarray, np.ndarray]]


def _number(card: Card) -> str:
    return {"A": "1", "T": "10"}.get(card.rank, card.rank)


def _drawn(arguments: list[str]) -> np.ndarray | None:
    done = subprocess.run(["rsvg-convert", *arguments], capture_output=True, check=False)
    if done.returncode or not done.stdout:
        return None
    return cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)


def _on_white(picture: np.ndarray | None) -> np.ndarray | None:
    """BGR on white paper, cut to what is painted, at the size of a face."""
    if picture is None:
        return None
    if picture.ndim == 3 and picture.shape[2] == 4:
        alpha = picture[..., 3:].astype(np.float32) / 255
        rows, columns = (
            np.flatnonzero(alpha.max((1, 2)) > 0.5),
            np.flatnonzero(alpha.max((0, 2)) > 0.5),
        )
        if not len(rows):
            return None
        flat = (picture[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
        picture = flat[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    way = cv2.INTER_AREA if picture.shape[0] > FACE_H else cv2.INTER_CUBIC
    return cv2.resize(picture, (FACE_W, FACE_H), interpolation=way)


def _from_sheet(name: str) -> dict[Card, np.ndarray]:
    picture = sheet(name)
    if picture is None:
        return {}
    width, height = picture.shape[1] / 13, picture.shape[0] / 5
    found = {}
    for card in DECK:
        column, row = (RANKS.index(card.rank) + 1) % 13, "cdhs".index(card.suit)
        cell = picture[
            int(row * height) + 1 : int((row + 1) * height) - 1,
            int(column * width) + 1 : int((column + 1) * width) - 1,
        ]
        found[card] = cv2.resize(cell, (FACE_W, FACE_H), interpolation=cv2.INTER_AREA)
    return found


def _from_elements(name: str) -> dict[Card, np.ndarray]:
    files = sorted((NAMED_DIR / f"svg-{name}").glob("*.svgz"))
    if not files:
        return {}
    with gzip.open(files[0], "rt") as drawing:
        known = set(re.findall(r'id="([0-9a-z]+_[a-z]+)"', drawing.read()))
    found = {}
    for card in DECK:
        element = f"{_FACE_WORDS.get(card.rank, _number(card))}_{_SUIT_WORDS[card.suit]}"
        if element not in known:
            continue
        size = ["--keep-aspect-ratio", "--height", str(FACE_H)]
        face = _on_white(_drawn([f"--export-id={element}", *size, str(files[0])]))
        if face is not None:
            found[card] = face
    return found


def _packed_file(package: str, card: Card, variant: str) -> Path:
    if package == "svg-cards":
        word = _FACE_WORDS.get(card.rank, _number(card))
        return PACKED_DIR / f"svg-cards/png/2x/{_SUIT_WORDS[card.suit]}_{word}.png"
    if package == "react-playing-cards":
        folder = PACKED_DIR / "@heruka_urgyen/react-playing-cards/src/images" / variant
        return folder / f"{card.rank}{card.suit.upper()}.svg"
    number = {"J": "11", "Q": "12", "K": "13"}.get(card.rank, _number(card))
    folder = PACKED_DIR / "@younestouati/playing-cards-standard-deck/cards"
    return folder / f"{number}{card.suit}.svg"


def _from_files(package: str, variant: str = "") -> dict[Card, np.ndarray]:
    found = {}
    for card in DECK:
        path = _packed_file(package, card, variant)
        if not path.is_file():
            continue
        if path.suffix == ".png":
            picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        else:
            picture = _drawn(["--keep-aspect-ratio", "--height", str(FACE_H), str(path)])
        face = _on_white(picture)
        if face is not None:
            found[card] = face
    return found


def _ink(face: np.ndarray) -> np.ndarray:
    """Where a face is not paper, uint8 0 or 1."""
    paper = np.median(face.reshape(-1, 3)[::7], axis=0)
    if paper.mean() < 150:
        paper = np.array([255.0, 255.0, 255.0])
    return (np.abs(face.astype(np.float32) - paper).max(2) > _INK).astype(np.uint8)


def _corner_box(face: np.ndarray) -> tuple[float, float, float, float] | None:
    """Box of the first corner's rank and suit: the pieces of ink in the left column at the top.

    None where a frame or picture touches the column.
    """
    width, height = round(_CORNER_W * FACE_W), round(_CORNER_H * FACE_H)
    ink = _ink(face)[: height + 40, : width + 40]
    count, _, stats, centres = cv2.connectedComponentsWithStats(ink, connectivity=8)
    pieces = []
    for number in range(1, count):
        x, y, w, h, area = stats[number]
        inside = min(x, y) >= 3 and x + w <= width and y + h <= height
        if inside and area >= 30 and h >= 8 and centres[number][0] < 0.2 * FACE_W:
            pieces.append((x, y, x + w, y + h))
    if not 2 <= len(pieces) <= 4:
        return None
    rows = np.array(pieces, float)
    x1, y1, x2, y2 = rows[:, 0].min(), rows[:, 1].min(), rows[:, 2].max(), rows[:, 3].max()
    tall, wide = y2 - y1, x2 - x1
    if not (0.12 * FACE_H < tall < 0.36 * FACE_H and 0.05 * FACE_W < wide < 0.27 * FACE_W):
        return None
    return float(x1), float(y1), float(x2), float(y2)


def _boxes(face: np.ndarray, first: tuple[float, float, float, float], four: bool) -> np.ndarray:
    x1, y1, x2, y2 = first
    boxes = [(x1, y1, x2, y2), (FACE_W - x2, FACE_H - y2, FACE_W - x1, FACE_H - y1)]
    if four:
        boxes += [(FACE_W - x2, y1, FACE_W - x1, y2), (x1, FACE_H - y2, x2, FACE_H - y1)]
    return np.array(boxes, np.float32)


def _has_four(face: np.ndarray, box: tuple[float, float, float, float]) -> bool:
    """Whether the top right corner carries as much ink as the top left one."""
    x1, y1, x2, y2 = (round(v) for v in box)
    ink = _ink(face)
    here = ink[y1:y2, x1:x2].mean()
    there = ink[y1:y2, FACE_W - x2 : FACE_W - x1].mean()
    return bool(there > 0.6 * here)


def _with_boxes(name: str, faces: dict[Card, np.ndarray]) -> ArtDeck | None:
    """The deck, if its indices can be found; courts take the box of the deck's other cards."""
    plain = {card: _corner_box(face) for card, face in faces.items() if card.rank in "23456789A"}
    known = [box for box in plain.values() if box is not None]
    if len(known) < 18:
        return None
    usual = tuple(float(v) for v in np.median(np.array(known), axis=0))
    low = [card for card in faces if card.rank in "23"]
    four = np.mean([_has_four(faces[card], usual) for card in low]) > 0.7 if low else False
    done = {}
    for card, face in faces.items():
        own = plain.get(card) or (_corner_box(face) if card.rank == "T" else None)
        box = own if own and abs(own[3] - usual[3]) < 12 else usual
        done[card] = (face, _boxes(face, box, bool(four)))
    return ArtDeck(name, done)


@functools.cache
def art_decks(held_out: bool = False) -> tuple[ArtDeck, ...]:
    """All decks that are installed: those for training, or those held out."""
    wanted: list[tuple[str, str]] = [("sheet", n) for n in SHEETS]
    wanted += [("named", n) for n in NAMED] + [("packed", n) for n in PACKED]
    found = []
    for kind, name in wanted:
        if (name in HELD_OUT) != held_out:
            continue
        variants = [""]
        if name == "react-playing-cards":
            variants = ["2color", "4color", "2color-bf", "4color-bf"]
        for variant in variants:
            if kind == "sheet":
                faces = _from_sheet(name)
            elif kind == "named":
                faces = _from_elements(name)
            else:
                faces = _from_files(name, variant)
            deck = _with_boxes(f"{name}{variant and '/'}{variant}", faces) if faces else None
            if deck is not None:
                found.append(deck)
    return tuple(found)
