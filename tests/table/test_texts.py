"""Texts of the questions: complete in both languages, gaps kept."""

from __future__ import annotations

import string

import pytest

from kiosk.rules.catalogue import catalogue
from kiosk.table.texts import MSGIDS


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_text_is_in_the_catalogue_with_its_gaps(language: str) -> None:
    known = catalogue(language, "table").texts
    for msgid in MSGIDS:
        assert ("", msgid) in known, msgid
        assert gaps(known["", msgid]) == gaps(msgid)
    assert {msgid for _, msgid in known} == set(MSGIDS)
