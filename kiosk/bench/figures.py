"""One measured figure, and the reference workload it is set against."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_REST = 0.15
"""Seconds: threads that worked on one thing spin for some time before they sleep, and would be
measured with the next."""


@dataclass(frozen=True, slots=True)
class Figure:
    """``ratio``: to the reference workload, for times only."""

    name: str
    value: float | str
    unit: str = ""
    ratio: float | None = None

    def line(self) -> str:
        """For people."""
        value = f"{self.value:.4g}" if isinstance(self.value, float) else str(self.value)
        ratio = f"  (×{self.ratio:.2f} of the reference)" if self.ratio is not None else ""
        return f"{self.name}: {value} {self.unit}".rstrip() + ratio

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        found: dict[str, Any] = {"name": self.name, "value": self.value, "unit": self.unit}
        return found if self.ratio is None else found | {"ratio": round(self.ratio, 3)}


def reference() -> Callable[[], float]:
    """A function that runs the reference workload once and gives its milliseconds."""
    rng = np.random.default_rng(1)
    one, other = (rng.random((1024, 1024), np.float32) for _ in range(2))

    def run() -> float:
        return timed(lambda: one @ other)

    run()
    return run


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that the work takes by itself, a moment after whatever ran before it."""
    time.sleep(_REST)
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def spread(name: str, times: Sequence[float], beside: Sequence[float] = ()) -> list[Figure]:
    """Median and 95th percentile in milliseconds, with their ratio to the reference's median."""
    ordered = sorted(times)
    if not ordered:
        return [Figure(name, "nothing was measured")]
    base = statistics.median(beside) if beside else None
    picks = {
        "median": statistics.median(ordered),
        "95th percentile": ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))],
    }
    return [
        Figure(f"{name}, {which}", float(ms), "ms", None if base is None else ms / base)
        for which, ms in picks.items()
    ]
