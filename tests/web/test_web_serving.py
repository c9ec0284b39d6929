"""Live connections over real sockets: many viewers, slow ones, vanished ones, restarts."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest
from pace import Pace
from visiting import PATIENCE

from kiosk.errors import UserError
from kiosk.web import WebServer, WebSettings, create_app

Wait = Callable[..., Any]


@pytest.fixture
def camera(small_kiosk: Any) -> Iterator[Any]:
    """New pictures, 20 a second."""
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(0.05):
            small_kiosk.new_frame()

    thread = threading.Thread(target=run)
    thread.start()
    yield small_kiosk
    stop.set()
    thread.join()


def opened(served: Any, path: str, receive_buffer: int = 0) -> socket.socket:
    """A connection that has asked for a path and read nothing yet."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(PATIENCE)
    connection.connect(("127.0.0.1", served.port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return connection


def read_until(connection: socket.socket, mark: bytes) -> bytes:
    """What came up to and with a mark."""
    end, data = time.monotonic() + PATIENCE, b""
    while mark not in data:
        assert time.monotonic() < end, f"{mark!r} did not come"
        more = connection.recv(65536)
        assert more, "the server hung up"
        data += more
    return data


def pictures(connection: socket.socket, count: int) -> None:
    """Reads some pictures of a stream."""
    data = b""
    while data.count(b"Content-Type: image/jpeg") < count:
        more = connection.recv(65536)
        assert more, "the stream ended"
        data = data[-100:] + more if b"Content-Type" not in more else data + more


def gone(connection: socket.socket) -> None:
    """Leaves without a goodbye, as a pulled plug or a killed browser does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_w1_ten_viewers_see_the_stream_at_once(served: Any, camera: Any, waiting: Wait) -> None:
    viewers = [opened(served, "/stream.mjpg") for _ in range(10)]
    for viewer in viewers:
        pictures(viewer, 3)
    assert served.streams == 10
    for viewer in viewers:
        viewer.close()
    waiting(lambda: served.streams == 0)


def test_w2_open_streams_do_not_delay_other_requests(served: Any, camera: Any) -> None:
    viewers = [opened(served, path) for path in ("/stream.mjpg", "/events") * 8]
    for viewer in viewers:
        read_until(viewer, b"\r\n\r\n")
    times, pace = [], Pace()
    for _ in range(20):
        begin = time.monotonic()
        with urlopen(f"{served.url}api/v1/round", timeout=PATIENCE) as answer:
            assert json.load(answer)["id"] == "r-000001"
        times.append(time.monotonic() - begin)
    assert sorted(times)[10] < 0.5 or pace.disturbed
    for viewer in viewers:
        viewer.close()


@pytest.mark.parametrize("path", ["/stream.mjpg", "/events"])
def test_w3_a_vanished_viewer_frees_its_thread(served: Any, path: str, waiting: Wait) -> None:
    # No new picture and no event comes: nothing but the sign of life is sent.
    viewer = opened(served, path)
    read_until(viewer, b"\r\n\r\n")
    waiting(lambda: served.streams == 1)
    gone(viewer)
    waiting(lambda: served.streams == 0, what="the thread is still busy")
    waiting(lambda: served.kiosk.bus.count == 0)


def test_w3_a_viewer_that_leaves_politely_frees_its_thread(served: Any, waiting: Wait) -> None:
    viewer = opened(served, "/events")
    read_until(viewer, b"event: beat")
    viewer.close()
    waiting(lambda: served.streams == 0)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="needs TCP_USER_TIMEOUT")
def test_w3_a_frozen_viewer_frees_its_thread(
    small_kiosk: Any, camera: Any, waiting: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The peer stays connected and takes no byte; only the time-out of the socket can tell.
    monkeypatch.setattr("kiosk.web.serving.PEER_TIMEOUT_MS", 2000)
    app = create_app(small_kiosk, WebSettings())
    server = WebServer(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    slots = app.extensions["kiosk_slots"]
    viewer = socket.socket()
    viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    viewer.connect(("127.0.0.1", server.port))
    viewer.sendall(b"GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    waiting(lambda: slots.used == 1)
    waiting(lambda: slots.used == 0, what="the thread is still busy")
    viewer.close()
    server.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_w5_a_slow_viewer_gets_fewer_pictures_and_no_queue(
    served: Any, small_kiosk: Any, waiting: Wait
) -> None:
    viewer = opened(served, "/stream.mjpg", receive_buffer=8192)
    read_until(viewer, b"--picture")
    noise = small_kiosk.jpeg + b"\0" * 120_000
    end = time.monotonic() + 2
    while time.monotonic() < end:
        small_kiosk.new_frame(noise)
        time.sleep(0.03)
    small_kiosk.new_frame(small_kiosk.jpeg[:2000] + b"newest" + b"\0" * 50)
    # All that can wait is what the buffers of server and kernel hold; then comes the newest.
    waited = 0
    while True:
        data = viewer.recv(65536)
        assert data
        waited += len(data)
        if b"newest" in data:
            break
    assert waited < 2_500_000, "pictures have queued up"
    viewer.close()


def test_long_connections_are_counted_and_refused_above_the_limit(
    served: Any, waiting: Wait
) -> None:
    viewers = [opened(served, "/events") for _ in range(16)]
    waiting(lambda: served.streams == 16)
    refused = opened(served, "/stream.mjpg")
    assert b" 503 " in read_until(refused, b"\n").split(b"\n")[0]
    refused.close()
    with urlopen(f"{served.url}healthz", timeout=PATIENCE) as answer:
        assert answer.status == 200
    for viewer in viewers:
        viewer.close()
    waiting(lambda: served.streams == 0)


def test_without_any_picture_the_single_frame_says_so(served: Any, small_kiosk: Any) -> None:
    small_kiosk.age_ms = None
    viewer = opened(served, "/frame.jpg")
    assert b"no picture yet" in read_until(viewer, b"}")
    viewer.close()


def test_events_tell_of_changes_at_once(served: Any, small_kiosk: Any) -> None:
    viewer = opened(served, "/events")
    first = read_until(viewer, b"event: beat")
    for name in (b"hello", b"round", b"table", b"health", b"panel"):
        assert b"event: " + name in first
    pace = Pace()
    small_kiosk.act("bets", {"box": 2, "in_play": True}, "test")
    read_until(viewer, b"event: round")
    assert pace.within(1)
    viewer.close()


def test_an_occupied_port_is_one_clear_line(served: Any, small_kiosk: Any) -> None:
    with pytest.raises(UserError, match=f"--port {served.port}: in use") as caught:
        WebServer(create_app(small_kiosk), "127.0.0.1", served.port)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("host", ["203.0.113.77", "no.such.host.invalid"])
def test_a_host_that_is_not_ours_is_one_clear_line(small_kiosk: Any, host: str) -> None:
    with pytest.raises(UserError, match=f"--host {host}"):
        WebServer(create_app(small_kiosk), host, 0)


def test_a_port_out_of_range_is_one_clear_line(small_kiosk: Any) -> None:
    with pytest.raises(UserError):
        WebServer(create_app(small_kiosk), "127.0.0.1", 70000)


def test_closing_ends_open_streams_and_frees_the_port(served: Any, waiting: Wait) -> None:
    viewer = opened(served, "/events")
    read_until(viewer, b"event: beat")
    pace = Pace()
    served.stop()
    assert pace.within(5)
    viewer.close()
    served.start()
    with urlopen(f"{served.url}healthz", timeout=PATIENCE) as answer:
        assert answer.status == 200


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
        b"GET /api/v1/round HTTP/1.1\r\n\r\n",
        b"POST /api/v1/round/undo HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/v1/round/undo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 300_000 + b"\r\n\r\n",
    ],
)
def test_broken_requests_do_not_hurt_the_server(served: Any, raw: bytes) -> None:
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
    connection.sendall(raw)
    connection.shutdown(socket.SHUT_WR)
    first = b""
    with contextlib.suppress(ConnectionError):
        first = connection.recv(200)
    connection.close()
    assert b" 500 " not in first
    with urlopen(f"{served.url}healthz", timeout=PATIENCE) as answer:
        assert answer.status == 200
