"""The wire format: the vectors, every frame there and back, and no damage that becomes a frame."""

from __future__ import annotations

import itertools
import json
import random
from collections import defaultdict
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.decoder import Decoder
from firmware_bridge.protocol import (
    BUTTONS,
    COMMAND_KINDS,
    KEY_KINDS,
    MAX_LINE,
    TO_KIOSK,
    TO_PANEL,
    Frame,
    FrameError,
    Kind,
    crc16,
    encode,
    escape,
    parse,
    unescape,
)

VECTORS: dict[str, Any] = json.loads(
    (resources.files("firmware_bridge") / "vectors.json").read_text("ascii")
)

_ms = st.integers(0, 0xFFFFFFFF).map(str)
_number = st.integers(0, 255)
_session = st.integers(1, 0xFFFF)
_text = st.binary(max_size=20).map(escape)
_serial = st.text("ABCXYZ0123456789-", min_size=1, max_size=16)


def _frame(kind: Kind) -> st.SearchStrategy[Frame]:
    parts: dict[Kind, tuple[st.SearchStrategy[str], ...]] = {
        Kind.QUERY: (st.integers(1, 99).map(str),),
        Kind.DISPLAY: (st.sampled_from("1234"), _text),
        Kind.LIGHTS: (st.text("0123", min_size=6, max_size=6),),
        Kind.WRITE_SERIAL: (_serial,),
        Kind.NAK: (st.integers(0, 0xFFFFFFFF).map(lambda kept: f"{kept:08X}"),),
        Kind.HELLO: (
            st.just("dealer-panel"),
            st.just("1"),
            _serial,
            st.text("0123456789abcdef", min_size=1, max_size=12),
            st.sampled_from(("power", "button", "watchdog", "brownout", "other")),
            _ms,
        ),
        Kind.TICK: (
            _ms,
            st.integers(0, 0xFFFF).map(lambda mask: f"{mask:04X}"),
            st.integers(0, 0xFFFF).map(str),
        ),
    }
    words = parts.get(kind, (st.sampled_from(BUTTONS), _ms) if kind in KEY_KINDS else ())
    number = st.just(0) if kind in (Kind.QUERY, Kind.HELLO) else _number
    return st.builds(Frame, st.just(kind), number, _session, st.tuples(*words))


frames = st.sampled_from(sorted(Kind)).flatmap(_frame)


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


@pytest.mark.parametrize("vector", VECTORS["crc16"], ids=lambda vector: repr(vector["text"]))
def test_crc16_vectors(vector: dict[str, str]) -> None:
    assert f"{crc16(_bytes(vector['text'])):04X}" == vector["crc"]


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda vector: vector["line"])
def test_frame_vectors_both_ways(vector: dict[str, Any]) -> None:
    frame = Frame(
        Kind(vector["kind"]), vector["number"], int(vector["session"], 16), tuple(vector["fields"])
    )
    line = _bytes(vector["line"] + "\n")
    assert encode(frame) == line
    assert Decoder(frozenset(Kind)).feed(line) == [frame]


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["line"])
def test_refused_vectors_have_a_right_check_and_still_are_no_frame(vector: dict[str, str]) -> None:
    body = vector["line"][1:-5]
    assert f"{crc16(_bytes(body)):04X}" == vector["line"][-4:]
    decoder = Decoder(TO_PANEL if vector["to"] == "panel" else TO_KIOSK)
    assert decoder.feed(_bytes(vector["line"] + "\n")) == []
    assert decoder.counters.frames == 0
    assert decoder.counters.bad_syntax + decoder.counters.wrong_way == 1


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["name"])
def test_stream_vectors(vector: dict[str, Any]) -> None:
    decoder = Decoder(TO_PANEL)
    found = decoder.feed(_bytes(vector["bytes"]))
    assert [encode(frame).decode().rstrip("\n") for frame in found] == vector["frames"]
    counters = decoder.counters.as_dict()
    assert {name: counters[name] for name in vector["counters"]} == vector["counters"]


@given(frames)
def test_every_frame_there_and_back_within_the_longest_line(frame: Frame) -> None:
    line = encode(frame)
    assert len(line) <= MAX_LINE
    assert Decoder(frozenset(Kind)).feed(line) == [frame]


@given(st.lists(frames, max_size=8), st.data())
def test_pieces_of_any_size_give_the_same_frames(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(map(encode, sent))
    decoder = Decoder(frozenset(Kind))
    found: list[Frame] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += decoder.feed(stream[:size])
        stream = stream[size:]
    assert found == sent


@given(st.binary(max_size=200), frames)
def test_s9_a_frame_is_found_after_any_noise(noise: bytes, frame: Frame) -> None:
    decoder = Decoder(frozenset(Kind))
    decoder.feed(noise)
    assert decoder.feed(encode(frame))[-1:] == [frame]


@given(frames, st.data())
def test_s9_a_cut_frame_is_nothing(frame: Frame, data: st.DataObject) -> None:
    line = encode(frame)
    cut = line[: data.draw(st.integers(0, len(line) - 2))] + b"\n"
    assert Decoder(frozenset(Kind)).feed(cut) == []


@given(frames, st.integers(0), st.integers(1, 255))
def test_s9_one_byte_changed_is_nothing(frame: Frame, at: int, flip: int) -> None:
    line = bytearray(encode(frame))
    line[at % (len(line) - 1)] ^= flip
    assert Decoder(frozenset(Kind)).feed(bytes(line)) == []


@given(st.binary(max_size=20))
def test_display_bytes_there_and_back(text: bytes) -> None:
    assert unescape(escape(text)) == text


@pytest.mark.parametrize(
    "frame",
    [
        Frame(Kind.PRESS, 1, 1, ("box9", "1")),
        Frame(Kind.PRESS, 256, 1, ("box1", "1")),
        Frame(Kind.DISPLAY, 1, 1, ("1", "a:b")),
        Frame(Kind.LIGHTS, 1, 0x10000, ("000000",)),
        Frame(Kind.KEEP, 1, 1, ("x",)),
        Frame(Kind.QUERY, 0, 0, ("1",)),
    ],
    ids=repr,
)
def test_nothing_outside_the_grammar_is_sent(frame: Frame) -> None:
    with pytest.raises(FrameError):
        encode(frame)


def _single_changes(line: bytes) -> dict[int, list[tuple[int, int]]]:
    """Every change of one character of ``body*CRC``, by what it does to body check xor check."""
    body, check = line[1:-6], line[-5:-1]
    base = crc16(body)
    changes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, new in itertools.product(range(len(body)), range(0x20, 0x7F)):
        if new != body[at]:
            changes[base ^ crc16(body[:at] + bytes([new]) + body[at + 1 :])].append((at, new))
    for at, new in itertools.product(range(4), b"0123456789ABCDEF"):
        if new != check[at]:
            changed = check[:at] + bytes([new]) + check[at + 1 :]
            changes[base ^ int(changed, 16)].append((len(body) + 1 + at, new))
    return changes


@pytest.mark.parametrize(
    "frame",
    [
        Frame(Kind.PRESS, 17, 0xA1B2, ("box3", "123456")),
        Frame(Kind.PRESS, 255, 0xFFFF, ("confirm", "4294967295")),
        Frame(Kind.RELEASE, 0, 1, ("hold", "7")),
    ],
    ids=repr,
)
def test_s9_no_two_changed_characters_make_another_press(frame: Frame) -> None:
    """Exhaustive: the CRC is linear, so two changes cancel only if each shifts the check alike."""
    line = encode(frame)
    changes = _single_changes(line)
    assert 0 not in changes
    for alike in changes.values():
        for (at, new), (at2, new2) in itertools.combinations(alike, 2):
            if at != at2:
                changed = bytearray(line[1:-1])
                changed[at], changed[at2] = new, new2
                found = Decoder(TO_KIOSK).feed(b":" + changed + b"\n")
                assert not any(other.kind in KEY_KINDS for other in found), bytes(changed)


def mutate(line: bytes, rng: random.Random) -> bytes:
    """A frame damaged in one of the ways a line damages: changed, cut, doubled, swapped bytes."""
    data = bytearray(line)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data)) if data else 0
        way = rng.randrange(5)
        if way == 0 and data:
            data[at] = rng.randrange(256)
        elif way == 1 and data:
            data[at] ^= 1 << rng.randrange(8)
        elif way == 2:
            del data[at : at + rng.randrange(1, 6)]
        elif way == 3:
            data[at:at] = data[at : at + rng.randrange(1, 6)]
        elif at + 1 < len(data):
            data[at], data[at + 1] = data[at + 1], data[at]
    return bytes(data)


def _false_presses(count: int, seed: int) -> int:
    """Damage that the decoder takes for a press which nobody sent, in so many damaged frames."""
    rng = random.Random(seed)
    false = 0
    for _ in range(count):
        frame = Frame(
            rng.choice(sorted(KEY_KINDS)),
            rng.randrange(256),
            rng.randrange(1, 0x10000),
            (rng.choice(BUTTONS), str(rng.randrange(1 << 32))),
        )
        decoder = Decoder(TO_KIOSK)
        found = decoder.feed(mutate(encode(frame), rng)) + decoder.feed(b"\n")
        false += any(other.kind in KEY_KINDS and other != frame for other in found)
    return false


def test_s9_mutated_frames_never_become_a_press() -> None:
    assert _false_presses(5_000, seed=1) == 0


@pytest.mark.long
def test_s9_a_million_mutated_frames_never_become_a_press() -> None:
    assert _false_presses(1_000_000, seed=2) == 0


@given(st.binary(max_size=400))
@settings(max_examples=300)
def test_s9_random_bytes_are_never_a_press_and_every_byte_is_accounted_for(data: bytes) -> None:
    decoder = Decoder(TO_KIOSK)
    assert decoder.feed(data) == []
    counted = decoder.counters
    assert counted.frames == 0 and counted.stray_bytes <= len(data)


def test_kinds_travel_one_way_only() -> None:
    assert not TO_PANEL & TO_KIOSK
    assert TO_PANEL >= COMMAND_KINDS and TO_KIOSK >= KEY_KINDS


@given(st.text(max_size=100))
def test_parse_takes_no_text_that_encode_would_not_write(body: str) -> None:
    frame = parse(body)
    if frame is not None:
        assert encode(frame)[1:-6].decode() == body
