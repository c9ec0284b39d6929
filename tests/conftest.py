"""In CI a test that is skipped is a failure: there everything that tests need is installed."""

from __future__ import annotations

import os
from collections.abc import Generator
from typing import Any

import pytest

EXCUSED = ("mounting a small disk needs root", "the machine stood still", "(extra bench)")
"""Reasons of the machine of the moment, and of libraries that only a comparison needs."""


TRAINING_FILES = ("test_export.py", "test_recording_drawing.py", "test_renderer.py")
"""Test files that need the training extra as a whole."""


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
