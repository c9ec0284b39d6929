"""The panel's texts in the languages of the kiosk, from ``kiosk/locale/*/LC_MESSAGES/panel.po``."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache
from importlib import resources

from babel.messages.pofile import read_po


@lru_cache(maxsize=4)
def catalogue(language: str) -> dict[str, str]:
    """English text → text of the language; empty for a language without a catalogue."""
    place = resources.files("kiosk") / "locale" / language / "LC_MESSAGES" / "panel.po"
    if not place.is_file():
        return {}
    read = read_po(io.BytesIO(place.read_bytes()), locale=language)
    return {
        message.id: message.string
        for message in read
        if isinstance(message.id, str) and message.id and isinstance(message.string, str)
    }


def translator(language: str) -> Callable[[str], str]:
    """What turns an English text of the panel into the language; unknown texts stay English."""
    texts = catalogue(language)
    return lambda text: texts.get(text) or text
