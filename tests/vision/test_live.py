"""Camera process, reading thread and table view together, on a video and a twin that fails."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from calibration.layout import load_layout
from kiosk.vision.annotate import annotated, cut_out, encode_jpeg
from kiosk.vision.live import LiveTable, Seen
from kiosk.vision.pipeline import Pipeline
from kiosk.vision.sources.capture import CameraState, Capture, Frame
from kiosk.vision.sources.grammar import Kind, Source, parse_source
from kiosk.vision.sources.watch import Health

sys.path.insert(0, str(Path(__file__).parent))
from painted import FELT, Felt, painted_reader

PATIENCE = 200.0


def wait_for(condition: Callable[[], bool]) -> None:
    """Fails when the condition never held."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def say(control: Path, text: str) -> None:
    """What the simulated camera reads from now on, at once and whole."""
    fresh = control.with_suffix(".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(control)


def felt_with_cards() -> Felt:
    felt = Felt()
    felt.card("As", 25, 4)
    felt.card("9h", 75, 30)
    return felt


class Rig:
    """A live table; ``seen`` holds what it told, newest last."""

    def __init__(self, source: Source) -> None:
        reader, _ = painted_reader()
        self.seen: list[Seen] = []
        self.live = LiveTable(
            Capture(source), Pipeline(reader, load_layout("russian-4")), self.seen.append
        )

    def names(self, zone: str) -> list[str]:
        if not self.seen:
            return []
        return sorted(str(c.card) for c in self.seen[-1].view.zone(zone).cards)


def test_cards_of_a_video_reach_the_table(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (1280, 720))
    empty, full = Felt(), felt_with_cards()
    for felt, frames in ((empty, 15), (full, 60)):
        for _ in range(frames):
            writer.write(felt.frame())
    writer.release()
    rig = Rig(parse_source(str(path)))
    rig.live.start()
    try:
        wait_for(lambda: rig.names("dealer") == ["As"] and rig.names("box1") == ["9h"])
        wait_for(lambda: rig.seen[-1].view.zone("dealer").empty)
        assert rig.seen[-1].view.trouble is None
    finally:
        rig.live.stop()
    timing = rig.live.pipeline.timing
    assert timing.count > 0
    assert timing.median_ms <= timing.p95_ms


def test_c1_c6_a_lost_camera_is_told_and_the_table_comes_back(tmp_path: Path) -> None:
    photo, control = tmp_path / "felt.png", tmp_path / "camera.txt"
    cv2.imwrite(str(photo), felt_with_cards().image)
    control.write_text(f"ok\n{photo}", "utf-8")
    rig = Rig(Source(Kind.TWIN, str(control)))
    rig.live.start()
    try:
        wait_for(lambda: rig.names("dealer") == ["As"])
        say(control, f"blocked\n{photo}")
        wait_for(lambda: rig.seen[-1].view.trouble == "camera-blocked")
        assert rig.names("dealer") == ["As"], "the last table stays to be looked at"
        assert rig.seen[-1].frame is not None
        told, began = len(rig.seen), time.monotonic()
        time.sleep(1.5)
        seconds = time.monotonic() - began
        assert len(rig.seen) - told < 5 * seconds + 1, "trouble is repeated, not shouted"
        say(control, f"ok\n{photo}")
        wait_for(lambda: rig.seen[-1].view.trouble is None)
        wait_for(lambda: rig.names("dealer") == ["As"])
        say(control, f"blocked\n{photo}")
        time.sleep(0.3)
    finally:
        rig.live.stop()


def test_a_reader_that_fails_does_not_end_the_sight(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    photo = tmp_path / "felt.png"
    cv2.imwrite(str(photo), felt_with_cards().image)
    rig = Rig(parse_source(str(photo)))
    finder = rig.live.pipeline.reader.finder
    find, failures = finder.find, []

    def sometimes(image, scale: float = 1.0):  # type: ignore[no-untyped-def]
        if len(failures) < 2:
            failures.append(1)
            raise RuntimeError("out of memory")
        return find(image, scale)

    finder.find = sometimes  # type: ignore[method-assign]
    rig.live.start()
    try:
        wait_for(lambda: rig.names("dealer") == ["As"])
    finally:
        rig.live.stop()
    assert len(failures) == 2
    assert "reading a picture failed" in caplog.text


def test_c6_the_annotated_picture_shows_boxes_and_greys_when_old() -> None:
    felt = felt_with_cards()
    reader, _ = painted_reader()
    pipeline = Pipeline(reader, load_layout("russian-4"))
    for i in range(20):
        view = pipeline.step(felt.frame(), 10 + i * 0.07)
    plain = felt.image
    live = annotated(plain, view, pipeline.plane)
    assert (plain[700, 640] == FELT).all()
    box = view.zone("dealer").cards[0].boxes[0]
    x1, y1, _, y2 = (round(v) for v in box)
    assert (live[y1 : y2 + 1, x1] != plain[y1 : y2 + 1, x1]).any(), "its box is drawn"
    bare = annotated(plain, view, pipeline.plane, names=False)
    above = (slice(max(0, y1 - 20), y1 - 4), slice(x1, x1 + 24))
    assert (live[above] != bare[above]).any(), "its name is drawn, unless not wanted"
    veiled = annotated(plain, view, None, veil="taken 12:00:07")
    assert (veiled[300, 640] == veiled[300, 640][0]).all(), "grey"
    assert (veiled[10:40, 10:300] != veiled[300, 640]).any(), "with its time"
    assert encode_jpeg(live).startswith(b"\xff\xd8")
    assert cut_out(plain, box).shape == (240, 240, 3)


def test_a_reader_that_fails_is_told_and_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    picture = tmp_path / "felt.png"
    cv2.imwrite(str(picture), felt_with_cards().image)
    rig = Rig(parse_source(str(picture)))

    def broken(*_: object, **__: object) -> None:
        raise ValueError("a picture that upsets the reader")

    monkeypatch.setattr(rig.live.pipeline, "step", broken)
    rig.live.start()
    try:
        wait_for(lambda: sum(s.view.trouble == "reading-failed" for s in rig.seen) >= 3)
    finally:
        rig.live.stop()
    told = [record for record in caplog.records if "reading a picture failed" in record.message]
    assert len(told) == 1


class Hesitant:
    """A camera whose every second picture does not come in time."""

    def __init__(self, times: int) -> None:
        self.left, self.over = 2 * times, threading.Event()
        self.state = CameraState(Health.LIVE, 0.0, "", 0.0, None, (), 0)

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def wait(self, after: int, timeout: float) -> Frame | None:
        self.left -= 1
        if self.left <= 0:
            self.over.set()
        if self.left % 2 == 0:
            return None
        return Frame(after + 1, time.monotonic(), 0.0, Felt().image)


def test_a_pause_between_pictures_is_no_good_reading(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A reader that goes on failing is logged once, also by a camera that hesitates."""
    reader, _ = painted_reader()
    camera: Any = Hesitant(3)
    live = LiveTable(camera, Pipeline(reader, load_layout("russian-4")), lambda seen: None)
    monkeypatch.setattr(live.pipeline, "step", lambda *_, **__: 1 / 0)
    live.start()
    try:
        assert camera.over.wait(PATIENCE)
    finally:
        live.stop()
    told = [record for record in caplog.records if "reading a picture failed" in record.message]
    assert len(told) == 1
