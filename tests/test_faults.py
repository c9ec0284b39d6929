"""Faults of parts become entries: once at the beginning, once at the end, also over restarts."""

from __future__ import annotations

from typing import Any

from kiosk.faults import SETTLING_SECONDS, FaultLog


class Watch:
    """A fault log with a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.noted: list[dict[str, Any]] = []
        self.log = FaultLog(self.noted.append, lambda: self.now)

    def look(self, seconds: float, **parts: bool) -> None:
        """The parts stay like this for some seconds."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.25
            self.log.see({name: {"ok": ok, "text": name} for name, ok in parts.items()})


def test_a_fault_is_noted_when_it_begins_and_when_it_is_over() -> None:
    watch = Watch()
    watch.look(20, camera=True, panel=True)
    watch.look(10, camera=False, panel=True)
    assert watch.noted == [{"what": "part-fault", "part": "camera", "text": "camera"}]
    watch.look(10, camera=True, panel=True)
    assert len(watch.noted) == 2
    over = watch.noted[1]
    assert (over["what"], over["part"]) == ("part-good", "camera") and 9 < over["seconds"] < 11


def test_what_only_asks_for_something_is_no_fault() -> None:
    watch = Watch()
    watch.look(60, deck=False)
    assert watch.noted == []


def test_a_part_that_flickers_does_not_fill_the_record() -> None:
    watch = Watch()
    watch.look(20, panel=True)
    for _ in range(50):
        watch.look(1, panel=False)
        watch.look(1, panel=True)
    assert watch.noted == []


def test_a_slow_start_is_no_fault_but_a_dead_part_is() -> None:
    watch = Watch()
    watch.look(SETTLING_SECONDS - 2, camera=False)
    watch.look(5, camera=True)
    assert watch.noted == []
    dead = Watch()
    dead.look(SETTLING_SECONDS + 3, camera=False)
    assert [note["what"] for note in dead.noted] == ["part-fault"]


def test_a_fault_left_by_an_earlier_run_stands_until_it_is_over() -> None:
    watch = Watch()
    watch.log.stands("camera")
    watch.look(30, camera=False)
    assert watch.noted == [], "it is noted already"
    watch.look(5, camera=True)
    assert watch.noted == [{"what": "part-good", "part": "camera", "seconds": None}]
