"""Typefaces for drawn card indices: found on the machine, split into training and held-out."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONT_DIRS = (
    "/usr/share/fonts/truetype",
    "/usr/share/fonts/opentype",
    "/usr/share/texmf/fonts/opentype/public/tex-gyre",
)

HELD_OUT = ("Caladea", "RobotoSlab", "Bookman", "texgyreadventor")
"""Name parts of faces never trained on: validation and the bundled recording use them only."""

TWINS = ("texgyrebonum", "URWGothic", "booku", "gothu")
"""Name parts of other cuts of held-out drawings (Bookman, Avant Garde): drawn for nothing."""

TWINS_TRAINED = ("Bookman", "texgyreadventor")
"""Those of ``HELD_OUT`` that validation does not draw either: the weights that ship were trained on
``TWINS``, so figures on these faces would be of faces that they know. Empty it when weights ship
that were trained without."""

_UNFIT = (
    *("D050000L", "Symbol", "Math", "math", "Z003", "Mathematical", "Oblique", "Thin", "Hairline"),
    *("Abecedario", "Museum", "elle", "eleg", "alfa-beta", "f500", "Wargames", "Isabella", "Nushu"),
    *("OCRBE", "OCRBF", "OCRBX", "LinBiolinum_K", "El_Abogado", "It_wasn"),
)
"""Parts of file names of dingbats, symbols, scripts, hairlines, framed and Greek letters, which no
playing card has for ranks."""

RANK_CHARACTERS = "0123456789AJQK"

_NO_FONTS = "no fonts to draw cards with: install the packages named in docs/training.md"

_FAMILY_LETTERS = 5
"""First letters of a file's name that tell families apart."""

SUIT_FACES = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "FreeSans.ttf",
    "FreeSerif.ttf",
    "FreeMono.ttf",
)
"""Files whose suit glyphs are usable as pips besides the drawn shapes."""


@functools.cache
def font_files(held_out: bool = False) -> tuple[Path, ...]:
    """All usable font files: the held-out ones that validation draws, or those for training.
    Sorted, so that seeds repeat."""
    left_out = TWINS_TRAINED if held_out else TWINS
    found = tuple(path for path in _usable(held_out) if not _named(path, left_out))
    if not found:
        raise FileNotFoundError(_NO_FONTS)
    return found


def held_out_file(name: str) -> Path:
    """A face of ``HELD_OUT`` by the name of its file, whether or not validation draws it."""
    for path in _usable(True):
        if path.name == name:
            return path
    raise FileNotFoundError(f"{name}: {_NO_FONTS}")


def _named(path: Path, parts: tuple[str, ...]) -> bool:
    """Whether one of the parts stands in the file's name."""
    return any(part.lower() in path.name.lower() for part in parts)


@functools.cache
def _usable(held_out: bool) -> tuple[Path, ...]:
    """The font files that cards could carry, those of ``HELD_OUT`` or the others, by name."""
    found = {}
    for folder in FONT_DIRS:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix.lower() not in (".ttf", ".otf"):
                continue
            if any(part in path.name for part in _UNFIT):
                continue
            if _named(path, HELD_OUT) == held_out and has_glyphs(path, RANK_CHARACTERS):
                found[path.name] = path
    return tuple(found[name] for name in sorted(found))


@functools.cache
def families(held_out: bool = False) -> tuple[tuple[Path, ...], ...]:
    """The usable files by family, so that one of many weights is not drawn more often."""
    found: dict[str, list[Path]] = {}
    for path in font_files(held_out):
        found.setdefault(path.stem[:_FAMILY_LETTERS].lower(), []).append(path)
    return tuple(tuple(found[name]) for name in sorted(found))


def random_font(rng: np.random.Generator, held_out: bool = False) -> Path:
    """A font file: of the held-out ones any, of the others a family and then one of its files."""
    if held_out:
        return font_files(True)[int(rng.integers(len(font_files(True))))]
    family = families()[int(rng.integers(len(families())))]
    return family[int(rng.integers(len(family)))]


@functools.cache
def suit_font_files() -> tuple[Path, ...]:
    """Font files with usable suit glyphs that are present on this machine."""
    return tuple(
        path
        for folder in FONT_DIRS
        for path in sorted(Path(folder).rglob("*.ttf"))
        if path.name in SUIT_FACES
    )


@functools.cache
def _characters(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True, fontNumber=0) as font:
        return frozenset(font.getBestCmap())


def has_glyphs(path: Path, text: str) -> bool:
    """Whether the font draws every character of the text (and not its box for missing ones)."""
    return all(ord(character) in _characters(path) for character in text)


@functools.lru_cache(maxsize=4096)
def glyph_mask(path: Path, text: str, height: int) -> np.ndarray:
    """Coverage mask (uint8, 0 … 255) of the text's ink, cropped, ``height`` pixels high."""
    font = ImageFont.truetype(str(path), height * 2)
    x1, y1, x2, y2 = font.getbbox(text)
    if x2 <= x1 or y2 <= y1:
        raise ValueError(f"{path.name} has no glyph for {text!r}")
    image = Image.new("L", (int(x2 - x1 + 8), int(y2 - y1 + 8)))
    ImageDraw.Draw(image).text((4 - x1, 4 - y1), text, fill=255, font=font)
    mask = np.asarray(image)
    rows, columns = np.flatnonzero(mask.max(1) > 40), np.flatnonzero(mask.max(0) > 40)
    mask = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    width = max(1, round(mask.shape[1] * height / mask.shape[0]))
    return np.asarray(Image.fromarray(mask).resize((width, height), Image.Resampling.LANCZOS))
