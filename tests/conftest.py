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
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# How long an example takes says nothing of it on a busy machine.
settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-machine")

EXCUSED = ("mounting a small disk needs root", "the machine stood still", "(extra bench)")
"""Reasons of the machine of the moment, and of libraries that only a comparison needs."""


TRAINING_FILES = (
    "test_average.py",
    "test_curve.py",
    "test_export.py",
    "test_letters.py",
    "test_namer_pose.py",
    "test_recording_drawing.py",
    "test_renderer.py",
    "test_typefaces.py",
)
"""Test files that need the training extra as a whole."""

PAGE_FILES = frozenset(
    {
        "test_web_access.py",
        "test_web_drill_browser.py",
        "test_web_people_browser.py",
        "test_web_viewers.py",
    }
)

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


def unit_of(path: str) -> str:
    """Which tests run in one process one after another, by a test file's path."""
    name = path.rsplit("/", 1)[-1]
    if name.startswith("test_page_") or name in PAGE_FILES:
        return "pages"
    return "live" if name in LIVE_FILES or name.startswith("test_panel_") else path


class Units(LoadScopeScheduling):
    """Gives each process a whole unit at a time."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid.split("::", 1)[0])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """The units instead of the plugin's own ones."""
    return Units(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins: what is live, then the pages."""
    order = {"live": 0, "pages": 1}
    items.sort(key=lambda item: order.get(unit_of(item.nodeid.split("::", 1)[0]), 2))
