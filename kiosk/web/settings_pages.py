"""The rules in force, changing them (between rounds only), old versions, and the printed card."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import UserError
from kiosk.people import PeopleError
from kiosk.rulebook import Rulebook, Rules
from kiosk.rules import list_houses, load_house_file
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import figures
from kiosk.saved import Version
from kiosk.web import settings_form, signin
from kiosk.web.context import kiosk
from kiosk.web.rulecard import card_words, whole_card
from kiosk.web.settings_refusals import problem_in_words
from kiosk.web.settings_texts import MODES, ORDERS, TABLE, fact_name, fact_text
from kiosk.web.signin import people, require
from kiosk.web.texts import gettext, msgid

settings_pages = Blueprint("settings", __name__)

CHANGED = msgid("The rules were saved by somebody else meanwhile: compare, then save again.")
"""For a form that was filled before the newest save: its fields would take that one back."""


FIXED = {"house": msgid("House"), "mode": msgid("Mode")}
"""What the command line may set that the page would."""


def rulebook() -> Rulebook:
    """The rules of the running kiosk."""
    return kiosk().rulebook


@settings_pages.get("/settings")
def overview() -> Response:
    """The rule card in force, what waits for the next round, the versions."""
    return _overview()


@settings_pages.get("/settings/rulecard")
def rulecard() -> str:
    """The rule card in force, for printing."""
    now = rulebook().now
    return render_template("rulecard.html", **whole_card(now))


@settings_pages.get("/settings/edit")
@require("settings.edit")
def edit() -> Response:
    """The form. ``?house=NAME``: filled with that house."""
    now = rulebook().now.settings
    wish = request.args.get("house") or now.house
    try:
        return _form(settings_form.allowed_house(wish, now.house))
    except UserError as problem:
        return _form(now.house, problem_in_words(str(problem)))


@settings_pages.post("/settings/edit")
@require("settings.edit")
def save() -> BaseResponse:
    """Keeps the form as a new version; it takes force with the next round."""
    book = rulebook()
    now = {**_table_now(book.now), "house": book.now.settings.house}
    try:
        wish = settings_form.read_wish(request.form, now)
        if request.form.get("newest", _newest()) != _newest():
            raise UserError(CHANGED)
        return _saved(book.save(wish, signin.session_person().id))
    except UserError as problem:
        house = request.form.get("house", "")
        known = house in list_houses() or house == book.now.settings.house
        return _form(house if known else book.now.settings.house, _in_words(problem))


@settings_pages.post("/settings/back")
@require("settings.edit")
def back() -> BaseResponse:
    """The configuration file counts again."""
    try:
        reason = settings_form.reason_of(request.form)
        return _saved(rulebook().go_back(signin.session_person().id, reason))
    except UserError as problem:
        return _overview(_in_words(problem))


@settings_pages.post("/settings/versions/<int:number>")
@require("settings.edit")
def again(number: int) -> BaseResponse:
    """An old version becomes the newest."""
    try:
        reason = settings_form.reason_of(request.form)
        return _saved(rulebook().repeat(number, signin.session_person().id, reason))
    except UserError as problem:
        return _overview(_in_words(problem))


def _in_words(problem: UserError) -> str:
    line = str(problem)
    own = line in (CHANGED, settings_form.NO_REASON)
    return gettext(line) if own else problem_in_words(line)


def _newest() -> str:
    """Which save is the newest, for the form to tell; empty: none yet."""
    try:
        newest = rulebook().saved.newest()
    except UserError:
        return ""
    return "" if newest is None else str(newest.number)


def _saved(version: Version) -> BaseResponse:
    # The version itself says who and when.
    with suppress(PeopleError):
        people().note(signin.session(), "settings", f"v{version.number}")
    return redirect("/settings", 303)


def _overview(problem: str | None = None) -> Response:
    book = rulebook()
    try:
        versions = book.saved.versions()[:30]
    except UserError as found:
        versions, problem = [], problem or problem_in_words(str(found))
    about = kiosk().about()
    page = render_template(
        "settings.html",
        **whole_card(book.now),
        waiting=book.waiting,
        versions=versions,
        now_version=book.now.version,
        fixed=[gettext(text) for name, text in FIXED.items() if name in book.fixed],
        brought=book.game is not None,
        groups={name: about[name] for name in ("kiosk", "versions") if name in about},
        name_of=_name_of,
        fact_name=fact_name,
        fact_text=fact_text,
        problem=problem,
    )
    return Response(page, 200 if problem is None else 400)


def _name_of(person: str) -> str:
    try:
        return people().name_of(person) or person
    except PeopleError:
        return person


def _table_now(rules: Rules) -> dict[str, Any]:
    table = rules.settings.table
    return {name: getattr(table, name) for name in settings_form.TABLE_FIELDS}


def _form(house: str, problem: str | None = None) -> Response:
    """The form, with what was typed where it did not hold."""
    book = rulebook()
    file: HouseFile = load_house_file(house)
    typed = request.form if request.method == "POST" else None
    page = render_template(
        "settings_edit.html",
        file=file,
        chosen=house,
        newest=_newest(),
        houses=_houses(book),
        fields=settings_form.fields_of(file),
        table={name: _typed_table(name, value) for name, value in _table_now(book.now).items()},
        table_names=TABLE,
        orders=ORDERS,
        modes=MODES,
        mode=book.now.settings.play_mode,
        fixed=book.fixed,
        brought=book.game is not None,
        typed=lambda key, text: text if typed is None else typed.get(key, text),
        problem=problem,
        **card_words(),
    )
    return Response(page, 200 if problem is None else 400)


def _houses(book: Rulebook) -> list[tuple[str, str]]:
    """Houses that can be played on this felt, by name and title; the one in force first."""
    games = book.layout.games
    now = book.now
    mark = gettext("in force")
    found = [(now.settings.house, f"{gettext(now.house.house.title)} ({mark})")]
    for name in list_houses():
        house = load_house_file(name).house
        playable = house.game == book.game if book.game else not games or house.game in games
        if name != now.settings.house and playable:
            found.append((name, gettext(house.title)))
    return found


def _typed_table(name: str, value: Any) -> str:
    if name == "chips":
        return " ".join(figures(chip) for chip in sorted(value, reverse=True))
    if isinstance(value, Decimal):
        return figures(value)
    return "none" if value is None else str(value)
