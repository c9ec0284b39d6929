"""P8: what people's answers at the table came to, counted from the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from kiosk.bench.bulk import BEGIN, KIOSK, fill
from kiosk.record.database import open_database
from kiosk.record.reading import RecordReader
from kiosk.record.record import Record
from kiosk.record.schema import Place
from kiosk.record.tally import AtTable, Tally, together

Open = Callable[..., Record]
Deal = Callable[..., str]
Told = tuple[str, tuple[str, ...]]

ME = "p-0123456789ab"
OTHER = "p-fedcba987654"


def answers(*told: Told) -> dict[str, Any]:
    """A verdict and kinds of mistakes for each box."""
    return {
        "answers": [
            [
                box,
                {"verdict": verdict, "mistakes": [{"bet": "bet", "kind": kind} for kind in kinds]},
            ]
            for box, (verdict, kinds) in enumerate(told, 1)
        ]
    }


@pytest.fixture
def deal(place: Place, settled: Callable[..., Any]) -> Deal:
    """``deal(record, ("wrong", ("order",)))``: a hand with these answers, over unless ``over`` is
    false."""

    def build(
        record: Record, *told: Told, person: str = ME, mode: str = "training", over: bool = True
    ) -> str:
        round_id = record.new_round_id()
        here = replace(place, person=person, mode=mode)
        record.append("round-started", round_id, here.as_json())
        payload = settled(place=here).to_payload()
        record.append("settled", round_id, payload | answers(*told))
        if over:
            record.append("round-finished", round_id, {})
        return round_id

    return build


RIGHT: Told = ("right", ())
LATE: Told = ("not-answered", ("arithmetic",))


def wrong(*kinds: str) -> Told:
    return "wrong", kinds


def test_p8_mistakes_at_the_table_are_counted_by_kind(
    open_record: Open, deal: Deal, clock: Any
) -> None:
    record = open_record()
    deal(record, RIGHT, wrong("wrong-row", "wrong-row"), LATE)
    deal(record, LATE)
    clock.move(40 * 86400)
    since = clock.utc - timedelta(days=30)
    deal(record, wrong("order"), ("right", ("order",)))
    deal(record, wrong("misread-hand"), person=OTHER)
    found = record.tallies([ME, OTHER, "p-000000000000"], since)
    assert found[ME].whole == AtTable(3, 2, 2, 2, 2, (("order", 2), ("wrong-row", 2)))
    assert found[ME].recent == AtTable(1, 1, 1, 1, 0, (("order", 2),))
    assert found[OTHER].whole == found[OTHER].recent
    assert set(found) == {ME, OTHER}
    both = together(tally.whole for tally in found.values())
    assert (both.hands, both.mistakes[-1]) == (4, ("misread-hand", 1))
    assert record.tallies([], since) == {}
    assert record.verify().findings == ()
    with pytest.raises(ValueError, match="offset"):
        record.tallies([ME], since.replace(tzinfo=None))


def test_p8_answers_count_for_who_gave_them(
    open_record: Open, clock: Any, settled: Callable[..., Any], place: Place
) -> None:
    """Also where nobody dealt; a box that nobody answered is of who dealt."""
    record = open_record()
    told = answers(RIGHT, wrong("cap"), LATE)
    told["answers"][0][1]["who"] = ME
    told["answers"][1][1]["who"] = OTHER
    told["answers"][2][1]["who"] = None
    for person in (ME, None):
        hand = record.new_round_id()
        payload = settled(place=replace(place, person=person)).to_payload()
        record.append("settled", hand, payload | told)
        record.append("round-finished", hand, {})
    found = record.tallies([ME, OTHER], clock.utc)
    assert found[ME].whole == AtTable(2, 2, 2, 0, 1)
    assert found[OTHER].whole == AtTable(2, 2, 0, 2, 0, (("cap", 2),))
    assert record.verify().findings == ()


def test_p8_older_settlements_count_for_the_only_one_who_answered(
    open_record: Open, clock: Any, settled: Callable[..., Any], place: Place
) -> None:
    """They do not say who gave the answer that counts: the entries of the answers do."""
    record = open_record()
    for who in (ME, "page", (ME, OTHER)):
        hand = record.new_round_id()
        for each in who if isinstance(who, tuple) else (who,):
            record.append("answer", hand, {"box": 1, "who": each, "bets": []})
        payload = settled(place=replace(place, person=OTHER)).to_payload()
        record.append("settled", hand, payload | answers(RIGHT))
        record.append("round-finished", hand, {})
    found = record.tallies([ME, OTHER], clock.utc)
    assert found[ME].whole == AtTable(1, 1, 1)
    assert found[OTHER].whole == AtTable(3, 2, 2)
    assert record.verify().findings == ()


def test_p3_a_hand_counts_only_once_it_is_over(
    open_record: Open, deal: Deal, clock: Any, settled: Callable[..., Any], place: Place
) -> None:
    """Before that the count would tell whether the answers that lie there are right."""
    record = open_record()

    def mine() -> AtTable:
        return record.tallies([ME], clock.utc).get(ME, Tally()).whole

    hand = deal(record, LATE, over=False)
    assert mine() == AtTable()
    payload = settled(place=replace(place, person=ME)).to_payload()
    record.append("settled", hand, payload | answers(wrong("cap")))
    record.append("voided", hand, {"reason": "misdeal"})
    assert mine() == AtTable()
    record.append("undone", hand, {"what": "voided"})
    assert mine() == AtTable()
    record.append("round-finished", hand, {})
    assert mine() == AtTable(1, 1, 0, 1, 0, (("cap", 1),)), "the last settlement is what counts"
    record.append("settled", hand, payload | answers(RIGHT))
    assert mine() == AtTable(1, 1, 1), "put right by a supervisor after the hand"
    assert record.verify().findings == ()


def test_p8_only_a_known_person_in_training_is_counted(
    open_record: Open, deal: Deal, clock: Any
) -> None:
    record = open_record()
    deal(record, RIGHT, mode="demo")
    deal(record, RIGHT, person="x" * 60)
    deal(record, person=ME)
    assert record.tallies([ME, "x" * 60], clock.utc) == {}
    assert record.verify().findings == ()


def test_p8_counting_reads_no_entry_and_no_hand_of_others(tmp_path: Path) -> None:
    """Counted in steps of the database's machine, which are the same on a busy computer."""
    database = open_database(tmp_path / "record.db", read_only=False)
    fill(database.writing, 3000)
    database.learn()
    asked: list[str] = []
    steps = [0]

    def step() -> int:
        steps[0] += 10
        return 0

    @event.listens_for(database.reader, "connect")
    def _counted(connection: Any, _record: object) -> None:
        connection.set_progress_handler(step, 10)

    @event.listens_for(database.reader, "before_cursor_execute")
    def _asked(_c: object, _cursor: object, statement: str, *_more: object) -> None:
        asked.append(statement)

    database.reader.dispose()
    reader = RecordReader(database, tmp_path, KIOSK)
    everybody = reader.names()["person"]
    asked.clear()
    steps[0] = 0
    one = reader.tallies(everybody[:1], BEGIN)
    spent = steps[0]
    assert [text for text in asked if "SELECT" in text] == asked[-1:]
    assert "hands" not in asked[-1].replace("hand_terms", "") and "events" not in asked[-1]
    whole = reader.tallies(everybody, BEGIN)
    assert one[everybody[0]] == whole[everybody[0]]
    assert together(tally.whole for tally in whole.values()).hands == 3000
    assert together(tally.whole for tally in whole.values()).mistakes
    assert spent < 5_000, spent
    database.close()
