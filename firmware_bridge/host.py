"""The kiosk's end of the line: asks who is there, keeps the session, takes key events once.

Pure: bytes and milliseconds in; bytes and events out. ``link.py`` gives it a port and a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.decoder import Counters, Decoder
from firmware_bridge.exchange import (
    BEAT_MS,
    GAP_HOLD_MS,
    KEPT_BITS,
    SILENCE_MS,
    Ack,
    Receiver,
    Sender,
    Verdict,
)
from firmware_bridge.host_events import (
    BoardClock,
    Connected,
    Disconnected,
    HostEvent,
    Pressed,
    Refused,
    signed,
)
from firmware_bridge.protocol import (
    DEVICE,
    KEY_KINDS,
    LIGHTS,
    NO_SESSION,
    ROWS,
    TO_KIOSK,
    VERSION,
    Frame,
    Hello,
    KeyEvent,
    Kind,
    encode,
    escape,
)

WINDOW: Final = 2
"""Two commands in flight fit the board's receive buffer."""
ASK_FIRST_MS: Final = 250
ASK_MAX_MS: Final = 4000
ASK_AGAIN_MS: Final = 100
STALE_MS: Final = 2000
"""A key event that arrives later than this after it happened is taken but not acted upon."""
OUTPUT_LIMIT: Final = 4096


@dataclass(slots=True)
class HostSession:
    """The kiosk's protocol state on one open port.

    ``nonce`` gives a session number 1..65535 for each new session.
    """

    nonce: Callable[[], int]
    counters: Counters = field(default_factory=Counters)
    hello: Hello | None = None
    session: int = NO_SESSION
    up: bool = False
    board_faults: int = 0
    board_keys: int = 0
    _wanted: dict[str, tuple[Kind, tuple[str, ...]]] = field(default_factory=dict)
    _sent: dict[str, tuple[Kind, tuple[str, ...]]] = field(default_factory=dict)
    _sender: Sender = field(default_factory=lambda: Sender(WINDOW, go_back=True))
    _receiver: Receiver = field(default_factory=Receiver)
    _decoder: Decoder = field(init=False)
    _clock: BoardClock = field(default_factory=BoardClock)
    _key_ms: int | None = None
    _early: dict[int, Frame] = field(default_factory=dict)
    _output: bytearray = field(default_factory=bytearray)
    _events: list[HostEvent] = field(default_factory=list)
    _presses: list[Pressed] = field(default_factory=list)
    _heard: int = 0
    _asked: int = 0
    _next: int = 0
    _ask_pause: int = ASK_FIRST_MS

    def __post_init__(self) -> None:
        self._decoder = Decoder(TO_KIOSK, self.counters)

    def start(self, now: int, quiet_ms: int = 0) -> None:
        """The port is open. The first question waits ``quiet_ms`` for the board to boot (S4)."""
        self.session = self.nonce()
        self._asked = now - ASK_AGAIN_MS
        self._next = now + quiet_ms

    def show(self, lines: Sequence[bytes]) -> None:
        """The display's four lines, each at most 20 bytes; sent when they differ."""
        if len(lines) != ROWS:
            raise ValueError(f"the display has {ROWS} lines, got {len(lines)}")
        for row, text in enumerate(lines, start=1):
            self._wanted[f"row{row}"] = (Kind.DISPLAY, (str(row), escape(text.rstrip(b" "))))

    def light(self, lights: str) -> None:
        """The six lights, one digit each: 0 off, 1 on, 2 slow blinking, 3 fast blinking."""
        if len(lights) != LIGHTS or any(state not in "0123" for state in lights):
            raise ValueError(f"six digits 0..3 expected, got {lights!r}")
        self._wanted["lights"] = (Kind.LIGHTS, (lights,))

    def write_serial(self, serial: str) -> None:
        """Write the panel's serial number (1..16 of A-Z, 0-9, ``-``) into its EEPROM."""
        self._wanted["serial"] = (Kind.WRITE_SERIAL, (serial,))

    def settled(self) -> bool:
        """Everything asked for has been sent and acknowledged."""
        return self.up and not self._sender.flight and self._sent == self._wanted

    def receive(self, data: bytes, now: int) -> None:
        """Bytes from the port."""
        for frame in self._decoder.feed(data):
            if frame.kind is Kind.HELLO:
                self._hello(frame, now)
            elif frame.session != self.session:
                self.counters.foreign_session += 1
            elif not self.up:
                # The panel has taken our question; its answer was lost.
                self._ask_again(now)
            else:
                self._heard = now
                self._in_session(frame, now)
        self._pump(now)

    def tick(self, now: int) -> None:
        """Let time pass. Call when ``next_due`` says, or sooner."""
        if self.up and now - self._heard >= SILENCE_MS:
            self._lose("silent", now)
        elif self.up and self._sender.dead(now):
            self.counters.dead += 1
            self._lose("dead", now)
        if not self.up:
            if now >= self._next:
                self._ask(now)
            return
        if now >= self._next:
            self._next = now + BEAT_MS
            self._line(Kind.KEEP, self._receiver.last)
        self._resend(self._sender.overdue(now))
        self._ask_missing(now)
        self._pump(now)

    def next_due(self) -> int:
        """The time by which ``tick`` must be called again."""
        due = [self._next]
        if self.up:
            due.append(self._heard + SILENCE_MS)
            if self._sender.due is not None:
                due.append(self._sender.due)
            if self._early:
                due.append(self._receiver.asked_at + GAP_HOLD_MS)
        return min(due)

    def take_output(self) -> bytes:
        """The bytes to write to the port, oldest first."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def take_events(self) -> list[HostEvent]:
        """What happened to the session since the last call."""
        events, self._events = self._events, []
        return events

    def take_presses(self) -> list[Pressed]:
        """The key events since the last call, in order."""
        presses, self._presses = self._presses, []
        return presses

    def _ask(self, now: int) -> None:
        self._asked = now
        self._next = now + self._ask_pause
        self._ask_pause = min(self._ask_pause * 8 // 5, ASK_MAX_MS)
        self._line(Kind.QUERY, 0, (str(VERSION),))

    def _hello(self, frame: Frame, now: int) -> None:
        hello = Hello.of(frame)
        if hello.device != DEVICE or hello.version != VERSION:
            if self.hello != hello:
                self._events.append(Refused(hello))
            self.hello = hello
        elif frame.session == self.session:
            self._heard = now
            if not self.up:
                self._welcome(hello, now)
        elif self.up:
            # The board no longer knows our session: it has been reset or switched off and on.
            self.counters.resets += 1
            self._lose("reset", now)
            self._ask(now)
        else:
            self._ask_again(now)

    def _ask_again(self, now: int) -> None:
        if now - self._asked >= ASK_AGAIN_MS:
            self._ask(now)

    def _welcome(self, hello: Hello, now: int) -> None:
        self.up, self.hello = True, hello
        self._sender, self._receiver = Sender(WINDOW, go_back=True), Receiver()
        self._clock, self._key_ms = BoardClock(), None
        self._clock.beat(hello.ms, now)
        self._early.clear()
        self._sent.clear()
        self._ask_pause = ASK_FIRST_MS
        self._next = now + BEAT_MS
        self._events.append(Connected(hello))

    def _lose(self, reason: str, now: int) -> None:
        self.up = False
        self.session = self.nonce()
        self._next = now
        self._output.clear()
        self._events.append(Disconnected(reason))

    def _in_session(self, frame: Frame, now: int) -> None:
        if frame.kind in KEY_KINDS:
            self._key(frame, now)
            return
        if frame.kind is Kind.MISSING:
            verdict, settled, again = self._sender.missing(frame.number, now)
            self._resend(again)
        else:
            if frame.kind is Kind.TICK:
                self._clock.beat(int(frame.fields[0]), now)
                self.board_keys = int(frame.fields[1], 16)
                self.board_faults = int(frame.fields[2])
            verdict, settled = self._sender.acknowledge(frame.number, now)
        self.counters.bad_ack += verdict is Ack.WRONG
        for done in settled:
            if done.kind is Kind.WRITE_SERIAL:
                self._wanted.pop("serial", None)
                self._sent.pop("serial", None)

    def _key(self, frame: Frame, now: int) -> None:
        if self._backwards(frame):
            # Older than the last one taken: a copy, even if its number comes round again.
            self.counters.duplicates += 1
            self._line(Kind.ACK, self._receiver.last)
            return
        verdict = self._receiver.take(frame.number)
        if verdict is Verdict.GAP:
            self.counters.gaps += frame.number not in self._early
            self._early.setdefault(frame.number, frame)
            self._ask_missing(now)
            return
        if verdict is Verdict.DUPLICATE:
            self.counters.duplicates += 1
        else:
            self._act(frame, now)
            self._act_early(now)
        self._line(Kind.ACK, self._receiver.last)
        self._ask_missing(now)

    def _act_early(self, now: int) -> None:
        """Take what came too early and now fits."""
        while (frame := self._early.pop(self._receiver.expected, None)) is not None:
            self._receiver.take(frame.number)
            self._act(frame, now)

    def _act(self, frame: Frame, now: int) -> None:
        event = KeyEvent.of(frame)
        self._key_ms = event.ms
        late = self._clock.late(event.ms, now)
        if late > STALE_MS:
            self.counters.stale += 1
        else:
            self._presses.append(Pressed(event, late))

    def _ask_missing(self, now: int) -> None:
        if self._early and self._receiver.may_ask(now):
            lacking = self._receiver.expected
            kept = sum(
                1 << bit for bit in range(KEPT_BITS) if (lacking + 1 + bit) & 0xFF in self._early
            )
            self._line(Kind.NAK, lacking, (f"{kept:08X}",))

    def _backwards(self, frame: Frame) -> bool:
        ms = int(frame.fields[1])
        return self._key_ms is not None and signed(ms - self._key_ms) < 0

    def _pump(self, now: int) -> None:
        if not self.up:
            return
        for slot, wanted in self._wanted.items():
            if self._sender.room() and self._sent.get(slot) != wanted:
                self._sent[slot] = wanted
                self._resend([self._sender.put(wanted[0], self.session, wanted[1], now)], 0)

    def _resend(self, frames: list[Frame], counted: int = 1) -> None:
        self.counters.resends += counted * len(frames)
        for frame in frames:
            self._write(encode(frame))

    def _line(self, kind: Kind, number: int, fields: tuple[str, ...] = ()) -> None:
        self._write(encode(Frame(kind, number, self.session, fields)))

    def _write(self, line: bytes) -> None:
        # A port that takes nothing must not fill our memory: lost lines are sent again anyway.
        if len(self._output) + len(line) <= OUTPUT_LIMIT:
            self._output += line
