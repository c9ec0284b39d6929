"""Long runs: memory, threads, processes and files (V12)."""

from __future__ import annotations

from multiprocessing import shared_memory
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.bench.soak import (
    Attendant,
    Left,
    growth,
    held,
    held_in_the_end,
    lose_cameras,
    soak,
)
from kiosk.vision.sources.capture import Capture
from kiosk.vision.sources.grammar import Kind, Source


@pytest.fixture
def rings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the shared memory that this process has made."""
    names: list[str] = []

    class Noted(shared_memory.SharedMemory):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            names.append(self.name)

    monkeypatch.setattr(shared_memory, "SharedMemory", Noted)
    return names


def losses(folder: Path, times: int, rings: list[str]) -> None:
    """Loses a camera so often; then all that it held must be gone."""
    control = folder / "camera"
    control.write_text("ok\n", "utf-8")
    warm = Capture(Source(Kind.TWIN, str(control)))
    warm.start()
    assert warm.wait(0, 120.0) is not None
    warm.stop(60.0)
    before = held()
    capture = Capture(Source(Kind.TWIN, str(control)))
    capture.start()
    try:
        assert lose_cameras(capture, times) == times
        during = held()
        assert during.children <= before.children + 2, "one reader process, one just ending"
        assert during.threads <= before.threads + 1
        assert during.files <= before.files + 16
    finally:
        capture.stop(60.0)
    after = held_in_the_end(before)
    assert after.threads <= before.threads and after.children <= before.children
    assert after.files <= before.files
    assert len(rings) > times
    assert not [name for name in rings if (Path("/dev/shm") / name).exists()]


def test_v12_nothing_is_left_after_lost_cameras(tmp_path: Path, rings: list[str]) -> None:
    losses(tmp_path, 3, rings)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_v12_nothing_is_left_after_a_hundred_lost_cameras(tmp_path: Path, rings: list[str]) -> None:
    losses(tmp_path, 100, rings)


def stuck(stage: str, drift: object = None, hand: int = 3, **more: Any) -> Any:
    """A kiosk whose table shows this, as far as the attendant looks."""
    acted: list[str] = []
    zone = SimpleNamespace(hand=("As",) * hand, bare=False, leftover=(), touched=True)
    core = SimpleNamespace(zones=(zone,), voided=None, held=False, trouble=None, **more)
    state = SimpleNamespace(
        id="r-000001", derived=SimpleNamespace(stage=stage, complete=False), core=core, log=()
    )
    return SimpleNamespace(
        owner=SimpleNamespace(state=state, act=lambda name, body, who: acted.append(name)),
        sight=SimpleNamespace(drift=SimpleNamespace(drift=drift)),
        still_right=lambda: acted.append("still-right"),
        acted=acted,
    )


def test_the_soaks_attendant_comes_only_where_nothing_goes_on() -> None:
    now = 0.0
    kiosk = stuck("dealing")
    attendant = Attendant(kiosk, clock=lambda: now)
    for second in range(30):
        now = float(second)
        kiosk.owner.state.core.zones[0].hand = ("As",) * (second // 5)
        attendant.look()
    assert kiosk.acted == [], "cards are dealt all the time"
    for second in range(30, 45):
        now = float(second)
        attendant.look()
    assert kiosk.acted == ["void"]
    moved = stuck("dealing", drift=object())
    attendant = Attendant(moved, clock=lambda: now)
    for second in range(45, 57):
        now = float(second)
        attendant.look()
    assert set(moved.acted) == {"still-right"}, "a bumped camera is no misdeal"


def test_growth_is_told_and_is_not_fooled_by_one_sample() -> None:
    steady = [140.0 + second % 3 for second in range(450)]
    steady[-2] = 900.0
    assert abs(growth(steady) or 0) <= 1
    leaking = [100.0 + 0.2 * second for second in range(450)]
    assert 60 < (growth(leaking) or 0) < 100
    assert growth([1.0, 2.0]) is None


@pytest.mark.long
@pytest.mark.timeout(4000)
def test_v12_half_an_hour_at_four_times_the_pace_grows_by_less_than_50_mib() -> None:
    found = soak(1800.0)
    assert found.growth is not None and found.growth < 50, found
    assert found.camera_growth is not None and found.camera_growth < 50, found
    assert found.restarts >= 20, found
    assert found.rounds > 40, found
    assert found.settled > 5, found
    assert found.after.threads <= found.before.threads, found
    assert found.after.children <= found.before.children, found
    assert found.after.files <= found.before.files + 4, found


def test_v12_a_short_run_leaves_nothing_behind() -> None:
    before = held()
    found = soak(8.0, sim="sim:9,size=640x360,fps=10,speed=2")
    assert isinstance(found.after, Left)
    assert found.after.threads <= before.threads
    assert found.after.children <= before.children
