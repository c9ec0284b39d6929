"""Opening models keeps to itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import os, models
from kiosk.vision.runtime import open_session
open_session(models.namer_path(), 1, "namer")
for name in os.listdir("/proc/self/fd"):
    try:
        print(os.readlink(f"/proc/self/fd/{name}"))
    except OSError:
        pass
"""


def test_the_runtime_keeps_no_diary_and_no_connection(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env = {k: v for k, v in os.environ.items() if k not in ("CI", "ORT_DISABLE_TELEMETRY")} | home
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], env=env, capture_output=True, text=True, check=True
    )
    held = done.stdout.splitlines()
    assert held
    assert not [name for name in held if name.startswith("socket:") or name.endswith(".db")]
    assert not list(tmp_path.rglob("*")), "nothing was written for the runtime's maker"
