"""Serial ports: what the setting means, which ports there are, opening one with plain faults."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import stat
import termios
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import serial
import serial.tools.list_ports

from firmware_bridge.protocol import BAUD
from kiosk.errors import UserError

GRAMMAR: Final = (
    "none, sim, auto, auto:SERIAL or a port such as /dev/ttyUSB0, each with ,quiet=SECONDS if the "
    "board needs longer to start"
)
_QUIET: Final = re.compile(r"(.*),quiet=(\d{1,2}(?:\.\d{1,3})?)")

_TERMINALS: Final = ("/dev/tty", "/dev/pts/", "/dev/rfcomm")


@dataclass(frozen=True, slots=True)
class PortSpec:
    """Where the panel is. ``kind``: none, sim, auto or path; ``value``: the path or serial.

    ``quiet``: how many seconds a freshly opened port may boot before it is asked (S4); None: as
    usual.
    """

    kind: str
    value: str = ""
    quiet: float | None = None

    @classmethod
    def parse(cls, text: str) -> PortSpec:
        """Read the ``--panel`` setting. Raises UserError for anything outside the grammar.

        >>> PortSpec.parse("auto:K-0007")
        PortSpec(kind='auto', value='K-0007', quiet=None)
        >>> PortSpec.parse("/dev/ttyUSB0,quiet=4")
        PortSpec(kind='path', value='/dev/ttyUSB0', quiet=4.0)
        """
        word = text.strip()
        if found := _QUIET.fullmatch(word):
            return replace(cls.parse(found[1]), quiet=float(found[2]))
        if word in ("none", "sim", "auto"):
            return cls(word)
        if word.startswith("auto:") and word[5:]:
            return cls("auto", word[5:].upper())
        if "/" in word or word.upper().startswith("COM"):
            return cls("path", word)
        raise UserError(f"--panel {text!r}: expected {GRAMMAR}")


class PortFault(Exception):
    """A port that cannot be opened. ``kind`` is a kind of ``LinkState``."""

    def __init__(self, kind: str, **params: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.params = params


PortLister = Callable[[], Sequence[str]]


def usb_ports() -> list[str]:
    """The serial ports of this machine that can be a panel: USB ones, by name."""
    return sorted(
        port.device
        for port in serial.tools.list_ports.comports()
        if port.vid is not None or "ttyACM" in port.device or "ttyUSB" in port.device
    )


def holder(path: str) -> str | None:
    """The other program that has the port open, as ``name (process 123)``, if that can be seen."""
    try:
        wanted = os.stat(path).st_rdev
    except OSError:
        return None
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            for link in (entry / "fd").iterdir():
                seen = os.stat(link)
                if stat.S_ISCHR(seen.st_mode) and seen.st_rdev == wanted and _same(link, path):
                    return f"{(entry / 'comm').read_text().strip()} (process {entry.name})"
    return None


def _same(link: Path, path: str) -> bool:
    return os.path.realpath(link) == os.path.realpath(path)


def open_port(path: str) -> Any:
    """Open a serial port for this program alone. Raises PortFault in plain kinds."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise PortFault("missing", port=path) from None
    except OSError as fault:
        raise PortFault("failed", port=path, why=fault.strerror or str(fault)) from None
    if not stat.S_ISCHR(mode):
        raise PortFault("not-a-port", port=path)
    is_terminal = os.path.realpath(path).startswith(_TERMINALS)
    other = holder(path) if is_terminal else None
    if other is not None:
        raise PortFault("busy", port=path, holder=f": {other}")
    try:
        port = serial.Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    except (serial.SerialException, OSError, ValueError) as fault:
        raise _plain(path, fault) from None
    with contextlib.suppress(OSError):
        fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
    return port


def close_port(port: Any) -> None:
    """Close at once, without waiting for output that nobody takes."""
    with contextlib.suppress(serial.SerialException, OSError, termios.error):
        fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
        port.reset_output_buffer()
    with contextlib.suppress(serial.SerialException, OSError):
        port.close()


def _plain(path: str, fault: Exception) -> PortFault:
    number = getattr(fault, "errno", None)
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(fault):
        return PortFault("busy", port=path, holder="")
    if number in (errno.EACCES, errno.EPERM):
        return PortFault("forbidden", port=path)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return PortFault("missing", port=path)
    if number in (errno.ENOTTY, errno.EINVAL) or "Inappropriate ioctl" in str(fault):
        return PortFault("not-a-port", port=path)
    return PortFault("failed", port=path, why=str(fault))
