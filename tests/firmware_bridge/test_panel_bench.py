"""``kiosk bench panel`` measures a real kiosk with the simulated panel."""

from __future__ import annotations

import argparse

import pytest

from kiosk.bench import panel
from kiosk.bench.commands import BENCHES, STANDARD


def test_bench_gives_both_ways_of_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    assert panel.PRESSES >= 100 and "panel" in BENCHES and "panel" in STANDARD
    monkeypatch.setattr(panel, "PRESSES", 20)
    figures = {figure.name: figure.value for figure in panel.panel(argparse.Namespace())}
    assert str(figures["pressed"]).startswith("20 times")
    for way in ("the page's event", "the panel's display"):
        median = figures[f"press to {way}, median"]
        worst = figures[f"press to {way}, 95th percentile"]
        # Contacts must be still for 10 ms first, so that no true figure lies below.
        assert isinstance(median, float) and isinstance(worst, float)
        assert 8 < median <= worst
