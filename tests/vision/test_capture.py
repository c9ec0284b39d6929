"""The reader process, with real processes that are killed, stuck, and healed (C1–C9)."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest

from kiosk.vision.sources.capture import Capture
from kiosk.vision.sources.frames import Frame
from kiosk.vision.sources.grammar import Kind, Source, parse_source
from kiosk.vision.sources.watch import Health

PATIENCE = 200.0
"""Seconds to start a process on a machine that is busy with other things."""


def wait_for(condition: Callable[[], bool]) -> None:
    """Fails when the condition never held."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


class Rig:
    """A capture on the simulated camera."""

    def __init__(self, folder: Path) -> None:
        self.control = folder / "camera.txt"
        self.say("ok")
        self.told: list[Health] = []
        self._looked_at = 0
        self.capture = Capture(
            Source(Kind.TWIN, str(self.control)),
            on_change=lambda state: self.told.append(state.health),
        )

    def say(self, word: str) -> None:
        fresh = self.control.with_suffix(".new")
        fresh.write_text(word, "utf-8")
        os.replace(fresh, self.control)

    def until(self, health: Health) -> None:
        """Waits for the next change to this health, however short it stood; the changes before it
        are not looked at again."""
        begin = self._looked_at
        wait_for(lambda: health in self.told[begin:])
        self._looked_at = self.told.index(health, begin) + 1


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    it = Rig(tmp_path)
    it.capture.start()
    try:
        it.until(Health.LIVE)
        yield it
    finally:
        it.capture.stop(PATIENCE)


def reader_processes() -> list[psutil.Process]:
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


@pytest.mark.parametrize("word", ["lost", "frozen", "black", "blocked", "size"])
def test_c1_c2_c8_faults_show_and_heal(rig: Rig, word: str) -> None:
    shown = {"size": Health.LOST}.get(word) or Health(word)
    before = rig.capture.wait(0, PATIENCE)
    assert before is not None
    rig.say(word)
    rig.until(shown)
    assert rig.capture.state.trouble == f"camera-{shown.value}"
    rig.say("ok")
    rig.until(Health.LIVE)
    after = rig.capture.wait(before.number, PATIENCE)
    assert after is not None
    assert after.number > before.number


def test_c8_wild_pictures_are_noticed_and_heal(rig: Rig) -> None:
    rig.say("wild")
    rig.until(Health.WILD)
    rig.say("ok")
    rig.until(Health.LIVE)


def test_c1_a_killed_reader_is_noticed_and_replaced(rig: Rig) -> None:
    wait_for(lambda: len(reader_processes()) == 1)
    (reader,) = reader_processes()
    os.kill(reader.pid, signal.SIGKILL)
    rig.until(Health.LOST)
    rig.until(Health.LIVE)
    (another,) = reader_processes()
    assert another.pid != reader.pid


def test_c1_ctrl_c_does_not_reach_a_reader_that_starts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    it = Rig(tmp_path)
    it.capture.start()
    try:
        wait_for(lambda: bool(reader_processes()))
        for reader in reader_processes():
            reader.send_signal(signal.SIGINT)
        it.until(Health.LIVE)
        assert it.capture.state.restarts == 0
    finally:
        it.capture.stop(PATIENCE)
    assert capfd.readouterr().err == ""


def test_c2_a_stopped_reader_does_not_stop_us(rig: Rig) -> None:
    wait_for(lambda: len(reader_processes()) == 1)
    (reader,) = reader_processes()
    os.kill(reader.pid, signal.SIGSTOP)
    rig.until(Health.BLOCKED)
    rig.capture.stop(PATIENCE)
    wait_for(lambda: not reader_processes())


def test_c9_one_line_per_change(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="kiosk.vision.sources.capture"):
        rig.say("gone")
        rig.until(Health.LOST)
        restarts = rig.capture.state.restarts
        wait_for(lambda: rig.capture.state.restarts >= restarts + 2)
        rig.say("ok")
        rig.until(Health.LIVE)
        # The health changes just before its line is written.
        wait_for(lambda: words(caplog)[-1:] == ["live"])
    assert words(caplog) == ["lost", "live"]


def words(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The healths that the log tells of, in order."""
    return [record.getMessage().split(": ")[1].split(" ")[0] for record in caplog.records]


def test_c4_the_newest_frame_wins_and_its_age_is_known(rig: Rig) -> None:
    first = rig.capture.wait(0, PATIENCE)
    assert first is not None
    # Frames in between are let go.
    wait_for(lambda: (f := rig.capture.newest()) is not None and f.number > first.number + 3)
    frame = rig.capture.wait(0, PATIENCE)
    age = rig.capture.state.age
    assert frame is not None and age is not None
    assert 0 <= age <= time.monotonic() - frame.t


def test_c2_c7_a_camera_that_is_not_there_at_the_start_comes_later(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.say("gone")
    rig.capture.start()
    try:
        rig.until(Health.LOST)
        assert rig.capture.newest() is None
        assert "plug it in" in rig.capture.state.message
        rig.say("ok")
        rig.until(Health.LIVE)
    finally:
        rig.capture.stop(PATIENCE)


def test_the_simulated_camera_shows_another_photograph_when_told(tmp_path: Path) -> None:
    control, photos = tmp_path / "camera", []
    for number, shade in enumerate((50, 150)):
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), np.full((48, 64, 3), shade, np.uint8))
        photos.append(path)
    control.write_text(f"ok\n{photos[0]}", "utf-8")
    capture = Capture(parse_source(f"twin:{control}"))
    capture.start()
    try:
        frame = capture.wait(0, PATIENCE)
        assert frame is not None
        assert abs(float(frame.image.mean()) - 50) < 4
        control.write_text(f"ok\n{photos[1]}", "utf-8")
        wait_for(
            lambda: (f := capture.newest()) is not None and abs(float(f.image.mean()) - 150) < 4
        )
        wait_for(lambda: capture.state.health == Health.LIVE)
        assert capture.state.restarts == 0
    finally:
        capture.stop(PATIENCE)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.capture.start()
    wait_for(lambda: rig.capture.state.health == Health.LIVE)
    ring = rig.capture._ring
    assert ring is not None
    name = Path("/dev/shm") / ring.name.lstrip("/")
    assert name.exists()
    rig.capture.stop(PATIENCE)
    assert not name.exists()
    assert not reader_processes()


def _video(path: Path, frames: int = 30, fps: float = 30.0) -> Path:
    """Grey that grows frame by frame, so that a frame tells its number."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for number in range(frames):
        writer.write(np.full((48, 64, 3), number * 8, np.uint8))
    writer.release()
    return path


def two_alike(capture: Capture) -> tuple[Frame, Frame]:
    """Two frames half a second apart that show the same moment of the recording."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        held = capture.newest()
        time.sleep(0.5)
        later = capture.newest()
        assert held is not None and later is not None
        if later.number > held.number and later.media == held.media:
            return held, later
    raise AssertionError("the recording was not held")


def looped(seen: list[Frame]) -> bool:
    """Whether the recording began anew in between."""
    return any(later.media < before.media for before, later in itertools.pairwise(seen))


def test_a_recording_plays_at_its_rate_loops_and_can_be_held(tmp_path: Path) -> None:
    capture = Capture(parse_source(str(_video(tmp_path / "a.avi"))))
    capture.start()
    try:
        frame = capture.wait(0, PATIENCE)
        assert frame is not None
        seen = [frame]
        while seen[-1].t - frame.t < 2.2 or not looped(seen):
            assert seen[-1].t - frame.t < PATIENCE, "it does not loop"
            got = capture.wait(seen[-1].number, PATIENCE)
            assert got is not None
            seen.append(got)
        # Held up, it makes good half a second at most.
        seconds = seen[-1].t - frame.t + 0.5
        assert seen[-1].number - frame.number <= 30 * seconds + 2
        capture.pause(True)
        held, later = two_alike(capture)
        assert later.number > held.number, "frames still come, so age and health stay good"
        wait_for(lambda: capture.state.health == Health.LIVE)
        capture.pause(False)
        wait_for(lambda: (f := capture.newest()) is not None and f.media != held.media)
    finally:
        capture.stop(PATIENCE)


def test_a_recording_without_loop_ends(tmp_path: Path) -> None:
    capture = Capture(parse_source(str(_video(tmp_path / "a.avi", 10))), loop=False, speed=5)
    capture.start()
    try:
        wait_for(lambda: capture.state.health == Health.ENDED)
        assert capture.state.trouble == "camera-ended"
        time.sleep(0.5)
        assert capture.state.restarts == 0
    finally:
        capture.stop(PATIENCE)


@pytest.mark.parametrize("content", [b"", b"no video at all" * 100, None])
def test_a_file_that_is_no_video_is_one_clear_message(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "a.mp4"
    if content is None:
        whole = _video(tmp_path / "b.avi").read_bytes()
        path.write_bytes(whole[:300])
    else:
        path.write_bytes(content)
    capture = Capture(parse_source(str(path)))
    capture.start()
    try:
        wait_for(lambda: capture.state.health == Health.LOST)
        assert "a.mp4: not a video that can be played" in capture.state.message
        assert "\n" not in capture.state.message
    finally:
        capture.stop(PATIENCE)


def test_photographs_of_a_folder_are_shown_in_turn(tmp_path: Path) -> None:
    from kiosk.vision.sources.streams import PhotoStream

    for number, size in enumerate([(48, 64), (64, 48)]):
        image = np.full((*size, 3), 60 + number * 100, np.uint8)
        cv2.imwrite(str(tmp_path / f"{number}.png"), image)
    stream = PhotoStream(sorted(tmp_path.iterdir()), seconds=0.1, fps=50)
    shown = [stream.read() for _ in range(12)]
    shades = {int(got[0][5, 5, 0]) for got in shown if got is not None}
    assert shades == {60, 160}
    assert {got[0].shape for got in shown if got is not None} == {(48, 64, 3)}
