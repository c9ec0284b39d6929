"""What ``kiosk doctor`` asks of the vision room: do the models run, does the camera deliver."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from kiosk.errors import UserError
from kiosk.vision.reader import open_reader
from kiosk.vision.sources.capture import Capture, Frame
from kiosk.vision.sources.grammar import parse_source
from kiosk.vision.sources.streams import Asked
from kiosk.vision.sources.watch import Health

_OPENING = 60.0
"""Seconds that a reader process which says nothing may take to start on a busy machine."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report. ``advice``: what to do when it is not good."""

    name: str
    good: bool
    text: str
    advice: str = ""


def check_models(model: str | None = None) -> Check:
    """Load both models and read a blank picture of table size."""
    try:
        reader = open_reader(model)
        began = time.perf_counter()
        reader.read_part(np.full((720, 1280, 3), 90, np.uint8), None, 0.0)
    except UserError as error:
        return Check("model", False, str(error), "install the program again")
    ms = (time.perf_counter() - began) * 1000
    return Check("model", True, f"{reader.finder.name} reads a table picture in {ms:.0f} ms")


def check_camera(source: str, asked: Asked | None = None, patience: float = 8.0) -> Check:
    """Open the source in its own process and wait for pictures. One that says nothing yet, on a
    busy machine, has longer than ``patience``."""
    try:
        parsed = parse_source(source)
    except UserError as error:
        return Check("camera", False, str(error), "choose another --source")
    capture = Capture(parsed, asked)
    capture.start()
    try:
        frame = _first_frame(capture, patience)
        state = capture.state
        if frame is None or state.delivered is None:
            text = state.message or "no picture came"
            return Check("camera", False, text, "plug the camera in, close other programs")
        height, width = frame.image.shape[:2]
        text = f"{parsed.shown}: {width}×{height} at {state.delivered.fps:g} a second"
        if state.health == Health.LIVE and state.mismatches:
            return Check("camera", True, f"{text}; {'; '.join(state.mismatches)}")
        return Check("camera", True, text)
    finally:
        capture.stop()


def _first_frame(capture: Capture, patience: float) -> Frame | None:
    """The first picture, None when there is none in time."""
    begun = time.monotonic()
    while (frame := capture.wait(0, 0.2)) is None:
        opening = capture.state.health == Health.STARTING
        if time.monotonic() - begun > (max(patience, _OPENING) if opening else patience):
            return None
    return frame
