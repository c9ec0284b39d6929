"""A kiosk as a process of its own, and what tests ask of it over its real interfaces."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiosk.bench.ports import free_port

Json = dict[str, Any]


PATIENCE = 200.0
"""Seconds that a busy machine may take for anything; a test that passes never uses them up."""


class RunningKiosk:
    """``kiosk run`` with the given options; ended on leaving the ``with`` block."""

    def __init__(self, data: Path, *options: str, log: Path | None = None) -> None:
        self.port = free_port()
        self.data = data
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = (log or data.parent / f"kiosk-{self.port}.log").open("w+")
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "kiosk.cli",
                "run",
                "--port",
                str(self.port),
                "--data",
                str(data),
                *options,
            ],
            stderr=self._log,
            start_new_session=True,
        )

    def __enter__(self) -> RunningKiosk:
        try:
            self.until(lambda: self.get("/api/v1/round"), 60, "the kiosk answers")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_exc: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()
        self._log.close()

    def kill(self) -> None:
        """As a power cut would: the process and all of its children at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def log(self) -> str:
        """What it said so far."""
        self._log.flush()
        return Path(self._log.name).read_text("utf-8")

    def get(self, path: str) -> Json:
        """A JSON answer; amounts as they come."""
        with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
            found: Json = json.load(answer)
        return found

    def health(self) -> Json:
        """``/healthz``, also while it answers 503."""
        try:
            return self.get("/healthz")
        except urllib.error.HTTPError as problem:
            found: Json = json.load(problem)
            return found

    def post(self, action: str, body: Json) -> Json:
        """A person's action. Raises AssertionError with the answer when it is refused."""
        request = urllib.request.Request(
            f"{self.url}/api/v1/round/{action}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "Origin": self.url},
            method="POST",
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                found: Json = json.load(answer)
        except urllib.error.HTTPError as problem:
            raise AssertionError(f"{action}: {problem.read().decode()}") from None
        return found

    def round(self) -> Json:
        """The round as anybody may see it."""
        return self.get("/api/v1/round")

    def panel_faults(self) -> dict[str, int]:
        """The counted faults of the panel's line, by kind."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=PATIENCE) as answer:
            told = answer.read().decode()
        counts = re.findall(r'^kiosk_panel_faults_total\{kind="(\w+)"\} (\d+)', told, re.M)
        return {kind: int(count) for kind, count in counts}

    def late_presses(self) -> int:
        """Presses of the panel that came too late to be acted on, as on a machine that is busy
        elsewhere."""
        counts = self.panel_faults()
        return counts["stale"] + counts["late_presses"]

    def press_until(self, press: Callable[[], None], done: Callable[[], Any], what: str) -> None:
        """Presses, and presses again when a press was told to be late, until it has done its
        work."""
        late = self.late_presses()
        press()

        def has_done() -> Any:
            nonlocal late
            if found := done():
                return found
            now = self.late_presses()
            if now > late:
                late = now
                press()
            return None

        self.until(has_done, 120, what)

    def until(self, found: Callable[[], Any], seconds: float, what: str) -> Any:
        """Waits until ``found`` gives something, for ``seconds`` and PATIENCE at least;
        AssertionError names what was awaited."""
        seconds = max(seconds, PATIENCE)
        deadline = time.monotonic() + seconds
        while True:
            try:
                if result := found():
                    return result
            except OSError:
                pass
            if self.process.poll() is not None:
                raise AssertionError(f"the kiosk ended: {self.log()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {what}. {self._short()}")
            time.sleep(0.1)

    def _short(self) -> str:
        try:
            now = self.round()
        except OSError:
            return self.log()[-2000:]
        return json.dumps(
            {
                "stage": now["stage"],
                "dealer": now["dealer"]["cards"],
                "boxes": {box["box"]: box["cards"] for box in now["boxes"]},
                "questions": [question["text"] for question in now["questions"]],
            },
            ensure_ascii=False,
        )


def audit(data: Path) -> list[Json]:
    """``kiosk audit list --json``."""
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", "audit", "list", "--json", "--data", str(data)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def verify(data: Path) -> None:
    """``kiosk audit verify`` holds."""
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", "audit", "verify", "--data", str(data)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
