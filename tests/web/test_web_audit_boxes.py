"""P13: all boxes of a recorded hand are told, on its page and in print: settled, answered anew,
overruled, or never settled."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from pypdfium2 import PdfDocument

from kiosk.people import Role

Keep = Callable[..., Any]

FIRST = {"bet": {"result": "win", "amount": 200}}
LAST = {"bet": {"result": "win", "amount": 400}}
PUT_RIGHT = {
    "bets": FIRST, "right": {"bet": False}, "last": LAST, "last_right": {"bet": True},
    "verdict": "wrong", "mistakes": [],
}  # fmt: skip
UNSETTLED = {
    "bets": {"bet": {"result": "win", "amount": 777}}, "right": None,
    "last": {"bet": {"result": "win", "amount": 777}}, "verdict": None, "mistakes": [],
}  # fmt: skip
PLACE = {
    "table": "Table 1", "person": None, "house": "russian-a", "house_hash": "ab" * 32,
    "game": "russian", "mode": "training", "limits": {},
}  # fmt: skip


@pytest.fixture
def page_of(client: Any) -> Callable[..., str]:
    """What the page of a hand says, without the raw entries."""

    def read(hand_id: str, language: str = "en") -> str:
        page = client.get(f"/audit/{hand_id}?lang={language}").get_data(as_text=True)
        seen = page.split("<details", 1)[0]
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", seen))

    return read


@pytest.fixture
def print_of(client: Any) -> Callable[[str], str]:
    """What the printed page of a hand says."""

    def read(hand_id: str) -> str:
        printed = PdfDocument(io.BytesIO(client.get(f"/audit/{hand_id}.pdf").data))
        assert len(printed) == 1
        return " ".join(printed[0].get_textpage().get_text_range().split())

    return read


def test_p13_an_answer_put_right_is_told_beside_the_first(
    keep: Keep, page_of: Any, print_of: Any
) -> None:
    keep("r-000011", answers=[[1, PUT_RIGHT]])
    for told in (page_of("r-000011"), print_of("r-000011")):
        assert "Put right: Bet – Pay 400 ✓" in told, told
        assert "Pay 200" in told and "✗" in told
    russian = page_of("r-000011", "ru")
    assert re.search(r"Исправлено: Бет – \S+ 400 ✓", russian), russian


def test_p13_an_answer_that_was_left_alone_is_told_once(keep: Keep, page_of: Any) -> None:
    keep("r-000011")
    assert "Put right:" not in page_of("r-000011").split("Corrections", 1)[0]


def test_p13_who_answered_is_told_where_it_was_not_who_dealt(
    keep: Keep, page_of: Any, print_of: Any, small_kiosk: Any, client: Any
) -> None:
    """Also of hands whose settlement does not say it; and the person finds them."""
    anna, vera = (
        small_kiosk.people.add(name, Role.TRAINEE, pin=pin).id
        for name, pin in (("Anna", "2580"), ("Vera", "2581"))
    )
    keep("r-000011", answers=[[1, PUT_RIGHT | {"who": anna, "last_who": vera}]])
    said = {"who": anna, "box": 1, "bets": [["bet", "win", 200, None]]}
    small_kiosk.writer.append("answer", "r-000012", said)
    keep("r-000012")
    keep("r-000013", person=vera, answers=[[1, PUT_RIGHT | {"who": vera, "last_who": vera}]])
    for told in (page_of("r-000011"), print_of("r-000011")):
        assert "(answered by Anna, put right by Vera)" in told, told
    assert "(ответ – Anna, исправление – Vera)" in page_of("r-000011", "ru")
    assert "(answered by Anna)" in page_of("r-000012")
    for told in (page_of("r-000013"), print_of("r-000013")):
        assert "answered by" not in told
    listed = client.get(f"/audit?person={anna}").get_data(as_text=True)
    assert "r-000012" in listed and "r-000013" not in listed and "answered by Anna" in listed
    table = client.get("/audit/export.csv").get_data(as_text=True)
    told_by = [row["answered_by"] for row in csv.DictReader(io.StringIO(table))]
    assert told_by == ["1:Anna", "1:Anna", "1:Vera"]


def test_p13_a_second_answer_is_among_the_corrections(
    keep: Keep, small_kiosk: Any, page_of: Any, print_of: Any
) -> None:
    keep("r-000011")
    for amount in (200, 400):
        said = {"who": "page", "box": 1, "bets": [["bet", "win", amount, None]]}
        small_kiosk.writer.append("answer", "r-000011", said)
    for told in (page_of("r-000011"), print_of("r-000011")):
        changes = told.split("Corrections and decisions", 1)[1]
        assert changes.count("Answer of the dealer") == 1
        assert "Answer of the dealer: Bet – Pay 400" in changes


def test_p13_a_box_overruled_beside_a_settled_one_is_told(
    keep: Keep, client: Any, page_of: Any, print_of: Any
) -> None:
    overruled = [[2, "page", "card torn, paid by hand"]]
    keep("r-000011", answers=[[2, UNSETTLED]], overruled=overruled)
    for told in (page_of("r-000011"), print_of("r-000011")):
        assert "Box 2" in told and "777" in told
        assert "Overruled: card torn, paid by hand (at the page)" in told
    found = client.get("/api/v1/audit?seat=2").get_json()["hands"]
    assert [hand["id"] for hand in found] == ["r-000011"]


def overrule_all(small_kiosk: Any, round_id: str, end: str = "round-finished") -> None:
    """Records a hand whose only box was bet on, answered and overruled."""
    writer, who = small_kiosk.recorded and small_kiosk.writer, {"who": "page", "box": 1}
    writer.append("round-started", round_id, PLACE)
    writer.append("bets-entered", round_id, who | {"bets": [["ante", 550]]})
    writer.append("answer", round_id, who | {"bets": [["bet", "win", 777, None]]})
    writer.append("overruled", round_id, who | {"reason": "deck fell"})
    writer.append(end, round_id, {"complete": True, "reason": "cards mixed", "who": "page"})


def test_p13_a_hand_settled_by_hand_tells_its_boxes_and_is_found(
    small_kiosk: Any, client: Any, page_of: Any, print_of: Any
) -> None:
    overrule_all(small_kiosk, "r-000011")
    for told in (page_of("r-000011"), print_of("r-000011")):
        assert "There is no settlement." in told and "settled by hand" in told
        assert "550" in told and "Pay 777" in told
        assert "Overruled: deck fell (at the page)" in told
    assert "рассчитана вручную" in page_of("r-000011", "ru")
    for query in ("seat=1", "state=by-hand", "state=overruled", "seat=1&state=overruled"):
        found = client.get(f"/api/v1/audit?{query}").get_json()["hands"]
        assert [hand["id"] for hand in found] == ["r-000011"], query
    assert client.get("/api/v1/audit?state=open").get_json()["hands"] == []
    assert "settled by hand" in client.get("/audit?state=by-hand&lang=en").get_data(as_text=True)


def test_p13_a_misdeal_tells_its_boxes_and_is_found(
    small_kiosk: Any, client: Any, page_of: Any, print_of: Any
) -> None:
    overrule_all(small_kiosk, "r-000011", "voided")
    for told in (page_of("r-000011"), print_of("r-000011")):
        assert "Misdeal" in told and "550" in told and "Pay 777" in told
    found = client.get("/api/v1/audit?seat=1&state=void").get_json()["hands"]
    assert [hand["id"] for hand in found] == ["r-000011"]


def test_p13_a_settlement_overruled_is_told_with_the_reason(
    keep: Keep, small_kiosk: Any, page_of: Any, print_of: Any
) -> None:
    keep("r-000011")
    told = {"who": "page", "box": None, "reason": "deck fell"}
    small_kiosk.writer.append("overruled", "r-000011", told)
    for told_there in (page_of("r-000011"), print_of("r-000011")):
        assert "Overruled: deck fell (at the page)" in told_there
        assert "Pay 400" in told_there or "400 / 0" in told_there
