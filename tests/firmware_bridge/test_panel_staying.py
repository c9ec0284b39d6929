"""Staying connected (S2, S6, S8, S10, S11) with pyserial on real pseudo-terminals."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.decoder import Decoder
from firmware_bridge.faults import Faults
from firmware_bridge.link import LinkSettings
from firmware_bridge.protocol import TO_PANEL, Frame, Kind, encode
from firmware_bridge.simulated import SimulatedPanel


def _processor_seconds(kiosk: Any) -> float:
    """What the link's thread has used up to now."""
    thread = kiosk.link._thread
    told = Path(f"/proc/self/task/{thread.native_id}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def test_s2_unplug_and_replug_ends_in_working_buttons_without_a_click(
    kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    kiosk.link.show([b"kept", b"", b"", b""], "100000")
    panel.unplug(for_ms=700)
    kiosk.until("lost")
    kiosk.until("connected")
    kiosk.wait(lambda: panel.display()[0].rstrip() == "kept" and panel.lights() == "100000")
    panel.press("bet")
    kiosk.wait(lambda: kiosk.buttons() == ["bet"])
    assert kiosk.kinds == ["booting", "connected", "lost", "connected"]
    assert kiosk.link.counters.reconnects == 1


def test_s6_a_talkative_stranger_has_its_own_state_and_does_not_spin(
    desks: Any, kiosks: Callable[..., Any]
) -> None:
    with SimulatedPanel(faults=Faults(babble=True)) as stranger:
        kiosk = kiosks(stranger.port, desks.QUICK)
        told = kiosk.until("stranger")
        assert "not a panel" in told.text and told.todo
        before = _processor_seconds(kiosk)
        time.sleep(2)
        assert _processor_seconds(kiosk) - before < 1.0


def test_s6_a_pulled_cable_is_one_event_and_costs_no_processor(
    kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    panel.unplug(for_ms=60_000)
    kiosk.until("lost")
    before = _processor_seconds(kiosk)
    time.sleep(2)
    assert _processor_seconds(kiosk) - before < 0.2
    assert kiosk.kinds.count("lost") == 1 and kiosk.kinds[-1] == "lost"


def test_s6_a_half_open_port_says_so_and_costs_no_processor(
    desks: Any, kiosks: Callable[..., Any]
) -> None:
    with SimulatedPanel(faults=Faults(half_open=True)) as panel:
        kiosk = kiosks(panel.port, desks.QUICK)
        kiosk.until("no-answer")
        before = _processor_seconds(kiosk)
        time.sleep(1.5)
        assert _processor_seconds(kiosk) - before < 0.2
        panel.use(Faults())
        kiosk.until("connected")


@pytest.mark.parametrize("moment", ["booting", "connected", "no-answer", "missing", "stranger"])
def test_s8_closing_from_another_thread_ends_the_link_whatever_it_does(
    desks: Any, kiosks: Callable[..., Any], moment: str
) -> None:
    faults = {"no-answer": Faults(half_open=True), "stranger": Faults(babble=True)}
    slow = LinkSettings(quiet=60.0, patience=120.0, reopen=180.0)
    with SimulatedPanel(faults=faults.get(moment, Faults(boot_ms=900))) as panel:
        port = "/dev/no-such-port" if moment == "missing" else panel.port
        kiosk = kiosks(port, slow if moment == "booting" else desks.QUICK)
        kiosk.until(moment)
        closer = threading.Thread(target=kiosk.link.close, args=(60.0,))
        closer.start()
        closer.join(90)
        assert kiosk.link.state.kind == "closed"


def test_s10_a_peer_that_asks_for_ever_is_called_dead_and_asked_anew(
    kiosks: Callable[..., Any], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.link.show([b"shown"] * 4, "000000")
    decoder, session, asked = Decoder(TO_PANEL), 0, 0
    begin = answered = time.monotonic()
    longest = 0.0
    while "dead" not in kiosk.kinds and time.monotonic() < begin + 200:
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(master, 4096)
        for frame in decoder.feed(data):
            if frame.kind is Kind.QUERY:
                session = frame.session
                who = ("dealer-panel", "1", "-", "x", "power", "1")
                os.write(master, encode(Frame(Kind.HELLO, 0, session, who)))
        if kiosk.link.state.connected:
            # The same number again and again, whatever has been sent.
            os.write(master, encode(Frame(Kind.MISSING, 0, session)))
            asked += 1
        time.sleep(0.04)
        longest = max(longest, time.monotonic() - answered)
        answered = time.monotonic()
    assert "dead" in kiosk.kinds and kiosk.link.counters.dead == 1
    assert asked >= 19 and time.monotonic() - begin > 3
    # Unless this machine let the peer itself fall silent.
    assert "silent" not in kiosk.kinds or longest > 1.0


def test_s2_a_storm_of_replugs_and_resets_ends_in_working_buttons(
    kiosks: Callable[..., Any], panel: SimulatedPanel
) -> None:
    """Pulled and put back again and again, also while the kiosk is just opening the port: nothing
    is left open, nothing acts that was not pressed, and the end is as after one start."""
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    kiosk.link.show([b"kept", b"", b"", b""], "100000")
    before = len(os.listdir("/proc/self/fd"))
    for turn in range(12):
        panel.unplug(for_ms=10 + 37 * turn % 150)
        time.sleep(0.02 + 0.031 * (turn % 5))
        if turn % 3 == 0:
            panel.reset()
    # The cable may still be pulled, and nobody have noticed: what is shown from now on tells.
    kiosk.link.show([b"after", b"", b"", b""], "100000")
    kiosk.wait(lambda: panel.display()[0].rstrip() == "after" and kiosk.link.settled())
    assert kiosk.presses == []
    panel.press("bet")
    kiosk.wait(lambda: kiosk.buttons() == ["bet"])
    assert len(os.listdir("/proc/self/fd")) <= before + 1
    assert sum(thread.name == "panel-link" for thread in threading.enumerate()) == 1
