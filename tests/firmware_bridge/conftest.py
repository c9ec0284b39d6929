"""Shared pieces of the panel's tests: the C core built for the host with sanitizers."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest

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
    subprocess.run(
        [
            *("cc", "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Wconversion"),
            *("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", FIRMWARE),
            *("-o", program, HERE / "host_c" / "driver.c", *sources),
        ],
        check=True,
    )
    return program


@pytest.fixture
def c_panel(c_driver: Path) -> Iterator[CPanel]:
    """A running C core; the sanitizers have the last word."""
    panel = CPanel(c_driver)
    yield panel
    assert panel.close() == 0


CPanelOrder = Callable[[str], list[str]]
