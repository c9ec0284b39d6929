"""Every page for people."""

from __future__ import annotations

from typing import Any

from sat_tests import sit
from web_people import person_of, signed_in

from kiosk.people import Role

PAGES = (
    "",
    "signin",
    "setup",
    "rules",
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

OF_DATA = (
    "rules?house=three-a",
    "drill/class?house=three-a",
    "drill/class/{person_id}?house=three-a",
    "drill/test/{exam_id}",
    "audit/rules/{card_hash}",
)
"""Pages of what somebody did: the gaps are named as in the routes, ``kept_data`` fills them."""


def kept_data(app: Any) -> dict[str, str]:
    """A passed test with two mistakes, its trainee, a rule card: what ``OF_DATA`` shows."""
    kiosk = app.extensions["kiosk"]
    exam = sit(signed_in(app, Role.TRAINEE), kiosk, "p-", wrong=2)
    now = kiosk.rulebook.now
    card = kiosk.recorded and kiosk.writer.record.keep_rule_card(now.card)
    person = person_of(kiosk.people, Role.TRAINEE).id
    return {"exam_id": exam, "person_id": person, "card_hash": card}


STRANGERS = ("", "signin", "setup", "rules")
"""Those shown with nobody signed in."""
