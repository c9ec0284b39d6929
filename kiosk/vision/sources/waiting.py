"""How long a process had to wait for a processor, so that a busy machine is not taken for a
broken camera."""

from __future__ import annotations

from pathlib import Path

_NANO = 1e-9


def processor_wait(pid: int) -> float:
    """Seconds that the threads of a process stood ready without a processor, all together.

    Counted since each began. 0.0 where the system does not tell.
    """
    total = 0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            total += int((task / "schedstat").read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return total * _NANO
    return total * _NANO
