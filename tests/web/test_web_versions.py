"""Program and weights can be read off every page and every hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pypdfium2 as pdfium
import pytest
from web_pages import PAGES

from kiosk.hands import in_full
from kiosk.record.schema import Versions

SOFTWARE, MODEL = "1.2.3", "0123456789ab+cdef01234567"


def printed(pdf: bytes) -> str:
    """The text of a printed page; spaces, which a line's end swallows, left out."""
    page = pdfium.PdfDocument(pdf)[0]
    return "".join(page.get_textpage().get_text_range().split())


def test_every_page_names_program_and_weights(
    client: Any, stranger: Any, keep: Callable[..., Any]
) -> None:
    keep("r-000007")
    for path in PAGES:
        asks = stranger if path == "signin" else client
        answer = asks.get(f"/{path}", follow_redirects=True)
        page = answer.get_data(as_text=True)
        assert SOFTWARE in page and MODEL in page, path


def test_the_deck_read_with_is_named_in_the_pages_language(client: Any, small_kiosk: Any) -> None:
    small_kiosk.versions = Versions(SOFTWARE, f"{MODEL} deck Club blue 2")
    page = client.get("/drill?lang=ru").get_data(as_text=True)
    assert f"Версия {SOFTWARE} · чтение карт {MODEL} · колода Club blue 2" in page
    small_kiosk.versions = Versions(SOFTWARE, None)
    assert "card reader —" in client.get("/drill?lang=en").get_data(as_text=True)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_recorded_hand_names_what_read_and_settled_it(
    client: Any, small_kiosk: Any, keep: Callable[..., Any], language: str
) -> None:
    keep("r-000007", versions={"software": "0.9.1", "model": f"{MODEL} deck Club blue 2"})
    deck = {"en": "deck", "ru": "колода"}[language]
    page = client.get(f"/audit/r-000007?lang={language}").get_data(as_text=True)
    assert "0.9.1" in page and f"{MODEL} · {deck} Club blue 2" in page
    pdf = client.get(f"/audit/r-000007.pdf?lang={language}").data
    reader = {"en": "Cardreader(hash)", "ru": "Модельчтениякарт(хеш)"}[language]
    assert f"0.9.1{reader}{MODEL}·{deck}Clubblue2" in printed(pdf)


def test_a_hand_without_settlement_names_them_too(client: Any, small_kiosk: Any) -> None:
    assert small_kiosk.recorded is not None
    place = {"table": "T", "house": "russian-a", "mode": "training"}
    versions = Versions(SOFTWARE, MODEL).as_json()
    small_kiosk.writer.append("round-started", "r-000031", place | {"versions": versions})
    small_kiosk.writer.append("voided", "r-000031", {"reason": "cards fell", "who": "page"})
    page = client.get("/audit/r-000031").get_data(as_text=True)
    assert page.count(MODEL) >= 2 and page.count(SOFTWARE) >= 2
    with small_kiosk.recorded._reading() as record:
        assert in_full(record.hand("r-000031"), [])["versions"] == versions
