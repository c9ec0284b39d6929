"""A deck shown to a camera from the terminal (V2)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kiosk.cards import DECK, Card
from kiosk.cli import main
from kiosk.deck_camera import shown_to
from kiosk.errors import UserError
from kiosk.sightings import FrameReading, Sighting
from kiosk.vision.enrol import Enrolment
from kiosk.vision.merge import Thresholds
from kiosk.vision.sources.frames import CameraState, Frame
from kiosk.vision.sources.grammar import Kind, Source
from kiosk.vision.sources.watch import Health

CAMERA = Source(Kind.CAMERA, "0")
HANDS = [DECK[place : place + 13] for place in range(0, 52, 13)]


def picture(number: int) -> np.ndarray:
    """What the camera sees of a hand; its number stands in its first pixel."""
    image = np.full((200, 700, 3), 40 + 50 * number, np.uint8)
    image[0, 0] = number
    return image


class CardReader:
    """Reads the hand whose number stands in the picture."""

    thresholds = Thresholds(name=0.9)

    def read(self, image: np.ndarray) -> FrameReading:
        seen = tuple(
            Sighting((x, 50.0, x + 20.0, 80.0), 0.9, 0.99, ((card, 0.99),))
            for x, card in zip(range(10, 700, 50), HANDS[int(image[0, 0, 0])], strict=False)
        )
        return FrameReading(0.0, 700, 200, seen, ())


class Film:
    """A camera that gives these pictures ten times a second; None: none comes."""

    def __init__(self, pictures: Iterator[np.ndarray | None]) -> None:
        self.pictures, self.number, self.stopped = pictures, 0, False
        self.health, self.message = Health.LIVE, ""

    def __call__(self, source: Source) -> Film:
        return self

    def start(self) -> None:
        pass

    def stop(self) -> None:
        self.stopped = True

    @property
    def state(self) -> CameraState:
        return CameraState(self.health, 0.0, self.message, 0.0, None, (), 0)

    def wait(self, after: int, timeout: float) -> Frame | None:
        image = next(self.pictures)
        lost = image is None
        self.health = Health.LOST if lost else Health.LIVE
        self.message = "the camera gives no more pictures" if lost else ""
        self.number += 1
        return None if image is None else Frame(self.number, self.number / 10, 0.0, image)


@pytest.fixture
def film(monkeypatch: pytest.MonkeyPatch) -> Any:
    def show(pictures: Iterator[np.ndarray | None]) -> Film:
        camera = Film(pictures)
        monkeypatch.setattr("kiosk.deck_camera.Capture", camera)
        return camera

    return show


def hands(*numbers: int, each: int = 20) -> Iterator[np.ndarray]:
    for number in numbers:
        for _ in range(each):
            yield picture(number)


def test_v2_cards_are_looked_at_while_they_lie_still_until_none_is_missing(film: Any) -> None:
    camera = film(hands(0, 1, 2, 3))
    told: list[int] = []
    reader: Any = CardReader()
    state = shown_to(
        CAMERA, reader, Enrolment(), lambda now: told.append(len(now.shown)), lambda line: None
    )
    assert not state.missing and camera.stopped
    assert sorted(set(told)) == [0, 13, 26, 39, 52] and told == sorted(told)
    assert set(state.found.values()) == {1.0}


def test_v2_a_camera_that_fails_for_a_while_loses_no_card(film: Any) -> None:
    def pictures() -> Iterator[np.ndarray | None]:
        yield from hands(0, 1)
        yield from (None, None)
        yield from hands(2, 3)

    film(pictures())
    said: list[str] = []
    reader: Any = CardReader()
    state = shown_to(CAMERA, reader, Enrolment(), lambda now: None, said.append)
    assert not state.missing and said == ["the camera gives no more pictures"]


def test_v2_a_camera_that_gives_nothing_is_said(film: Any) -> None:
    camera = film(iter([None]))
    reader: Any = CardReader()
    with pytest.raises(UserError, match="camera:0: the camera gives no more pictures"):
        shown_to(CAMERA, reader, Enrolment(), lambda now: None, lambda line: None)
    assert camera.stopped


def test_v2_missing_cards_are_told_as_they_come_and_a_stop_keeps_nothing(
    film: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def pictures() -> Iterator[np.ndarray]:
        yield from hands(0, 1, 2)
        raise KeyboardInterrupt

    camera = film(pictures())
    monkeypatch.setattr("kiosk.deck_commands._shipped", lambda model: CardReader())
    words = ["calibrate", "deck", "Club", "camera:0", "--data", str(tmp_path)]
    assert main(words) == 130
    lines = capsys.readouterr().err.splitlines()
    counted = [line.split(";")[0] for line in lines if " of 52" in line]
    assert counted == ["0 of 52", "13 of 52", "26 of 52", "39 of 52"]
    last = next(line for line in reversed(lines) if "missing" in line)
    assert all(card.symbol in last for card in HANDS[3])
    assert Card.parse("2c").symbol not in last.split("missing: ")[1].split()
    assert "stopped" in lines[-1]
    assert camera.stopped and not list(tmp_path.iterdir())


def test_v2_what_is_no_source_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "deck", "Club", "nowhere.jpg", "--data", str(tmp_path)]) == 2
    assert "no such file or folder" in capsys.readouterr().err
