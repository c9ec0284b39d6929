"""V13: a kiosk without a network. It starts and asks nothing of anybody outside the machine."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
import pytest
from running import RunningKiosk

pytestmark = pytest.mark.timeout(900)


def _far_ends(root: psutil.Process) -> set[str]:
    """Addresses that the kiosk or a child of it is connected to."""
    found = set()
    with suppress(psutil.NoSuchProcess):
        for process in (root, *root.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                links = process.net_connections(kind="inet")
                found |= {link.raddr.ip for link in links if link.raddr}
    return found


def test_v13_the_kiosk_talks_to_nobody_outside_while_it_starts_and_reads(tmp_path: Path) -> None:
    kiosk, asked, over = RunningKiosk(tmp_path / "data", "--panel", "sim"), set[str](), Event()

    def watch() -> None:
        root = psutil.Process(kiosk.process.pid)
        while not over.wait(0.05):
            asked.update(_far_ends(root))

    watcher = Thread(target=watch)
    watcher.start()
    try:
        # A connection of the test's own, which stays long enough to be seen.
        with kiosk, socket.create_connection(("127.0.0.1", kiosk.port)):
            kiosk.until(lambda: any(zone["cards"] for zone in _zones(kiosk)), 60, "cards are read")
            kiosk.until(lambda: asked, 60, "the test's own questions are seen")
    finally:
        over.set()
        watcher.join()
    assert all(ipaddress.ip_address(end).is_loopback for end in asked), asked


def _zones(kiosk: RunningKiosk) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = kiosk.get("/api/v1/table")["zones"]
    return found
