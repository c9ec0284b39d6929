"""Is the camera well? The pure judge."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kiosk.vision.sources.waiting import processor_wait
from kiosk.vision.sources.watch import (
    Health,
    Signs,
    Watch,
    WatchSettings,
    begin,
    judge,
    must_restart,
    pause_before_restart,
)

SETTINGS = WatchSettings()
TICK = 0.05


class Camera:
    """Plays signs to the judge, twenty a second."""

    def __init__(self, live: bool = True) -> None:
        self.now, self.count, self.print = 50.0, 0, 0
        self.live = live
        self.taken = 0.0
        self.watch = begin(Watch(), self.now)
        self.changes: list[Health] = []

    def restart(self) -> None:
        self.count, self.taken = 0, 0.0
        self.watch = begin(self.watch, self.now)

    def run(
        self,
        seconds: float,
        *,
        fps: float = 20.0,
        same: bool = False,
        brightest: int = 200,
        **signs: object,
    ) -> Health:
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            fresh = round(fps * TICK)
            if fresh:
                self.count += fresh
                self.taken = self.now
                self.print += 0 if same else 1
            told = {"alive": True, "opened": self.count > 0} | signs
            before = self.watch.health
            self.watch = judge(
                self.watch,
                Signs(
                    count=self.count,
                    taken=self.taken,
                    print=self.print,
                    brightest=brightest,
                    **told,  # type: ignore[arg-type]
                ),
                self.now,
                self.live,
                SETTINGS,
            )
            if self.watch.health != before:
                self.changes.append(self.watch.health)
        return self.watch.health


FAULTS = {
    Health.LOST: {"fps": 0, "error": "gone"},
    Health.BLOCKED: {"fps": 0},
    Health.FROZEN: {"same": True},
    Health.BLACK: {"brightest": 3, "same": True},
    Health.WILD: {"fps": 400},
}


def test_a_good_camera_is_live() -> None:
    camera = Camera()
    assert camera.run(1.0) == Health.LIVE
    assert camera.run(60.0) == Health.LIVE
    assert camera.changes == [Health.LIVE]


@pytest.mark.parametrize("fault", list(FAULTS))
def test_c1_every_fault_is_visible_within_two_seconds(fault: Health) -> None:
    camera = Camera()
    camera.run(5.0)
    assert camera.run(2.0, **FAULTS[fault]) == fault  # type: ignore[arg-type]
    assert camera.changes == [Health.LIVE, fault]


@pytest.mark.parametrize("fault", list(FAULTS))
def test_c9_a_lasting_fault_is_one_change_through_restarts(fault: Health) -> None:
    camera = Camera()
    camera.run(5.0)
    camera.run(2.0, **FAULTS[fault])  # type: ignore[arg-type]
    for _ in range(4):
        if must_restart(camera.watch):
            camera.restart()
            camera.run(0.5, fps=0)
        camera.run(1.9, **FAULTS[fault])  # type: ignore[arg-type]
    assert camera.changes == [Health.LIVE, fault]


@pytest.mark.parametrize("fault", list(FAULTS))
def test_c8_good_pictures_heal_every_fault(fault: Health) -> None:
    camera = Camera()
    camera.run(5.0)
    camera.run(3.0, **FAULTS[fault])  # type: ignore[arg-type]
    camera.restart()
    camera.run(0.5, fps=0)
    assert camera.run(2.0) == Health.LIVE


def test_a_recording_may_stand_still_and_be_black() -> None:
    camera = Camera(live=False)
    camera.run(1.0)
    assert camera.run(30.0, same=True, brightest=0) == Health.LIVE
    assert camera.run(2.0, fps=0) == Health.BLOCKED


def test_c2_a_camera_that_never_opens_is_blocked_in_the_end() -> None:
    camera = Camera()
    assert camera.run(5.0, fps=0) == Health.STARTING
    assert camera.run(10.0, fps=0) == Health.BLOCKED


def test_pauses_grow_to_a_limit_and_reset_after_good_time() -> None:
    watch = Watch()
    pauses = []
    for failures in range(8):
        watch = Watch(failures=failures)
        pauses.append(pause_before_restart(watch, SETTINGS))
    assert pauses == sorted(pauses)
    assert pauses[0] == SETTINGS.retry
    assert pauses[-1] == SETTINGS.retry_most
    camera = Camera()
    camera.watch = Watch(failures=5, started=camera.now)
    camera.run(8.0)
    assert camera.watch.failures == 0


def test_a_reader_process_that_gets_no_processor_is_not_a_blocked_camera() -> None:
    camera = Camera()
    camera.run(5.0)
    for tenth in range(30):
        assert camera.run(0.1, fps=0, starved=tenth / 10) == Health.LIVE
    assert camera.run(1.5, fps=0, starved=3.0) == Health.BLOCKED, "it waits, but not for that"


def test_pictures_that_do_not_come_are_not_a_picture_that_stands_still() -> None:
    camera = Camera()
    camera.run(5.0)
    camera.run(4.0, fps=0, starved=3.5)
    camera.run(0.05)
    assert camera.run(1.0) == Health.LIVE
    assert camera.changes == [Health.LIVE]


def test_an_opening_that_starves_has_longer() -> None:
    camera = Camera()
    assert camera.run(15.0, fps=0, starved=8.0) == Health.STARTING


def test_the_wait_for_a_processor_is_measured() -> None:
    """More busy threads than processors: each waits; one that sleeps does not."""
    if not Path("/proc/self/schedstat").is_file():
        pytest.fail("this system does not tell how long a process waits for a processor")
    busy = "import time\nend = time.monotonic() + 1.5\nwhile time.monotonic() < end: pass"
    count = 2 * (os.cpu_count() or 1) + 1
    sleep = "import time; print(flush=True); time.sleep(60)"
    asleep = subprocess.Popen([sys.executable, "-c", sleep], stdout=subprocess.PIPE)
    assert asleep.stdout is not None
    asleep.stdout.readline()
    crowd = [subprocess.Popen([sys.executable, "-c", busy]) for _ in range(count)]
    try:
        time.sleep(1.2)
        began = processor_wait(asleep.pid)
        time.sleep(0.2)
        waits = [processor_wait(process.pid) for process in crowd]
        assert sum(waits) > 0.3
        assert processor_wait(asleep.pid) - began < 0.1
    finally:
        asleep.kill()
        for process in (*crowd, asleep):
            process.wait()
        asleep.stdout.close()
    assert processor_wait(asleep.pid) == 0.0, "it has ended"
