"""Plots of progress as SVG, drawn here and coloured by the page's own style sheet.

Texts come in ready and in the reader's language; they are escaped here. No scripts, no styles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH = 640


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name, its share of the whole width (0 to 1), the text at its end. ``look`` is a
    class of the style sheet: empty, ``good`` or ``bad``."""

    name: str
    share: float
    text: str
    look: str = ""


def bars(title: str, rows: Sequence[Bar], mark: float | None = None) -> str:
    """Horizontal bars, one a line. ``mark``: a line at this share, as an aim to be reached."""
    left, right, height = 230, 90, 34
    room = _WIDTH - left - right
    tall = 16 + height * len(rows)
    parts = []
    for at, row in enumerate(rows):
        top = 8 + at * height
        width = round(room * min(max(row.share, 0.0), 1.0), 1)
        parts.append(
            f'<text x="{left - 10}" y="{top + 20}" text-anchor="end">{escape(row.name)}</text>'
            f'<rect class="{escape(f"bar {row.look}".strip())}" x="{left}" y="{top + 4}" '
            f'width="{width}" height="{height - 12}" rx="4"/>'
            f'<text x="{left + room + 10}" y="{top + 20}">{escape(row.text)}</text>'
        )
    if mark is not None:
        x = round(left + room * mark, 1)
        parts.append(f'<line class="mark" x1="{x}" y1="4" x2="{x}" y2="{tall - 4}"/>')
    return _svg(title, tall, parts)


@dataclass(frozen=True, slots=True)
class Point:
    """A value (0 to 1) at a named place of a line, with a text that says it in full."""

    name: str
    value: float
    text: str


def line(title: str, points: Sequence[Point], mark: float | None = None) -> str:
    """A line from left to right over 0 to 100 %."""
    left, right, top, tall = 60, 30, 16, 250
    bottom = tall - 40
    room, step = _WIDTH - left - right, max(1, len(points) - 1)

    def y(value: float) -> float:
        return round(bottom - (bottom - top) * min(max(value, 0.0), 1.0), 1)

    places = [
        (round(left + room * (at / step if len(points) > 1 else 0.5), 1), y(point.value))
        for at, point in enumerate(points)
    ]
    parts = [
        f'<line class="grid" x1="{left}" y1="{y(level)}" x2="{_WIDTH - right}" y2="{y(level)}"/>'
        f'<text class="quiet" x="{left - 8}" y="{y(level) + 5}" text-anchor="end">'
        f"{round(level * 100)} %</text>"
        for level in (0, 0.25, 0.5, 0.75, 1)
    ]
    if mark is not None:
        parts.append(
            f'<line class="mark" x1="{left}" y1="{y(mark)}" x2="{_WIDTH - right}" y2="{y(mark)}"/>'
        )
    parts.append(f'<polyline class="line" points="{" ".join(f"{px},{py}" for px, py in places)}"/>')
    for (px, py), point in zip(places, points, strict=True):
        parts.append(
            f'<circle class="dot" cx="{px}" cy="{py}" r="5"><title>{escape(point.text)}</title>'
            "</circle>"
        )
    for at in _named(len(points)):
        px = places[at][0]
        anchor = "start" if at == 0 < len(points) - 1 else "end" if at else "middle"
        parts.append(
            f'<text class="quiet" x="{px}" y="{tall - 12}" text-anchor="{anchor}">'
            f"{escape(points[at].name)}</text>"
        )
    return _svg(title, tall, parts)


def _named(count: int) -> list[int]:
    """The points whose names are written: the first and the last."""
    return [] if not count else [0] if count == 1 else [0, count - 1]


def _svg(title: str, tall: int, parts: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {tall}" role="img" '
        f'aria-label="{escape(title)}" xmlns="http://www.w3.org/2000/svg">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
