"""Every page for people."""

from __future__ import annotations

PAGES = (
    "",
    "signin",
    "setup",
    "people",
    "settings",
    "settings/edit",
    "settings/rulecard",
    "calibrate",
    "calibrate/deck",
    "drill",
    "drill/progress",
    "drill/class",
    "audit",
    "audit/r-000007",
    "audit/r-000007/replay",
    "audit/tables",
    "audit/faults",
    "audit/heads",
    "audit/none",
)
"""Each page's path, with the hand r-000007 kept; the last says that something is not there."""

STRANGERS = ("", "signin", "setup")
"""Those shown with nobody signed in."""
