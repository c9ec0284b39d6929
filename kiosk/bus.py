"""Events to many listeners: each has a bounded queue in which the newest of a name wins."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

Event = tuple[str, dict[str, Any]]


class Subscription:
    """One listener's queue. At most one unread event of each name: a slow listener misses older
    ones, and the queue cannot grow."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._waiting: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._ready = threading.Condition()
        self._closed = False

    def put(self, name: str, data: dict[str, Any]) -> None:
        """Called by the bus."""
        with self._ready:
            self._waiting[name] = data
            self._ready.notify()

    def get(self, timeout: float) -> Event | None:
        """The next event, or None when nothing came within ``timeout`` seconds or it is closed."""
        with self._ready:
            self._ready.wait_for(lambda: self._waiting or self._closed, timeout)
            return self._waiting.popitem(last=False) if self._waiting else None

    def __iter__(self) -> Iterator[Event]:
        """All events until closed; waits in between."""
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                event = self._waiting.popitem(last=False)
            yield event

    def close(self) -> None:
        """No more events for this one. Harmless when repeated."""
        self._bus.drop(self)
        with self._ready:
            self._closed = True
            self._ready.notify_all()


class Bus:
    """Where events are published. Safe from any thread."""

    def __init__(self) -> None:
        self._listeners: list[Subscription] = []
        self._lock = threading.Lock()

    def subscribe(self) -> Subscription:
        """A new listener that gets all events from now on."""
        subscription = Subscription(self)
        with self._lock:
            self._listeners.append(subscription)
        return subscription

    def drop(self, subscription: Subscription) -> None:
        """Forgets a listener; unknown ones are ignored."""
        with self._lock:
            if subscription in self._listeners:
                self._listeners.remove(subscription)

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Gives an event to every listener."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener.put(name, data)

    @property
    def count(self) -> int:
        """How many listen."""
        with self._lock:
            return len(self._listeners)
