"""The page speaks English and Russian, and nothing is left untranslated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

import kiosk
import kiosk.web
from kiosk.rules import list_houses, load_house
from kiosk.web.texts import CATALOGUES, dictionary, translations

WEB = Path(kiosk.web.__file__).parent
LOCALE = Path(kiosk.__file__).parent / "locale"
GAP = re.compile(r"\{\w+\}")


def used() -> set[str]:
    """Every text that the pages, their scripts and their templates name."""
    found = {
        message
        for _, _, message, _, _ in extract_from_dir(
            str(WEB),
            method_map=[
                ("**.py", "python"),
                ("static/js/**.js", "javascript"),
                ("templates/**.html", "jinja2.ext:babel_extract"),
            ],
            options_map={"static/js/**.js": {"parse_template_string": True}},
            keywords={"_": None, "gettext": None, "t": None, "msgid": None},
        )
    }
    assert len(found) > 150, "the search for texts finds too little"
    return {str(message) for message in found}


def catalogue(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in CATALOGUES:
        with (LOCALE / language / "LC_MESSAGES" / name).open("rb") as file:
            texts = {str(m.id): str(m.string) for m in read_po(file, locale=language) if m.id}
        assert not set(texts) & set(found), f"{name} has texts that another catalogue has"
        found |= texts
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_text_lacks_a_translation(language: str) -> None:
    known = catalogue(language)
    assert sorted(text for text in used() if not known.get(text)) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_text_of_the_catalogue_is_idle(language: str) -> None:
    titles = {load_house(name).title for name in list_houses()}
    assert sorted(set(catalogue(language)) - used() - titles) == []


def test_russian_is_russian_and_keeps_the_gaps() -> None:
    for text, translated in catalogue("ru").items():
        assert sorted(GAP.findall(text)) == sorted(GAP.findall(translated)), text
        assert re.search("[А-Яа-яЁё]", translated), text


def test_the_dealers_words_are_those_of_the_glossary() -> None:
    words = translations("ru")
    for english, russian in {
        "Ante": "Анте",
        "Bet": "Бет",
        "Fold": "Пас",
        "Insurance": "Страховка",
        "no game": "no game",
        "NO GAME": "НЕТ ИГРЫ",
        "The game was not bought": "Игра не купилась",
        "Misdeal": "Пересдача",
        "ace-king": "туз-король",
        "full house": "фул-хаус",
        "TAKE": "ЗАБРАТЬ",
        "PAY": "ОПЛАТИТЬ",
        "RETURN": "ВЕРНУТЬ",
    }.items():
        assert words.gettext(english) == russian


def test_the_script_dictionary_is_empty_for_english() -> None:
    assert dictionary("en") == {}
    assert dictionary("ru")["PAY"] == "ОПЛАТИТЬ"


def test_language_by_question_cookie_and_browser(client: FlaskClient) -> None:
    def shown(**more: Any) -> str:
        page = client.get("/drill", **more).get_data(as_text=True)
        found = re.search(r'<html lang="(\w+)"', page)
        assert found
        return found[1]

    assert shown() == "en"
    assert shown(headers={"Accept-Language": "ru-RU,ru;q=0.9,en;q=0.8"}) == "ru"
    assert shown(headers={"Accept-Language": "fi"}) == "en"
    assert shown(query_string={"lang": "ru"}) == "ru"
    assert shown(headers={"Accept-Language": "en"}) == "ru", "the cookie keeps the choice"
    assert shown(query_string={"lang": "xx"}) == "ru"
    assert shown(query_string={"lang": "en"}) == "en"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_two_choices_of_a_list_read_the_same(language: str, client: FlaskClient) -> None:
    rules = client.application.url_map.iter_rules()
    lists = 0
    for path in sorted(r.rule for r in rules if "GET" in (r.methods or ()) and not r.arguments):
        if path in ("/events", "/stream.mjpg"):
            continue
        page = client.get(path, query_string={"lang": language})
        if page.mimetype != "text/html":
            continue
        for chosen in re.findall(r"<select.*?</select>", page.get_data(as_text=True), re.S):
            lists += 1
            texts = re.findall(r"<option[^>]*>(.*?)</option>", chosen, re.S)
            assert len(texts) == len(set(texts)), f"{path}: {texts}"
    assert lists > 10, "hardly any list was found"
