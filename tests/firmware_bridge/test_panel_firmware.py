"""The compiled firmware: what ships, how big it is, and the chip in simavr talking to pyserial."""

from __future__ import annotations

import hashlib
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.flash import check_hex, shipped_hex
from firmware_bridge.host_events import Pressed
from firmware_bridge.link import LinkSettings, PanelLink
from firmware_bridge.ports import PortSpec
from firmware_bridge.protocol import BUTTONS, Kind

FLASH, RAM = 32768, 2048
THIRD_TO_SPARE = 2 / 3


def _build_id(folder: Path) -> str:
    names = re.search(r"^SOURCES := (.*)$", (folder / "Makefile").read_text(), re.M)
    assert names is not None
    files = sorted([*names[1].split(), *(header.name for header in folder.glob("*.h"))])
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in files)).hexdigest()[:8]


def _memory(program: Path) -> bytes:
    records = [bytes.fromhex(line[1:]) for line in program.read_text().split()]
    return b"".join(record[4:-1] for record in records if record[3] == 0)


def test_the_shipped_program_is_built_from_the_shipped_sources() -> None:
    program = shipped_hex()
    assert check_hex(program) == len(_memory(program))
    assert _build_id(program.parent).encode() in _memory(program)


def test_the_shipped_program_is_what_the_sources_give(firmware_build: Path) -> None:
    version = subprocess.run(
        ["avr-gcc", "-dumpversion"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if version != "5.4.0":
        pytest.skip(f"the shipped program was built with avr-gcc 5.4.0, this is {version}")
    assert (firmware_build / "panel.hex").read_text() == shipped_hex().read_text()


def test_flash_and_ram_fit_with_a_third_to_spare(
    firmware_build: Path, record_property: Callable[[str, object], None]
) -> None:
    flash, ram = _sizes(firmware_build / "panel.elf")
    record_property("flash_bytes", flash)
    record_property("ram_bytes", ram)
    assert flash <= FLASH * THIRD_TO_SPARE
    assert ram <= RAM * THIRD_TO_SPARE


def _sizes(program: Path) -> tuple[int, int]:
    """Bytes of flash, bytes of RAM without the stack."""
    out = subprocess.run(["avr-size", "-A", program], check=True, capture_output=True, text=True)
    sizes = {line.split()[0]: int(line.split()[1]) for line in out.stdout.splitlines()[2:] if line}
    flash = sizes[".text"] + sizes.get(".data", 0)
    return flash, sum(sizes.get(name, 0) for name in (".data", ".bss", ".noinit"))


class Desk:
    """A link to the chip and what it has reported."""

    def __init__(self, port: str, quiet: float = 0.3) -> None:
        self.presses: list[Pressed] = []
        self.kinds: list[str] = []
        self.link = PanelLink(
            PortSpec("path", port),
            self.presses.append,
            lambda state: self.kinds.append(state.kind),
            LinkSettings(quiet=quiet, patience=90.0, reopen=180.0),
        )
        self.link.start()

    def wait(self, condition: Callable[[], object], seconds: float = 200.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, (self.kinds, self.link.status(), len(self.presses))
            time.sleep(0.005)

    def seen(self) -> list[tuple[str, str]]:
        return [(press.event.button, press.event.kind.value) for press in self.presses]


@pytest.fixture
def desk(chip: Any) -> Iterator[Desk]:
    desk = Desk(chip.port)
    desk.wait(lambda: desk.link.state.connected)
    yield desk
    assert desk.link.close(60.0)


def test_hello_names_exactly_this_build(desk: Desk) -> None:
    hello = desk.link.state.hello
    assert hello is not None
    assert (hello.device, hello.version, hello.serial) == ("dealer-panel", 1, "-")
    assert hello.build == _build_id(shipped_hex().parent)


def test_display_and_lights_of_the_chip(chip: Any, desk: Desk) -> None:
    lines = [b"1 PAY 400 TAKE 0", b"2 PAY 0 TAKE 300", b"100% *:", b"01234567890123456789"]
    desk.link.show(lines, "101001")
    wanted = tuple(line.decode().ljust(20) for line in lines)
    desk.wait(lambda: chip.display() == wanted and chip.lights() == "101001")
    desk.link.show([b"other", *lines[1:]], "023000")
    desk.wait(lambda: chip.lights() != "101001")
    seen: set[str] = set()
    end = time.monotonic() + 60
    while len(seen) < 4 and time.monotonic() < end:
        seen.add(chip.lights())
        time.sleep(0.01)
    assert seen <= {"000000", "010000", "001000", "011000"} and len(seen) >= 3
    desk.wait(lambda: chip.display()[0].rstrip() == "other")


def test_s2_a_program_that_hangs_is_started_anew_by_the_watchdog(chip: Any, desk: Desk) -> None:
    """The chip is neither heard nor reset by anybody: its watchdog brings it back, and the hello
    says so."""
    desk.link.show([b"kept", b"", b"", b""], "100000")
    desk.wait(lambda: chip.display()[0].rstrip() == "kept")
    hello = desk.link.state.hello
    assert hello is not None and hello.reset != "watchdog"
    chip.order("hang")
    chip.press("fold", 60)
    desk.wait(lambda: desk.kinds[-1] == "connected" and desk.kinds.count("connected") == 2)
    hello = desk.link.state.hello
    assert hello is not None and hello.reset == "watchdog"
    desk.wait(lambda: chip.display()[0].rstrip() == "kept" and chip.lights() == "100000")
    chip.press("bet", 60)
    desk.wait(lambda: desk.seen()[-1:] == [("bet", "R")])
    assert desk.seen() == [("bet", "P"), ("bet", "R")]


def soak(ledger: Any, chip: Any, desk: Desk, presses: int) -> Any:
    """20 presses a second with 1 % of the bytes damaged both ways: each once, in order."""
    chip.order("noise 0.01")
    lateness = ledger.Lateness()
    chip.order("gap")  # that of the start does not count
    chip.order(f"mash 50 {presses}")
    desk.wait(lambda: int(chip.order("mashed")) == presses, presses / 20 * 3 + 200)
    before = -1
    while before != len(desk.presses):
        before = len(desk.presses)
        time.sleep(3.0)
    lateness.end(int(chip.order("behind")))
    stack, gap = int(chip.order("stack")), int(chip.order("gap"))
    chip.close()
    # The contacts are sampled every 2 ms of the chip's time, however much the line asks of it.
    assert 1900 < gap < 2100
    counters = desk.link.counters
    assert counters.bad_crc + counters.noise > 0
    line = ledger.Ledger.of(chip.recording.read_bytes())
    acted = [press.event for press in desk.presses]
    counts = ledger.judge(line, acted, 2 * presses, counters.stale, lateness, 0)
    _only_a_full_queue_drops(ledger, line)
    return counts | {"stack": stack}


def _only_a_full_queue_drops(ledger: Any, line: Any) -> None:
    """The contacts gave press and release of the buttons in turn. Where one is missing in the
    chip's queue, that queue was full (a few waited in the line's buffer) or no kiosk was there."""
    turn = [(button, kind) for button in BUTTONS for kind in "PR"]
    before = -1
    for fate in line.fates:
        if fate.event is None:
            continue
        at = turn.index((fate.event.button, fate.event.kind.value))
        whole = at == (before + 1) % len(turn)
        assert whole or line.sessions > 1 or fate.queue_before >= ledger.QUEUE - 6, fate
        before = at


def test_s9_soak_of_the_chip_short(
    ledger: Any, chip: Any, desk: Desk, firmware_build: Path
) -> None:
    counts = soak(ledger, chip, desk, 120)
    # The deepest stack seen, with everything at work, still leaves the third to spare.
    _, ram = _sizes(firmware_build / "panel.elf")
    assert ram + counts["stack"] <= RAM * THIRD_TO_SPARE


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_s9_soak_of_the_chip_ten_minutes(
    ledger: Any, chip: Any, desk: Desk, record_property: Callable[[str, object], None]
) -> None:
    counts = soak(ledger, chip, desk, 12_000)
    record_property("soak", counts)
    print("soak of the chip:", counts)


def test_kinds_of_the_wire_are_those_of_the_program() -> None:
    assert {Kind.PRESS.value, Kind.RELEASE.value, Kind.LONG.value, Kind.STUCK.value} == set("PRLS")
