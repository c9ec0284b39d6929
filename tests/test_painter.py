"""W5: a picture is drawn once, in one thread, however many viewers ask for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from calibration.layout import load_layout
from kiosk.config import Settings
from kiosk.painter import Painter
from kiosk.sight import Sight


def test_w5_viewers_of_one_picture_have_it_drawn_once_and_in_one_thread() -> None:
    painter, drawn = Painter(), list[tuple[int, str]]()

    def draw(number: int) -> bytes:
        drawn.append((number, threading.current_thread().name))
        return b"%d" % number

    with ThreadPoolExecutor(10) as viewers:
        for number in range(5):
            paint = partial(painter.paint, number, partial(draw, number))
            asked = [viewers.submit(paint) for _ in range(10)]
            assert {each.result(200) for each in asked} == {b"%d" % number}
    assert [number for number, _ in drawn] == [0, 1, 2, 3, 4]
    assert len({thread for _, thread in drawn}) == 1
    assert not {thread for _, thread in drawn} & {"MainThread"}


def test_a_picture_that_could_not_be_drawn_is_tried_again() -> None:
    painter = Painter()

    def fail() -> bytes:
        raise ValueError("no colour")

    assert painter.paint("first", lambda: b"a picture") == b"a picture"
    with pytest.raises(ValueError, match="no colour"):
        painter.paint("second", fail)
    assert painter.paint("second", lambda: b"another") == b"another"
    assert painter.paint("second", fail) == b"another"


def test_w5_before_the_first_picture_the_grey_one_is_drawn_once() -> None:
    sight = Sight(Settings(), load_layout("russian-4"), lambda: None)
    first, number, _ = sight.annotated_picture()
    assert number == 0 and first.startswith(b"\xff\xd8")
    assert sight.annotated_picture()[0] is first
