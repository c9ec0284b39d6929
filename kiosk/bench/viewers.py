"""Viewers of the live page as the server sees them: a stream and an event feed each."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from dataclasses import dataclass, field

_TAKE = 16 * 1024


@dataclass(slots=True)
class Seen:
    """What one viewer got. ``ages``: how old each new picture was when it had come, in ms."""

    ages: list[float] = field(default_factory=list)
    pictures: int = 0
    events: int = 0
    bytes: int = 0
    failed: str = ""


class Viewer:
    """Reads the live stream and the events of a kiosk on this machine until it is ended.

    ``pace``: bytes a second that a slow viewer takes of the stream at most; None: all it gets.
    """

    def __init__(self, host: str, port: int, pace: float | None = None) -> None:
        self._address = (host, port)
        self._pace = pace
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._seen = Seen()
        self._open: list[http.client.HTTPConnection] = []
        self._threads = [
            threading.Thread(target=self._run, args=(work,), daemon=True)
            for work in (self._watch, self._listen)
        ]

    def start(self) -> None:
        """Opens both connections."""
        for thread in self._threads:
            thread.start()

    def fresh(self) -> Seen:
        """What was seen since the last time this was asked."""
        with self._lock:
            seen, self._seen = self._seen, Seen(failed=self._seen.failed)
        return seen

    def end(self) -> None:
        """Leaves, as a closed page does."""
        self._ended.set()
        for connection in self._open:
            if connection.sock is not None:
                with contextlib.suppress(OSError):
                    connection.sock.close()
        for thread in self._threads:
            thread.join(5)

    def _run(self, work: object) -> None:
        assert callable(work)
        try:
            work()
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as problem:
            if not self._ended.is_set():
                with self._lock:
                    self._seen.failed = f"{type(problem).__name__}: {problem}"

    def _ask(self, path: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(*self._address, timeout=10)
        self._open.append(connection)
        connection.request("GET", path)
        answer = connection.getresponse()
        if answer.status != 200:
            raise ValueError(f"{path} answered {answer.status}")
        return answer

    def _listen(self) -> None:
        answer = self._ask("/events")
        while not self._ended.is_set():
            line = answer.readline()
            if not line:
                raise ValueError("the events ended")
            if line.startswith(b"event:"):
                with self._lock:
                    self._seen.events += 1

    def _watch(self) -> None:
        answer = self._ask("/stream.mjpg")
        last = b""
        while not self._ended.is_set():
            head = self._head(answer)
            left = int(head[b"content-length"])
            while left > 0:
                began = time.monotonic()
                taken = len(answer.read(min(left, _TAKE)))
                if not taken:
                    raise ValueError("the stream ended within a picture")
                left -= taken
                if self._pace is not None:
                    self._ended.wait(max(0.0, taken / self._pace - (time.monotonic() - began)))
            self._note(head, last)
            last = head[b"x-picture"]

    def _head(self, answer: http.client.HTTPResponse) -> dict[bytes, bytes]:
        """The header lines of the next part."""
        head: dict[bytes, bytes] = {}
        while not {b"x-timestamp", b"x-picture", b"content-length"} <= head.keys():
            line = answer.readline()
            if not line:
                raise ValueError("the stream ended")
            name, colon, value = line.partition(b":")
            if colon:
                head[name.strip().lower()] = value.strip()
        while answer.readline().strip():
            continue
        return head

    def _note(self, head: dict[bytes, bytes], last: bytes) -> None:
        now = time.time()
        with self._lock:
            self._seen.bytes += int(head[b"content-length"])
            # The same picture comes twice, so that a browser shows it at once.
            if head[b"x-picture"] != last:
                self._seen.pictures += 1
                self._seen.ages.append((now - float(head[b"x-timestamp"])) * 1000)
