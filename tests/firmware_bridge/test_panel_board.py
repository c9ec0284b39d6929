"""The panel's end against the scripts that the C code is held to, and the keys (S11)."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest

from firmware_bridge.board import BoardIdentity, BoardSession
from firmware_bridge.keys import Keypad
from firmware_bridge.protocol import Kind

VECTORS: dict[str, Any] = json.loads(
    (resources.files("firmware_bridge") / "vectors.json").read_text("ascii")
)


@pytest.mark.parametrize("script", VECTORS["board"], ids=lambda script: script["name"])
def test_board_scripts(script: dict[str, Any]) -> None:
    sent: list[bytes] = []
    board = BoardSession(sent.append, BoardIdentity(script["serial"], "vector"))
    for number, step in enumerate(script["steps"]):
        now = step["at"]
        if "rx" in step:
            board.receive(step["rx"].encode("latin-1"), now)
        if "key" in step:
            board.key(Kind(step["key"][0]), step["key"][1], now)
        if "keys" in step:
            board.keys = int(step["keys"], 16)
        board.tick(now)
        assert [line.decode().rstrip("\n") for line in sent] == step["tx"], f"step {number}"
        sent.clear()
    assert {
        "session": f"{board.session:04X}",
        "lights": board.lights,
        "display": [line.decode("latin-1") for line in board.lines],
        "serial": board.identity.serial,
        "dropped": board.dropped,
        "foreign": board.foreign,
    } == script["end"]


@pytest.mark.parametrize("script", VECTORS["keys"], ids=lambda script: script["name"])
def test_s11_key_scripts(script: dict[str, Any]) -> None:
    contacts = {at: int(mask, 16) for at, mask in script["contacts"]}
    pad, mask, events = Keypad(), 0, []
    for now in range(0, script["until"], script["every_ms"]):
        mask = contacts.get(now, mask)
        events += [[now, kind.value, button] for kind, button in pad.sample(mask, now)]
    assert events == script["events"]


def test_s11_every_press_has_one_release_however_contacts_bounce() -> None:
    pad, balance = Keypad(), 0
    pattern = 0b1011001110001111
    for now in range(0, 5000, 2):
        mask = 1 if pattern >> (now // 7 % 16) & 1 else 0
        for kind, _ in pad.sample(mask, now):
            balance += {Kind.PRESS: 1, Kind.RELEASE: -1}.get(kind, 0)
            assert balance in (0, 1)
