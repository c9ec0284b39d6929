"""The panel: from a press at the far end of its line to the page's event, and to the display."""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from firmware_bridge.simulated import SimulatedPanel
from kiosk.bench.figures import Figure, spread
from kiosk.bench.ports import free_port
from kiosk.errors import UserError

PRESSES: Final = 120
_PATIENCE_S: Final = 60.0
_START_S: Final = 60.0
_HOLD_MS: Final = 20
_REST_S: Final = 0.06
"""Between two presses: the button is let go and still for longer than its contacts may bounce."""
_FELT: Final = (60, 120, 40)


def panel(args: argparse.Namespace) -> list[Figure]:
    """Presses of plus and minus on the simulated panel, each until it is seen in both places."""
    with (
        tempfile.TemporaryDirectory() as folder,
        SimulatedPanel(serial="BENCH") as simulated,
        _running(Path(folder), simulated.port) as url,
        _Feed(url) as feed,
    ):
        _until(
            lambda: _get(f"{url}/api/v1/panel")["state"] == "connected", "the panel's connection"
        )
        lowest = feed.ante_min()
        _choose_box_one(simulated, lowest)
        to_event, to_display = _press_on(simulated, feed, lowest)
    return [
        Figure("pressed", f"{len(to_event)} times, with a camera of 1280×720 at work"),
        *spread("press to the page's event", to_event),
        *spread("press to the panel's display", to_display),
    ]


def _choose_box_one(simulated: SimulatedPanel, lowest: int) -> None:
    """Box 1 chosen and in play, with the lowest ante."""
    for button, text in (("box1", "not in play"), ("plus", _ante_line(lowest))):
        simulated.press(button, _HOLD_MS)
        _shown(simulated, text)
        time.sleep(_REST_S)


def _press_on(
    simulated: SimulatedPanel, feed: _Feed, lowest: int
) -> tuple[list[float], list[float]]:
    """Milliseconds to the event and to the display, for each press."""
    to_event, to_display = [], []
    for turn in range(PRESSES):
        button, amount = (("plus", lowest * 2), ("minus", lowest))[turn % 2]
        begun = time.monotonic()
        simulated.press(button, _HOLD_MS)
        to_event.append((feed.tells(amount, begun) - begun) * 1000)
        to_display.append((_shown(simulated, _ante_line(amount)) - begun) * 1000)
        time.sleep(_REST_S)
    return to_event, to_display


def _ante_line(amount: int) -> str:
    return ">Ante" + str(amount).rjust(15)


def _shown(simulated: SimulatedPanel, text: str) -> float:
    """When the display came to show this text, which it did not show before."""
    at = simulated.until(lambda seen: any(text in line for line in seen["display"]), _PATIENCE_S)
    if at is None:
        raise UserError(f"the panel's display does not show {text!r}: {simulated.display()}")
    return at


class _Feed:
    """The page's events, read as a page reads them."""

    def __init__(self, url: str) -> None:
        self._answer = urllib.request.urlopen(f"{url}/events", timeout=_PATIENCE_S)
        self._rounds: list[tuple[float, dict[str, Any]]] = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._read, name="bench-feed", daemon=True)

    def __enter__(self) -> _Feed:
        self._thread.start()
        self.tells(None, 0.0)
        return self

    def __exit__(self, *_exc: object) -> None:
        """The connection ends with the kiosk, and the thread with it."""

    def _read(self) -> None:
        name = ""
        with contextlib.suppress(OSError, ValueError), self._answer:
            for line in self._answer:
                if line.startswith(b"event: "):
                    name = line[7:].strip().decode()
                elif line.startswith(b"data: ") and name == "round":
                    at = time.monotonic()
                    with self._news:
                        self._rounds.append((at, json.loads(line[6:])))
                        self._news.notify_all()

    def ante_min(self) -> int:
        """The lowest ante of the table."""
        return int(self._rounds[-1][1]["table"]["ante_min"])

    def tells(self, ante: int | None, since: float) -> float:
        """When the first event after ``since`` came with this ante of box 1 (None: any)."""
        end = time.monotonic() + _PATIENCE_S
        with self._news:
            while True:
                for at, data in self._rounds:
                    if at >= since and ante in (None, data["boxes"][0]["bets"]["ante"]):
                        return at
                if not self._news.wait(end - time.monotonic()):
                    raise UserError("the kiosk's events do not tell of the press")


@contextlib.contextmanager
def _running(folder: Path, port: str) -> Iterator[str]:
    """A kiosk of its own at that serial port; its address."""
    cv2.imwrite(str(folder / "felt.png"), np.full((720, 1280, 3), _FELT, np.uint8))
    (folder / "camera").write_text(f"ok\n{folder / 'felt.png'}\n", "utf-8")
    number = free_port()
    options = {"source": f"twin:{folder / 'camera'}", "panel": port, "port": str(number)}
    options |= {"data": str(folder / "data"), "mode": "training", "language": "en"}
    command = [sys.executable, "-m", "kiosk.cli", "run"]
    command += [word for name, value in options.items() for word in (f"--{name}", value)]
    url = f"http://127.0.0.1:{number}"
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _until(lambda: process.poll() is not None or _get(f"{url}/api/v1/round"), "the kiosk")
            if process.poll() is not None:
                raise UserError(f"the kiosk ended: {(folder / 'log').read_text()[-500:]}")
            yield url
        finally:
            process.terminate()
            try:
                process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=_PATIENCE_S) as answer:
        return json.load(answer)


def _until(check: Callable[[], object], what: str) -> None:
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if check():
                return
        time.sleep(0.1)
    raise UserError(f"{what} did not come within {_START_S:.0f} s")
