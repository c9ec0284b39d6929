"""Writing the panel's program: the shipped ``.hex`` through avrdude."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Final

from kiosk.errors import UserError

BOARDS: Final = {
    "uno": ("arduino", 115200),
    "nano": ("arduino", 115200),
    "nano-old": ("arduino", 57600),
}
"""Kinds of board: the programmer's name for avrdude and the boot loader's speed."""


def shipped_hex() -> Path:
    """The program that ships with this kiosk."""
    return Path(str(resources.files("firmware_bridge") / "firmware" / "panel.hex"))


def command_line(avrdude: str, port: str, board: str, program: Path) -> list[str]:
    """The avrdude call that writes and verifies the program; the EEPROM is left as it is."""
    programmer, speed = BOARDS[board]
    return [
        avrdude,
        *("-p", "atmega328p", "-c", programmer, "-P", port, "-b", str(speed), "-D"),
        *("-U", f"flash:w:{program}:i"),
    ]


def check_hex(program: Path) -> int:
    """Bytes of an Intel-hex file. Raises UserError if it is not whole."""
    try:
        lines = program.read_text("ascii").split()
    except (OSError, UnicodeDecodeError) as fault:
        raise UserError(f"{program}: not a readable Intel-hex file ({fault})") from None
    total = 0
    for number, line in enumerate(lines, start=1):
        try:
            record = bytes.fromhex(line[1:])
        except ValueError:
            record = b""
        if line[:1] != ":" or len(record) < 5 or sum(record) & 0xFF or record[0] != len(record) - 5:
            raise UserError(f"{program} line {number}: not a whole Intel-hex record")
        total += record[0] if record[3] == 0 else 0
    if not lines or bytes.fromhex(lines[-1][1:])[3] != 1:
        raise UserError(f"{program}: the Intel-hex file has no end record; it has been cut")
    return total


def flash(port: str, board: str, hex_file: str | None, patience: float = 60.0) -> int:
    """Write the program; 0 if avrdude says it is written and verified, else 1.

    avrdude asks a silent port for minutes; after ``patience`` seconds it is ended.
    """
    program = Path(hex_file) if hex_file else shipped_hex()
    size = check_hex(program)
    avrdude = shutil.which("avrdude")
    if avrdude is None:
        raise UserError(
            "avrdude is missing. On Debian or Ubuntu type: sudo apt-get install avrdude"
        )
    if not Path(port).exists():
        raise UserError(f"{port}: there is no such port; plug the board in")
    print(f"writing {size} bytes from {program.name} to {port}", file=sys.stderr)
    try:
        done = subprocess.run(
            command_line(avrdude, port, board, program), check=False, timeout=patience
        )
        written = done.returncode == 0
    except subprocess.TimeoutExpired:
        written = False
    if not written:
        print(
            f"avrdude could not write the panel at {port}; is the kiosk still running, or is the "
            "board of another kind (--board)?",
            file=sys.stderr,
        )
    return 0 if written else 1
