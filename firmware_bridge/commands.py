"""``kiosk panel …``: find panels, watch what they send, test and program them."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from firmware_bridge.decoder import Decoder
from firmware_bridge.flash import BOARDS, flash
from firmware_bridge.host_events import Pressed
from firmware_bridge.link import LinkSettings, PanelLink
from firmware_bridge.ports import GRAMMAR, PortFault, PortSpec, close_port, open_port, usb_ports
from firmware_bridge.protocol import LIGHTS, Frame, Kind
from firmware_bridge.simulated import SimulatedPanel
from firmware_bridge.states import LinkState
from kiosk.errors import UserError

_WORDS: Final = {
    Kind.QUERY: "who is there",
    Kind.DISPLAY: "display",
    Kind.LIGHTS: "lights",
    Kind.WRITE_SERIAL: "write serial number",
    Kind.KEEP: "kiosk alive",
    Kind.ACK: "kiosk has all up to",
    Kind.NAK: "kiosk lacks",
    Kind.HELLO: "hello",
    Kind.PRESS: "press",
    Kind.RELEASE: "release",
    Kind.LONG: "long press",
    Kind.STUCK: "stuck key",
    Kind.TICK: "panel alive",
    Kind.HAVE: "panel has all up to",
    Kind.MISSING: "panel lacks",
}


def add_commands(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Register ``kiosk panel`` and its commands."""
    panel = subparsers.add_parser("panel", help="find, test and program the button panel")
    commands = panel.add_subparsers(dest="panel_command", metavar="COMMAND", required=True)

    find = commands.add_parser("find", help="ask every USB serial port who is there")
    find.add_argument("ports", nargs="*", metavar="PORT", help="ports to ask (default: all USB)")
    find.add_argument("--json", action="store_true", help="one JSON object a line")
    find.set_defaults(run=_find)

    monitor = commands.add_parser("monitor", help="show in words what comes from a port")
    _port(monitor, "a port, or - to decode standard input")
    monitor.add_argument("--seconds", type=float, default=None, help="stop after so long")
    monitor.set_defaults(run=_monitor)

    status = commands.add_parser("status", help="connect once; show state and fault counters")
    _port(status)
    status.add_argument("--seconds", type=float, default=8.0, help="how long to try")
    status.add_argument("--json", action="store_true")
    status.set_defaults(run=_status)

    test = commands.add_parser("test", help="light a test pattern and show the buttons pressed")
    _port(test)
    test.add_argument("--seconds", type=float, default=30.0, help="how long")
    test.set_defaults(run=_test)

    serial = commands.add_parser("serial", help="write a serial number into the panel")
    _port(serial)
    serial.add_argument("number", help="1 to 16 of A-Z, 0-9 and -")
    serial.set_defaults(run=_serial)

    flasher = commands.add_parser("flash", help="write the panel's program with avrdude")
    flasher.add_argument("port", help="the port the board is at")
    flasher.add_argument("--board", choices=sorted(BOARDS), default="uno", help="kind of board")
    flasher.add_argument("--hex", default=None, help="another program than the one shipped")
    flasher.set_defaults(run=lambda args: flash(args.port, args.board, args.hex))


def _port(parser: argparse.ArgumentParser, text: str = GRAMMAR) -> None:
    parser.add_argument("port", nargs="?", default="auto", help=text)


@contextlib.contextmanager
def _spec(text: str) -> Iterator[tuple[PortSpec, LinkSettings]]:
    """The port meant; ``sim`` starts a simulated panel for the time of the command."""
    spec = PortSpec.parse(text)
    if spec.kind == "none":
        raise UserError("panel none: this command needs a panel; name a port, auto or sim")
    if spec.kind != "sim":
        yield spec, LinkSettings()
        return
    with SimulatedPanel() as simulated:
        yield replace(spec, kind="path", value=simulated.port), LinkSettings(quiet=0.2)


@contextlib.contextmanager
def _linked(text: str, presses: queue.Queue[Pressed]) -> Iterator[PanelLink]:
    with _spec(text) as (spec, settings):
        link = PanelLink(spec, presses.put, settings=settings)
        link.start()
        try:
            yield link
        finally:
            link.close()


def _await(link: PanelLink, seconds: float) -> LinkState:
    """Wait until connected, or for so long; the state then."""
    end = time.monotonic() + seconds
    while not link.state.connected and time.monotonic() < end:
        time.sleep(0.05)
    return link.state


def _tell(state: LinkState) -> int:
    print(state.text)
    if state.todo:
        print(state.todo)
    return 0 if state.connected else 1


def _find(args: argparse.Namespace) -> int:
    ports = args.ports or usb_ports()
    found = 0
    if not ports:
        print("no USB serial port on this machine; plug the panel in", file=sys.stderr)
    for path in ports:
        link = PanelLink(PortSpec("path", path), lambda press: None)
        link.start()
        state = _settled(link)
        link.close()
        found += state.connected
        if args.json:
            print(json.dumps({"port": path} | state.as_dict(), ensure_ascii=False))
        else:
            print(f"{path}: {state.text}")
    return 0 if found else 1


def _settled(link: PanelLink) -> LinkState:
    """The first state that is a final word about the port."""
    end = time.monotonic() + 9.0
    passing = ("searching", "booting", "asking", "reset")
    while time.monotonic() < end and link.state.kind in passing:
        time.sleep(0.05)
    return link.state


def _monitor(args: argparse.Namespace) -> int:
    if args.port == "-":
        _decode(iter(lambda: os.read(sys.stdin.fileno(), 4096), b""))
        return 0
    with _spec(args.port) as (spec, _settings):
        paths = [spec.value] if spec.kind == "path" else usb_ports()
        if not paths:
            raise UserError("no USB serial port on this machine; plug the panel in or name a port")
        try:
            port = open_port(paths[0])
        except PortFault as fault:
            raise UserError(LinkState(fault.kind, fault.params).text) from None
        try:
            return _watch(port, args.seconds)
        finally:
            close_port(port)


def _watch(port: Any, seconds: float | None) -> int:
    port.timeout = 0.2
    end = time.monotonic() + seconds if seconds is not None else None

    def pieces() -> Iterator[bytes]:
        while end is None or time.monotonic() < end:
            yield port.read(port.in_waiting or 1)

    try:
        frames = _decode(pieces())
    except OSError:
        print("the port is gone", file=sys.stderr)
        return 1
    return 0 if frames else 1


def _decode(pieces: Iterator[bytes]) -> int:
    """Print every frame in words; damaged ones are counted and told at the end."""
    decoder = Decoder(frozenset(Kind))
    for piece in pieces:
        for frame in decoder.feed(piece):
            print(describe(frame), flush=True)
    counts = {name: count for name, count in decoder.counters.as_dict().items() if count}
    print(f"counters: {json.dumps(counts)}", file=sys.stderr)
    return decoder.counters.frames


def describe(frame: Frame) -> str:
    """One frame in words.

    >>> describe(Frame(Kind.PRESS, 17, 0xA1B2, ("box3", "123456")))
    'A1B2 #017 press box3 123456'
    """
    words = " ".join(frame.fields)
    return f"{frame.session:04X} #{frame.number:03d} {_WORDS[frame.kind]} {words}".rstrip()


def _status(args: argparse.Namespace) -> int:
    with _linked(args.port, queue.Queue()) as link:
        state = _await(link, args.seconds)
        status = link.status()
    if args.json:
        print(json.dumps(status, ensure_ascii=False))
        return 0 if state.connected else 1
    outcome = _tell(state)
    if state.hello is not None:
        print(f"build {state.hello.build}, last reset: {state.hello.reset}")
    counters = status["counters"]
    assert isinstance(counters, dict)
    for name, count in (counters | {"panel_faults": status["panel_faults"]}).items():
        print(f"{name:16} {count}")
    return outcome


def _test(args: argparse.Namespace) -> int:
    presses: queue.Queue[Pressed] = queue.Queue()
    with _linked(args.port, presses) as link:
        if not _await(link, 10.0).connected:
            return _tell(link.state)
        _tell(link.state)
        end, turn = time.monotonic() + args.seconds, 0
        lines = [b"PANEL TEST", b"press every button", b"", b"01234567890123456789"]
        while time.monotonic() < end:
            lights = "".join("1" if light == turn % LIGHTS else "0" for light in range(LIGHTS))
            with contextlib.suppress(queue.Empty):
                press = presses.get(timeout=0.5)
                word = f"{press.event.button} {_WORDS[press.event.kind]}"
                print(word, flush=True)
                lines[2] = word.encode()[:20]
            link.show(lines, lights)
            turn += 1
        return 0 if link.state.connected else _tell(link.state)


def _serial(args: argparse.Namespace) -> int:
    number = args.number.upper()
    if not re.fullmatch(r"[0-9A-Z-]{1,16}", number):
        raise UserError(f"serial number {args.number!r}: expected 1 to 16 of A-Z, 0-9 and -")
    with _linked(args.port, queue.Queue()) as link:
        if not _await(link, 10.0).connected:
            return _tell(link.state)
        link.write_serial(number)
        end = time.monotonic() + 10.0
        while not link.settled() and time.monotonic() < end:
            time.sleep(0.05)
        if not link.settled():
            print("the panel did not acknowledge the serial number", file=sys.stderr)
            return 1
    print(f"the panel's serial number is now {number}")
    return 0
