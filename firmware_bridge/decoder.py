"""Bytes of the line become frames; every way of going wrong is counted. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from firmware_bridge.protocol import MAX_LINE, Frame, Kind, crc16, parse


@dataclass(slots=True)
class Counters:
    """What the decoder and the session met. Every way of going wrong has its own count."""

    frames: int = 0
    stray_bytes: int = 0
    cut: int = 0
    noise: int = 0
    overlong: int = 0
    bad_crc: int = 0
    bad_syntax: int = 0
    wrong_way: int = 0
    duplicates: int = 0
    gaps: int = 0
    resends: int = 0
    foreign_session: int = 0
    bad_ack: int = 0
    stale: int = 0
    resets: int = 0
    dead: int = 0
    reconnects: int = 0

    def as_dict(self) -> dict[str, int]:
        """The counts by name, for ``/metrics`` and ``kiosk panel status``."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


_START, _STAR, _END, _RETURN = 0x3A, 0x2A, 0x0A, 0x0D


@dataclass(slots=True)
class Decoder:
    """Bytes in, frames out; finds its feet again at the next colon whatever came before.

    ``accepts`` is the set of kinds that may come from the other end.
    """

    accepts: frozenset[Kind]
    counters: Counters = field(default_factory=Counters)
    _body: bytearray | None = None

    def feed(self, data: Iterable[int]) -> list[Frame]:
        """The frames completed by these bytes, in order."""
        found: list[Frame] = []
        for byte in data:
            if byte == _START:
                self.counters.cut += self._body is not None
                self._body = bytearray()
            elif self._body is None:
                self.counters.stray_bytes += byte not in (_END, _RETURN)
            elif byte == _END:
                frame = self._finish(bytes(self._body))
                self._body = None
                if frame is not None:
                    found.append(frame)
            elif not 0x20 <= byte <= 0x7E:
                self.counters.noise += 1
                self._body = None
            elif len(self._body) == MAX_LINE - 2:
                self.counters.overlong += 1
                self._body = None
            else:
                self._body.append(byte)
        return found

    def _finish(self, line: bytes) -> Frame | None:
        body, star, check = line[:-5], line[-5:-4], line[-4:]
        if len(line) < 5 or star[0] != _STAR or b"%04X" % crc16(body) != check:
            self.counters.bad_crc += 1
            return None
        frame = parse(body.decode("ascii"))
        if frame is None:
            self.counters.bad_syntax += 1
        elif frame.kind not in self.accepts:
            self.counters.wrong_way += 1
        else:
            self.counters.frames += 1
            return frame
        return None
