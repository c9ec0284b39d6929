"""The panel's end of the line, as the firmware does it (the C twin is ``firmware/session.c``).

Pure: bytes, key events and milliseconds in; bytes out. Used by the simulated panel and held to the
same scripts in ``vectors.json`` as the C code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.decoder import Decoder
from firmware_bridge.exchange import BEAT_MS, SILENCE_MS, Receiver, Sender, Verdict
from firmware_bridge.protocol import (
    COLUMNS,
    COMMAND_KINDS,
    DEVICE,
    LIGHTS,
    NO_SESSION,
    TO_PANEL,
    VERSION,
    Frame,
    Kind,
    encode,
    unescape,
)

HELLO_MS: Final = 1000
WINDOW: Final = 48
"""Key events that may wait for their acknowledgement; more are dropped and counted."""
NEUTRAL: Final = (b"Waiting for kiosk", b"", b"", b"")
"""What the display shows without a kiosk, so that no old payout stays."""
_FAULTS: Final = ("cut", "noise", "overlong", "bad_crc", "bad_syntax", "wrong_way")


@dataclass(slots=True)
class BoardIdentity:
    """What the hello says. ``serial`` lives in EEPROM and can be written over the line."""

    serial: str = "-"
    build: str = "sim"
    reset: str = "power"


@dataclass(slots=True)
class BoardSession:
    """The panel's protocol state. ``send`` gets each line; a line it drops is sent again."""

    send: Callable[[bytes], object]
    identity: BoardIdentity = field(default_factory=BoardIdentity)
    session: int = NO_SESSION
    lines: list[bytes] = field(default_factory=lambda: _neutral())
    lights: str = "0" * LIGHTS
    keys: int = 0
    dropped: int = 0
    foreign: int = 0
    decoder: Decoder = field(default_factory=lambda: Decoder(TO_PANEL))
    sender: Sender = field(default_factory=lambda: Sender(WINDOW))
    receiver: Receiver = field(default_factory=Receiver)
    _heard: int = 0
    _next: int = 0

    def receive(self, data: bytes, now: int) -> None:
        """Bytes from the kiosk."""
        for frame in self.decoder.feed(data):
            if frame.kind is Kind.QUERY:
                self._query(frame, now)
            elif frame.session != self.session or self.session == NO_SESSION:
                self.foreign += 1
            else:
                self._heard = now
                self._in_session(frame, now)

    def key(self, kind: Kind, button: str, now: int) -> bool:
        """An event of a button; False if it is dropped (no kiosk, or the queue is full)."""
        if self.session == NO_SESSION or not self.sender.room():
            self.dropped += 1
            return False
        fields = (button, str(now & 0xFFFFFFFF))
        self._send_all([self.sender.put(kind, self.session, fields, now)])
        return True

    def tick(self, now: int) -> None:
        """Let time pass: heartbeats, resends, silence. Call at least every few milliseconds."""
        if self.session != NO_SESSION and (
            now - self._heard >= SILENCE_MS or self.sender.dead(now)
        ):
            self._leave(now)
        if self.session == NO_SESSION:
            if now >= self._next:
                self._next = now + HELLO_MS
                self._hello(now)
            return
        if now >= self._next:
            self._next = now + BEAT_MS
            fields = (str(now & 0xFFFFFFFF), f"{self.keys:04X}", str(self._faults()))
            self._line(Kind.TICK, self.receiver.last, fields)
        self._send_all(self.sender.overdue(now))

    def _faults(self) -> int:
        counts = self.decoder.counters.as_dict()
        return min(sum(counts[name] for name in _FAULTS), 0xFFFF)

    def _query(self, frame: Frame, now: int) -> None:
        if int(frame.fields[0]) == VERSION and frame.session != self.session:
            self._restart(frame.session)
            self._next = now + BEAT_MS
        if frame.session == self.session:
            self._heard = now
        self._hello(now)

    def _in_session(self, frame: Frame, now: int) -> None:
        if frame.kind in COMMAND_KINDS:
            verdict = self.receiver.take(frame.number)
            if verdict is Verdict.NEW:
                self._perform(frame)
            if verdict is not Verdict.GAP:
                self._line(Kind.HAVE, self.receiver.last)
            elif self.receiver.may_ask(now):
                self._line(Kind.MISSING, self.receiver.expected)
        elif frame.kind is Kind.NAK:
            _, _, again = self.sender.missing(frame.number, now, int(frame.fields[0], 16))
            self._send_all(again)
        else:
            self.sender.acknowledge(frame.number, now)

    def _perform(self, frame: Frame) -> None:
        if frame.kind is Kind.DISPLAY:
            text = unescape(frame.fields[1])
            self.lines[int(frame.fields[0]) - 1] = text.ljust(COLUMNS)
        elif frame.kind is Kind.LIGHTS:
            self.lights = frame.fields[0]
        else:
            self.identity.serial = frame.fields[0]

    def _leave(self, now: int) -> None:
        """No kiosk any more: neutral display and lights, presses not yet taken are forgotten."""
        self._restart(NO_SESSION)
        self.lines = _neutral()
        self.lights = "0" * LIGHTS
        self._next = now

    def _restart(self, session: int) -> None:
        self.session = session
        self.sender, self.receiver = Sender(WINDOW), Receiver()

    def _hello(self, now: int) -> None:
        who = self.identity
        fields = (DEVICE, str(VERSION), who.serial, who.build, who.reset, str(now & 0xFFFFFFFF))
        self._line(Kind.HELLO, 0, fields)

    def _send_all(self, frames: list[Frame]) -> None:
        for frame in frames:
            self.send(encode(frame))

    def _line(self, kind: Kind, number: int, fields: tuple[str, ...] = ()) -> None:
        self.send(encode(Frame(kind, number, self.session, fields)))


def _neutral() -> list[bytes]:
    return [line.ljust(COLUMNS) for line in NEUTRAL]
