"""The process behind the simulated panel: a board at the far end of a real pseudo-terminal.

Control: one JSON object a line on standard input, answers and changes on standard output (see
``simulated.py``). Ends when standard input ends, so it never outlives its parent.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import sys
import tempfile
import time
import tty
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

from firmware_bridge.board import BoardIdentity, BoardSession
from firmware_bridge.faults import BadLine, Faults
from firmware_bridge.keys import Keypad
from firmware_bridge.protocol import BUTTONS

PRESS_MS: Final = 60
MASH_HOLD_MS: Final = 30
SAMPLE_MS: Final = 2
_REST_MS: Final = 5
_LONGEST_STEP_MS: Final = 200
_BABBLE: Final = b"T:21.5 ok\r\nstart\r\n:*\xff"


class Terminal:
    """A pseudo-terminal under a name that stays the same when it is unplugged and replugged."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "panel"
        self._master = -1

    def plug(self) -> None:
        """A new pseudo-terminal appears under the name."""
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.symlink(os.ttyname(slave), self.path)
        # Closing our copy makes the kernel report a hang-up until somebody opens the port.
        os.close(slave)
        os.set_blocking(self._master, False)

    def unplug(self) -> None:
        """The port vanishes; whoever has it open gets an error."""
        if self._master >= 0:
            self.path.unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1

    @property
    def descriptor(self) -> int:
        """The descriptor to wait for, or -1 while unplugged."""
        return self._master

    def opened(self) -> bool:
        """Somebody has the port open."""
        if self._master < 0:
            return False
        poll = select.poll()
        poll.register(self._master, 0)
        return not any(flags & select.POLLHUP for _, flags in poll.poll(0))

    def read(self) -> bytes:
        """What has come, possibly nothing."""
        with contextlib.suppress(OSError):
            return os.read(self._master, 4096)
        return b""

    def write(self, data: bytes) -> None:
        """Send; what the line cannot take now is lost, as on a wire."""
        with contextlib.suppress(OSError):
            os.write(self._master, data)


class SimulatedBoard:
    """Board, contacts and faulty line together, driven by ``step``.

    Into ``recording``, if given, go ``>`` and each byte that the board sends (before the line
    damages it), ``<`` and each byte that reaches it (after).
    """

    def __init__(
        self,
        terminal: Terminal,
        faults: Faults,
        serial: str,
        seed: int,
        recording: BinaryIO | None = None,
    ) -> None:
        self.terminal = terminal
        self.recording = recording
        self.rng = random.Random(seed)
        self.identity = BoardIdentity(serial=serial)
        self.started = 0
        self.contacts = 0
        self.bouncing: dict[int, int] = {}
        self.releases: list[tuple[int, int]] = []
        self.mashing: list[tuple[int, int]] = []
        self.was_open = False
        self.stalled_ms = 0
        self.replug_at: int | None = None
        self.use(faults)
        self.boot(0, "power")

    def use(self, faults: Faults) -> None:
        """Switch to these faults."""
        self.faults = faults
        self.outgoing = BadLine(faults, self.rng)
        self.incoming = BadLine(faults, self.rng)
        self.deaf = faults.deaf_hellos

    def boot(self, now: int, reason: str) -> None:
        """Start anew, as after power-on or a reset."""
        self.started = now + self.faults.boot_ms
        self.sampled = self.started
        self.identity.reset = reason
        self.keypad = Keypad()
        self.board = BoardSession(self._send, self.identity)
        self.now = now

    def _send(self, line: bytes) -> None:
        if line[1:2] == b"H" and self.deaf > 0 and self.board.session:
            self.deaf -= 1
            return
        self._record(b">", line)
        self.outgoing.put(line, self.now)

    def _record(self, way: bytes, data: bytes) -> None:
        if self.recording is not None:
            self.recording.write(b"".join(way + bytes([byte]) for byte in data))

    def contact(self, button: str, down: bool, now: int) -> None:
        """A person's finger."""
        bit = 1 << BUTTONS.index(button)
        self.contacts = self.contacts | bit if down else self.contacts & ~bit
        if self.faults.bounce_ms:
            self.bouncing[bit] = now + self.faults.bounce_ms

    def press(self, button: str, hold_ms: int, now: int) -> None:
        """Press now, let go ``hold_ms`` later."""
        self.contact(button, True, now)
        self.releases.append((now + hold_ms, BUTTONS.index(button)))

    def mash(self, every_ms: int, count: int, now: int) -> None:
        """Press the buttons in turn, one each ``every_ms``, so often."""
        self.mashing = [(now + turn * every_ms, turn % len(BUTTONS)) for turn in range(count)][::-1]

    def unplug(self, now: int, for_ms: int) -> None:
        """Pull the cable and put it back later; the board loses power meanwhile."""
        self.terminal.unplug()
        self.replug_at = now + for_ms

    def step(self, now: int) -> None:
        """Let the board live until now."""
        self.now = now
        if self.replug_at is not None:
            if now < self.replug_at:
                return
            self.replug_at = None
            self.terminal.plug()
            self.boot(now, "power")
        is_open = self.terminal.opened()
        if is_open and not self.was_open and self.faults.reset_on_open:
            self.boot(now, "button")
        self.was_open = is_open
        if self.faults.reset_every_ms and now - self.started >= self.faults.reset_every_ms:
            self.boot(now, "watchdog")
        if self.faults.half_open:
            return
        if self.faults.babble:
            self.terminal.write(_BABBLE * 4)
            self.terminal.read()
            return
        self._run(now, is_open)

    def _run(self, now: int, is_open: bool) -> None:
        if is_open:
            self.incoming.put(self.terminal.read(), now)
        data = self.incoming.take(now)
        if now < self.started:
            return
        own = now - self.started
        self._record(b"<", data)
        self.board.receive(data, own)
        # A busy machine may call late: the contacts are sampled for the time in between as well.
        for at in range(max(self.sampled, self.started) + 1, now + 1):
            if (at - self.started) % SAMPLE_MS == 0:
                self._sample(at)
        self.sampled = now
        self.board.keys = self.keypad.mask
        self.board.tick(own)
        sent = self.outgoing.take(now)
        if sent and is_open:
            self.terminal.write(sent)

    def _sample(self, at: int) -> None:
        while self.mashing and at >= self.mashing[-1][0]:
            self.press(BUTTONS[self.mashing.pop()[1]], MASH_HOLD_MS, at)
        for release in [release for release in self.releases if at >= release[0]]:
            self.releases.remove(release)
            self.contact(BUTTONS[release[1]], False, at)
        for kind, button in self.keypad.sample(self._raw(at), at - self.started):
            self.board.key(kind, button, at - self.started)

    def _raw(self, now: int) -> int:
        raw = self.contacts
        for bit, until in list(self.bouncing.items()):
            if now >= until:
                del self.bouncing[bit]
            elif self.rng.random() < 0.5:
                raw ^= bit
        return raw

    def seen(self) -> dict[str, object]:
        """What a person sees on the panel, and how it fares."""
        texts = [line.decode("latin-1").ljust(20) for line in self.board.lines]
        return {
            "display": texts,
            "lights": self.board.lights,
            "session": self.board.session != 0,
            "serial": self.identity.serial,
            "dropped": self.board.dropped,
            "mashing": len(self.mashing),
        }


def command(board: SimulatedBoard, order: Mapping[str, object], now: int) -> dict[str, object]:
    """Carry out one control line; returns the answer. Raises ValueError or UserError."""
    name = order.get("do")
    button = str(order.get("button", ""))
    if name in ("press", "down", "up") and button not in BUTTONS:
        raise ValueError(f"button {button!r}: expected one of {', '.join(BUTTONS)}")
    if name == "press":
        board.press(button, int(str(order.get("hold_ms", PRESS_MS))), now)
    elif name in ("down", "up"):
        board.contact(button, name == "down", now)
    elif name == "faults":
        values = order.get("faults")
        board.use(Faults.from_mapping(values if isinstance(values, dict) else {}))
    elif name == "reset":
        board.boot(now, "button")
    elif name == "mash":
        board.mash(int(str(order.get("every_ms"))), int(str(order.get("count"))), now)
    elif name == "unplug":
        board.unplug(now, int(str(order.get("for_ms", 1000))))
    elif name != "see":
        raise ValueError(f"unknown order {name!r}")
    return {"ok": True, "stalled_ms": board.stalled_ms} | board.seen()


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def _say(answer: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def serve(options: Mapping[str, object]) -> int:
    """Run until standard input ends. ``options``: serial, seed, faults, recording (a path)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    values = options.get("faults")
    faults = Faults.from_mapping(values if isinstance(values, dict) else {})
    serial, seed = str(options.get("serial", "SIM-1")), int(str(options.get("seed", 1)))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="kiosk-panel-"))
        path = options.get("recording")
        recording = stack.enter_context(open(str(path), "wb")) if path else None
        terminal = Terminal(Path(folder))
        terminal.plug()
        board = SimulatedBoard(terminal, faults, serial, seed, recording)
        _say({"port": str(terminal.path)} | board.seen())
        try:
            _loop(board)
        except BrokenPipeError:
            os.close(1)
        finally:
            terminal.unplug()
    return 0


def _loop(board: SimulatedBoard) -> None:
    last, now, rest, shown = _now_ms(), 0, b"", board.seen()
    while True:
        # The board's time stands still while a busy machine does not let this process run.
        real = _now_ms()
        board.stalled_ms = max(board.stalled_ms, real - last)
        now, last = now + min(real - last, _LONGEST_STEP_MS), real
        board.step(now)
        seen = board.seen()
        if seen != shown:
            shown = seen
            _say(seen)
        # A closed port reports its hang-up without end, so it is looked at by the clock alone.
        waiting = [0, board.terminal.descriptor] if _wants_port(board) else [0]
        readable, _, _ = select.select(waiting, [], [], _REST_MS / 1000)
        if 0 in readable:
            data = os.read(0, 65536)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                _obey(board, line, now)


def _wants_port(board: SimulatedBoard) -> bool:
    quiet = board.faults.babble or board.faults.half_open
    return board.was_open and not quiet and board.replug_at is None


def _obey(board: SimulatedBoard, line: bytes, now: int) -> None:
    try:
        order = json.loads(line)
        if not isinstance(order, dict):
            raise ValueError("expected a JSON object")
        answer = command(board, order, now)
    except Exception as fault:
        answer = {"ok": False, "error": str(fault)}
    _say(answer)
