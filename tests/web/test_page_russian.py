"""A page in Russian has no English word on it, whatever state the kiosk is in."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from web_pages import PAGES, STRANGERS

from kiosk.people import Role
from kiosk.record.errors import _TEXTS as RECORD_TEXTS
from kiosk.record.errors import record_error
from kiosk.vision.decks import KnownDeck
from kiosk.vision.sources.watch import Signs, Watch, WatchSettings, begin, judge
from kiosk.web.refusals import in_words

SCRIPTED = ("", "drill", "calibrate", "calibrate/deck")
"""Pages that scripts fill: these are read in a browser."""

NAMES = {
    # What is called so in every language: programs, formats, keys of a keyboard, card ranks.
    "PDF", "CSV", "JSON", "PIN", "UTC", "JPEG", "TOML", "SQLite", "PostgreSQL", "Enter", "English",
    "USB", "PNG", "WSGI", "SHA", "HTTP", "Ed", "ChArUco", "JavaScript",
}  # fmt: skip
LATIN = re.compile(r"[A-Za-z]{3,}")
DATA = re.compile(
    r"r-\d{6}|p-[0-9a-f]+|\b[0-9a-f]{10,}\b|https?://\S+|/[\w./{}-]+|[\w-]+\.(?:toml|py|db|jpg)"
    r"|\b(?:russian|oasis|texas|five|six|three|split)-[a-z0-9]+\b|\b[A-Z0-9]+(?:-[A-Z0-9]+)+\b"
)
"""Ids, hashes, addresses, files, names of houses and layouts, rule ids."""

READ = """() => {
  const shown = document.body.innerText;
  const told = [...document.querySelectorAll('[aria-label],[title],[alt],[placeholder]')]
    .filter(e => e.checkVisibility()).flatMap(e =>
      ['aria-label', 'title', 'alt', 'placeholder'].map(n => e.getAttribute(n) ?? ''));
  return [shown, ...told].join('\\n');
}"""


def english(text: str, *known: str) -> list[str]:
    """The English words in a text, without data and names."""
    for name in known:
        text = text.replace(name, " ")
    return sorted(set(LATIN.findall(DATA.sub(" ", text))) - NAMES)


def shown(page: str) -> str:
    """The text of a page and of the attributes that people hear or see."""
    body = page.partition("<body")[2].partition(">")[2]
    body = re.sub(r"<(script|style|pre|svg|code|kbd)\b.*?</\1>", " ", body, flags=re.S)
    told = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', body)
    return html.unescape("\n".join([re.sub(r"<[^>]*>", " ", body), *told]))


def test_the_search_finds_english() -> None:
    page = '<body><p title="Close it">Рука r-000007 готова: dealt</p><pre>raw data</pre>'
    assert english(shown(page)) == ["Close", "dealt"]


PEOPLE = ("trainee", "instructor", "supervisor", "admin")
"""The names of the tests' people."""

TYPED = (
    "Table 1",
    "unplugged",
    'value="Russian Poker A"',
    "none",
    "kiosk audit verify --head HASH",
    "kiosk",
)
"""What people type, commands, the name of the kiosk."""


def test_every_page_is_russian(client: Any, stranger: Any, keep: Callable[..., Any]) -> None:
    keep("r-000007")
    found = {}
    for path in PAGES:
        if path in SCRIPTED:
            continue
        asks = stranger if path in STRANGERS[1:] else client
        page = asks.get(f"/{path}?lang=ru", follow_redirects=True).get_data(as_text=True)
        if words := english(shown(page), *PEOPLE, *TYPED):
            found[path] = words
    assert found == {}


def test_every_page_of_scripts_is_russian(visitor: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.decks.problem = "deck Клуб: checked with other weights, check it again"
    text = "deck Клуб: 91.0% read, below the limit of 95%: not used"
    small_kiosk.parts["deck"] = {"ok": False, "text": text}
    found = {}
    for path in SCRIPTED:
        page = visitor.open(path, language="ru", role=Role.ADMIN)
        page.wait_for_timeout(600)
        if words := english(page.evaluate(READ), *PEOPLE, *TYPED, "BOX 1", "PAY"):
            found[path] = words
    assert found == {}


@pytest.mark.parametrize("kind", sorted(RECORD_TEXTS))
def test_what_the_record_says_of_itself_is_russian(kind: str) -> None:
    error = record_error(kind, "/srv/r.db", "E5")
    line = f"{error.sentence}; {error.advice} (12 entries wait, 1 lost)"
    told = in_words(line, "ru")
    allowed = ("kiosk audit verify", "--data", "psycopg", "pip install", "binary", "USER@HOST")
    assert english(told, *allowed, "postgresql", "DATABASE") == [], told
    assert told.endswith("(записей ждёт: 12, потеряно: 1)")


def test_what_the_camera_says_of_itself_is_russian() -> None:
    calm = Signs(alive=True, opened=True, count=1, taken=0.0, print=1, brightest=200)
    told = set()
    for signs, now in (
        (replace(calm, ended=True), 0.1),
        (replace(calm, alive=False), 0.1),
        (replace(calm, opened=False, count=0), 60.0),
        (calm, 60.0),
    ):
        watch = judge(begin(Watch(), 0.0), signs, now, True, WatchSettings())
        assert watch.message
        told.add(watch.message)
    assert len(told) == 4
    for message in (*told, "the picture stands still", "waiting for sample"):
        assert english(in_words(message, "ru"), "sample") == [], message


def test_what_the_deck_says_of_itself_is_russian(small_kiosk: Any) -> None:
    desk = small_kiosk.decks
    assert english(in_words(desk.checked()[1], "ru")) == []
    wrong = {"cards": {"Jh": {"wrong": 0.2}}, "found": 0.2}
    for stale, recall, figures in (
        (True, 0.99, {"cards": {}}),
        (False, 0.99, {"cards": {}}),
        (False, 0.2, {"cards": {}}),
        (False, 0.2, wrong),
        (False, 0.99, wrong | {"found": 1.0}),
    ):
        desk.deck = KnownDeck("Клуб", 2, "", recall, 0.0, figures, None, stale)
        assert english(in_words(desk.checked()[1], "ru"), "J") == [], (stale, recall)
