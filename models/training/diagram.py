"""How sure and how right, as a picture: reliability diagram and risk-coverage curve in one SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from models.training.risk import Curve

_SIDE, _LEFT, _TOP, _STEP = 240, 64, 44, 380
"""Pixels: side of a plot, its margins, from one plot to the next."""

_STYLE = (
    "text{font:12px sans-serif;fill:#222}.axis{stroke:#222;fill:none}"
    ".grid{stroke:#ddd}.ideal{stroke:#999;stroke-dasharray:4 4}"
    ".line{stroke:#1f5fa8;stroke-width:2;fill:none}.dot{fill:#1f5fa8}.chosen{fill:#c2410c}"
)


class _Plot:
    """One square plot; ``across`` and ``up`` are the ranges of its axes."""

    def __init__(
        self,
        number: int,
        title: str,
        axes: tuple[str, str],
        across: tuple[float, float],
        up: tuple[float, float],
    ) -> None:
        self._left, self._across, self._up = _LEFT + number * _STEP, across, up
        self.parts: list[str] = []
        right, foot = self._left + _SIDE, _TOP + _SIDE
        for step in range(5):
            x, y = (low + (high - low) * step / 4 for low, high in (across, up))
            px, py = self.at(x, y)
            self._line(((px, _TOP), (px, foot)), "grid")
            self._line(((self._left, py), (right, py)), "grid")
            self._text(px, foot + 16, f"{x:g}", "middle")
            self._text(self._left - 6, py + 4, f"{y:g}", "end")
        corners = ((self._left, _TOP), (self._left, foot), (right, foot))
        self._line(corners, "axis")
        self._text(self._left, _TOP - 20, title, "start")
        self._text((self._left + right) / 2, foot + 34, axes[0], "middle")
        self._text(self._left, _TOP - 6, axes[1], "start")

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies in the picture, held within the plot."""
        shares = [
            min(1.0, max(0.0, (value - low) / (high - low)))
            for value, (low, high) in ((x, self._across), (y, self._up))
        ]
        return self._left + shares[0] * _SIDE, _TOP + (1 - shares[1]) * _SIDE

    def line(self, points: Iterable[tuple[float, float]], kind: str) -> None:
        """A line through points of the plot."""
        self._line([self.at(x, y) for x, y in points], kind)

    def dot(self, x: float, y: float, radius: float, told: str, kind: str = "dot") -> None:
        """A dot that tells what it is when it is pointed at."""
        px, py = self.at(x, y)
        self.parts.append(
            f'<circle class="{kind}" cx="{px:.1f}" cy="{py:.1f}" r="{radius:.1f}">'
            f"<title>{escape(told)}</title></circle>"
        )

    def _line(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline class="{kind}" fill="none" points="{text}"/>')

    def _text(self, x: float, y: float, text: str, anchor: str) -> None:
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
        )


def diagram(bins: Sequence[tuple[float, float, int]], curve: Curve, chosen: float) -> str:
    """The SVG. ``bins``: mean confidence, share right, count; ``curve``: what each naming
    threshold costs; ``chosen``: the one in force."""
    trust = _Plot(0, "Reliability", ("confidence", "share right"), (0, 1), (0, 1))
    trust.line(((0, 0), (1, 1)), "ideal")
    trust.line([(mean, share) for mean, share, _ in bins], "line")
    most = max((count for _, _, count in bins), default=1)
    for mean, share, count in bins:
        told = f"{count} cut-outs, confidence {mean}, right {share}"
        trust.dot(mean, share, 2.5 + 4 * (count / most) ** 0.5, told)
    points = [
        (100 * cost.read / cost.cards, 1000 * cost.wrong / cost.named, name, cost)
        for name, cost in sorted(curve.items())
        if cost.cards and cost.named
    ]
    low = min((x for x, *_ in points), default=0.0) // 10 * 10
    high = max((y for _, y, *_ in points), default=0.0)
    axes = ("cards read, %", "wrong of 1,000 named")
    risk = _Plot(1, "Risk and coverage", axes, (low, 100), (0, max(4.0, -(-high // 4) * 4)))
    risk.line([(low, 1), (100, 1)], "ideal")
    risk.line([(x, y) for x, y, *_ in points], "line")
    for x, y, name, cost in points:
        kind = "chosen" if name == chosen else "dot"
        told = f"{cost.read} of {cost.cards} read, {cost.wrong} of {cost.named} wrong"
        risk.dot(x, y, 5 if name == chosen else 3, f"threshold {name}: {told}", kind)
    width, height = _LEFT + _STEP + _SIDE + 24, _TOP + _SIDE + 48
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            "<title>Reliability of the confidence, and wrong names against cards read</title>",
            f'<style>{_STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>',
            *trust.parts,
            *risk.parts,
            "</svg>\n",
        )
    )
