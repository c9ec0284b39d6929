"""The viewers of ``kiosk bench web`` measure what a viewer sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kiosk.bench.viewers import Seen, Viewer

Wait = Callable[..., Any]


def test_w1_a_viewer_tells_pictures_events_and_the_age_of_each_picture(
    served: Any, small_kiosk: Any, waiting: Wait
) -> None:
    viewer = Viewer("127.0.0.1", served.port)
    viewer.start()
    waiting(lambda: served.streams == 2)
    small_kiosk.age_ms = 500.0
    seen = Seen()

    def has(pictures: int, events: int = 0) -> bool:
        found = viewer.fresh()
        seen.pictures += found.pictures
        seen.events += found.events
        seen.ages += found.ages
        return seen.pictures >= pictures and seen.events >= events

    for number in range(1, 4):
        small_kiosk.number += 1
        waiting(lambda number=number: has(number))
    waiting(lambda: has(3, 5))
    assert seen.pictures <= 4, "a picture that was sent again counts once"
    assert 499 <= min(seen.ages[-2:]) < 5000
    viewer.end()
    waiting(lambda: served.streams == 0)


def test_a_viewer_says_why_it_failed(served: Any, waiting: Wait) -> None:
    viewer = Viewer("127.0.0.1", served.port)
    viewer.start()
    waiting(lambda: served.streams == 2)
    served.stop()
    waiting(lambda: viewer.fresh().failed)
    viewer.end()
    served.start()
