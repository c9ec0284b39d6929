"""Texts in the languages of the kiosk, from gettext ``.po`` files read as they are.

A reader of its own, so that the rules need nothing but the standard library and no ``.mo`` has to
be compiled. It reads ``msgctxt``, ``msgid`` and ``msgstr``; plural forms are not used here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources

LANGUAGES = ("en", "ru")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Translations by context and English text; what is absent reads as English."""

    language: str
    texts: dict[tuple[str, str], str] = field(default_factory=dict)

    def get(self, text: str, context: str = "") -> str:
        """The text in this language; ``context`` tells apart equal English texts."""
        return self.texts.get((context, text)) or text


@lru_cache(maxsize=8)
def catalogue(language: str, domain: str = "rules") -> Catalogue:
    """The catalogue of a language; languages the kiosk does not have read as English."""
    known = language if language in LANGUAGES else "en"
    file = resources.files("kiosk").joinpath("locale", known, "LC_MESSAGES", f"{domain}.po")
    if not file.is_file():
        return Catalogue(known)
    return Catalogue(known, dict(parse_po(file.read_text(encoding="utf-8"))))


def parse_po(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """``((context, msgid), msgstr)`` of each entry of a ``.po`` text, without the header.

    Raises ValueError naming the line that cannot be read.
    """
    entry: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate([*text.splitlines(), "msgid"], start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        starts = line.split(" ", 1)[0]
        if starts in ("msgctxt", "msgid") and "msgstr" in entry:
            if entry.get("msgid"):
                yield (entry.get("msgctxt", ""), entry["msgid"]), entry["msgstr"]
            entry = {}
        if starts in ("msgctxt", "msgid", "msgstr"):
            keyword, line = starts, line[len(starts) :].strip()
            entry[keyword] = ""
        if line:
            entry[keyword] = entry.get(keyword, "") + _quoted(line, number)


def _quoted(line: str, number: int) -> str:
    try:
        value = ast.literal_eval(line)
    except (SyntaxError, ValueError):
        value = None
    if not isinstance(value, str) or not line.startswith('"'):
        raise ValueError(f"line {number}: expected a text in quotes")
    return value
