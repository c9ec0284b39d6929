"""What the table remembers of house files, by their names."""

from __future__ import annotations

from kiosk.table import dealer, hand_data, plan, settlement, snapshot, verdicts


def forget_houses() -> None:
    """Read house files anew: one may have been written, or taken away, under a known name."""
    plan.plan_for.cache_clear()
    dealer._drawing.cache_clear()
    hand_data._described.cache_clear()
    settlement._settled.cache_clear()
    snapshot._explanation.cache_clear()
    verdicts._judged.cache_clear()
