"""Is the camera well? The pure judge."""

from __future__ import annotations

import pytest

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
