"""The soaks' own proof: what their judge lets pass, and that it sees each kind of fault."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.board import BoardSession
from firmware_bridge.faults import BadLine, Faults
from firmware_bridge.host import HostSession
from firmware_bridge.protocol import BUTTONS, KeyEvent, Kind

EVENTS = 400
QUIET = SimpleNamespace(busy=False, late=0, ticks=1, worst=0.0)


def _recorded() -> tuple[bytes, list[KeyEvent], int]:
    """A bad line for two seconds: the recording, what acted, what the full queue dropped."""
    rng = random.Random(5)
    up, down = BadLine(Faults(noise=0.01), rng), BadLine(Faults(noise=0.01), rng)
    recording, acted = bytearray(), list[KeyEvent]()

    def record(way: bytes, data: bytes) -> None:
        recording.extend(b"".join(way + bytes([byte]) for byte in data))

    def send(line: bytes) -> None:
        record(b">", line)
        up.put(line, now)

    now = 0
    board, host = BoardSession(send), HostSession(lambda: rng.randrange(1, 0x10000))
    host.start(0)
    for now in range(2000 + EVENTS * 5 + 2000):
        arrived = down.take(now)
        record(b"<", arrived)
        board.receive(arrived, now)
        if 2000 <= now < 2000 + EVENTS * 5 and now % 5 == 0:
            kind = (Kind.PRESS, Kind.RELEASE)[now // 5 % 2]
            board.key(kind, BUTTONS[now // 10 % 16], now)
        board.tick(now)
        host.receive(up.take(now), now)
        host.tick(now)
        down.put(host.take_output(), now)
        acted += [press.event for press in host.take_presses()]
    assert host.counters.bad_crc > 20 and board.decoder.counters.bad_crc > 5
    return bytes(recording), acted, board.dropped


def test_every_event_of_a_bad_line_is_accounted_for(ledger: Any) -> None:
    recording, acted, dropped = _recorded()
    line = ledger.Ledger.of(recording)
    counts = ledger.judge(line, acted, EVENTS, 0, QUIET, spare=EVENTS // 20)
    assert counts["acted"] == counts["acknowledged"] == EVENTS - dropped
    assert line.sessions == 1


TAMPERED: dict[str, Callable[[list[KeyEvent]], list[KeyEvent]]] = {
    "acted twice": lambda acted: [*acted[:50], acted[49], *acted[50:]],
    "an old one again": lambda acted: [*acted, acted[3]],
    "out of order": lambda acted: [*acted[:50], acted[51], acted[50], *acted[52:]],
    "acknowledged, not acted": lambda acted: [*acted[:50], *acted[51:]],
    "the last one lost": lambda acted: acted[:-1],
    "never sent": lambda acted: [*acted[:50], KeyEvent(Kind.PRESS, "hold", 7), *acted[50:]],
    "another button": lambda acted: [
        *acted[:50],
        KeyEvent(acted[50].kind, "hold", acted[50].ms + 1),
        *acted[51:],
    ],
}


@pytest.mark.parametrize("fault", TAMPERED)
def test_the_judge_sees_a_fault(ledger: Any, fault: str) -> None:
    recording, acted, _ = _recorded()
    line = ledger.Ledger.of(recording)
    with pytest.raises(AssertionError):
        ledger.judge(line, TAMPERED[fault](acted), EVENTS, 0, QUIET, spare=EVENTS)


def test_on_a_busy_machine_a_fault_is_a_fault_all_the_same(ledger: Any) -> None:
    recording, acted, _ = _recorded()
    line = ledger.Ledger.of(recording)
    busy = SimpleNamespace(busy=True, late=9, ticks=9, worst=2.0)
    ledger.judge(line, acted, EVENTS, 0, busy, spare=0)
    for tamper in TAMPERED.values():
        with pytest.raises(AssertionError):
            ledger.judge(line, tamper(acted), EVENTS, 0, busy, spare=0)
    with pytest.raises(AssertionError):
        ledger.judge(line, acted, EVENTS * 4, 0, busy, spare=0)


def test_drops_stale_ones_and_ended_sessions_need_a_busy_machine(ledger: Any) -> None:
    recording, acted, dropped = _recorded()
    line = ledger.Ledger.of(recording)
    for tampered, stale, spare in ((acted, 0, dropped - 1), (acted[:-1], 1, EVENTS)):
        with pytest.raises(AssertionError):
            ledger.judge(line, tampered, EVENTS, stale, QUIET, spare)
