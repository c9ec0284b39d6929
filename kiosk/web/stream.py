"""Pictures: the live stream, one single frame, the doubtful card."""

from __future__ import annotations

import time
from collections.abc import Iterator

from flask import Blueprint, Response

from kiosk.errors import ActionError
from kiosk.web.context import kiosk, settings, slots
from kiosk.web.seen import RunningKiosk, WebSettings
from kiosk.web.slots import Slots

stream = Blueprint("stream", __name__)

BOUNDARY = "picture"
REPEAT_S = 1.0
"""An unchanged picture is sent again after this time, so that a vanished viewer is noticed."""


@stream.get("/stream.mjpg")
def live() -> Response:
    """The annotated picture as motion JPEG. Each viewer gets the newest picture it can take."""
    places = slots()
    place = places.take()
    response = Response(
        _pictures(kiosk(), places, settings()),
        mimetype=f"multipart/x-mixed-replace; boundary={BOUNDARY}",
    )
    response.headers["Cache-Control"] = "no-store"
    response.call_on_close(place.leave)
    return response


@stream.get("/frame.jpg")
def single() -> Response:
    """The newest annotated picture."""
    frame = kiosk().frame()
    if frame is None:
        raise ActionError("no-picture", "the camera has given no picture yet", 404)
    return _picture(frame[0])


@stream.get("/doubt/<key>.jpg")
def doubt(key: str) -> Response:
    """The picture of a doubtful card."""
    picture = kiosk().doubt_picture(key)
    if picture is None:
        raise ActionError("not-found", f"no doubt {key[:40]!r} lies on the table", 404)
    return _picture(picture)


def _picture(data: bytes) -> Response:
    response = Response(data, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "no-store"
    return response


def _pictures(running: RunningKiosk, places: Slots, web: WebSettings) -> Iterator[bytes]:
    """Parts of the stream. Blocks while a viewer is slow: the pictures in between are skipped."""
    yield f"--{BOUNDARY}\r\n".encode()
    pause = 1.0 / web.stream_fps
    last, sent, again = -1, float("-inf"), False
    while not places.closing.wait(pause):
        frame = running.frame()
        now = time.monotonic()
        # Browsers show a part only once the next one begins, so each picture is soon sent again.
        if frame is None or (frame[1] == last and not again and now - sent < REPEAT_S):
            continue
        again = frame[1] != last
        last, sent = frame[1], now
        yield _part(*frame)


def _part(jpeg: bytes, number: int, age_ms: float) -> bytes:
    """One picture; its number and the time it was taken tell how old it is at the viewer."""
    head = (
        f"Content-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
        f"X-Picture: {number}\r\nX-Timestamp: {time.time() - age_ms / 1000:.3f}\r\n\r\n"
    ).encode()
    return head + jpeg + f"\r\n--{BOUNDARY}\r\n".encode()
