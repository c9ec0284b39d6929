"""P13: a hand is found by what a supervisor remembers of it, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from kiosk.record import search
from kiosk.record.audit import amounts
from kiosk.record.database import open_database
from kiosk.record.record import Record
from kiosk.record.search import ANY, Cursor, HandFilter
from kiosk.record.tables import hands

Open = Callable[..., Record]
Play = Callable[..., str]

SLIP = {"bet": "bet", "kind": "wrong-row-kind", "mistake": "wrong-row", "difference": 5}


def answered(verdict: str, *mistakes: dict[str, Any]) -> dict[str, Any]:
    return {"answers": [[1, {"verdict": verdict, "mistakes": list(mistakes)}]]}


@pytest.fixture
def ids(open_record: Open) -> Callable[..., list[str]]:
    """Finds hands in the open record."""

    def find(record: Record, **wanted: Any) -> list[str]:
        return [hand.id for hand in record.hands(HandFilter(**wanted), newest_first=False)]

    return find


def test_p13_by_mistake_also_when_it_was_put_right_later(
    open_record: Open, play: Play, settled: Callable[..., Any], ids: Any
) -> None:
    record = open_record()
    good = play(record)
    wrong = play(record)
    payload = settled().to_payload()
    record.append("settled", good, payload | answered("right"))
    record.append("settled", wrong, payload | answered("wrong", SLIP))
    record.append("settled", wrong, payload | answered("right"))
    assert ids(record, mistake=ANY) == ids(record, mistake="wrong-row") == [wrong]
    assert ids(record, mistake="wrong-row-kind") == [wrong]
    assert ids(record, mistake="arithmetic") == []
    assert record.verify().findings == ()


def test_p13_by_amount_of_the_hand_or_a_box(
    open_record: Open, play: Play, settled: Callable[..., Any], ids: Any
) -> None:
    record = open_record()
    small = play(record, paid=400)
    large = play(record, paid=Decimal("12.5"))
    result = {"box": 2, "combinations": [], "bets": {}, "paid": 0, "taken": 9000}
    whole = {"dealer": {}, "paid": 100, "taken": 9000, "boxes": [result]}
    taken = play(record, settlement=whole)
    assert ids(record, least=Decimal(400), most=Decimal(400)) == [small]
    assert ids(record, least=Decimal("12.5"), most=Decimal("12.5")) == [large]
    assert ids(record, least=Decimal(9000)) == [taken]
    assert ids(record, most=Decimal(100)) == [large, taken]
    assert ids(record, least=Decimal(9000), box=1) == []
    with pytest.raises(ValueError, match="0 or more"):
        HandFilter(least=Decimal(-1))


def two_boxes(settled: Callable[..., Any]) -> dict[str, Any]:
    """Two pair in box 1 are paid 400, a flush in box 2 is answered wrongly and takes 900."""
    first = {"box": 1, "combinations": ["two-pair"], "bets": {}, "paid": 400, "taken": 0}
    second = {"box": 2, "combinations": ["flush"], "bets": {}, "paid": 0, "taken": 900}
    dealer = {"combination": "pair", "game": True}
    whole = {"dealer": dealer, "paid": 400, "taken": 900, "boxes": [first, second]}
    right, wrong = {"verdict": "right", "mistakes": []}, {"verdict": "wrong", "mistakes": [SLIP]}
    answers: dict[str, Any] = {"answers": [[1, right], [2, wrong]]}
    return settled(settlement=whole).to_payload() | answers


@pytest.mark.parametrize(
    "asked",
    [
        {"combination": "flush"},
        {"mistake": ANY},
        {"mistake": "wrong-row"},
        {"least": Decimal(900)},
        {"state": "overruled"},
        {"combination": "flush", "mistake": ANY, "least": Decimal(900), "state": "overruled"},
    ],
)
@pytest.mark.parametrize("few", [0, 1000])
def test_p13_what_is_asked_beside_a_seat_is_asked_of_that_seat(
    open_record: Open,
    settled: Callable[..., Any],
    ids: Any,
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    asked: dict[str, Any],
) -> None:
    monkeypatch.setattr(search, "_FEW", few)
    record = open_record()
    record.append("settled", "r-1", two_boxes(settled))
    record.append("overruled", "r-1", {"box": 2, "who": "v", "reason": "torn"})
    assert ids(record, **asked) == ids(record, box=2, **asked) == ["r-1"]
    assert ids(record, box=1, **asked) == ids(record, box=3, **asked) == []
    assert ids(record, box=1, combination="two-pair", least=Decimal(400)) == ["r-1"]
    assert ids(record, combination="pair") == ["r-1"]
    assert ids(record, box=1, combination="pair") == [], "the dealer alone has a pair"
    assert record.verify().findings == ()


def test_p13_hands_without_a_settlement_are_found_by_seat_and_state(
    open_record: Open, settled: Callable[..., Any], ids: Any
) -> None:
    """All boxes overruled; one of two; a misdeal; one that a stop left unfinished."""
    record = open_record()
    torn = {"who": "v", "reason": "torn"}
    said = {"who": "v", "box": 2, "bets": [["bet", "win", 777, None]]}
    for round_id in ("r-1", "r-2", "r-3", "r-4"):
        record.append("round-started", round_id, {"table": "T"})
        record.append("answer", round_id, said)
    record.append("overruled", "r-1", torn | {"box": None})
    record.append("round-finished", "r-1", {"complete": True})
    overruled = {"overruled": [[2, "v", "torn"]], "answers": [[2, {"verdict": None}]]}
    record.append("overruled", "r-2", torn | {"box": 2})
    record.append("settled", "r-2", settled().to_payload() | overruled)
    record.append("round-finished", "r-2", {"complete": True})
    record.append("voided", "r-3", torn)
    record.append("unfinished", "r-4", {"state": "open"})
    assert ids(record, box=2) == ["r-1", "r-2", "r-3", "r-4"]
    assert ids(record, box=2, state="overruled") == ["r-1", "r-2"]
    assert ids(record, state="by-hand") == ["r-1"] and ids(record, state="open") == []
    assert ids(record, box=2, state="void") == ["r-3"]
    assert ids(record, box=2, state="unfinished") == ["r-4"]
    assert record.verify().findings == ()


@pytest.mark.parametrize("few", [0, 5, 1000])
@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"combination": "full-house"},
        {"combination": "two-pair", "box": 1},
        {"least": Decimal(300), "most": Decimal(600)},
        {"table": "Table 4", "least": Decimal(300), "combination": "full-house"},
        {"state": "settled", "person": "trainee-7"},
        {"combination": "two-pair", "box": 1, "person": "trainee-7"},
    ],
)
def test_p13_page_by_page_is_the_whole_list_whatever_is_rare(
    open_record: Open, play: Play, monkeypatch: pytest.MonkeyPatch, few: int, wanted: dict[str, Any]
) -> None:
    monkeypatch.setattr(search, "_FEW", few)
    record = open_record()
    for number in range(12):
        slug = "full-house" if number % 3 == 0 else "two-pair"
        play(record, paid=100 * number, slug=slug)
    everything = list(record.hands())
    fitting = {
        hand.id
        for hand in everything
        if ("combination", wanted.get("combination", "pair")) in hand.terms
        and (
            "least" not in wanted
            or wanted["least"] <= (hand.paid or 0) <= wanted.get("most", Decimal(10**6))
        )
    }
    for newest_first in (True, False):
        found: list[str] = []
        after = None
        while page := list(
            record.hands(HandFilter(**wanted), newest_first=newest_first, limit=5, after=after)
        ):
            found += [hand.id for hand in page]
            after = Cursor.parse(str(Cursor.of(page[-1])))
        assert found == sorted(fitting, reverse=newest_first)
        assert len(found) >= 3


@pytest.mark.parametrize("text", ["", "~~", "a~b", "2031~kiosk~r~1", "a~b~c" * 60])
def test_a_bad_cursor_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no place"):
        Cursor.parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("400", (400, 400)),
        ("400..900", (400, 900)),
        ("400..", (400, None)),
        ("..12,5", (None, Decimal("12.5"))),
        ("1 000", (1000, 1000)),
        (None, (None, None)),
    ],
)
def test_amounts_as_people_write_them(text: str | None, expected: tuple[Any, Any]) -> None:
    assert amounts(text) == expected


def answered_by(record: Record, settlement: dict[str, Any], dealt: str | None, who: str) -> str:
    hand = record.new_round_id()
    record.append("round-started", hand, {"table": "T", "person": dealt})
    record.append("answer", hand, {"box": 1, "who": who, "bets": []})
    record.append("settled", hand, settlement | {"person": dealt})
    record.append("round-finished", hand, {})
    return hand


def test_p13_a_person_finds_the_hands_that_they_dealt_or_answered(
    open_record: Open, settled: Callable[..., Any], ids: Any
) -> None:
    record, payload = open_record(), settled().to_payload()
    mine = answered_by(record, payload, None, "p-anna")
    dealt = answered_by(record, payload, "p-anna", "page")
    answered_by(record, payload, "p-boris", "panel")
    assert ids(record, person="p-anna") == [mine, dealt]
    assert ids(record, person="p-anna", box=1) == [mine, dealt]
    assert ids(record, person="p-anna", box=2) == []
    assert record.names()["person"] == ["p-anna", "p-boris"]
    assert record.verify().findings == ()


@contextmanager
def of_form(form: str, file: Path) -> Iterator[Connection]:
    """A record that is made one of an earlier form: its tables are changed within."""
    old = open_database(file, read_only=False)
    config = Config()
    config.set_main_option("script_location", "kiosk.record:migrations")
    config.set_main_option("path_separator", "os")
    with old.writing() as connection:
        yield connection
        config.attributes["connection"] = connection
        command.stamp(config, form, purge=True)
    old.close()


def test_p13_a_record_of_the_form_before_finds_who_answered(
    tmp_path: Path, open_record: Open, settled: Callable[..., Any], ids: Any
) -> None:
    record = open_record()
    hand = answered_by(record, settled().to_payload(), None, "p-anna")
    record.close()
    with of_form("0005", tmp_path / "record.db") as connection:
        connection.exec_driver_sql("DELETE FROM hand_terms WHERE term LIKE 'person%'")
    record = open_record()
    assert ids(record, person="p-anna") == [hand]
    assert record.verify().findings == ()


@pytest.mark.parametrize("text", ["..", "x", "-5", "nan", "1e30", "4..x", "9..1"])
def test_amounts_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"amount|ends before"):
        amounts(text)


def test_a_record_of_the_first_form_is_brought_up_to_date(
    tmp_path: Path, open_record: Open, play: Play, ids: Any
) -> None:
    """Its lists had no amounts: they are made again from the entries."""
    record = open_record()
    known = [play(record, paid=400), play(record, paid=900)]
    record.close()
    with of_form("0001", tmp_path / "record.db") as connection:
        connection.exec_driver_sql("DELETE FROM hand_terms WHERE term = 'amount'")
        for name in ("hand_terms_value", "hands_overruled", "hands_assumed", "hands_newest"):
            connection.exec_driver_sql(f"DROP INDEX {name}")
        connection.exec_driver_sql("DROP TABLE presence")
        for column in ("paid", "taken"):
            connection.exec_driver_sql(f"CREATE INDEX hands_{column} ON hands ({column}_e4, time)")
        connection.exec_driver_sql(
            "CREATE INDEX hand_terms_value ON hand_terms (term, value, time)"
        )
    record = open_record()
    assert ids(record, least=Decimal(900)) == known[1:]
    assert ids(record) == known
    assert record.verify().findings == ()


def test_the_tables_are_those_that_the_migrations_make(open_record: Open) -> None:
    from sqlalchemy import inspect

    record = open_record()
    with record.database.reading() as connection:
        there = {index["name"] for index in inspect(connection).get_indexes("hands")}
    assert there == {str(index.name) for index in hands.indexes}
