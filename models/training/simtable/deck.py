"""The decks of the simulated table: faces and backs as a card maker would print them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from kiosk.cards import Card
from kiosk.errors import UserError
from models.training.faces import DeckStyle
from models.training.recording.deck import draw_back, draw_face
from models.training.suits import PipStyle


@dataclass(frozen=True)
class Deck:
    """Pictures of one deck: BGR uint8 of 352 × 252 each (40 px a centimetre).

    ``face`` draws one card's; whoever needs it again keeps it.
    """

    face: Callable[[Card], np.ndarray]
    back: np.ndarray


def _font() -> Path:
    """A bold typeface that comes with a package the program needs anyway."""
    try:
        import reportlab
    except ModuleNotFoundError:
        raise UserError(
            "the simulated table needs the package reportlab for its typeface: "
            "install the program again with its requirements"
        ) from None
    path = Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf"
    if not path.is_file():
        raise UserError(f"{path}: the simulated table's typeface is missing: reinstall reportlab")
    return path


def _plain() -> DeckStyle:
    """Large two-corner indices, the deck of a school."""
    return DeckStyle(
        font=_font(),
        pips=PipStyle(None, width=0.86, cleft=0.2, curve=0.13, stem=0.2, lobe=0.25),
        letters="latin",
        rank_height=0.135,
        suit_ratio=0.95,
        gap=0.16,
        squeeze=0.86,
        margin=(0.035, 0.035),
        corners=2,
        pip_height=0.15,
        paper=(244, 248, 250),
        red=(34, 24, 204),
        black=(22, 18, 18),
        four_colour=False,
        beside=False,
        held_out=True,
        seed=1,
        back=draw_back(),
    )


def deck_style(name: str = "plain") -> DeckStyle:
    """The style of a deck of ``spec.DECKS``."""
    plain = _plain()
    if name == "casino":
        return replace(plain, font=_roboto() or plain.font, pips=replace(plain.pips, width=0.74))
    if name == "narrow":
        return replace(plain, rank_height=0.105, squeeze=0.7, pip_height=0.13)
    if name == "four":
        return replace(plain, four_colour=True)
    return plain


def _roboto() -> Path | None:
    """The slab typeface of the bundled recording, where it is installed."""
    folder = Path("/usr/share/fonts/opentype/roboto/slab")
    path = folder / "RobotoSlab-Bold.otf"
    return path if path.is_file() else None


def draw_deck(name: str = "plain") -> Deck:
    """A deck of ``spec.DECKS``."""
    style = deck_style(name)
    return Deck(partial(draw_face, style), style.back)
