"""A port for a server of one's own, for benchmarks and tests."""

from __future__ import annotations

import random
import socket


def free_port() -> int:
    """A port that nobody uses now; below those that the system gives to connections, so that none
    takes it before the server does, nor while it is stopped."""
    for port in random.SystemRandom().sample(range(15_000, 20_000), 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
    raise RuntimeError("no port from 15000 to 19999 is free")
