"""A bad line (S9, S12): every press once and in order, whatever fault is switched on; the soaks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.faults import Faults
from firmware_bridge.protocol import BUTTONS
from firmware_bridge.simulated import SimulatedPanel


def _soak(ledger: Any, kiosks: Callable[..., Any], folder: Path, presses: int) -> Any:
    """100 presses a second and as many releases, 1 % of the bytes damaged both ways."""
    recording = folder / "panel.line"
    with SimulatedPanel(recording=recording) as panel:
        kiosk = kiosks(panel.port)
        kiosk.until("connected")
        panel.use(Faults(noise=0.01))
        assert panel.see()["dropped"] == 0
        lateness = ledger.Lateness()
        panel.mash(every_ms=10, count=presses)
        kiosk.wait(lambda: panel.see()["mashing"] == 0, presses / 100 * 2 + 200)
        before = -1
        while before != len(kiosk.presses):
            before = len(kiosk.presses)
            time.sleep(3.0)
        lateness.end(panel.see()["stalled_ms"])
        dropped = panel.see()["dropped"]
    counters = kiosk.link.counters
    assert counters.bad_crc + counters.noise > presses // 10
    line = ledger.Ledger.of(recording.read_bytes())
    acted = [press.event for press in kiosk.presses]
    made = 2 * presses
    # At such a rate the queue holds a quarter of a second, which a few bad frames in a row use up.
    counts = ledger.judge(line, acted, made, counters.stale, lateness, spare=made // 20)
    # The panel's own count: nothing is missing but what its full queue refused.
    assert made - len(line.fates) == dropped
    # The contacts gave the buttons in turn, so what did not act is missing and nothing else.
    wanted = iter([BUTTONS[turn % 16] for turn in range(presses)])
    assert all(button in wanted for button in kiosk.buttons())
    return counts


def test_s9_soak_at_100_presses_a_second_short(
    ledger: Any, kiosks: Callable[..., Any], tmp_path: Path
) -> None:
    _soak(ledger, kiosks, tmp_path, 500)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_s9_soak_at_100_presses_a_second_ten_minutes(
    ledger: Any,
    kiosks: Callable[..., Any],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    counts = _soak(ledger, kiosks, tmp_path, 60_000)
    record_property("soak", counts)
    print("soak of the simulated panel:", counts)
