"""The helper that judges time does judge it, and lets a busy machine off."""

from __future__ import annotations

import time

import pace
import pytest


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """What the system tells, as the test says."""
    told: list[float | None] = [100.0]
    monkeypatch.setattr(pace, "lost_seconds", lambda: told[0])
    return told


def test_on_a_quiet_machine_a_bound_holds(lost: list[float | None]) -> None:
    clock = pace.Pace()
    assert clock.within(5)
    time.sleep(0.02)
    assert not clock.within(0.01)


@pytest.mark.parametrize("told", [100.02, None])
def test_on_a_busy_or_silent_machine_nothing_is_judged(
    lost: list[float | None], told: float | None
) -> None:
    clock = pace.Pace()
    time.sleep(0.02)
    lost[0] = told
    assert clock.disturbed
    assert clock.within(0.01)


def test_this_system_tells() -> None:
    before = pace.lost_seconds()
    after = pace.lost_seconds()
    assert before is None or (after is not None and after >= before)
