"""``/events``: server-sent events, so that no page ever polls."""

from __future__ import annotations

import time
from collections.abc import Iterator

from flask import Blueprint, Response, g

from kiosk.web import exact
from kiosk.web.context import boot, in_force, kiosk, settings, slots
from kiosk.web.refusals import parts_in_words
from kiosk.web.seen import Json, RunningKiosk, Subscription, WebSettings
from kiosk.web.slots import Slots

events = Blueprint("events", __name__)

RETRY_MS = 1000
"""How long a browser waits before it connects again."""


@events.get("/events")
def feed() -> Response:
    """Events ``hello``, ``round``, ``table``, ``health``, ``panel`` and each second ``beat``."""
    running, places = kiosk(), slots()
    place = places.take()
    try:
        subscription = running.subscribe()
    except BaseException:
        place.leave()
        raise
    hello = {"boot": boot(), "version": settings().version, "rules": in_force()}
    stream = _produce(running, subscription, places, settings(), hello, g.language)
    response = Response(stream, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    # Also runs when the visitor left before the first event was written.
    response.call_on_close(subscription.close)
    response.call_on_close(place.leave)
    return response


def message(name: str, data: Json) -> str:
    """One event in the form of the wire.

    >>> message("beat", {"age_ms": 83})
    'event: beat\\ndata: {"age_ms": 83}\\n\\n'
    """
    return f"event: {name}\ndata: {exact.dumps(data)}\n\n"


def _produce(
    running: RunningKiosk,
    subscription: Subscription,
    places: Slots,
    web: WebSettings,
    hello: Json,
    language: str,
) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\n\n" + message("hello", hello)
    yield message("round", running.snapshot(language))
    yield message("table", running.table())
    yield message("health", parts_in_words(running.health(), language))
    yield message("panel", running.panel_state())
    next_beat = time.monotonic()
    while not places.closing.is_set():
        now = time.monotonic()
        if now >= next_beat:
            next_beat = now + web.beat_s
            yield message("beat", _beat(running))
        event = subscription.get(max(0.0, min(0.5, next_beat - now)))
        if event is not None:
            name, data = event
            yield message(name, _in_words(running, name, data, language))


def _in_words(running: RunningKiosk, name: str, data: Json, language: str) -> Json:
    """What an event says to a viewer of this language. Round and panel are told as they are when it
    is sent: two threads may publish in another order than they looked."""
    if name == "round":
        return running.snapshot(language)
    if name == "panel":
        return running.panel_state()
    return parts_in_words(data, language) if name == "health" else data


def _beat(running: RunningKiosk) -> Json:
    """A sign of life: it also lets the server notice that nobody listens any more."""
    frame = running.frame()
    return {"age_ms": None if frame is None else round(frame[2])}
