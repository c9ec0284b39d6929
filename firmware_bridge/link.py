"""The serial link: finds the panel, keeps it, comes back by itself. One thread, never spinning."""

from __future__ import annotations

import contextlib
import random
import select
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import serial

from firmware_bridge.decoder import Counters
from firmware_bridge.host import HostSession
from firmware_bridge.host_events import Connected, Disconnected, Pressed, Refused
from firmware_bridge.ports import (
    PortFault,
    PortLister,
    PortSpec,
    close_port,
    open_port,
    usb_ports,
)
from firmware_bridge.protocol import DEVICE, VERSION
from firmware_bridge.states import LinkState

_READ_BYTES: Final = 512
_READ_PAUSE_S: Final = 0.002
"""At most so many bytes, then a rest: a talkative stranger cannot occupy the processor (S6)."""
_STRANGER_BYTES: Final = 300
_PROBE_PAUSE_S: Final = (5.0, 60.0)


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Times of the link, in seconds.

    ``quiet``: how long a freshly opened port may boot before it is asked (a hello ends it early).
    ``patience``: no answer for so long is called so. ``reopen``: then the port is opened anew.
    ``pause``: first and longest pause before a port that failed is tried again.
    """

    quiet: float = 2.0
    patience: float = 6.0
    reopen: float = 20.0
    pause: tuple[float, float] = (0.25, 1.0)


class _Leave(Exception):
    """The open port is of no use; ``state`` says why."""

    def __init__(self, state: LinkState) -> None:
        super().__init__(state.kind)
        self.state = state


class PanelLink:
    """Keeps a session with a panel on a port.

    ``on_press`` gets each key event, ``on_state`` each change of state; both are called in the
    link's thread and must return at once.
    """

    def __init__(
        self,
        spec: PortSpec,
        on_press: Callable[[Pressed], None],
        on_state: Callable[[LinkState], None] = lambda state: None,
        settings: LinkSettings | None = None,
        list_ports: PortLister = usb_ports,
        nonce: Callable[[], int] | None = None,
    ) -> None:
        self._spec = spec
        self._on_press = on_press
        self._on_state = on_state
        self._settings = settings or LinkSettings()
        if spec.quiet is not None:
            self._settings = replace(self._settings, quiet=spec.quiet)
        self._list_ports = list_ports
        self._nonce = nonce or (lambda: random.randrange(1, 0x10000))
        self.counters = Counters()
        self._state = LinkState("off" if spec.kind == "none" else "searching")
        self._lock = threading.Lock()
        self._wanted: tuple[tuple[bytes, ...], str] | None = None
        self._serial_number: str | None = None
        self._session: HostSession | None = None
        self._ever_connected = False
        self._probe_after: dict[str, tuple[float, float]] = {}
        self._stop = threading.Event()
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._wake_write.setblocking(False)
        self._thread: threading.Thread | None = None

    @property
    def state(self) -> LinkState:
        """The state now."""
        return self._state

    def start(self) -> None:
        """Start the link's thread."""
        if self._spec.kind != "none" and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="panel-link", daemon=True)
            self._thread.start()

    def close(self, timeout: float = 1.0) -> bool:
        """Stop and close the port; True if the thread ended within ``timeout`` seconds (S8)."""
        self._stop.set()
        self._wake()
        if self._thread is None:
            self._close_pipe()
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def show(self, lines: Sequence[bytes], lights: str) -> None:
        """What display and lights are to show; sent now and again after each new connection."""
        with self._lock:
            self._wanted = (tuple(lines), lights)
        self._wake()

    def write_serial(self, serial_number: str) -> None:
        """Write a serial number into the connected panel."""
        with self._lock:
            self._serial_number = serial_number
        self._wake()

    def settled(self) -> bool:
        """The panel has acknowledged everything it was asked to show."""
        session = self._session
        return session is not None and session.settled() and self._serial_number is None

    def status(self) -> dict[str, object]:
        """State and counters as plain data."""
        session = self._session
        return {
            "state": self._state.as_dict(),
            "counters": self.counters.as_dict(),
            "panel_faults": session.board_faults if session else 0,
        }

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_write.send(b"w")

    def _close_pipe(self) -> None:
        for end in (self._wake_read, self._wake_write):
            end.close()

    def _set(self, state: LinkState) -> None:
        if state != self._state:
            self._state = state
            self._on_state(state)

    def _rest(self, seconds: float) -> None:
        """Sleep, but wake up at once when the link is closed."""
        self._stop.wait(seconds)

    def _run(self) -> None:
        first, longest = self._settings.pause
        pause = first
        while not self._stop.is_set():
            path = self._next_port()
            if path is None:
                self._set(LinkState("searching"))
                self._rest(longest)
                continue
            try:
                port = open_port(path)
            except PortFault as fault:
                self._failed(path, fault)
                self._rest(pause)
                pause = min(pause * 1.6, longest)
                continue
            try:
                self._talk(path, port)
            except _Leave as leave:
                self._set(leave.state)
                self._shun(path)
            except (serial.SerialException, OSError):
                self._set(LinkState("lost", {"port": path}))
            finally:
                self._session = None
                close_port(port)
            pause = first
            self._rest(first)
        self._set(LinkState("closed"))
        self._close_pipe()

    def _next_port(self) -> str | None:
        if self._spec.kind == "path":
            return self._spec.value
        now = time.monotonic()
        for path in self._list_ports():
            after, _ = self._probe_after.get(path, (0.0, 0.0))
            if now >= after:
                return path
        return None

    def _failed(self, path: str, fault: PortFault) -> None:
        _, grown = self._probe_after.get(path, (0.0, 0.0))
        self._probe_after[path] = (time.monotonic() + self._settings.pause[1], grown)
        # A pulled cable stays a pulled cable until the port is there again.
        pulled = fault.kind == "missing" and self._state.kind == "lost"
        if not pulled and (self._spec.kind == "path" or fault.kind in ("busy", "forbidden")):
            self._set(LinkState(fault.kind, fault.params))

    def _shun(self, path: str) -> None:
        """A port without a panel is asked again later and later, so as not to disturb others."""
        if self._spec.kind != "path":
            _, pause = self._probe_after.get(path, (0.0, 0.0))
            pause = min(max(pause * 2, _PROBE_PAUSE_S[0]), _PROBE_PAUSE_S[1])
            self._probe_after[path] = (time.monotonic() + pause, pause)

    def _talk(self, path: str, port: Any) -> None:
        session = HostSession(self._nonce, self.counters)
        self._session = session
        start = _now_ms()
        session.start(start, int(self._settings.quiet * 1000))
        if self._state.kind != "lost":
            self._set(LinkState("booting", {"port": path}))
        asking_since, output = start, b""
        strays, frames = self._bad_bytes(), self.counters.frames
        while not self._stop.is_set():
            # Read first: a process that stood still must not take its own silence for the panel's.
            output = self._exchange(session, port, output)
            self._pass_wishes(session)
            session.tick(_now_ms())
            output += session.take_output()
            asking_since = self._handle(session, path, asking_since)
            if not session.up:
                # Who has sent a good frame is no stranger, however bad the line.
                known = self.counters.frames > frames
                self._judge_silence(path, asking_since, 0 if known else self._bad_bytes() - strays)

    def _exchange(self, session: HostSession, port: Any, output: bytes) -> bytes:
        """Wait for the port, a wish or the session's next time; read and write what is there."""
        wait = min(max((session.next_due() - _now_ms()) / 1000, 0.0), 1.0)
        writers = [port.fileno()] if output else []
        readable, writable, _ = select.select(
            [port.fileno(), self._wake_read], writers, [], max(wait, 0.001)
        )
        if self._wake_read in readable:
            self._wake_read.recv(4096)
        if writable:
            output = output[port.write(output[:_READ_BYTES]) or 0 :]
        if port.fileno() in readable:
            session.receive(port.read(_READ_BYTES), _now_ms())
            output += session.take_output()
            if output and select.select([], [port.fileno()], [], 0)[1]:
                output = output[port.write(output[:_READ_BYTES]) or 0 :]
            for event in session.take_presses():
                self._on_press(event)
            self._stop.wait(_READ_PAUSE_S)
        return output

    def _pass_wishes(self, session: HostSession) -> None:
        with self._lock:
            wanted, number = self._wanted, self._serial_number
            if session.up:
                self._serial_number = None
        if wanted is not None:
            session.show(wanted[0])
            session.light(wanted[1])
        if number is not None and session.up:
            session.write_serial(number)

    def _handle(self, session: HostSession, path: str, asking_since: int) -> int:
        """Act on what the session reports; returns since when it has been asking."""
        for event in session.take_events():
            if isinstance(event, Disconnected):
                self._set(LinkState(event.reason, {"port": path}))
                asking_since = _now_ms()
            elif isinstance(event, Refused):
                raise _Leave(_refusal(path, event))
            else:
                self._welcome(path, event)
        return asking_since

    def _welcome(self, path: str, event: Connected) -> None:
        hello = event.hello
        if self._spec.kind == "auto" and self._spec.value not in ("", hello.serial):
            params = {"port": path, "serial": hello.serial, "wanted": self._spec.value}
            raise _Leave(LinkState("wrong-panel", params))
        self.counters.reconnects += self._ever_connected
        self._ever_connected = True
        self._probe_after.pop(path, None)
        self._set(LinkState("connected", {"port": path, "serial": hello.serial}, hello))

    def _judge_silence(self, path: str, since: int, strays: int) -> None:
        """Name what an unanswered question means, and give the port up in the end."""
        waited = (_now_ms() - since) / 1000
        settings = self._settings
        limit = settings.reopen if self._spec.kind == "path" else settings.quiet + settings.patience
        kind = "stranger" if strays > _STRANGER_BYTES else "no-answer"
        if waited > limit:
            raise _Leave(LinkState(kind, {"port": path}))
        if waited > settings.patience or (kind == "stranger" and waited > settings.quiet):
            self._set(LinkState(kind, {"port": path}))

    def _bad_bytes(self) -> int:
        counters = self.counters
        return counters.stray_bytes + counters.noise + counters.bad_crc + counters.overlong


def _refusal(path: str, event: Refused) -> LinkState:
    hello = event.hello
    if hello.device != DEVICE:
        return LinkState("stranger", {"port": path})
    params = {"port": path, "version": str(hello.version), "ours": str(VERSION)}
    return LinkState("wrong-version", params)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
