"""The whole panel on a real round: line, model and display, with the simulated panel or none."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge.host import STALE_MS
from firmware_bridge.panel import Panel
from firmware_bridge.simulated import SimulatedPanel
from kiosk.errors import ActionError, UserError


def _wait(condition: Callable[[], object], panel: Panel, seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, panel.status()
        time.sleep(0.01)


def test_the_whole_panel_with_the_simulated_one(desks: Any, table: Any) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        simulated = panel.simulated
        assert isinstance(simulated, SimulatedPanel)
        _wait(lambda: panel.state.connected, panel)
        table.deal(desks.WINNING)
        simulated.press("box1")
        _wait(lambda: panel.model.selected == 1, panel)
        simulated.press("confirm")
        _wait(lambda: table.box()["confirmed"] and table.box()["settled"], panel)
        simulated.press("reveal")
        _wait(lambda: "1 PAY 400 TAKE 0" in simulated.display()[1], panel)
        assert simulated.lights()[0] == "1"
        assert [(name, who) for name, _, who in table.done] == [
            ("confirm", "panel"),
            ("reveal", "panel"),
        ]
        told = panel.status()
        assert told["counters"]["bad_crc"] == 0 and told["selected"] == 1
    finally:
        panel.close()
    _wait(lambda: not any(t.name.startswith("panel") for t in threading.enumerate()), panel)


def test_a_killed_simulated_panel_is_replaced(table: Any) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        _wait(lambda: panel.state.connected, panel)
        first = panel.simulated
        assert first is not None
        os.kill(first.pid, signal.SIGKILL)
        _wait(lambda: panel.simulated is not first and panel.state.connected, panel)
        second = panel.simulated
        assert second is not None
        second.press("hold")
        _wait(lambda: table.snapshot()["held"], panel)
    finally:
        panel.close()


def test_a_refused_action_is_said_on_the_display(table: Any) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        simulated = panel.simulated
        assert simulated is not None
        _wait(lambda: panel.state.connected, panel)
        with pytest.raises(ActionError) as refusal:
            table.owner.act("void", {"reason": "test"}, "test")
        simulated.press("next", hold_ms=900)
        words = str(refusal.value).split()
        _wait(lambda: " ".join(simulated.display()[2:]).split() == words, panel)
        assert table.done == [("void", {"reason": "panel"}, "panel")]
    finally:
        panel.close()


def test_a_press_that_waited_too_long_for_the_kiosk_is_counted_and_does_not_act(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An acknowledged press acts once or is counted: the dealer may have pressed again since."""
    panel = Panel(table, "sim")
    panel.start()
    act, entered, gate = table.act, threading.Event(), threading.Event()

    def slow(name: str, body: dict[str, Any], who: str) -> Any:
        entered.set()
        gate.wait(120)
        return act(name, body, who)

    monkeypatch.setattr(table, "act", slow)
    try:
        simulated = panel.simulated
        assert simulated is not None
        _wait(lambda: panel.state.connected, panel)
        simulated.press("hold")
        assert entered.wait(200)
        simulated.press("next")
        # The release of the one, press and release of the other wait behind the first.
        _wait(lambda: panel._presses.qsize() == 3, panel)
        time.sleep(STALE_MS / 1000 + 0.1)
        gate.set()
        _wait(lambda: panel.status()["counters"]["late_presses"] == 3, panel)
        # Not lost in silence: the dealer is told to press again.
        _wait(lambda: "LATE: press again" in simulated.display()[3], panel)
        simulated.press("hold")
        _wait(lambda: len(table.done) == 2, panel)
        assert [name for name, _, _ in table.done] == ["hold", "hold"]
    finally:
        gate.set()
        panel.close()


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("none", "off"), ("/dev/ttyNOTHING", "missing"), ("/etc/hostname", "not-a-port")],
)
def test_without_a_panel_the_rest_works(table: Any, spec: str, kind: str) -> None:
    panel = Panel(table, spec)
    panel.start()
    try:
        _wait(lambda: panel.state.kind == kind, panel)
        panel.press("box1")
        panel.press("plus")
        assert table.done[-1][0] == "bets"
    finally:
        panel.close()


@pytest.mark.parametrize(
    "spec", ["", "ttyUSB0", "auto:", "simulated", "auto,quiet=", "auto,quiet=-1", "sim,quiet=x"]
)
def test_a_bad_panel_setting_is_one_clear_line(table: Any, spec: str) -> None:
    with pytest.raises(UserError, match="expected none, sim, auto"):
        Panel(table, spec)


def test_the_page_chooses_and_holds_as_the_buttons_do(desks: Any, table: Any) -> None:
    changes: list[int | None] = []
    panel = Panel(table, "none", on_change=lambda: changes.append(panel.model.selected))
    panel.start()
    try:
        table.deal(desks.WINNING)
        panel.choose(1)
        assert panel.status()["selected"] == 1 and changes[-1] == 1
        panel.press("plus")
        panel.choose(1)  # the same box again leaves all as it is
        panel.press("plus", held=True)
        assert table.box()["bets"]["ante"] == 1000
        panel.press("sixth", held=True)
        assert panel.status()["display"][0].startswith("Cards Box 1")
        panel.choose(None)
        assert panel.status()["selected"] is None and changes[-1] is None
        panel.press("next", held=True)
        assert table.done[-1] == ("void", {"reason": "panel"}, "panel")
    finally:
        panel.close()
