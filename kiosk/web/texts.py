"""Languages of the pages: which one a visitor gets, and the texts, read from the .po catalogues."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, Request, Response, g, request

from kiosk.rules.catalogue import catalogue
from kiosk.rules.words import plain

LANGUAGES = {"en": "English", "ru": "Русский"}
"""Language codes and their own names."""

CATALOGUES = (
    "messages.po",
    "calibrate.po",
    "drill.po",
    "audit.po",
    "people.po",
    "settings.po",
    "deck.po",
    "parts.po",
)
"""The texts of the pages: those of the live table and common ones, then one file a page."""

COOKIE = "lang"
YEAR_S = 365 * 24 * 3600


@lru_cache(maxsize=8)
def translations(language: str) -> NullTranslations:
    """The page texts in a language; English texts where it has none or is unknown."""
    if language not in LANGUAGES:
        return NullTranslations()
    place = resources.files("kiosk") / "locale" / language / "LC_MESSAGES"
    joined = Translations()
    for name in CATALOGUES:
        compiled = io.BytesIO()
        write_mo(compiled, read_po(io.BytesIO((place / name).read_bytes()), locale=language))
        compiled.seek(0)
        joined.merge(Translations(compiled))
    return joined


@lru_cache(maxsize=8)
def dictionary(language: str) -> dict[str, str]:
    """English text → text of the language, for the page's scripts. Empty for English."""
    found: NullTranslations = translations(language)
    catalogue: dict[Any, str] = getattr(found, "_catalog", {})
    return {
        key: text for key, text in catalogue.items() if isinstance(key, str) and key and text != key
    }


def msgid(text: str) -> str:
    """Marks a text for the catalogue where it is only named, not shown."""
    return text


SHARED_ZONES = {
    "dealer": msgid("Dealer"),
    "dealer-small": msgid("Dealer, small hand"),
    "board": msgid("Board"),
}


def zone_name(zone: str, translate: Callable[[str], str] | None = None) -> str:
    """A zone id in words; ``translate``: into another language than the request's."""
    translate = translate or gettext
    if zone in SHARED_ZONES:
        return translate(SHARED_ZONES[zone])
    number = zone.removeprefix("box").removesuffix("-small")
    small = zone.endswith("-small")
    return translate(msgid("Box {n}, small hand") if small else msgid("Box {n}")).format(n=number)


def word(slug: str, translate: Callable[[str], str] | None = None) -> str:
    """A bet, result or setting in words; unknown ones as they are."""
    return (translate or gettext)(WORDS[slug]) if slug in WORDS else slug


def amount_text(amount: Decimal | int, language: str | None = None) -> str:
    """A number as the pages group it, in a language; None: that of the request at hand.

    >>> amount_text(Decimal("1225.5"), "en"), amount_text(50000, "ru")
    ('1,225.50', '50\xa0000')
    """
    words = catalogue(language or str(g.get("language", "en")))
    return plain(Decimal(amount), words)


def moment(time: str | None) -> str:
    """A recorded time for people, to the second.

    >>> moment("2026-05-04T12:00:00.123456Z")
    '2026-05-04 12:00:00 UTC'
    """
    return re.sub(r"T(\d\d:\d\d:\d\d)(\.\d+)?", r" \1", time or "").replace("Z", " UTC")


_DECK = msgid("deck {name}")


def reader_text(model: str | None, translate: Callable[[str], str] | None = None) -> str:
    """What cards are read with: the hash of the weights, and the deck they were fitted to."""
    weights, _, deck = (model or "—").partition(" deck ")
    if not deck:
        return weights
    translate = translate or gettext
    return f"{weights} · {translate(_DECK).format(name=deck)}"


def versions_text(versions: Mapping[str, Any]) -> str:
    """Program and weights in one line, as they stand in the record of a hand."""
    model = reader_text(versions.get("model"))
    return gettext("Version {software} · card reader {model}").format(
        software=versions.get("software") or "—", model=model
    )


WORDS = {
    "ante": msgid("Ante"),
    "bet": msgid("Bet"),
    "exchange": msgid("Exchange"),
    "sixth": msgid("Sixth card"),
    "extra_two": msgid("Two extra cards"),
    "insurance": msgid("Insurance"),
    "bonus": msgid("Bonus"),
    "pair_plus": msgid("Pair plus"),
    "progressive": msgid("Progressive"),
    "buy": msgid("Buying the game"),
    "win": msgid("Pay"),
    "lose": msgid("Take"),
    "push": msgid("Stand-off"),
    "not-paid": msgid("Not paid"),
    "returned": msgid("Return"),
    "high-card": msgid("no combination"),
    "ace-king": msgid("ace-king"),
    "pair": msgid("pair"),
    "two-pair": msgid("two pair"),
    "three-of-a-kind": msgid("three of a kind"),
    "straight": msgid("straight"),
    "flush": msgid("flush"),
    "full-house": msgid("full house"),
    "four-of-a-kind": msgid("four of a kind"),
    "straight-flush": msgid("straight flush"),
    "royal-flush": msgid("royal flush"),
    "three-pair": msgid("three pair"),
    "fold": msgid("Fold"),
    "play": msgid("Plays"),
    "open": msgid("open"),
    "settled": msgid("settled"),
    "unfinished": msgid("unfinished"),
    "void": msgid("Misdeal"),
}
"""Slug of the interfaces → text of the catalogue."""


def choose(asked: Request, default: str) -> str:
    """The visitor's language: ``?lang=``, then the cookie, then the browser's, then the default."""
    for wish in (asked.args.get("lang"), asked.cookies.get(COOKIE)):
        if wish in LANGUAGES:
            return str(wish)
    fitting = asked.accept_languages.best_match(list(LANGUAGES))
    return fitting or (default if default in LANGUAGES else "en")


def gettext(text: str, language: str | None = None) -> str:
    """A page text in a language; None: that of the request at hand."""
    return translations(language or str(g.get("language", "en"))).gettext(text)


def install(app: Flask, default: str) -> None:
    """Chooses the language before each request, keeps an asked one, gives templates ``_``."""

    @app.before_request
    def _choose() -> None:
        g.language = choose(request, default)

    @app.after_request
    def _keep(response: Response) -> Response:
        wish = request.args.get("lang")
        if wish in LANGUAGES and request.cookies.get(COOKIE) != wish:
            response.set_cookie(COOKIE, wish, max_age=YEAR_S, samesite="Lax", httponly=True)
        return response

    app.jinja_env.globals.update(
        _=gettext,
        word=word,
        moment=moment,
        zone_name=zone_name,
        reader_text=reader_text,
        languages=LANGUAGES,
    )
