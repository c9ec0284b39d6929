"""A PostgreSQL server of one's own, for benchmarks and tests: made, started, stopped, deleted."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiosk.bench.ports import free_port

_PATIENCE = ("-t", "300")
"""Seconds that it may take on a busy machine."""


def programs() -> Path | None:
    """The folder of the newest PostgreSQL server's programs on this machine, None without one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[-3])
    if found:
        return found[-1].parent
    other = shutil.which("initdb")
    return Path(other).parent if other else None


class PostgresServer:
    """One server in a folder of its own, on 127.0.0.1. RuntimeError when a program fails."""

    def __init__(self, bin_folder: Path, folder: Path, port: int) -> None:
        self.bin_folder, self.folder, self.port = bin_folder, folder, port
        self.data = folder / "data"
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None

    def create(self) -> None:
        """Makes the server's files and starts it."""
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self._call("initdb", "-D", str(self.data), "-U", "kiosk", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    def start(self) -> None:
        """Starts it and waits until it answers."""
        log = str(self.folder / "log")
        # Only its processes are ever killed here, never the machine: it need not sync.
        options = (
            f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off "
            "-c max_connections=200"
        )
        self._call(
            "pg_ctl", "-D", str(self.data), "-l", log, "-o", options, "-w", *_PATIENCE, "start"
        )

    def stop(self) -> None:
        """Stops it at once, as a power cut would its processes."""
        self._call("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", *_PATIENCE, "stop")

    def make_database(self, name: str) -> str:
        """A fresh database; its address."""
        host = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "kiosk"]
        self._call("createdb", *host, name)
        return f"postgresql://kiosk:secret@127.0.0.1:{self.port}/{name}"

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self.bin_folder / program), *arguments]
        done = subprocess.run(
            command, user=self.user, cwd=self.folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")


@contextmanager
def own_server() -> Iterator[PostgresServer | None]:
    """A running server that is gone afterwards; None when the machine has none."""
    bin_folder = programs()
    if bin_folder is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="kiosk-pg-"))
    server = PostgresServer(bin_folder, folder, free_port())
    try:
        server.create()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
