"""The panel's wire format, version 1: one text line per frame (docs/protocol.md).

Pure: no clock, no port. ``encode`` and ``decoder.Decoder`` are held to ``vectors.json`` together
with the C implementation on the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VERSION: Final = 1
DEVICE: Final = "dealer-panel"
MAX_LINE: Final = 96
"""Longest frame in bytes, the colon and the newline counted in."""
BAUD: Final = 38400
COLUMNS: Final = 20
ROWS: Final = 4
LIGHTS: Final = 6
NO_SESSION: Final = 0

BUTTONS: Final = (
    "box1",
    "box2",
    "box3",
    "box4",
    "box5",
    "box6",
    "plus",
    "minus",
    "bet",
    "fold",
    "sixth",
    "exchange",
    "confirm",
    "reveal",
    "next",
    "hold",
)
"""The sixteen buttons in the order of their bits (bit 0 is ``box1``)."""


class Kind(StrEnum):
    """The frame letters. Each letter travels in one direction only."""

    QUERY = "Q"
    DISPLAY = "D"
    LIGHTS = "G"
    WRITE_SERIAL = "W"
    KEEP = "K"
    ACK = "A"
    NAK = "N"
    HELLO = "H"
    PRESS = "P"
    RELEASE = "R"
    LONG = "L"
    STUCK = "S"
    TICK = "T"
    HAVE = "Y"
    MISSING = "M"


TO_PANEL: Final = frozenset(
    {
        Kind.QUERY,
        Kind.DISPLAY,
        Kind.LIGHTS,
        Kind.WRITE_SERIAL,
        Kind.KEEP,
        Kind.ACK,
        Kind.NAK,
    }
)
TO_KIOSK: Final = frozenset(set(Kind) - TO_PANEL)
KEY_KINDS: Final = frozenset({Kind.PRESS, Kind.RELEASE, Kind.LONG, Kind.STUCK})
COMMAND_KINDS: Final = frozenset({Kind.DISPLAY, Kind.LIGHTS, Kind.WRITE_SERIAL})

_MS = r"0|[1-9][0-9]{0,9}"
_COUNT = r"0|[1-9][0-9]{0,4}"
_SERIAL = r"[0-9A-Z-]{1,16}"
_BUTTON = "|".join(BUTTONS)
_TEXT = r"(?:[ -$&-)+-9;-~]|%[0-9A-F]{2}){0,20}"

_GRAMMAR: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.QUERY: (r"[1-9][0-9]?",),
    Kind.DISPLAY: (r"[1-4]", _TEXT),
    Kind.LIGHTS: (r"[0-3]{6}",),
    Kind.WRITE_SERIAL: (_SERIAL,),
    Kind.KEEP: (),
    Kind.ACK: (),
    Kind.NAK: (r"[0-9A-F]{8}",),
    Kind.HELLO: (
        r"[0-9a-z-]{1,12}",
        r"[1-9][0-9]?",
        _SERIAL,
        r"[0-9a-z.-]{1,12}",
        r"power|button|watchdog|brownout|other",
        _MS,
    ),
    Kind.PRESS: (_BUTTON, _MS),
    Kind.RELEASE: (_BUTTON, _MS),
    Kind.LONG: (_BUTTON, _MS),
    Kind.STUCK: (_BUTTON, _MS),
    Kind.TICK: (_MS, r"[0-9A-F]{4}", _COUNT),
    Kind.HAVE: (),
    Kind.MISSING: (),
}
_PATTERNS: Final = {
    kind: re.compile(
        rf"{kind.value} ([0-9]{{3}}) ([0-9A-F]{{4}})" + "".join(f" ({part})" for part in parts)
    )
    for kind, parts in _GRAMMAR.items()
}
_BY_LETTER: Final = {kind.value: pattern for kind, pattern in _PATTERNS.items()}
_UNNUMBERED_ZERO: Final = frozenset({Kind.QUERY, Kind.HELLO})
_MS_FIELD: Final = {Kind.HELLO: 5, Kind.TICK: 0} | dict.fromkeys(KEY_KINDS, 1)
_LIMITS: Final = {"ms": 0xFFFFFFFF, "count": 0xFFFF}


class FrameError(ValueError):
    """A frame that may not be sent or is not one."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. ``fields`` are the words after the session, as in docs/protocol.md.

    ``number`` is 0..255: the frame's own number for numbered kinds, the number meant for
    acknowledgements and ticks, 0 for query and hello. ``session`` is 0..65535.
    """

    kind: Kind
    number: int = 0
    session: int = NO_SESSION
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hello:
    """Who answers: the device's name, protocol version, serial number, build and last reset."""

    device: str
    version: int
    serial: str
    build: str
    reset: str
    ms: int

    @classmethod
    def of(cls, frame: Frame) -> Hello:
        """The hello in a HELLO frame."""
        device, version, serial, build, reset, ms = frame.fields
        return cls(device, int(version), serial, build, reset, int(ms))


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """One event of a button; ``ms`` is the board's own millisecond counter."""

    kind: Kind
    button: str
    ms: int

    @classmethod
    def of(cls, frame: Frame) -> KeyEvent:
        """The event in a PRESS, RELEASE, LONG or STUCK frame."""
        button, ms = frame.fields
        return cls(frame.kind, button, int(ms))


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, no final xor.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021) & 0xFFFF if crc & 0x8000 else (crc << 1) & 0xFFFF
    return crc


def escape(text: bytes) -> str:
    """Display bytes (at most 20) as they travel: ``%``, ``:``, ``*`` and non-ASCII as ``%XX``."""
    if len(text) > COLUMNS:
        raise FrameError(f"a display line has {COLUMNS} characters, got {len(text)}")
    return "".join(
        chr(byte) if 0x20 <= byte <= 0x7E and byte not in b"%:*" else f"%{byte:02X}"
        for byte in text
    )


def unescape(text: str) -> bytes:
    """The display bytes of an escaped text; the reverse of ``escape``."""
    out = bytearray()
    at = 0
    while at < len(text):
        if text[at] == "%":
            out.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            out.append(ord(text[at]))
            at += 1
    return bytes(out)


def _fault(frame: Frame) -> str | None:
    """What the grammar's patterns cannot say: ranges, canonical escapes, fixed numbers."""
    if frame.kind in _UNNUMBERED_ZERO and frame.number:
        return "number must be 0"
    at = _MS_FIELD.get(frame.kind)
    if at is not None and int(frame.fields[at]) > _LIMITS["ms"]:
        return "milliseconds over 32 bits"
    if frame.kind is Kind.TICK and int(frame.fields[2]) > _LIMITS["count"]:
        return "count over 16 bits"
    if frame.kind is Kind.DISPLAY and escape(unescape(frame.fields[1])) != frame.fields[1]:
        return "escape not needed"
    if frame.kind is Kind.QUERY and frame.session == NO_SESSION:
        return "a query names a session"
    return None


def encode(frame: Frame) -> bytes:
    """The line of a frame, newline included.

    Raises FrameError for a frame outside the grammar, so nothing unreadable is ever sent.

    >>> encode(Frame(Kind.PRESS, 17, 0xA1B2, ("box3", "123456")))
    b':P 017 A1B2 box3 123456*4865\\n'
    """
    if not (0 <= frame.number <= 255 and 0 <= frame.session <= 0xFFFF):
        raise FrameError(f"number or session out of range in {frame}")
    body = " ".join(
        (frame.kind.value, f"{frame.number:03d}", f"{frame.session:04X}", *frame.fields)
    )
    if parse(body) != frame:
        raise FrameError(f"fields outside the grammar in {frame}")
    data = body.encode("ascii")
    return b":%s*%04X\n" % (data, crc16(data))


def parse(body: str) -> Frame | None:
    """The frame of a body (the text between ``:`` and ``*``); None if outside the grammar."""
    pattern = _BY_LETTER.get(body[:1])
    match = pattern.fullmatch(body) if pattern else None
    if match is None:
        return None
    number, session, *words = match.groups()
    if int(number) > 255:
        return None
    frame = Frame(Kind(body[0]), int(number), int(session, 16), tuple(words))
    return None if _fault(frame) else frame
