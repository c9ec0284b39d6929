"""Acceptance S1–S12 with pyserial on real pseudo-terminals; the far end is the simulated panel."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.decoder import Decoder
from firmware_bridge.faults import Faults
from firmware_bridge.host_events import Pressed
from firmware_bridge.link import LinkSettings, PanelLink
from firmware_bridge.ports import PortFault, PortSpec, open_port
from firmware_bridge.protocol import BUTTONS, TO_PANEL, Frame, Kind, encode
from firmware_bridge.simulated import SimulatedPanel, SimulatedPanelError
from firmware_bridge.states import LinkState

QUICK = LinkSettings(quiet=0.2, patience=1.0, reopen=3.0, pause=(0.05, 0.3))


class Kiosk:
    """A link and what it has reported."""

    def __init__(
        self,
        spec: str,
        settings: LinkSettings = QUICK,
        ports: Callable[[], list[str]] = list,
    ) -> None:
        self.presses: list[Pressed] = []
        self.states: list[LinkState] = []
        self.link = PanelLink(
            PortSpec.parse(spec), self.presses.append, self.states.append, settings, ports
        )
        self.link.start()

    @property
    def kinds(self) -> list[str]:
        return [state.kind for state in self.states]

    def buttons(self) -> list[str]:
        return [press.event.button for press in self.presses if press.event.kind is Kind.PRESS]

    def wait(self, condition: Callable[[], object], seconds: float = 40.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, (self.kinds, self.link.status())
            time.sleep(0.01)

    def until(self, kind: str, seconds: float = 40.0) -> None:
        self.wait(lambda: self.link.state.kind == kind, seconds)


@pytest.fixture
def kiosks() -> Iterator[Callable[..., Kiosk]]:
    made: list[Kiosk] = []

    def make(*args: object, **more: object) -> Kiosk:
        made.append(Kiosk(*args, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for kiosk in made:
        assert kiosk.link.close()


@pytest.fixture
def panel() -> Iterator[SimulatedPanel]:
    with SimulatedPanel(serial="K-0007") as simulated:
        yield simulated


@pytest.fixture
def raw_port() -> Iterator[tuple[int, str]]:
    """The master of a pseudo-terminal and the path of its other end."""
    master, slave = os.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    os.set_blocking(master, False)
    yield master, path
    os.close(master)


def _busy() -> bool:
    return os.getloadavg()[0] > (os.cpu_count() or 1)


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def test_s1_the_panel_is_found_by_its_hello_not_by_port_name(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    with SimulatedPanel(faults=Faults(babble=True)) as stranger:
        ports = [stranger.port, panel.port]
        kiosk = kiosks("auto", QUICK, lambda: ports)
        kiosk.until("connected")
        assert kiosk.link.state.params == {"port": panel.port, "serial": "K-0007"}
        assert kiosk.kinds.count("connected") == 1


def test_s1_of_two_panels_the_one_with_the_serial_number_is_taken(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    with SimulatedPanel(serial="OTHER") as other:
        kiosk = kiosks("auto:k-0007", QUICK, lambda: [other.port, panel.port])
        kiosk.until("connected")
        hello = kiosk.link.state.hello
        assert hello is not None and hello.serial == "K-0007"
        assert "wrong-panel" in kiosk.kinds


def test_s2_unplug_and_replug_ends_in_working_buttons_without_a_click(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
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


def test_s2_a_reset_of_the_board_alone_needs_no_click_either(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    panel.reset()
    kiosk.wait(lambda: kiosk.kinds[-2:] == ["reset", "connected"])
    panel.press("fold")
    kiosk.wait(lambda: kiosk.buttons() == ["fold"])


def test_s3_any_order_of_starting_gives_the_same_end(
    kiosks: Callable[..., Kiosk], tmp_path: Path
) -> None:
    path = tmp_path / "panel"
    early = kiosks(str(path))
    early.until("missing")
    with SimulatedPanel() as panel:
        path.symlink_to(panel.port)
        early.until("connected")
        panel.press("hold")
        early.wait(lambda: early.buttons() == ["hold"])


@pytest.mark.parametrize("quiet", [0.2, 30.0])
def test_s4_opening_resets_the_board_and_the_first_fragment_is_dropped(
    kiosks: Callable[..., Kiosk], quiet: float
) -> None:
    faults = Faults(reset_on_open=True, boot_ms=800)
    with SimulatedPanel(faults=faults) as panel:
        begin = time.monotonic()
        kiosk = kiosks(panel.port, LinkSettings(quiet=quiet, patience=40.0))
        kiosk.until("connected")
        # A board that says hello is not kept waiting for the rest of the quiet time.
        assert 0.7 < time.monotonic() - begin < 25.0
        assert kiosk.kinds == ["booting", "connected"]


def test_s4_the_quiet_time_is_part_of_the_setting(
    kiosks: Callable[..., Kiosk], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    begin = time.monotonic()
    kiosk = kiosks(f"{path},quiet=1.5")
    kiosk.until("booting")

    def asked() -> bytes:
        with contextlib.suppress(BlockingIOError, OSError):
            return os.read(master, 100)
        return b""

    kiosk.wait(lambda: b":Q" in asked())
    assert 1.4 < time.monotonic() - begin < 20


def test_s4_a_fragment_of_an_earlier_line_is_no_press(
    kiosks: Callable[..., Kiosk], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.until("booting")
    time.sleep(0.1)
    whole = encode(Frame(Kind.PRESS, 0, 0xA1B2, ("fold", "12")))
    os.write(master, whole[9:] + whole)
    kiosk.wait(lambda: kiosk.link.counters.stray_bytes > 5)
    assert kiosk.presses == [] and kiosk.link.counters.foreign_session == 1


def test_s5_slow_boot_and_lost_answers_are_not_a_wrong_port(kiosks: Callable[..., Kiosk]) -> None:
    faults = Faults(reset_on_open=True, boot_ms=1500, deaf_hellos=2)
    with SimulatedPanel(faults=faults) as panel:
        kiosk = kiosks(panel.port, LinkSettings(quiet=0.2, patience=1.0, reopen=20))
        kiosk.until("connected")
        assert set(kiosk.kinds) <= {"booting", "no-answer", "connected"}
        assert kiosk.kinds.count("no-answer") <= 1


def test_s6_a_talkative_stranger_has_its_own_state_and_does_not_spin(
    kiosks: Callable[..., Kiosk],
) -> None:
    with SimulatedPanel(faults=Faults(babble=True)) as stranger:
        kiosk = kiosks(stranger.port)
        kiosk.until("stranger")
        assert "not a panel" in kiosk.link.state.text and kiosk.link.state.todo
        before = _processor_seconds()
        time.sleep(2)
        assert _processor_seconds() - before < 1.0


def test_s6_a_pulled_cable_is_one_event_and_costs_no_processor(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    panel.unplug(for_ms=60_000)
    kiosk.until("lost")
    before = _processor_seconds()
    time.sleep(2)
    assert _processor_seconds() - before < 0.2
    assert kiosk.kinds.count("lost") == 1 and kiosk.kinds[-1] == "lost"


def test_s6_a_half_open_port_says_so_and_costs_no_processor(kiosks: Callable[..., Kiosk]) -> None:
    with SimulatedPanel(faults=Faults(half_open=True)) as panel:
        kiosk = kiosks(panel.port)
        kiosk.until("no-answer")
        before = _processor_seconds()
        time.sleep(1.5)
        assert _processor_seconds() - before < 0.2
        panel.use(Faults())
        kiosk.until("connected")


def test_s7_a_port_in_use_is_said_in_plain_words_and_taken_when_free(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
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
        kiosk.until("busy")
        assert f"process {other.pid}" in kiosk.link.state.text
    finally:
        other.communicate(b"\n")
    kiosk.until("connected")


def test_s7_two_kiosks_on_one_port(kiosks: Callable[..., Kiosk], panel: SimulatedPanel) -> None:
    first = kiosks(panel.port)
    first.until("connected")
    second = kiosks(panel.port)
    second.until("busy")
    panel.press("plus")
    first.wait(lambda: first.buttons() == ["plus"])
    assert second.presses == []


@pytest.mark.parametrize("moment", ["booting", "connected", "no-answer", "missing", "stranger"])
def test_s8_closing_from_another_thread_takes_less_than_a_second(moment: str) -> None:
    faults = {"no-answer": Faults(half_open=True), "stranger": Faults(babble=True)}
    slow = LinkSettings(quiet=5.0) if moment == "booting" else QUICK
    with SimulatedPanel(faults=faults.get(moment, Faults(boot_ms=900))) as panel:
        kiosk = Kiosk("/dev/no-such-port" if moment == "missing" else panel.port, slow)
        kiosk.until(moment)
        begin = time.monotonic()
        closer = threading.Thread(target=kiosk.link.close)
        closer.start()
        closer.join(5)
        assert time.monotonic() - begin < 1.0
        assert kiosk.link.state.kind == "closed"


def test_s9_and_s12_presses_arrive_once_in_order_over_a_bad_line(
    kiosks: Callable[..., Kiosk],
) -> None:
    faults = Faults(noise=0.01, loss=0.002, duplicate=0.05, delay_ms=5, bounce_ms=6)
    with SimulatedPanel(faults=faults, seed=3) as panel:
        kiosk = kiosks(panel.port)
        kiosk.until("connected")
        wanted = ["box1", "plus", "plus", "bet", "fold", "confirm", "reveal", "next"] * 3
        for button in wanted:
            panel.press(button, hold_ms=30)
            time.sleep(0.08)
        kiosk.wait(lambda: len(kiosk.buttons()) >= len(wanted))
        time.sleep(0.3)
        assert kiosk.buttons() == wanted
        counters = kiosk.link.counters
        assert counters.bad_crc + counters.noise > 0


def test_s10_a_peer_that_asks_for_ever_is_called_dead_and_asked_anew(
    kiosks: Callable[..., Kiosk], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.link.show([b"shown"] * 4, "000000")
    decoder, session, asked = Decoder(TO_PANEL), 0, 0
    begin = time.monotonic()
    while "dead" not in kiosk.kinds and time.monotonic() < begin + 40:
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
    assert "dead" in kiosk.kinds and kiosk.link.counters.dead == 1
    assert asked >= 19 and time.monotonic() - begin > 3
    assert "silent" not in kiosk.kinds


def test_s11_a_long_press_is_one_press_one_long_one_release(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    panel.press("next", hold_ms=900)
    kiosk.wait(lambda: len(kiosk.presses) == 3)
    kinds = [press.event.kind for press in kiosk.presses]
    assert kinds == [Kind.PRESS, Kind.LONG, Kind.RELEASE]
    assert 850 <= kiosk.presses[2].event.ms - kiosk.presses[0].event.ms <= 1000


def test_s11_two_at_once_are_two_presses_and_two_releases(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    panel.down("box2")
    panel.down("box1")
    time.sleep(0.1)
    panel.up("box1")
    panel.up("box2")
    kiosk.wait(lambda: len(kiosk.presses) == 4)
    seen = {(press.event.button, press.event.kind) for press in kiosk.presses}
    assert seen == {(box, kind) for box in ("box1", "box2") for kind in (Kind.PRESS, Kind.RELEASE)}


@pytest.mark.parametrize(
    ("name", "kind"),
    [("/etc/hostname", "not-a-port"), ("/dev/null", "not-a-port"), ("/dev/ttyNO", "missing")],
)
def test_what_is_no_port_has_a_plain_state(
    kiosks: Callable[..., Kiosk], name: str, kind: str
) -> None:
    kiosk = kiosks(name)
    kiosk.until(kind)
    assert name in kiosk.link.state.text and kiosk.link.state.todo


def test_a_panel_of_another_protocol_version_is_named(
    kiosks: Callable[..., Kiosk], raw_port: tuple[int, str]
) -> None:
    master, path = raw_port
    kiosk = kiosks(path)
    kiosk.until("booting")
    time.sleep(0.1)
    os.write(master, encode(Frame(Kind.HELLO, 0, 0, ("dealer-panel", "2", "-", "x", "power", "1"))))
    kiosk.until("wrong-version")
    assert "kiosk panel flash" in kiosk.link.state.todo


def test_the_serial_number_is_written_over_the_line(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    kiosk.link.write_serial("K-0042")
    kiosk.wait(lambda: panel.see()["serial"] == "K-0042" and kiosk.link.settled())


def test_exclusive_open_refuses_a_second_open(panel: SimulatedPanel) -> None:
    port = open_port(panel.port)
    with pytest.raises(PortFault) as fault:
        open_port(panel.port)
    assert fault.value.kind == "busy"
    port.close()


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
    end = time.monotonic() + 5
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


def _soak(ledger: Any, kiosks: Callable[..., Kiosk], folder: Path, presses: int) -> Any:
    """100 presses a second and as many releases, 1 % of the bytes damaged both ways."""
    recording = folder / "panel.line"
    with SimulatedPanel(recording=recording) as panel:
        kiosk = kiosks(panel.port)
        kiosk.until("connected")
        panel.use(Faults(noise=0.01))
        assert panel.see()["dropped"] == 0
        lateness = ledger.Lateness()
        panel.mash(every_ms=10, count=presses)
        kiosk.wait(lambda: panel.see()["mashing"] == 0, presses / 100 * 2 + 20)
        before = -1
        while before != len(kiosk.presses):
            before = len(kiosk.presses)
            time.sleep(3.0)
        lateness.end()
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
    ledger: Any, kiosks: Callable[..., Kiosk], tmp_path: Path
) -> None:
    _soak(ledger, kiosks, tmp_path, 800)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_s9_soak_at_100_presses_a_second_ten_minutes(
    ledger: Any,
    kiosks: Callable[..., Kiosk],
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    counts = _soak(ledger, kiosks, tmp_path, 60_000)
    record_property("soak", counts)
    print("soak of the simulated panel:", counts)


def test_latency_from_press_to_event_is_under_50_ms_median(
    kiosks: Callable[..., Kiosk], panel: SimulatedPanel
) -> None:
    kiosk = kiosks(panel.port)
    kiosk.until("connected")
    took = []
    for turn in range(15):
        begin = time.monotonic()
        panel.press("plus", hold_ms=20)
        kiosk.wait(lambda wanted=turn + 1: len(kiosk.buttons()) >= wanted)  # type: ignore[misc]
        took.append(time.monotonic() - begin)
        time.sleep(0.05)
    # On a machine busy with other work the figure says nothing about this program.
    assert sorted(took)[len(took) // 2] < (2.0 if _busy() else 0.050)
