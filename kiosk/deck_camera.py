"""A deck shown to a camera from the terminal: looks at what lies still till all cards were seen."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.errors import UserError
from kiosk.vision.enrol import Enrolment, cleared, look_at
from kiosk.vision.motion import ZoneWatch
from kiosk.vision.photographs import WHOLE, whole_picture
from kiosk.vision.reader import Reader
from kiosk.vision.sources.capture import Capture
from kiosk.vision.sources.grammar import Source
from kiosk.vision.sources.watch import Health

PACE = 0.6
"""Seconds between two looks at what lies still."""

_FIRST = 10.0
"""Seconds in which the first picture must come."""

_WAIT = 1.0


def shown_to(
    source: Source,
    reader: Reader,
    state: Enrolment,
    told: Callable[[Enrolment], None],
    troubled: Callable[[str], None],
) -> Enrolment:
    """``state`` with what the camera saw until no card was missing or the source has ended.

    ``told`` hears of each look, ``troubled`` why no pictures come; they are waited for. UserError
    when none ever came. KeyboardInterrupt lets the camera go.
    """
    capture = Capture(source)
    capture.start()
    try:
        number, last, watch, word = 0, 0.0, None, ""
        while state.missing:
            frame = capture.wait(number, _WAIT if number else _FIRST)
            health, message = capture.state.health, capture.state.message or "no picture came"
            if frame is None and not number:
                raise UserError(f"{source.shown}: {message}")
            if frame is None or capture.state.trouble is not None:
                if health == Health.ENDED:
                    break
                if word != message:
                    troubled(message)
                word, watch, state = message, None, cleared(state)
                number = number if frame is None else frame.number
                continue
            number, word, image = frame.number, "", frame.image
            if watch is None:
                watch = ZoneWatch(whole_picture(image.shape[1], image.shape[0]))
            watch.feed(image, frame.t)
            if watch.moving(WHOLE, frame.t):
                state = cleared(state)
            elif frame.t - last >= PACE:
                last = frame.t
                state = look_at(state, image, reader.read(image), reader.thresholds)
                told(state)
        return state
    finally:
        capture.stop()
