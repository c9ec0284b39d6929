"""Checking the whole record while the kiosk runs, in a thread of its own, when a person asks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from kiosk.record.clock import time_text
from kiosk.record.findings import VerifyReport

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckState:
    """``status``: ``never``, ``running`` or ``done``. ``findings``: what does not hold, the first
    bad entry first; None: the check itself failed."""

    status: str = "never"
    time: str | None = None
    seconds: float = 0.0
    entries: int = 0
    pictures: int = 0
    findings: tuple[str, ...] | None = ()

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return self.status == "done" and self.findings == ()


class RecordCheck:
    """At most one check at a time."""

    def __init__(self, verify: Callable[[], VerifyReport]) -> None:
        self._verify = verify
        self._lock = threading.Lock()
        self.state = CheckState()

    def begin(self) -> None:
        """Starts a check unless one is running."""
        with self._lock:
            if self.state.status == "running":
                return
            self.state = CheckState("running", time_text(datetime.now(UTC)))
        threading.Thread(target=self._run, name="record-check", daemon=True).start()

    def _run(self) -> None:
        began, when = time.monotonic(), self.state.time
        try:
            report = self._verify()
        except Exception:
            log.exception("the record could not be checked")
            self.state = CheckState("done", when, time.monotonic() - began, findings=None)
            return
        self.state = CheckState(
            "done",
            when,
            round(time.monotonic() - began, 1),
            report.entries,
            report.pictures,
            tuple(finding.sentence for finding in report.findings),
        )
