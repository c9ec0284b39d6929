"""The C core on the host, under sanitizers: the same vectors, and step by step like the Python."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.board import BoardIdentity, BoardSession
from firmware_bridge.decoder import Decoder
from firmware_bridge.keys import Keypad
from firmware_bridge.protocol import BUTTONS, TO_PANEL, Frame, Kind, encode, escape

Order = Callable[[str], list[str]]
VECTORS: dict[str, Any] = json.loads(
    (resources.files("firmware_bridge") / "vectors.json").read_text("ascii")
)
COUNTED = "frames stray_bytes cut noise overlong bad_crc bad_syntax wrong_way".split()
shared = settings(
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def _hex(text: str) -> str:
    return text.encode("latin-1").hex()


def _fed(order: Order, data: bytes) -> list[str]:
    return [line.removeprefix("frame ") for line in order(f"feed {data.hex()}")]


def _counters(order: Order) -> dict[str, int]:
    return dict(zip(COUNTED, map(int, order("counters")[0].split()), strict=True))


def test_c_crc16_vectors(c_panel: Order) -> None:
    for vector in VECTORS["crc16"]:
        assert c_panel(f"crc {_hex(vector['text'])}") == [vector["crc"]]


def test_c_reads_every_frame_for_the_panel(c_panel: Order) -> None:
    for vector in VECTORS["frames"]:
        fed = _fed(c_panel, vector["line"].encode() + b"\n")
        mine = Kind(vector["kind"]) in TO_PANEL
        assert fed == ([vector["line"][1:-5]] if mine else []), vector


def test_c_writes_every_key_frame(c_panel: Order) -> None:
    """Key frames of the vectors are written byte for byte when the panel gets there."""
    for vector in VECTORS["frames"]:
        if vector["kind"] not in "PRLS":
            continue
        c_panel("start -")
        c_panel(f"rx 0 {encode(Frame(Kind.QUERY, 0, 0xA1B2, ('1',))).hex()}")
        at = int(vector["fields"][1])
        button = BUTTONS.index(vector["fields"][0])
        for number in range(vector["number"]):
            c_panel(f"key {at} P 0")
            ack = encode(Frame(Kind.ACK, number, 0xA1B2))
            c_panel(f"rx {at} {ack.hex()}")
        sent = c_panel(f"key {at} {vector['kind']} {button}")
        assert sent == [f"tx {vector['line']}"]


@pytest.mark.parametrize("to", ["panel", "kiosk"])
def test_c_refuses_what_is_outside_the_grammar(c_panel: Order, to: str) -> None:
    refused = [vector["line"] for vector in VECTORS["refused"] if vector["to"] == to]
    for line in refused:
        assert _fed(c_panel, line.encode() + b"\n") == [], line
    counted = _counters(c_panel)
    assert counted["frames"] == counted["bad_crc"] == 0
    assert counted["bad_syntax"] + counted["wrong_way"] == len(refused)


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["name"])
def test_c_stream_vectors(c_panel: Order, vector: dict[str, Any]) -> None:
    fed = _fed(c_panel, vector["bytes"].encode("latin-1"))
    assert fed == [line[1:-5] for line in vector["frames"]]
    assert _counters(c_panel) == vector["counters"]


@pytest.mark.parametrize("script", VECTORS["board"], ids=lambda script: script["name"])
def test_c_board_scripts(c_panel: Order, script: dict[str, Any]) -> None:
    c_panel(f"start {script['serial']}")
    for number, step in enumerate(script["steps"]):
        sent = _step(c_panel, step)
        assert sent == step["tx"], f"step {number}"
    end = script["end"]
    session, lights, text, serial, dropped, foreign = c_panel("end")[0].split()
    assert (session, lights, serial) == (end["session"], end["lights"], end["serial"])
    assert bytes.fromhex(text).decode("latin-1") == "".join(end["display"])
    assert (int(dropped), int(foreign)) == (end["dropped"], end["foreign"])


def _step(order: Order, step: dict[str, Any]) -> list[str]:
    now, sent = step["at"], []
    if "rx" in step:
        sent += order(f"rx {now} {_hex(step['rx'])}")
    if "key" in step:
        kind, button = step["key"]
        sent += order(f"key {now} {kind} {BUTTONS.index(button)}")
    if "keys" in step:
        order(f"held {step['keys']}")
    sent += order(f"tick {now}")
    return [line.removeprefix("tx ") for line in sent]


@pytest.mark.parametrize("script", VECTORS["keys"], ids=lambda script: script["name"])
def test_s11_c_key_scripts(c_panel: Order, script: dict[str, Any]) -> None:
    contacts = {at: int(mask, 16) for at, mask in script["contacts"]}
    mask, events = 0, []
    for now in range(0, script["until"], script["every_ms"]):
        mask = contacts.get(now, mask)
        for line in c_panel(f"sample {now} {mask:X}"):
            _, at, kind, button = line.split()
            events.append([int(at), kind, BUTTONS[int(button)]])
    assert events == script["events"]


_sessions = st.sampled_from((0, 0xA1B2, 0xA1B2, 0xA1B2, 1))
_numbers = st.one_of(st.integers(0, 6), st.integers(250, 255), st.integers(0, 255))
_commands = st.one_of(
    st.builds(
        lambda session, version: Frame(Kind.QUERY, 0, session or 1, (version,)),
        _sessions,
        st.sampled_from(("1", "1", "1", "2")),
    ),
    st.builds(
        lambda number, session, row, text: Frame(Kind.DISPLAY, number, session, (row, text)),
        _numbers,
        _sessions,
        st.sampled_from("1234"),
        st.binary(max_size=20).map(escape),
    ),
    st.builds(
        lambda number, session: Frame(Kind.LIGHTS, number, session, ("012301",)),
        _numbers,
        _sessions,
    ),
    st.builds(
        lambda kind, number, session: Frame(kind, number, session),
        st.sampled_from((Kind.KEEP, Kind.ACK)),
        _numbers,
        _sessions,
    ),
    st.builds(
        lambda number, session, kept: Frame(Kind.NAK, number, session, (f"{kept:08X}",)),
        _numbers,
        _sessions,
        st.one_of(st.just(0), st.integers(0, 255), st.integers(0, 0xFFFFFFFF)),
    ),
)
_moves = st.one_of(
    st.builds(lambda frame: ("rx", encode(frame)), _commands),
    st.builds(lambda data: ("rx", data), st.binary(max_size=30)),
    st.tuples(st.just("key"), st.sampled_from("PRLS"), st.integers(0, 15)),
    st.just(("tick",)),
)


@shared
@given(st.lists(st.tuples(st.sampled_from((0, 1, 7, 40, 160, 700, 3100)), _moves), max_size=60))
def test_c_and_python_send_the_same_lines(c_panel: Order, moves: list[Any]) -> None:
    mine: list[bytes] = []
    board = BoardSession(mine.append, BoardIdentity("K-7", "vector"))
    c_panel("start K-7")
    now = 0
    opening: list[Any] = [(0, ("rx", encode(Frame(Kind.QUERY, 0, 0xA1B2, ("1",)))))]
    for pause, move in opening + moves:
        now += pause
        if move[0] == "rx":
            board.receive(move[1], now)
            theirs = c_panel(f"rx {now} {move[1].hex()}")
        elif move[0] == "key":
            board.key(Kind(move[1]), BUTTONS[move[2]], now)
            theirs = c_panel(f"key {now} {move[1]} {move[2]}")
        else:
            theirs = []
        board.tick(now)
        theirs += c_panel(f"tick {now}")
        assert [f"tx {line.decode().rstrip()}" for line in mine] == theirs
        mine.clear()
    session, lights, text, *_ = c_panel("end")[0].split()
    assert (session, lights) == (f"{board.session:04X}", board.lights)
    assert bytes.fromhex(text) == b"".join(board.lines)


@shared
@given(st.lists(st.tuples(st.integers(1, 900), st.integers(0, 0xFFFF)), max_size=60))
def test_c_and_python_make_the_same_key_events(
    c_panel: Order, samples: list[tuple[int, int]]
) -> None:
    c_panel("start -")
    pad, now = Keypad(), 0
    for pause, mask in samples:
        for step in range(0, pause, 7):
            at = now + step
            mine = [
                f"event {at} {kind} {BUTTONS.index(name)}" for kind, name in pad.sample(mask, at)
            ]
            assert c_panel(f"sample {at} {mask:X}") == mine
        now += pause


def _mutated(count: int, seed: int) -> tuple[bytes, set[str]]:
    """Frames for the panel, most of them damaged; and the bodies of those sent."""
    rng = random.Random(seed)
    stream, bodies = bytearray(), set()
    for _ in range(count):
        kind = rng.choice((Kind.LIGHTS, Kind.DISPLAY, Kind.ACK, Kind.KEEP))
        fields: tuple[str, ...] = ()
        if kind is Kind.LIGHTS:
            fields = ("".join(rng.choice("0123") for _ in range(6)),)
        elif kind is Kind.DISPLAY:
            fields = (rng.choice("1234"), escape(rng.randbytes(rng.randrange(21))))
        line = encode(Frame(kind, rng.randrange(256), rng.randrange(1, 0x10000), fields))
        bodies.add(line[1:-6].decode())
        stream += _damaged(line, rng)
    return bytes(stream), bodies


def _damaged(line: bytes, rng: random.Random) -> bytes:
    data = bytearray(line)
    for _ in range(rng.randrange(0, 4)):
        at = rng.randrange(len(data)) if data else 0
        way = rng.randrange(4)
        if way == 0 and data:
            data[at] = rng.randrange(256)
        elif way == 1:
            del data[at : at + rng.randrange(1, 6)]
        elif way == 2:
            data[at:at] = data[at : at + rng.randrange(1, 6)]
        elif data:
            data[at] ^= 1 << rng.randrange(8)
    return bytes(data)


def _fuzz(driver: Path, order: Order, count: int, seed: int) -> None:
    decoder, batch = Decoder(TO_PANEL), 5_000
    for start in range(0, count, batch):
        stream, bodies = _mutated(min(batch, count - start), seed + start)
        mine = [encode(frame)[1:-6].decode() for frame in decoder.feed(stream)]
        assert _fed(order, stream) == mine
        assert set(mine) <= bodies


def test_s9_c_decoder_under_sanitizers_takes_no_damaged_frame(
    c_driver: Path, c_panel: Order
) -> None:
    _fuzz(c_driver, c_panel, 10_000, seed=11)


@pytest.mark.long
def test_s9_c_decoder_a_million_mutated_frames(c_driver: Path, c_panel: Order) -> None:
    _fuzz(c_driver, c_panel, 1_000_000, seed=12)


@pytest.mark.long
def test_s9_c_panel_survives_a_million_random_pieces(c_panel: Order) -> None:
    rng = random.Random(13)
    c_panel("start -")
    for now in range(200_000):
        piece = b":" + rng.randbytes(rng.randrange(40)) + b"\n"
        c_panel(f"rx {now} {(piece * 5).hex()}")
    assert c_panel("end")[0].startswith("0000 000000")
