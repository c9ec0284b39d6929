"""Both ends together over a line that damages, loses, doubles, swaps and delays (S9, S10, S12)."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.board import BoardSession
from firmware_bridge.decoder import Decoder
from firmware_bridge.exchange import SILENCE_MS, TRIES, Ack, Receiver, Sender, Verdict
from firmware_bridge.faults import BadLine, Faults
from firmware_bridge.host import HostSession
from firmware_bridge.host_events import Connected, Disconnected, Pressed, Refused
from firmware_bridge.protocol import BUTTONS, Frame, Kind, encode
from firmware_bridge.protocol import TO_KIOSK as KIOSK_HEARS


@dataclass
class Line:
    """A host and a board in step-by-step time, with a bad line between them."""

    faults: Faults = field(default_factory=Faults)
    seed: int = 1
    now: int = 0
    board_from: int = 0
    pressed: list[Pressed] = field(default_factory=list)
    happened: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng = random.Random(self.seed)
        self.up, self.down = BadLine(self.faults, rng), BadLine(self.faults, rng)
        numbers = itertools.count(0x1000 + self.seed * 7)
        self.host = HostSession(lambda: next(numbers) % 0xFFFF + 1)
        self.host.start(0)
        self.boot()

    def boot(self) -> None:
        self.board_from = self.now
        self.board = BoardSession(lambda line: self.up.put(line, self.now))

    def run(self, until: int) -> None:
        while self.now < until:
            own = self.now - self.board_from
            self.board.receive(self.down.take(self.now), own)
            self.board.tick(own)
            self.host.receive(self.up.take(self.now), self.now)
            if self.host.next_due() <= self.now:
                self.host.tick(self.now)
            output = self.host.take_output()
            for line in output.splitlines(keepends=True):
                self.down.put(line, self.now)
            self.pressed += self.host.take_presses()
            self.happened += self.host.take_events()
            self.now += 1

    def press(self, button: str) -> bool:
        return self.board.key(Kind.PRESS, button, self.now - self.board_from)


def test_session_starts_and_shows_what_is_wanted() -> None:
    line = Line()
    line.host.show([b"one", b"two", b"three", b"50% *:"])
    line.host.light("012301")
    line.run(500)
    assert isinstance(line.happened[0], Connected)
    assert [text.rstrip() for text in line.board.lines] == [b"one", b"two", b"three", b"50% *:"]
    assert line.board.lights == "012301" and line.host.settled()


faulty = st.builds(
    Faults,
    noise=st.sampled_from((0.0, 0.002, 0.01)),
    loss=st.sampled_from((0.0, 0.002, 0.01)),
    duplicate=st.sampled_from((0.0, 0.2)),
    swap=st.sampled_from((0.0, 0.2)),
    delay_ms=st.sampled_from((0, 3, 40)),
)


@given(faulty, st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_s9_every_press_taken_once_and_in_order_whatever_the_line_does(
    faults: Faults, seed: int
) -> None:
    line = Line(faults, seed)
    while not line.host.up and line.now < 60_000:
        line.run(line.now + 10)
    sent = []
    rng = random.Random(seed)
    for _ in range(150):
        button = rng.choice(BUTTONS)
        if line.press(button):
            sent.append((button, line.now))
        line.run(line.now + rng.randrange(1, 25))
    line.run(line.now + 4000)
    got = [(press.event.button, press.event.ms) for press in line.pressed]
    ends = [event for event in line.happened if isinstance(event, Disconnected)]
    if not ends and not line.host.counters.stale:
        assert got == sent
    else:  # on so bad a line presses may come too late or a session end: missing, never wrong
        remaining = iter(sent)
        assert all(press in remaining for press in got)


def test_s9_numbers_go_round_and_old_copies_never_act() -> None:
    line = Line()
    line.run(100)
    copies: list[bytes] = []

    def keep(data: bytes) -> None:
        copies.append(data)
        line.up.put(data, line.now)

    line.board.send = keep
    for turn in range(600):
        line.press(BUTTONS[turn % 16])
        line.run(line.now + 3)
    assert len(line.pressed) == 600
    for old in copies:
        line.host.receive(old, line.now)
    line.run(line.now + 200)
    assert len(line.pressed) == 600
    assert line.host.counters.duplicates >= 500


def test_s9_a_foreign_session_never_acts() -> None:
    line = Line()
    line.run(100)
    wrong = line.host.session ^ 1
    line.host.receive(encode(Frame(Kind.PRESS, 0, wrong, ("fold", "1"))), line.now)
    line.host.receive(encode(Frame(Kind.PRESS, 0, 0, ("fold", "1"))), line.now)
    line.run(200)
    assert line.pressed == [] and line.host.counters.foreign_session == 2


def test_s10_a_peer_that_asks_for_ever_is_dead_after_a_limit() -> None:
    line = Line()
    line.run(100)
    session, asked = line.host.session, 0
    line.host.light("111111")
    line.host.tick(line.now)
    while not any(isinstance(event, Disconnected) for event in line.happened):
        line.host.receive(encode(Frame(Kind.MISSING, 0, session)), line.now)
        line.host.tick(line.now)
        line.happened += line.host.take_events()
        line.now += 50
        asked += 1
        assert asked <= SILENCE_MS / 50 + TRIES
    assert line.happened[-1] == Disconnected("dead") and line.host.counters.dead == 1


def test_s5_lost_answers_are_asked_again_with_growing_pauses() -> None:
    host = HostSession(lambda: 0xA1B2)
    host.start(0, quiet_ms=100)
    asked = []
    for now in range(20_000):
        host.tick(now)
        asked += [now] * host.take_output().count(b":Q")
    pauses = [late - early for early, late in itertools.pairwise(asked)]
    assert asked[0] == 100 and pauses == sorted(pauses) and pauses[-1] == 4000
    assert len(asked) <= 12


def test_s2_a_board_that_starts_anew_gets_a_new_session_and_its_display_back() -> None:
    line = Line()
    line.host.show([b"a", b"b", b"c", b"d"])
    line.run(1000)
    line.boot()
    line.run(2500)
    reasons = [event.reason for event in line.happened if isinstance(event, Disconnected)]
    assert reasons == ["reset"] and line.host.up and line.host.counters.resets == 1
    assert line.board.lines[3].rstrip() == b"d"


def test_silence_ends_the_session_on_both_sides() -> None:
    line = Line()
    line.host.light("333333")
    line.run(1000)
    line.faults = Faults(loss=1.0)
    line.up.faults = line.down.faults = line.faults
    line.run(1000 + SILENCE_MS + 600)
    assert line.happened[-1] == Disconnected("silent")
    assert line.board.session == 0 and line.board.lights == "000000"
    assert line.board.lines[0].rstrip() == b"Waiting for kiosk"


def test_another_version_or_device_is_refused_and_told_once() -> None:
    host = HostSession(lambda: 7)
    host.start(0)
    fields = ("dealer-panel", "2", "K-1", "x", "power", "0")
    for _ in range(3):
        host.receive(encode(Frame(Kind.HELLO, 0, 7, fields)), 1)
    events = host.take_events()
    assert len(events) == 1 and isinstance(events[0], Refused) and not host.up


def test_a_press_that_comes_too_late_is_counted_and_not_acted_on() -> None:
    line = Line()
    line.run(100)
    for at in range(600, 4000, 500):
        beat = ("T", (str(at), "0000", "0"))
        line.host.receive(encode(Frame(Kind(beat[0]), 255, line.host.session, beat[1])), at)
    line.host.receive(encode(Frame(Kind.PRESS, 0, line.host.session, ("next", "1200"))), 3700)
    assert line.host.take_presses() == [] and line.host.counters.stale == 1
    assert b":A 000" in line.host.take_output()


def test_board_counts_what_a_kiosk_breaks() -> None:
    line = Line(Faults(noise=0.02), seed=5)
    line.host.show([b"x" * 20] * 4)
    line.run(6000)
    assert line.host.board_faults > 0


@given(st.lists(st.tuples(st.sampled_from("pam"), st.integers(0, 255)), max_size=60))
def test_sender_never_forgets_or_invents(steps: list[tuple[str, int]]) -> None:
    sender, put, settled = Sender(window=5), 0, 0
    for now, (what, number) in enumerate(steps):
        if what == "p" and sender.room():
            sender.put(Kind.LIGHTS, 1, ("000000",), now)
            put += 1
        elif what == "a":
            verdict, done = sender.acknowledge(number, now)
            settled += len(done)
            assert (verdict is Ack.ADVANCED) == bool(done)
        elif what == "m":
            _, done, again = sender.missing(number, now)
            settled += len(done)
            assert set(again) <= set(sender.flight)
        assert put - settled == len(sender.flight) <= 5
        assert (sender.due is None) == (not sender.flight)


@given(st.lists(st.integers(0, 255), max_size=100))
def test_receiver_takes_each_number_once_in_order(numbers: list[int]) -> None:
    receiver, taken = Receiver(), []
    for number in numbers:
        if receiver.take(number) is Verdict.NEW:
            taken.append(number)
    assert taken == [count % 256 for count in range(len(taken))]


@pytest.mark.parametrize("rate_ms", [10])
def test_soak_short_at_100_presses_a_second_with_1_percent_damage(rate_ms: int) -> None:
    _soak(rate_ms, seconds=20)


def _soak(rate_ms: int, seconds: int) -> None:
    line = Line(Faults(noise=0.01), seed=9)
    line.run(1500)
    sent = []
    for turn in range(seconds * 1000 // rate_ms):
        kind = Kind.RELEASE if turn % 2 else Kind.PRESS
        if line.board.key(kind, BUTTONS[turn // 2 % 16], line.now):
            sent.append((kind, BUTTONS[turn // 2 % 16], line.now))
        line.run(line.now + rate_ms)
    line.run(line.now + 3000)
    got = [(one.event.kind, one.event.button, one.event.ms) for one in line.pressed]
    assert got == sent and len(sent) >= 0.99 * seconds * 1000 / rate_ms


def test_an_echoing_port_is_nobody() -> None:
    host = HostSession(lambda: 0xBEEF)
    host.start(0)
    for now in range(0, 10_000, 10):
        host.tick(now)
        host.receive(host.take_output(), now)
    assert not host.up and host.counters.wrong_way > 0
    assert Decoder(KIOSK_HEARS).feed(encode(Frame(Kind.KEEP, 0, 1))) == []
