"""The typeface of printed pages has every letter that the pages use."""

from __future__ import annotations

import io

from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import Paragraph, SimpleDocTemplate

from kiosk import printing


def test_the_typeface_has_cyrillic_suits_and_currencies() -> None:
    printing.fonts()
    for name in (printing.FONT, printing.BOLD):
        known = pdfmetrics.getFont(name).face.charToGlyph
        for text in ("AZaz09", "АЯаяЁё", "♣♦♥♠", "₽€$£", "«»—–…×→№✓✗"):
            assert [c for c in text if ord(c) not in known] == []


def test_a_page_is_made_with_it() -> None:
    out = io.BytesIO()
    page = Paragraph(f"Стрит {printing.card_text('Th')}", printing.style(12, bold=True))
    SimpleDocTemplate(out).build([page])
    assert out.getvalue().startswith(b"%PDF-")
    assert b"DejaVuSans-Bold" in out.getvalue()


def test_cards_as_printed() -> None:
    assert [printing.card_text(card) for card in ("Th", "As", "2c")] == ["10♥", "A♠", "2♣"]
