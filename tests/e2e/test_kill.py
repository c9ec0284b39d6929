"""W7: the serving process is killed at any moment; every acknowledged round is in the record."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from running import RunningKiosk, audit, verify

pytestmark = pytest.mark.timeout(900)


def _kill_once(folder: Path, seed: int) -> None:
    """Runs the recording until at least one round is acknowledged, then kills at random."""
    data = folder / "data"
    acknowledged: set[str] = set()
    with RunningKiosk(data, "--panel", "none") as kiosk:

        def watch() -> bool:
            now = kiosk.round()
            if now["recorded"]:
                acknowledged.add(now["id"])
            return now["recorded"]

        kiosk.until(watch, 120, "a round of the recording is recorded")
        end = time.monotonic() + random.Random(seed).uniform(0, 12)
        while time.monotonic() < end:
            watch()
            time.sleep(0.05)
        kiosk.kill()
    found = {hand["id"]: hand for hand in audit(data)}
    assert acknowledged <= found.keys()
    for name in acknowledged:
        assert found[name]["settlement"] is not None
        assert found[name]["cards"], "the cards are recorded with it"
    verify(data)
    with RunningKiosk(data, "--panel", "none") as kiosk:
        kiosk.until(lambda: kiosk.get("/healthz")["ok"], 60, "it starts again on the same data")
    again = {hand["id"]: hand for hand in audit(data)}
    assert acknowledged <= again.keys()
    verify(data)


@pytest.mark.long
def test_w7_kill_9_loses_no_acknowledged_round(tmp_path: Path) -> None:
    _kill_once(tmp_path, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 22))
def test_w7_kill_9_twenty_times(tmp_path: Path, seed: int) -> None:
    _kill_once(tmp_path, seed)
