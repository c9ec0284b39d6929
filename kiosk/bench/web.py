"""The pages under load: viewers of one table at the same time, set against a single one.

A kiosk of its own plays the bundled recording; one viewer and many are measured in turns, so that
what else runs on the machine falls on both. Ages are taken on the clock of this machine.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from kiosk.bench.figures import Figure
from kiosk.bench.ports import free_port
from kiosk.bench.viewers import Seen, Viewer
from kiosk.errors import UserError

_TURNS = 3
_WARM_S = 2.0
_START_S = 60.0
_SLOW = 60_000.0
"""Bytes a second of a slow viewer: less than one picture."""
_FULL_S = 12.0


@dataclass(slots=True)
class Load:
    """What was measured with a number of viewers, over all turns."""

    ages: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Server:
    host: str
    port: int
    process: psutil.Process

    def get(self, path: str) -> tuple[float, str]:
        """Milliseconds of one request, connection included, and its answer."""
        began = time.perf_counter()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        with contextlib.closing(connection):
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        if answer.status != 200:
            raise UserError(f"{path} answered {answer.status}: {text[:200]}")
        return (time.perf_counter() - began) * 1000, text

    def long_connections(self) -> int:
        found = re.search(r"^kiosk_web_long_connections (\d+)", self.get("/metrics")[1], re.M)
        return int(found[1]) if found else -1


def web(args: argparse.Namespace) -> list[Figure]:
    """One viewer and ``--viewers`` of them: picture age, memory, threads, processor, requests."""
    many = args.viewers
    if not 2 <= many <= 20:
        raise UserError(f"--viewers {many}: expected 2 to 20")
    seconds = min(args.seconds, 20.0) / 2
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder)) as server:
        loads = {count: Load() for count in (0, 1, many)}
        for turn in range(_TURNS):
            # There and back, so that a machine that warms up favours neither.
            for count in sorted(loads, reverse=turn % 2 == 1):
                _turn(server, count, seconds, loads[count])
        early, late, beside = _slow(server, seconds)
        left = _vanish(server, many)
    return [*_told(loads, many), *_slow_told(early, late, beside, 2 * seconds), *left]


@contextlib.contextmanager
def _serving(folder: Path) -> Iterator[_Server]:
    """A kiosk of its own at a free port."""
    port = str(free_port())
    command = [sys.executable, "-m", "kiosk.cli", "run", "--port", port, "--panel", "none"]
    log = folder / "log.txt"
    with log.open("wb") as file:
        child = subprocess.Popen([*command, "--data", str(folder / "data")], stderr=file)
    try:
        server = _found(child, log)
        _wait_for_picture(server)
        yield server
    finally:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(15)
        child.kill()
        child.wait()


def _found(child: subprocess.Popen[bytes], log: Path) -> _Server:
    end = time.monotonic() + _START_S
    while time.monotonic() < end and child.poll() is None:
        url = re.search(r"http://([\w.]+):(\d+)/", log.read_text(errors="replace"))
        if url:
            return _Server(url[1], int(url[2]), psutil.Process(child.pid))
        time.sleep(0.1)
    raise UserError(f"the kiosk did not start: {log.read_text(errors='replace')[-500:]}")


def _wait_for_picture(server: _Server) -> None:
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        with contextlib.suppress(UserError, OSError):
            server.get("/frame.jpg")
            return
        time.sleep(0.2)
    raise UserError("the kiosk showed no picture")


@contextlib.contextmanager
def _viewers(server: _Server, count: int) -> Iterator[list[Viewer]]:
    viewers = [Viewer(server.host, server.port) for _ in range(count)]
    for viewer in viewers:
        viewer.start()
    try:
        yield viewers
    finally:
        for viewer in viewers:
            viewer.end()


def _turn(server: _Server, count: int, seconds: float, load: Load) -> None:
    """Watches for some seconds with that many viewers, and asks for the round meanwhile."""
    with _viewers(server, count) as viewers:
        time.sleep(_WARM_S)
        for viewer in viewers:
            viewer.fresh()
        before, began = server.process.cpu_times(), time.monotonic()
        while time.monotonic() - began < seconds:
            load.answers.append(server.get("/api/v1/round")[0])
            time.sleep(0.1)
        lasted, after = time.monotonic() - began, server.process.cpu_times()
        load.threads.append(server.process.num_threads())
        load.memory.append(server.process.memory_info().rss / 2**20)
        for viewer in viewers:
            seen = viewer.fresh()
            if seen.failed:
                raise UserError(f"a viewer failed: {seen.failed}")
            load.ages += seen.ages
            load.rates.append(seen.pictures / lasted)
    used = after.user + after.system - before.user - before.system
    load.cpu.append(100 * used / lasted)


def _slow(server: _Server, seconds: float) -> tuple[Seen, Seen, Seen]:
    """What a viewer on a poor line sees at first and as long again later, and what a good one
    beside it sees. A queue that grew would show as pictures that get older."""
    slow = Viewer(server.host, server.port, _SLOW)
    with _viewers(server, 1) as (good,):
        slow.start()
        # Until what waits in the server and the kernel is full.
        time.sleep(_FULL_S)
        slow.fresh()
        time.sleep(2 * seconds)
        good.fresh()
        early = slow.fresh()
        time.sleep(2 * seconds)
        found = early, slow.fresh(), good.fresh()
    slow.end()
    return found


def _vanish(server: _Server, many: int) -> list[Figure]:
    """How soon the places of viewers that left are free."""
    with _viewers(server, many):
        time.sleep(_WARM_S)
        held = server.long_connections()
    began = time.monotonic()
    while server.long_connections() > 0 and time.monotonic() - began < 60:
        time.sleep(0.05)
    freed = time.monotonic() - began
    return [
        Figure("long connections held", held),
        Figure("all of them free after the viewers left", freed, "s"),
    ]


def _told(loads: dict[int, Load], many: int) -> list[Figure]:
    none, one, all_of = loads[0], loads[1], loads[many]

    def pair(name: str, values: list[list[float]], unit: str, share: float = 0.5) -> list[Figure]:
        picked = [_share(each, share) for each in values]
        base = picked[0] or None
        return [
            Figure(f"{name}, 1 viewer", picked[0], unit),
            Figure(f"{name}, {many} viewers", picked[1], unit),
            Figure(f"{name}, {many} viewers against 1", picked[1] / base if base else 0.0, "×"),
        ]

    ages, answers = [one.ages, all_of.ages], [one.answers, all_of.answers]
    return [
        *pair("picture age at the viewer, median", ages, "ms"),
        *pair("picture age at the viewer, 95th percentile", ages, "ms", 0.95),
        *pair("new pictures a second to a viewer, median", [one.rates, all_of.rates], "1/s"),
        Figure("request for the round, no viewer, median", _share(none.answers, 0.5), "ms"),
        *pair("request for the round beside, median", answers, "ms"),
        *pair("request for the round beside, 95th percentile", answers, "ms", 0.95),
        Figure("processor, no viewer", statistics.median(none.cpu), "% of one core"),
        *pair("processor", [one.cpu, all_of.cpu], "% of one core"),
        Figure("resident memory at first, no viewer", none.memory[0], "MiB"),
        Figure("resident memory at last, no viewer", none.memory[-1], "MiB"),
        *pair("resident memory at last", [one.memory[-1:], all_of.memory[-1:]], "MiB"),
        Figure("threads, 1 viewer", one.threads[-1]),
        Figure(f"threads, {many} viewers", all_of.threads[-1]),
    ]


def _slow_told(early: Seen, late: Seen, good: Seen, seconds: float) -> list[Figure]:
    name = f"slow viewer ({_SLOW / 1000:.0f} kB a second)"
    return [
        Figure(f"{name}, new pictures a second", late.pictures / seconds, "1/s"),
        Figure("a good viewer beside it", good.pictures / seconds, "1/s"),
        Figure(f"{name}, picture age at first, median", _share(early.ages, 0.5), "ms"),
        Figure(f"{name}, picture age later, median", _share(late.ages, 0.5), "ms"),
    ]


def _share(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))]) if ordered else 0.0
