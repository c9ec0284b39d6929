"""What every printed page (PDF) shares: a typeface with Cyrillic and card suits, text styles."""

from __future__ import annotations

import io
from functools import lru_cache
from importlib import resources

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FONT = "KioskSans"
BOLD = "KioskSans-Bold"
"""Names of the typeface once `fonts` was called."""

_FILES = {FONT: "DejaVuSans.ttf", BOLD: "DejaVuSans-Bold.ttf"}
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@lru_cache(maxsize=1)
def fonts() -> None:
    """Registers the typeface with the PDF library; further calls do nothing."""
    folder = resources.files("kiosk.fonts")
    for name, file in _FILES.items():
        pdfmetrics.registerFont(TTFont(name, io.BytesIO((folder / file).read_bytes())))
    pdfmetrics.registerFontFamily(FONT, normal=FONT, bold=BOLD, italic=FONT, boldItalic=BOLD)


def style(size: float = 9, *, bold: bool = False, **more: object) -> ParagraphStyle:
    """A paragraph style of the typeface; ``size`` in points, ``more`` as reportlab names them."""
    fonts()
    values: dict[str, object] = {
        "fontName": BOLD if bold else FONT,
        "fontSize": size,
        "leading": size * 1.25,
    }
    return ParagraphStyle("text", **(values | more))


def card_text(card: str) -> str:
    """A card as printed: ``Th`` → ``10♥``."""
    return ("10" if card[0] == "T" else card[0]) + SUITS.get(card[1:], "")
