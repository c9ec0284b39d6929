"""The printed sheets (PDF): four corner pieces to cut out, and the board for the lens.

Everything is drawn as vectors in true size; a ruler of ten centimetres shows whether the printer
kept it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas

from calibration.marker_set import PAPERS, MarkerSet, Rect, board_squares, tag_squares
from calibration.sheet_texts import TEXTS
from kiosk.errors import UserError
from kiosk.printing import BOLD, FONT, fonts

_GREY = (0.55, 0.55, 0.55)
_RULER = 10.0
_MARK = 0.28
"""Side of the small triangle that marks a piece's corner, centimetres."""


def sheet_pdf(paper: str, language: str = "en") -> bytes:
    """The two pages as a PDF file. ``language``: of its texts, ``en`` or ``ru``.

    Raises UserError for a paper that is not known.
    """
    if paper not in PAPERS:
        raise UserError(f"paper {paper!r}: expected one of {', '.join(PAPERS)}")
    width, height, markers = PAPERS[paper]
    fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(width * cm, height * cm), pageCompression=1)
    page = _Page(canvas, width, height, TEXTS.get(language, TEXTS["en"]))
    canvas.setTitle(page.texts["title"])
    _pieces(page, markers)
    canvas.showPage()
    _board(page, markers)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


class _Page:
    """Draws in centimetres from the top left, y downwards."""

    def __init__(self, canvas: Canvas, width: float, height: float, texts: dict[str, str]) -> None:
        self.canvas, self.width, self.height, self.texts = canvas, width, height, texts

    def squares(self, left: float, top: float, black: Sequence[Rect]) -> None:
        self.canvas.setFillGray(0)
        for x, y, w, h in black:
            # Neighbours overlap by a hair, so that no light seam shows between them.
            bottom = self.height - (top + y + h)
            self.canvas.rect((left + x) * cm, bottom * cm - 0.05, w * cm, h * cm + 0.05, 0, 1)

    def text(
        self,
        x: float,
        y: float,
        line: str,
        size: float = 10,
        bold: bool = False,
        middle: bool = False,
    ) -> None:
        self.canvas.setFillGray(0)
        self.canvas.setFont(BOLD if bold else FONT, size)
        draw = self.canvas.drawCentredString if middle else self.canvas.drawString
        draw(x * cm, (self.height - y) * cm, line)

    def line(self, x1: float, y1: float, x2: float, y2: float, thick: float = 0.02) -> None:
        self.canvas.setLineWidth(thick * cm)
        self.canvas.line(x1 * cm, (self.height - y1) * cm, x2 * cm, (self.height - y2) * cm)

    def triangle(self, x: float, y: float, right: float, down: float) -> None:
        path = self.canvas.beginPath()
        path.moveTo(x * cm, (self.height - y) * cm)
        path.lineTo((x + right) * cm, (self.height - y) * cm)
        path.lineTo(x * cm, (self.height - y - down) * cm)
        path.close()
        self.canvas.setFillGray(0)
        self.canvas.drawPath(path, 0, 1)


def _pieces(page: _Page, markers: MarkerSet) -> None:
    """Four pieces, two by two, with cut lines and their names."""
    side, gap = markers.piece, 0.3
    left = (page.width - 2 * side - gap) / 2
    top = 1.0
    for corner in range(4):
        column, row = (corner in (1, 2)), (corner in (2, 3))
        _piece(page, markers, corner, left + column * (side + gap), top + row * (side + gap))
    below = top + 2 * side + gap + 1.0
    below = _lines(page, 1.2, below, page.texts["pieces"])
    _ruler(page, below + 0.5)


def _piece(page: _Page, markers: MarkerSet, corner: int, left: float, top: float) -> None:
    side = markers.piece
    page.canvas.setStrokeColorRGB(*_GREY)
    page.canvas.setDash(3, 2)
    for x1, y1, x2, y2 in (
        (0, 0, side, 0),
        (0, side, side, side),
        (0, 0, 0, side),
        (side, 0, side, side),
    ):
        page.line(left + x1, top + y1, left + x2, top + y2)
    page.canvas.setDash()
    x, y = markers.tag_place(corner)
    page.squares(left + x, top + y, tag_squares(markers, corner))
    right_side, bottom_side = corner in (1, 2), corner in (2, 3)
    page.triangle(
        left + (side if right_side else 0),
        top + (side if bottom_side else 0),
        -_MARK if right_side else _MARK,
        -_MARK if bottom_side else _MARK,
    )
    name = f"{corner + 1} · {page.texts['corners'].split('|')[corner]}"
    middle = left + x + markers.tag / 2
    line = top + (markers.inner * 0.55 if bottom_side else side - markers.inner * 0.38)
    page.text(middle, line, name, 13, bold=True, middle=True)


def _board(page: _Page, markers: MarkerSet) -> None:
    width, height = markers.board_size
    page.squares((page.width - width) / 2, 1.0, board_squares(markers))
    below = 1.0 + height + 0.8
    room = page.height - below
    if room > 3.2:
        below = _lines(page, 1.2, below, page.texts["board"])
    else:
        page.text(1.2, below, page.texts["board"].split("|")[0], 9)
        below += 0.3
    _ruler(page, min(below + 0.5, page.height - 1.5))


def _lines(page: _Page, x: float, y: float, text: str) -> float:
    for line in text.split("|"):
        page.text(x, y, line, 9.5)
        y += 0.5
    return y


def _ruler(page: _Page, y: float) -> None:
    """Ten centimetres with a tick each, and what to do when they are not."""
    page.canvas.setStrokeGray(0)
    page.line(1.2, y, 1.2 + _RULER, y, 0.03)
    for number in range(11):
        page.line(1.2 + number, y, 1.2 + number, y - (0.35 if number % 5 == 0 else 0.2), 0.03)
    first, second = page.texts["ruler"].split("|")
    page.text(1.5 + _RULER, y - 0.15, first, 8.5, bold=True)
    page.text(1.2, y + 0.5, second, 8.5)
