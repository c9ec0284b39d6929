"""The panel's texts are there in every language, keep their places and fit the display."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

import pytest

import firmware_bridge
from firmware_bridge.protocol import COLUMNS
from firmware_bridge.screen import display
from firmware_bridge.states import KINDS, LinkState
from firmware_bridge.texts import catalogue, translator
from firmware_bridge.view import View, ascii_text

ROOM = Path(firmware_bridge.__file__).parent


def _marked(*names: str) -> set[str]:
    """The texts marked with ``_()`` in these files."""
    found = set()
    for name in names:
        for node in ast.walk(ast.parse((ROOM / name).read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
                (text,) = node.args
                assert isinstance(text, ast.Constant)
                found.add(str(text.value))
    return found


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_text_is_in_the_catalogue_and_nothing_else(language: str) -> None:
    marked = _marked(*(path.name for path in ROOM.glob("*.py")))
    assert set(catalogue(language)) == marked


def test_places_in_the_texts_are_the_same_in_every_language() -> None:
    for english, russian in catalogue("ru").items():
        assert sorted(re.findall(r"%\(\w+\)s", english)) == sorted(
            re.findall(r"%\(\w+\)s", russian)
        )


NOTICES = {"Some bets have no answer", "Choose a box first"}
"""Texts that may take two rows."""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_texts_of_the_display_fit_it(language: str) -> None:
    translate = translator(language)
    names = "screen asks picks dealt entries model view"
    for text in _marked(*(f"{name}.py" for name in names.split())):
        rows = textwrap.wrap(ascii_text(translate(text)), COLUMNS)
        assert len(rows) <= (2 if text in NOTICES else 1), text


@pytest.mark.parametrize("kind", KINDS)
def test_every_state_says_what_is_the_case(kind: str) -> None:
    names = "port serial version ours wanted holder why".split()
    state = LinkState(kind, dict.fromkeys(names, "X"))
    assert state.text and "%" not in state.text
    assert state.as_dict()["kind"] == kind
    for language in ("en", "ru"):
        told = state.told(translator(language))
        assert told and "%" not in told
    assert state.told(translator("en")) == f"{state.text} {state.todo}".strip()


def test_pay_and_take_in_russian() -> None:
    result = {"paid": 400, "taken": 100, "bets": {}, "combinations": ["pair"]}
    box = {"box": 1, "zone": "box1", "in_play": True, "revealed": True, "result": result}
    lines = display({"boxes": [box], "revealed": True}, View(), translator("ru"))
    assert lines[0].rstrip() == "1 DAT 400 VZYAT 100"


def test_an_unknown_language_reads_as_english() -> None:
    assert translator("xx")("PAY") == "PAY"
