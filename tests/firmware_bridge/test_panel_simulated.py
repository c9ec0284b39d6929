"""The simulated panel itself: it obeys, refuses, and never outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firmware_bridge.simulated import SimulatedPanel, SimulatedPanelError


def test_the_simulated_panel_dies_with_its_parent() -> None:
    script = (
        "import time; from firmware_bridge.simulated import SimulatedPanel; p = SimulatedPanel();"
        "print(p.pid, p.port, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid, port = parent.stdout.readline().split()
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    end = time.monotonic() + 200
    while time.monotonic() < end and (os.path.lexists(port) or _runs(int(pid))):
        time.sleep(0.02)
    assert not os.path.lexists(port) and not _runs(int(pid))


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False


def test_an_unknown_button_is_refused_by_the_simulated_panel(panel: SimulatedPanel) -> None:
    with pytest.raises(SimulatedPanelError, match="expected one of"):
        panel.press("escape")


def test_a_dead_simulated_panel_is_said_so() -> None:
    panel = SimulatedPanel()
    os.kill(panel.pid, signal.SIGKILL)
    with pytest.raises(SimulatedPanelError):
        panel.see()
    panel.close()
