"""Which right each path needs: one table, and what is not in it needs an admin.

Besides: what a deed at the table needs from elsewhere, and which requests are nobody's doing.
"""

from __future__ import annotations

from kiosk.people.roles import NEEDS

OPEN = ""
"""No right needed: the live table, its rule card, the drills, and the way in."""

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
    ("/rules", OPEN),
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

DEEDS: tuple[tuple[str, str], ...] = (
    ("/api/v1/round", "table.play"),
    ("/api/v1/panel", "table.play"),
    ("/api/v1/panel/choose", OPEN),
    ("/api/v1/read", "read.upload"),
    ("/api/v1/misread", "read.upload"),
)
"""Path (and all below it) → right that a request which changes something needs when it comes from
elsewhere than the kiosk. A box chosen from elsewhere is left alone by its view."""

BY_ITSELF = frozenset(
    {
        "static",
        "events.feed",
        "stream.live",
        "stream.single",
        "stream.doubt",
        "health.healthz",
        "health.metrics",
        "pages.live",
        "dealer.dealing",
        "calibrate.picture",
        "calibrate.checks",
        "deck.state",
        "deck.picture",
        "audit.more.tables",
        "audit.more.heads",
    }
)
"""Views that a page left alone goes on asking, or loads again by itself: none of them counts as
use of a session."""


def right_for(rule: str) -> str:
    """The right that a route's rule needs; empty: none.

    >>> right_for("/"), right_for("/audit/<hand_id>.jpg"), right_for("/auditor")
    ('', 'audit', 'people.all')
    """
    if rule == "/":
        return OPEN
    return _longest(PATHS, rule, OTHERWISE)


def right_from_elsewhere(rule: str) -> str:
    """The right that a deed at the live table needs from another machine; empty: none of its own.

    >>> right_from_elsewhere("/api/v1/round/hold"), right_from_elsewhere("/api/v1/settle")
    ('table.play', '')
    """
    return _longest(DEEDS, rule, OPEN)


def is_listed(rule: str) -> bool:
    """Whether the table names the route."""
    return rule == "/" or any(_below(rule, path) for path, _ in PATHS)


def _longest(table: tuple[tuple[str, str], ...], rule: str, otherwise: str) -> str:
    found = [(len(path), right) for path, right in table if _below(rule, path)]
    return max(found)[1] if found else otherwise


def _below(rule: str, path: str) -> bool:
    return rule == path or (rule.startswith(path) and rule[len(path)] in "/.")


assert all(right in NEEDS for _, right in (*PATHS, *DEEDS) if right)
