"""In CI a test that is skipped is a failure: there everything that tests need is installed.

Two processes share the tests (``make test``). What runs in real time (kiosks, lines, cameras) is
one unit, and the pages in the browser are another: each runs in one process, one test after
another. Every other file is a unit of its own.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

EXCUSED = ("mounting a small disk needs root", "the machine stood still", "(extra bench)")
"""Reasons of the machine of the moment, and of libraries that only a comparison needs."""


TRAINING_FILES = ("test_export.py", "test_recording_drawing.py", "test_renderer.py")
"""Test files that need the training extra as a whole."""

LIVE_FIXTURES = frozenset({"visitor", "browser", "served", "kiosks", "panel", "chip"})
"""Whoever uses one of these tests in real time, and so does the whole file."""

LIVE_FILES = frozenset(
    {
        "test_capture.py",
        "test_kill.py",
        "test_kiosk_parts.py",
        "test_live.py",
        "test_long_runs.py",
        "test_panel_bench.py",
        "test_panel_commands.py",
        "test_panel_end_to_end.py",
        "test_panel_whole.py",
        "test_real_pixels.py",
        "test_serving_storage.py",
        "test_setting_up.py",
        "test_sight.py",
        "test_watch.py",
    }
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    report = yield
    if os.environ.get("CI") == "true" and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(excuse in reason for excuse in EXCUSED):
            report.outcome = "failed"
            report.longrepr = f"skipped in CI: {reason}"
    return report


def pytest_ignore_collect(collection_path: Any, config: pytest.Config) -> bool | None:
    """Tests of the training extra are collected only where it is asked for."""
    wanted = str(config.getoption("markexpr", ""))
    is_training = collection_path.name in TRAINING_FILES
    return True if is_training and "not train" in wanted else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Names the unit of each test for the processes that share the tests; what is live begins."""
    live = {
        item.path
        for item in items
        if item.path.name in LIVE_FILES
        or LIVE_FIXTURES.intersection(getattr(item, "fixturenames", ()))
    }
    for item in items:
        unit = item.path.name
        if item.path in live:
            unit = "pages" if item.path.parent.name == "web" else "live"
        item.add_marker(pytest.mark.xdist_group(unit))
    items.sort(key=lambda item: item.path not in live)
