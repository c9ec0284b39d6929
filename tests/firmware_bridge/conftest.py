"""Shared pieces of the panel's tests: the C core on the host, and the compiled chip in simavr."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tty
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from firmware_bridge.protocol import BUTTONS
from firmware_bridge.simulated import SimulatedPanel
from kiosk import owner

FIRMWARE = Path(str(resources.files("firmware_bridge") / "firmware"))
HERE = Path(__file__).parent


def need(*programs: str, hint: str) -> None:
    """Skip with a message when a program is missing; on the build machine that is a failure."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        text = f"{', '.join(missing)} missing; on Debian or Ubuntu: sudo apt-get install {hint}"
        if os.environ.get("CI") == "true":
            pytest.fail(text)
        pytest.skip(text)


class CPanel:
    """The driver's process: orders in, lines out."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, order: str) -> list[str]:
        """One order; the lines it prints."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(order + "\n")
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline().rstrip("\n")) != ".":
            assert line or self._process.poll() is None, "the C core has crashed"
            lines.append(line)
        return lines

    def close(self) -> int:
        """End it; the sanitizers make the exit status other than 0 when they found something."""
        self._process.communicate()
        return self._process.returncode


@pytest.fixture(scope="session")
def c_driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C core with its driver, under AddressSanitizer and UndefinedBehaviorSanitizer."""
    need("cc", hint="gcc")
    program = tmp_path_factory.mktemp("host_c") / "driver"
    sources = [FIRMWARE / name for name in ("frame.c", "session.c", "keys.c")]
    flags = "-std=c11 -O1 -g -Wall -Wextra -Werror -Wconversion -fno-sanitize-recover=all"
    command = ["cc", *flags.split(), "-fsanitize=address,undefined", "-I", str(FIRMWARE)]
    subprocess.run([*command, "-o", program, HERE / "host_c" / "driver.c", *sources], check=True)
    return program


@pytest.fixture
def c_panel(c_driver: Path) -> Iterator[CPanel]:
    """A running C core; the sanitizers have the last word."""
    panel = CPanel(c_driver)
    yield panel
    assert panel.close() == 0


class Chip:
    """The compiled panel in simavr (``simavr/harness.c``); the same ways in as SimulatedPanel."""

    def __init__(self, harness: Path, program: Path, recording: Path, seed: int = 1) -> None:
        self.recording = recording
        """What passed on its line (``ledger.py``); whole once it is closed."""
        self._process = subprocess.Popen(
            [harness, program, str(seed), recording],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().split()[1]

    def order(self, line: str) -> str:
        """One order of the harness; its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the simulated chip has stopped"
        return answer.strip()

    def press(self, button: str, hold_ms: int = 60) -> None:
        """Press a button and let it go later."""
        self.order(f"press {BUTTONS.index(button)} {hold_ms}")

    def down(self, button: str) -> None:
        """Press a button and keep it down."""
        self.order(f"down {BUTTONS.index(button)}")

    def up(self, button: str) -> None:
        """Let a button go."""
        self.order(f"up {BUTTONS.index(button)}")

    def reset(self) -> None:
        """Press the board's reset button."""
        self.order("reset")

    def noise(self, chance: float) -> None:
        """Damage each byte on the line with this chance, both ways."""
        self.order(f"noise {chance}")

    def lights(self) -> str:
        """The lamps at this moment: six digits 0 or 1."""
        return self.order("see").split()[0]

    def display(self) -> tuple[str, ...]:
        """The four rows on the HD44780."""
        text = bytes.fromhex(self.order("see").split()[1]).decode("latin-1")
        return tuple(text[at : at + 20] for at in range(0, 80, 20))

    def close(self) -> None:
        """End the simulation."""
        if self._process.stdin is None or self._process.stdin.closed:
            return
        self._process.communicate(timeout=300)


@pytest.fixture(scope="session")
def firmware_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a freshly built ``panel.elf``; the sources are not touched."""
    need("avr-gcc", "make", hint="gcc-avr avr-libc make")
    folder = tmp_path_factory.mktemp("firmware")
    shutil.copytree(FIRMWARE, folder / "src", ignore=shutil.ignore_patterns("build", "*.hex"))
    subprocess.run(["make", "-s", "-C", folder / "src", "BUILD=.."], check=True)
    shutil.copy(folder / "src" / "panel.hex", folder)
    return folder


@pytest.fixture(scope="session")
def chip_harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simavr harness, compiled."""
    need("simavr", "cc", "pkg-config", hint="simavr libsimavr-dev libsimavrparts1 libelf-dev gcc")
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "simavr", "simavrparts"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    program = tmp_path_factory.mktemp("simavr") / "harness"
    source = HERE / "simavr" / "harness.c"
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-o", program, source, *flags, "-lelf", "-lutil"],
        check=True,
    )
    return program


@pytest.fixture
def chip(chip_harness: Path, firmware_build: Path, tmp_path: Path) -> Iterator[Chip]:
    """A running chip with the freshly built program."""
    running = Chip(chip_harness, firmware_build / "panel.elf", tmp_path / "chip.line")
    yield running
    running.close()


def _beside(name: str) -> ModuleType:
    """A module of this folder that is no test."""
    spec = importlib.util.spec_from_file_location(f"panel_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["simulated", "chip"])
def far_end(request: pytest.FixtureRequest) -> Any:
    """What is at the other end of the line: the simulated panel, then the compiled program."""
    return request.getfixturevalue("panel" if request.param == "simulated" else "chip")


@pytest.fixture(scope="session")
def ledger() -> ModuleType:
    """``ledger.py``: what became of every key event."""
    return _beside("ledger")


@pytest.fixture(scope="session")
def desks() -> ModuleType:
    """``desks.py``: a real round for the panel, presses on a model, a link with its reports."""
    return _beside("desks")


@pytest.fixture
def table(desks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A real round behind the interface that the panel uses; the camera may be silent."""
    monkeypatch.setattr(owner, "SILENT", 3600.0)
    made = desks.Table()
    yield made
    made.owner.stop()


@pytest.fixture
def hand(desks: ModuleType, table: Any) -> Any:
    """Presses on a model, carried out on the table."""
    return desks.Hand(table)


@pytest.fixture
def kiosks(desks: ModuleType) -> Iterator[Callable[..., Any]]:
    """Makes links to ports; all end when they are closed (S8)."""
    made: list[Any] = []

    def make(*args: object, **more: object) -> Any:
        made.append(desks.Kiosk(*args, **more))
        return made[-1]

    yield make
    for kiosk in made:
        assert kiosk.link.close(60.0)


@pytest.fixture
def panel() -> Iterator[SimulatedPanel]:
    """A simulated panel without faults."""
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
