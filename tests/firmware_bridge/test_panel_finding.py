"""Finding and opening the panel (S1, S3, S4, S5, S7) with pyserial on real pseudo-terminals."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pace import Pace

from firmware_bridge.faults import Faults
from firmware_bridge.link import LinkSettings
from firmware_bridge.ports import PortFault, open_port
from firmware_bridge.protocol import Frame, Kind, encode
from firmware_bridge.simulated import SimulatedPanel


def test_s1_the_panel_is_found_by_its_hello_not_by_port_name(
    desks: Any, kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    with SimulatedPanel(faults=Faults(babble=True)) as stranger:
        ports = [stranger.port, panel.port]
        kiosk = kiosks("auto", desks.QUICK, ports=lambda: ports)
        kiosk.until("connected")
        assert kiosk.link.state.params == {"port": panel.port, "serial": "K-0007"}
        assert kiosk.kinds.count("connected") == 1


def test_s1_of_two_panels_the_one_with_the_serial_number_is_taken(
    desks: Any, kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    with SimulatedPanel(serial="OTHER") as other:
        kiosk = kiosks("auto:k-0007", desks.QUICK, ports=lambda: [other.port, panel.port])
        kiosk.until("connected")
        hello = kiosk.link.state.hello
        assert hello is not None and hello.serial == "K-0007"
        assert "wrong-panel" in kiosk.kinds


def test_s3_any_order_of_starting_gives_the_same_end(
    kiosks: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "panel"
    early = kiosks(str(path))
    early.until("missing")
    with SimulatedPanel() as panel:
        path.symlink_to(panel.port)
        early.until("connected")
        panel.press("hold")
        early.wait(lambda: early.buttons() == ["hold"])


@pytest.mark.parametrize("quiet", [0.2, 600.0])
def test_s4_opening_resets_the_board_and_the_first_fragment_is_dropped(
    kiosks: Callable[..., Any], quiet: float
) -> None:
    faults = Faults(reset_on_open=True, boot_ms=800)
    with SimulatedPanel(faults=faults) as panel:
        pace = Pace()
        kiosk = kiosks(panel.port, LinkSettings(quiet=quiet, patience=1200.0, reopen=2400.0))
        # A board that says hello is not kept waiting for the rest of the quiet time.
        kiosk.until("connected")
        assert pace.seconds > 0.7
        assert kiosk.kinds == ["booting", "connected"]


def test_s4_the_quiet_time_is_part_of_the_setting(
    kiosks: Callable[..., Any], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    pace = Pace()
    kiosk = kiosks(f"{path},quiet=1.5")
    kiosk.until("booting")

    def asked() -> bytes:
        with contextlib.suppress(BlockingIOError, OSError):
            return os.read(master, 100)
        return b""

    kiosk.wait(lambda: b":Q" in asked())
    assert pace.seconds > 1.4


def test_s4_a_fragment_of_an_earlier_line_is_no_press(
    kiosks: Callable[..., Any], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.until("booting")
    whole = encode(Frame(Kind.PRESS, 0, 0xA1B2, ("fold", "12")))
    os.write(master, whole[9:] + whole)
    kiosk.wait(lambda: kiosk.link.counters.foreign_session == 1)
    assert kiosk.presses == [] and kiosk.link.counters.stray_bytes > 5


def test_s5_slow_boot_and_lost_answers_are_not_a_wrong_port(kiosks: Callable[..., Any]) -> None:
    faults = Faults(reset_on_open=True, boot_ms=1500, deaf_hellos=2)
    with SimulatedPanel(faults=faults) as panel:
        kiosk = kiosks(panel.port, LinkSettings(quiet=0.2, patience=1.0, reopen=20))
        kiosk.until("connected")
        assert set(kiosk.kinds) <= {"booting", "no-answer", "connected"}
        assert kiosk.kinds.count("no-answer") <= 1


def test_s7_a_port_in_use_is_said_in_plain_words_and_taken_when_free(
    kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    script = "import serial,sys,time; p=serial.Serial(sys.argv[1]); print(1,flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", script, panel.port],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert other.stdout is not None and other.stdout.readline()
        kiosk = kiosks(panel.port)
        assert f"process {other.pid}" in kiosk.until("busy").text
    finally:
        other.communicate(b"\n")
    kiosk.until("connected")


def test_s7_two_kiosks_on_one_port(kiosks: Callable[..., Any], panel: SimulatedPanel) -> None:
    first = kiosks(panel.port)
    first.until("connected")
    second = kiosks(panel.port)
    second.until("busy")
    panel.press("plus")
    first.wait(lambda: first.buttons() == ["plus"])
    assert second.presses == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [("/etc/hostname", "not-a-port"), ("/dev/null", "not-a-port"), ("/dev/ttyNO", "missing")],
)
def test_what_is_no_port_has_a_plain_state(
    kiosks: Callable[..., Any], name: str, kind: str
) -> None:
    kiosk = kiosks(name)
    told = kiosk.until(kind)
    assert name in told.text and told.todo


def test_a_panel_of_another_protocol_version_is_named(
    kiosks: Callable[..., Any], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.until("booting")
    os.write(master, encode(Frame(Kind.HELLO, 0, 0, ("dealer-panel", "2", "-", "x", "power", "1"))))
    assert "kiosk panel flash" in kiosk.until("wrong-version").todo


def test_exclusive_open_refuses_a_second_open(panel: SimulatedPanel) -> None:
    port = open_port(panel.port)
    with pytest.raises(PortFault) as fault:
        open_port(panel.port)
    assert fault.value.kind == "busy"
    port.close()
