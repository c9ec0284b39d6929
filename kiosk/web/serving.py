"""Serving the pages with waitress: one socket, counted threads, dead peers noticed, a clean end."""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
import time
from typing import Any

from flask import Flask
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from kiosk.errors import UserError
from kiosk.web.seen import WebSettings
from kiosk.web.slots import Slots

log = logging.getLogger(__name__)

SHORT_THREADS = 8
"""Threads kept for short requests besides those counted for long connections."""

PEER_TIMEOUT_MS = 15_000
"""A peer that takes no byte for so long is gone, though its connection never ended."""

GOODBYE_S = 2.0
"""How long streams get to end when the server is closed."""

BUFFER = 256 * 1024
"""Bytes that wait for a slow viewer in the server and again in the kernel: about one picture."""


class WebServer:
    """A listening server. ``run`` blocks until ``close`` is called from another thread."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Binds the port; port 0 takes a free one. UserError when the port cannot be had."""
        self._slots: Slots = app.extensions["kiosk_slots"]
        listener = _listen(host, port)
        self.host, self.port = host, int(listener.getsockname()[1])
        self._map: dict[int, Any] = {}
        self._server: Any = create_server(
            app,
            map=self._map,
            sockets=[listener],
            threads=self._slots.limit + SHORT_THREADS,
            connection_limit=400,
            channel_timeout=60,
            outbuf_high_watermark=BUFFER,
            max_request_body_size=64 * 1024 * 1024,
            ident=None,
            clear_untrusted_proxy_headers=True,
            **_proxy(app),
        )
        # Not among waitress' keywords; it reads the list at each accepted connection.
        self._server.adj.socket_options = _socket_options()

    @property
    def url(self) -> str:
        """Address for a browser on this machine."""
        host = self.host if self.host not in ("", "0.0.0.0", "::") else "127.0.0.1"
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def run(self) -> None:
        """Serves until closed; then lets streams say goodbye for a moment."""
        closing, deadline = self._slots.closing, float("inf")
        try:
            while time.monotonic() < deadline and not (closing.is_set() and not self._slots.used):
                if closing.is_set():
                    deadline = min(deadline, time.monotonic() + GOODBYE_S)
                pause = 0.05 if closing.is_set() else 1.0
                wasyncore.loop(timeout=pause, map=self._map, count=1, use_poll=True)
        finally:
            self._server.task_dispatcher.shutdown(timeout=GOODBYE_S)
            wasyncore.close_all(self._map)

    def close(self) -> None:
        """Ends ``run``; returns at once. May be called from any thread and from a signal."""
        self._slots.closing.set()
        # Wakes the loop; nothing is left to wake when it has ended already.
        with contextlib.suppress(OSError):
            self._server.pull_trigger()


def _proxy(app: Flask) -> dict[str, Any]:
    """With https a proxy on this machine stands in front: it alone says who is behind it, so that
    nobody else counts as sitting at the kiosk."""
    settings: WebSettings = app.extensions["kiosk_settings"]
    if not settings.https:
        return {}
    return {
        "trusted_proxy": "127.0.0.1",
        "trusted_proxy_count": 1,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
    }


def serve(app: Flask, host: str, port: int) -> None:
    """Serves an application of ``create_app`` until the process ends.

    UserError when the port cannot be had.
    """
    WebServer(app, host, port).run()


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise UserError(f"--port {port}: expected a number from 1 to 65535")
    try:
        infos = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, OverflowError, UnicodeError) as problem:
        raise UserError(f"--host {host}: no address of this machine ({problem})") from None
    family, kind, proto, _, address = sorted(infos, key=lambda info: info[0] != socket.AF_INET)[0]
    listener = socket.socket(family, kind, proto)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, OverflowError) as problem:
        listener.close()
        raise UserError(_why(host, port, problem)) from None
    listener.setblocking(False)
    return listener


def _why(host: str, port: int, problem: Exception) -> str:
    number = getattr(problem, "errno", None)
    if number == errno.EADDRINUSE:
        return (
            f"--port {port}: in use on {host} by another program (perhaps another kiosk); "
            "end that one or choose another port"
        )
    if number in (errno.EACCES, errno.EPERM):
        return f"--port {port}: this user may not open it; choose a port from 1024 up"
    if number == errno.EADDRNOTAVAIL:
        return f"--host {host}: no address of this machine"
    return f"--host {host} --port {port}: cannot be opened ({problem})"


def _socket_options() -> list[tuple[int, int, int]]:
    options = [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER),
    ]
    # Not every system has it; there a vanished viewer is noticed when the kernel gives up.
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, PEER_TIMEOUT_MS))
    return options
