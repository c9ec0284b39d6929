"""The built-in simulated panel: a process of its own at the far end of a real pseudo-terminal.

``python -m firmware_bridge.simulated`` is that process; ``SimulatedPanel`` starts, presses, reads
and stops it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from firmware_bridge.faults import Faults
from firmware_bridge.simboard import serve
from kiosk.errors import UserError

_START_S: Final = 60.0
_ANSWER_S: Final = 60.0
"""Seconds that a busy machine may take. Whoever gave up would take the answer that comes after all
for that to the next order."""


class SimulatedPanelError(Exception):
    """The simulated panel's process has ended or refused an order."""


class SimulatedPanel:
    """A simulated panel. ``port`` is the path to open; faults are settings of ``Faults``.

    ``recording`` is a file for what passes at its end of the line (see ``SimulatedBoard``); it is
    whole once the panel is closed.
    """

    def __init__(
        self,
        serial: str = "SIM-1",
        faults: Faults | None = None,
        seed: int = 1,
        recording: Path | None = None,
    ) -> None:
        options = {
            "serial": serial,
            "seed": seed,
            "faults": _plain(faults or Faults()),
            "recording": str(recording) if recording else None,
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge.simulated", "--options", json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._seen: dict[str, Any] = {}
        self._seen_at = 0.0
        self._news = threading.Condition()
        self._orders = threading.Lock()
        self._reader = threading.Thread(target=self._read, name="panel-simulated", daemon=True)
        self._reader.start()
        try:
            first = self._answer(_START_S)
        except SimulatedPanelError:
            self._end()
            raise
        self.port: str = first["port"]
        """The path of the serial port at which the panel is."""

    @property
    def pid(self) -> int:
        """The process id of the simulated panel."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """The process still runs."""
        return self._process.poll() is None

    def press(self, button: str, hold_ms: int = 60) -> None:
        """Press a button and let it go ``hold_ms`` later."""
        self._order({"do": "press", "button": button, "hold_ms": hold_ms})

    def down(self, button: str) -> None:
        """Press a button and keep it down."""
        self._order({"do": "down", "button": button})

    def up(self, button: str) -> None:
        """Let a button go."""
        self._order({"do": "up", "button": button})

    def display(self) -> tuple[str, str, str, str]:
        """The four lines on the display now, 20 characters each."""
        first, second, third, fourth = self.see()["display"]
        return first, second, third, fourth

    def lights(self) -> str:
        """The six lights now, one digit each (0 off, 1 on, 2 slow, 3 fast blinking)."""
        return str(self.see()["lights"])

    def see(self) -> dict[str, Any]:
        """Display, lights, whether a kiosk talks to it, serial number, dropped presses, and for
        how long at most a busy machine has not let it run."""
        return self._order({"do": "see"})

    def last_seen(self) -> dict[str, Any]:
        """The same as last reported by the process, without asking it."""
        return self._seen

    def until(self, check: Callable[[dict[str, Any]], bool], seconds: float) -> float | None:
        """Wait until what is seen passes ``check``; the monotonic time at which it was told.

        None if that does not happen within ``seconds``.
        """
        with self._news:
            if self._news.wait_for(lambda: bool(self._seen) and check(self._seen), seconds):
                return self._seen_at
        return None

    def mash(self, every_ms: int, count: int) -> None:
        """Press the buttons in turn, one each ``every_ms``, ``count`` times; for soaks."""
        self._order({"do": "mash", "every_ms": every_ms, "count": count})

    def use(self, faults: Faults) -> None:
        """Switch faults on and off."""
        self._order({"do": "faults", "faults": _plain(faults)})

    def reset(self) -> None:
        """Press the board's reset button."""
        self._order({"do": "reset"})

    def unplug(self, for_ms: int = 1000) -> None:
        """Pull the cable; it is put back ``for_ms`` later."""
        self._order({"do": "unplug", "for_ms": for_ms})

    def close(self) -> None:
        """End the process."""
        self._end()
        # A process that was killed has left its folder behind.
        shutil.rmtree(os.path.dirname(self.port), ignore_errors=True)

    def _end(self) -> None:
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()
        try:
            self._process.wait(3)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(3)
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> SimulatedPanel:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _order(self, order: Mapping[str, object]) -> dict[str, Any]:
        with self._orders:
            try:
                assert self._process.stdin is not None
                self._process.stdin.write(json.dumps(order) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                raise SimulatedPanelError("the simulated panel's process has ended") from None
            answer = self._answer(_ANSWER_S)
        if not answer["ok"]:
            raise SimulatedPanelError(answer["error"])
        return answer

    def _answer(self, patience: float) -> dict[str, Any]:
        try:
            answer = self._answers.get(timeout=patience)
        except queue.Empty:
            raise SimulatedPanelError("the simulated panel does not answer") from None
        if answer.get("ended"):
            self._answers.put(answer)
            raise SimulatedPanelError("the simulated panel's process has ended")
        return answer

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            if "display" in said:
                with self._news:
                    self._seen, self._seen_at = said, time.monotonic()
                    self._news.notify_all()
            if "ok" in said or "port" in said:
                self._answers.put(said)
        self._answers.put({"ended": True})


def _plain(faults: Faults) -> dict[str, object]:
    return {name: getattr(faults, name) for name in Faults.__slots__}


def main() -> int:
    """The simulated panel's process."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.simulated")
    parser.add_argument("--options", default="{}", help="JSON: serial, seed, faults")
    try:
        return serve(json.loads(parser.parse_args().options))
    except (UserError, ValueError) as fault:
        print(f"simulated panel: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
