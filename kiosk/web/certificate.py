"""The certificate of a passed test, as one printable page (PDF)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from kiosk.printing import BOLD, FONT, fonts

_GREEN, _BRASS, _GREY = HexColor("#0d3727"), HexColor("#8a6412"), HexColor("#4a564f")


@dataclass(frozen=True, slots=True)
class Certificate:
    """All texts of a certificate, in the language it is printed in. ``facts``: lines below."""

    title: str
    lead: str
    name: str
    achieved: str
    facts: Sequence[str]
    number: str
    signature: str


def certificate_pdf(texts: Certificate) -> bytes:
    """One landscape A4 page with an embedded typeface."""
    fonts()
    page = io.BytesIO()
    width, height = landscape(A4)
    canvas = Canvas(page, pagesize=(width, height), pageCompression=1)
    canvas.setTitle(f"{texts.title} {texts.number}")
    canvas.setStrokeColor(_GREEN)
    canvas.setLineWidth(5)
    canvas.rect(28, 28, width - 56, height - 56)
    canvas.setStrokeColor(_BRASS)
    canvas.setLineWidth(1.2)
    canvas.rect(38, 38, width - 76, height - 76)
    room = width - 140
    _centred(canvas, width, height - 130, texts.title, BOLD, 40, _GREEN, room)
    _centred(canvas, width, height - 185, texts.lead, FONT, 16, _GREY, room)
    _centred(canvas, width, height - 245, texts.name, BOLD, 34, _BRASS, room)
    _centred(canvas, width, height - 295, texts.achieved, FONT, 17, _GREEN, room)
    for at, fact in enumerate(texts.facts):
        _centred(canvas, width, height - 340 - 22 * at, fact, FONT, 13, _GREY, room)
    canvas.setFillColor(_GREY)
    canvas.setStrokeColor(_GREY)
    canvas.setLineWidth(0.8)
    canvas.line(width - 330, 95, width - 80, 95)
    canvas.setFont(FONT, 11)
    canvas.drawString(80, 80, texts.number)
    canvas.drawCentredString(width - 205, 80, texts.signature)
    canvas.save()
    return page.getvalue()


def _centred(
    canvas: Canvas,
    width: float,
    y: float,
    text: str,
    font: str,
    size: float,
    colour: HexColor,
    room: float,
) -> None:
    """A line in the middle, made smaller where it would not fit."""
    long = pdfmetrics.stringWidth(text, font, size)
    canvas.setFillColor(colour)
    canvas.setFont(font, size if long <= room else size * room / long)
    canvas.drawCentredString(width / 2, y, text)
