"""The live table, the rule card beside it, and what every page needs."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from flask import Blueprint, g, render_template, request

from kiosk.cards import DECK
from kiosk.rules import load_house
from kiosk.rules.options import House
from kiosk.web import signin
from kiosk.web.context import boot, in_force, kiosk, settings
from kiosk.web.dealer import state
from kiosk.web.refusals import parts_in_words
from kiosk.web.rulecard import rule_card, whole_card
from kiosk.web.seen import Json
from kiosk.web.texts import dictionary, versions_text

pages = Blueprint("pages", __name__)

THEMES = ("dark", "bright")


@pages.get("/")
def live() -> str:
    """The live table. It carries the round of this moment, so that it is never empty."""
    running, rules_now = kiosk(), in_force()
    now = running.snapshot(g.language)
    start = {
        "boot": boot(),
        "rules": rules_now,
        "version": settings().version,
        "language": g.language,
        "stale_ms": settings().stale_ms,
        "idle_s": settings().idle_s,
        "texts": dictionary(g.language),
        "cards": {str(card): card.name(g.language) for card in DECK},
        "round": now,
        "house": rule_card(_house_of(now)),
        "health": parts_in_words(running.health()),
        "panel": running.panel_state(),
        "here": signin.at_kiosk(),
        "dealer": state(),
    }
    return render_template("table.html", start=start)


@pages.get("/rules")
def rules() -> str:
    """The rule card in force at the table, open to everybody. ``?house=NAME``: that of a house
    that is drilled; ActionError for an unknown one."""
    now = kiosk().rulebook.now
    name = request.args.get("house", now.house.house.name)
    in_force = name == now.house.house.name
    if not in_force:
        now = replace(now, house=kiosk().drills.house(name), version=None)
    back = "/drill" if "house" in request.args else "/"
    # The mode is the table's, not of a house that is only drilled.
    card = whole_card(now) if in_force else whole_card(now) | {"mode": ""}
    return render_template("rules_open.html", in_force=in_force, back=back, **card)


def _house_of(now: Json) -> House:
    """The house of the round; one of one's own is known by its name to the rulebook alone."""
    house = kiosk().rulebook.now.house.house
    return house if house.name == now["house"] else load_house(str(now["house"]))


def look() -> dict[str, Any]:
    """What every page needs: theme, language, and what a supervisor reads off it."""
    wish = request.cookies.get("theme")
    default = settings().theme if settings().theme in THEMES else THEMES[0]
    return {
        "theme": wish if wish in THEMES else default,
        "language": g.language,
        "versions_text": versions_text(asdict(kiosk().versions)),
    }
