"""``kiosk panel …`` as a person types it, and the program written by avrdude into a boot loader."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.faults import Faults
from firmware_bridge.flash import check_hex, flash, shipped_hex
from firmware_bridge.protocol import Frame, Kind, encode
from firmware_bridge.simulated import SimulatedPanel
from kiosk.errors import UserError


def kiosk(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run ``kiosk panel`` with these words."""
    return subprocess.run(
        [sys.executable, "-m", "kiosk.cli", "panel", *words],
        input=given,
        capture_output=True,
        timeout=300,
        check=False,
    )


@contextlib.contextmanager
def running(*words: str) -> Iterator[Iterator[str]]:
    """The lines of ``kiosk panel`` with these words, which are to go on for a long time."""
    command = [sys.executable, "-m", "kiosk.cli", "panel", *words, "--seconds", "600"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    try:
        yield iter(program.stdout)
    finally:
        program.kill()
        program.communicate(timeout=300)


@pytest.fixture
def panel() -> Iterator[SimulatedPanel]:
    with SimulatedPanel(serial="K-0007") as simulated:
        yield simulated


def test_find_names_the_panel_and_the_strangers(panel: SimulatedPanel, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    done = kiosk("find", panel.port, str(file), "/dev/ttyNOTHING")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0 and len(lines) == 3
    assert "K-0007 is connected" in lines[0]
    assert "is not a serial port" in lines[1] and "There is no serial port" in lines[2]


def test_find_nothing_is_status_1() -> None:
    done = kiosk("find", "--json", "/dev/ttyNOTHING")
    assert done.returncode == 1
    assert json.loads(done.stdout)["kind"] == "missing"


def test_status_shows_the_counters(panel: SimulatedPanel) -> None:
    done = kiosk("status", panel.port, "--json")
    status = json.loads(done.stdout)
    assert done.returncode == 0 and status["state"]["serial"] == "K-0007"
    assert {"bad_crc", "noise", "cut", "duplicates", "gaps"} <= set(status["counters"])


def test_status_of_a_silent_port_is_status_1_and_says_what_to_do() -> None:
    with SimulatedPanel(faults=Faults(half_open=True)) as silent:
        done = kiosk("status", f"{silent.port},quiet=0.2", "--seconds", "20")
    assert done.returncode == 1
    assert "Nothing answers" in done.stdout.decode() and "power" in done.stdout.decode()


def test_serial_writes_the_number_and_refuses_a_bad_one(panel: SimulatedPanel) -> None:
    assert kiosk("serial", panel.port, "k-0042").returncode == 0
    assert panel.see()["serial"] == "K-0042"
    bad = kiosk("serial", panel.port, "ten pounds!")
    assert bad.returncode == 2 and b"1 to 16 of A-Z" in bad.stderr


def test_test_shows_the_buttons_pressed(panel: SimulatedPanel) -> None:
    with running("test", panel.port) as lines:
        end = time.monotonic() + 200
        while panel.display()[0].rstrip() != "PANEL TEST":
            assert time.monotonic() < end
            time.sleep(0.05)
        panel.press("reveal")
        seen = list(itertools.takewhile(lambda line: "reveal release" not in line, lines))
    assert any("reveal press" in line for line in seen)


def test_test_ends_by_itself(panel: SimulatedPanel) -> None:
    assert kiosk("test", panel.port, "--seconds", "0.1").returncode == 0


def test_monitor_says_frames_in_words(panel: SimulatedPanel) -> None:
    with running("monitor", panel.port) as lines:
        assert any("hello dealer-panel 1 K-0007" in line for line in lines)


def test_monitor_decodes_a_recording_and_counts_damage() -> None:
    good = encode(Frame(Kind.PRESS, 17, 0xA1B2, ("box3", "123456")))
    done = kiosk("monitor", "-", given=good + good.replace(b"box3", b"box4") + b"noise")
    assert done.stdout.decode() == "A1B2 #017 press box3 123456\n"
    assert json.loads(done.stderr.decode().removeprefix("counters: ")) == {
        "frames": 1,
        "bad_crc": 1,
        "stray_bytes": 5,
    }


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("status", "ttyUSB0"), b"expected none, sim, auto"),
        (("test", "none"), b"needs a panel"),
        (("monitor", "/dev/ttyNOTHING"), b"There is no serial port"),
        (("flash", "/dev/ttyNOTHING"), b"/dev/ttyNOTHING"),
        (("flash", "/dev/null", "--hex", "/etc/hostname"), b"/etc/hostname line 1"),
        (("flash", "/dev/null", "--hex", "/no/such.hex"), b"/no/such.hex"),
    ],
)
def test_bad_use_is_one_line_and_status_2(words: tuple[str, ...], text: bytes) -> None:
    done = kiosk(*words)
    lines = done.stderr.splitlines()
    assert done.returncode == 2 and text in lines[-1] and len(lines) == 1


def test_a_cut_program_is_not_written(tmp_path: Path) -> None:
    whole = shipped_hex().read_text()
    cut = tmp_path / "cut.hex"
    cut.write_text(whole[: len(whole) // 2])
    with pytest.raises(UserError, match=r"line \d+|has been cut"):
        check_hex(cut)
    cut.write_text("\n".join(whole.splitlines()[:-1]))
    with pytest.raises(UserError, match="has been cut"):
        check_hex(cut)


class BootLoader(threading.Thread):
    """The Arduino boot loader's side of STK500, at the far end of a pseudo-terminal."""

    IN_SYNC, OK, SYNC = b"\x14", b"\x10", 0x20
    SIGNATURE = b"\x1e\x95\x0f"

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self.flash = bytearray(b"\xff" * 32768)
        self._slave, self._address = slave, 0
        self.done = threading.Event()

    def _take(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += os.read(self.master, count - len(data))
        return data

    def _end(self, answer: bytes = b"") -> None:
        assert self._take(1)[0] == self.SYNC
        os.write(self.master, self.IN_SYNC + answer + self.OK)

    def run(self) -> None:
        try:
            while True:
                self._obey(self._take(1)[0])
        except OSError:
            return

    def _obey(self, order: int) -> None:
        plain = {0x30: 0, 0x50: 0, 0x42: 20, 0x45: 5, 0x52: 0, 0x56: 4}
        if order == 0x41:  # get parameter
            self._take(1)
            self._end(b"\x04")
        elif order == 0x75:  # read signature
            self._end(self.SIGNATURE)
        elif order == 0x55:  # load address, in words
            self._address = int.from_bytes(self._take(2), "little") * 2
            self._end()
        elif order == 0x64:  # program page
            size = int.from_bytes(self._take(2), "big")
            self._take(1)
            self.flash[self._address : self._address + size] = self._take(size)
            self._end()
        elif order == 0x74:  # read page
            size = int.from_bytes(self._take(2), "big")
            self._take(1)
            self._end(bytes(self.flash[self._address : self._address + size]))
        elif order == 0x51:  # leave
            self._end()
            self.done.set()
        elif order in plain:
            self._take(plain[order])
            self._end(b"\x00" if order == 0x56 else b"")

    def close(self) -> None:
        os.close(self._slave)
        os.close(self.master)


def test_flash_writes_the_shipped_program_with_avrdude() -> None:
    _need_avrdude()
    loader = BootLoader()
    loader.start()
    try:
        done = kiosk("flash", loader.port)
        assert done.returncode == 0, done.stderr.decode()
        records = [bytes.fromhex(line[1:]) for line in shipped_hex().read_text().split()]
        program = b"".join(record[4:-1] for record in records if record[3] == 0)
        assert bytes(loader.flash[: len(program)]) == program
        assert loader.done.wait(200)
    finally:
        loader.close()


def test_flash_where_no_boot_loader_answers_is_status_1(
    panel: SimulatedPanel, capfd: pytest.CaptureFixture[str]
) -> None:
    _need_avrdude()
    panel.use(Faults(half_open=True))
    assert flash(panel.port, "uno", None, patience=3.0) == 1
    assert "avrdude could not write" in capfd.readouterr().err


def _need_avrdude() -> None:
    if shutil.which("avrdude") is None:
        pytest.skip("avrdude missing; on Debian or Ubuntu: sudo apt-get install avrdude")
