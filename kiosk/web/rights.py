"""Which right each path needs: one table, and what is not in it needs an admin."""

from __future__ import annotations

from kiosk.people.roles import NEEDS

OPEN = ""
"""No right needed: the live table, the drills, and the way in."""

PATHS: tuple[tuple[str, str], ...] = (
    ("/static", OPEN),
    ("/signin", OPEN),
    ("/signout", OPEN),
    ("/setup", OPEN),
    ("/healthz", OPEN),
    ("/metrics", OPEN),
    ("/events", OPEN),
    ("/stream.mjpg", OPEN),
    ("/frame.jpg", OPEN),
    ("/doubt", OPEN),
    ("/drill", OPEN),
    ("/api/v1/drill", OPEN),
    ("/api/v1/table", OPEN),
    ("/api/v1/round", OPEN),
    ("/api/v1/panel", OPEN),
    ("/api/v1/settle", OPEN),
    ("/api/v1/read", OPEN),
    ("/api/v1/misread", OPEN),
    ("/api/v1/openapi.json", OPEN),
    ("/api/v1/dealer", OPEN),
    ("/api/v1/approve", OPEN),
    ("/drill/class", "class.view"),
    ("/api/v1/drill/class", "class.view"),
    ("/calibrate", "calibrate"),
    ("/api/v1/calibrate", "calibrate"),
    ("/audit", "audit"),
    ("/api/v1/audit", "audit"),
    ("/settings", "settings.view"),
    ("/api/v1/settings", "settings.view"),
    ("/people", "people.trainees"),
    ("/api/v1/people", "people.trainees"),
)
"""Path (and all below it) → right. The longest that fits counts."""

OTHERWISE = "people.all"


def right_for(rule: str) -> str:
    """The right that a route's rule needs; empty: none.

    >>> right_for("/"), right_for("/audit/<hand_id>.jpg"), right_for("/auditor")
    ('', 'audit', 'people.all')
    """
    if rule == "/":
        return OPEN
    found = [(len(path), right) for path, right in PATHS if _below(rule, path)]
    return max(found)[1] if found else OTHERWISE


def is_listed(rule: str) -> bool:
    """Whether the table names the route."""
    return rule == "/" or any(_below(rule, path) for path, _ in PATHS)


def _below(rule: str, path: str) -> bool:
    return rule == path or (rule.startswith(path) and rule[len(path)] in "/.")


assert all(right in NEEDS for _, right in PATHS if right)
