"""The record on a real SQLite file: storing, finding, starting again."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk.record.chain import KINDS
from kiosk.record.database import BUSY_SECONDS
from kiosk.record.draft import Draft
from kiosk.record.errors import RecordError
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.schema import SettledRound
from kiosk.record.search import Cursor, HandFilter
from kiosk.record.tables import metadata

Open = Callable[..., Record]


def kinds(record: Record) -> list[str]:
    return [entry.kind for entry in record.entries_after(0, 10_000)]


def test_an_entry_is_there_again_after_a_restart(open_record: Open) -> None:
    record = open_record()
    stored = record.append("fault", None, {"what": "camera-lost", "ratio": Decimal("1.50")})
    record.let_go()
    again = open_record()
    assert again.entry(stored.seq) == stored
    assert stored.payload == {"what": "camera-lost", "ratio": Decimal("1.5")}
    assert stored.as_json()["synchronised"] is True
    assert again.verify().ok


def test_the_file_is_kept_as_safely_as_sqlite_can(open_record: Open) -> None:
    record = open_record()
    with record.database.writing() as connection:
        pragma = lambda name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()  # noqa: E731
        assert pragma("journal_mode") == "wal"
        assert pragma("synchronous") == 2
        assert pragma("foreign_keys") == 1
        assert pragma("busy_timeout") == BUSY_SECONDS * 1000


def test_the_migrations_make_exactly_the_tables_of_the_program(open_record: Open) -> None:
    with open_record().database.writing() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_entries_cannot_be_changed_or_deleted_by_accident(open_record: Open) -> None:
    record = open_record()
    for statement in ("UPDATE events SET kind = 'x'", "DELETE FROM events"):
        with pytest.raises(RecordError), record.database.writing() as connection:
            connection.exec_driver_sql(statement)
    assert record.verify().ok


def test_a_settled_round_is_found_with_everything(
    open_record: Open,
    play: Callable[..., str],
    settled: Callable[..., SettledRound],
    picture: Callable[..., Picture],
) -> None:
    record = open_record()
    before, after = picture("before"), picture("after")
    round_id = play(record, (before, after), paid=Decimal("412.5"))
    detail = record.hand(round_id)
    assert detail is not None and detail.settled is not None
    assert [entry.kind for entry in detail.entries] == [
        "round-started",
        "settled",
        "round-finished",
    ]
    assert SettledRound.from_payload(detail.settled) == settled(paid=Decimal("412.5"))
    assert [p.role for p in detail.pictures] == ["after", "before"]
    assert {p.path.read_bytes() for p in detail.pictures} == {before.jpeg, after.jpeg}
    assert all(p.path.parent.name == "2031-05-17" for p in detail.pictures)
    assert record.hand("r-999999") is None
    assert record.events(round_id) == list(detail.entries)


def test_floats_are_refused_where_money_stands(settled: Callable[..., SettledRound]) -> None:
    with pytest.raises(ValueError, match=r"settlement\.paid.*float"):
        settled(settlement={"paid": 1.5}).to_payload()


@pytest.mark.parametrize(
    "draft",
    [
        {"kind": "no-such-kind"},
        {"round_id": ""},
        {"round_id": "r" * 65},
        {"payload": {"pictures": []}},
        {"payload": {"x": object()}},
    ],
)
def test_bad_entries_are_refused_and_leave_nothing(
    open_record: Open, draft: dict[str, Any]
) -> None:
    record = open_record()
    count = len(kinds(record))
    values: dict[str, Any] = {"kind": "fault", "round_id": None, "payload": {}} | draft
    with pytest.raises(ValueError):
        record.append(values["kind"], values["round_id"], values["payload"])
    assert len(kinds(record)) == count


def test_several_entries_are_stored_together_or_not_at_all(
    open_record: Open, clock: Callable[[], Any], tmp_path: Path
) -> None:
    record = open_record()
    good = Draft("fault", None, {"n": 1}, clock())
    with record.database.writing() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.kind = 'held' "
            "BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    bad = Draft("held", "r-000001", {}, clock())
    with pytest.raises(RecordError):
        record.append_drafts([good, bad])
    assert kinds(record) == ["opened"]
    assert list(record.hands()) == []
    assert record.verify().ok


def test_the_same_token_is_stored_once(open_record: Open, clock: Callable[[], Any]) -> None:
    record = open_record()
    draft = Draft("fault", None, {"n": 1}, clock())
    first = record.append_drafts([draft])
    assert record.append_drafts([draft, Draft("fault", None, {"n": 2}, clock())])[0] == first[0]
    assert kinds(record) == ["opened", "fault", "fault"]


def test_amounts_beyond_all_measure_are_stored(open_record: Open) -> None:
    record = open_record()
    record.append("settled", "r-1", {"settlement": {"paid": 10**30, "taken": Decimal("0.00001")}})
    assert record.verify().ok
    assert record.events("r-1")[0].payload["settlement"]["paid"] == 10**30


def test_w7_a_round_left_open_is_marked_at_the_next_start(
    open_record: Open, play: Callable[..., str]
) -> None:
    record = open_record()
    done = play(record)
    left = record.new_round_id()
    record.append("round-started", left, {"table": "T"})
    record.append("cards-accepted", left, {"zone": "box1", "cards": ["As"]})
    record.let_go()
    again = open_record()
    assert {hand.id: hand.state for hand in again.hands()} == {done: "settled", left: "unfinished"}
    assert [e.kind for e in again.events(left)] == ["round-started", "cards-accepted", "unfinished"]
    opened = again.entries_after(0, 100)[-1]
    assert opened.kind == "opened" and opened.payload["clean"] is False
    again.close()
    third = open_record()
    assert [entry.kind for entry in third.events(left)].count("unfinished") == 1
    assert third.entries_after(0, 100)[-1].payload["clean"] is True


def test_round_ids_go_on_where_they_ended(open_record: Open, play: Callable[..., str]) -> None:
    record = open_record()
    assert [play(record), play(record)] == ["r-000001", "r-000002"]
    record.close()
    again = open_record()
    again.skip_round_id("r-000007")
    again.skip_round_id("someone-else")
    assert again.new_round_id() == "r-000008"


def test_round_ids_go_on_behind_many_that_were_made_from_the_time(open_record: Open) -> None:
    record = open_record()
    record.append("round-started", "r-000041", {})
    for number in range(101):
        record.append("round-started", f"r-20310517183000{number:06d}", {})
    record.close()
    assert open_record().new_round_id() == "r-000042"


def test_w8_steps_of_the_clock_are_entries(open_record: Open, clock: Any) -> None:
    record = open_record()
    record.append("fault", None, {})
    clock.move(3600)
    record.append("fault", None, {})
    assert "clock-step" not in kinds(record)
    clock.step(-90)
    record.append("fault", None, {"n": 3})
    assert kinds(record)[-2:] == ["clock-step", "fault"]
    step = record.entries_after(0, 100)[-2].payload
    assert step["seconds"] == -90
    record.close()
    clock.step(-86400)
    assert "clock-step" in kinds(open_record())[-2:]


def test_only_one_kiosk_writes_a_record(open_record: Open, tmp_path: Path) -> None:
    record = open_record()
    with pytest.raises(RecordError) as refusal:
        Record.open(None, tmp_path)
    assert refusal.value.kind == "busy"
    record.close()
    open_record()


def test_rule_cards_are_kept_once(open_record: Open) -> None:
    record = open_record()
    card = {"name": "russian-a", "pay": {"flush": 5}}
    name = record.keep_rule_card(card)
    assert record.keep_rule_card(dict(card)) == name
    assert record.rule_card(name) == card
    assert record.rule_card("0" * 64) is None
    assert kinds(record).count("rule-card") == 1


def test_hands_are_found_by_each_thing(
    open_record: Open, play: Callable[..., str], clock: Any, place: Any
) -> None:
    from dataclasses import replace

    record = open_record()
    a = play(record)
    start = clock.utc
    clock.move(3600)
    b = play(record, paid=9000, slug="full-house", confirmed=frozenset())
    c = record.new_round_id()
    other = replace(place, table="Table 9", person="trainee-1", house="russian-b", game="oasis")
    record.append("round-started", c, other.as_json())
    record.append("held", c, {"reason": "chips moved"})

    def ids(**wanted: Any) -> list[str]:
        return [hand.id for hand in record.hands(HandFilter(**wanted), newest_first=False)]

    assert ids() == [a, b, c]
    assert ids(table="Table 9") == ids(person="trainee-1") == ids(house="russian-b") == [c]
    assert ids(game="russian") == [a, b]
    assert ids(combination="full-house") == [b]
    assert ids(combination="pair") == [a, b]
    assert ids(box=1) == [a, b] and ids(box=2) == []
    assert ids(state="settled") == [a, b] and ids(state="open") == [c]
    assert ids(state="disputed") == [c] and ids(state="overruled") == []
    assert ids(least=Decimal(401)) == [b] and ids(most=Decimal(400)) == [a]
    assert ids(until=start + timedelta(seconds=1)) == [a]
    assert ids(since=start + timedelta(seconds=1)) == [b, c]
    newest = list(record.hands(limit=1))
    assert [h.id for h in newest] == [c]
    assert [h.id for h in record.hands(limit=1, after=Cursor.of(newest[0]))] == [b]
    assert [h.assumed for h in record.hands(newest_first=False)] == [False, True, False]
    with pytest.raises(ValueError, match="state"):
        HandFilter(state="lost")


steps = st.lists(
    st.tuples(
        st.sampled_from(sorted(KINDS - {"picture-deleted"})),
        st.sampled_from([None, "r-1", "r-2"]),
        st.dictionaries(st.sampled_from(["what", "table", "settlement"]), st.text(max_size=4)),
    ),
    max_size=12,
)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps)
def test_any_sequence_verifies_and_rebuilds_to_the_same_lists(
    tmp_path_factory: pytest.TempPathFactory, clock: Any, sequence: list[Any]
) -> None:
    with Record.open(None, tmp_path_factory.mktemp("record"), clock=clock) as record:
        for kind, round_id, payload in sequence:
            record.append(kind, round_id, payload)
        assert record.verify().findings == ()
        before = list(record.hands())
        count = record.rebuild()
        assert count == len(kinds(record))
        assert list(record.hands()) == before
        assert record.verify().ok


def test_w6_two_readers_and_a_writer_do_not_disturb_each_other(
    open_record: Open, play: Callable[..., str], tmp_path: Path
) -> None:
    record = open_record()
    for _ in range(3):
        play(record)
    errors: list[BaseException] = []
    seen: list[int] = []
    stop = threading.Event()

    def read() -> None:
        try:
            with Record.open(None, tmp_path, read_only=True) as reader:
                while not stop.is_set():
                    hands = list(reader.hands())
                    seen.append(len(hands))
                    for hand in hands[:5]:
                        assert reader.hand(hand.id) is not None
        except BaseException as error:
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(40):
        play(record)
    stop.set()
    for reader in readers:
        reader.join()
    assert errors == []
    assert len(list(record.hands())) == 43
    assert max(seen) > 3, "the readers never saw anything new"


def test_reading_does_not_write(
    open_record: Open, play: Callable[..., str], tmp_path: Path
) -> None:
    record = open_record()
    play(record)
    record.close()
    before = (tmp_path / "record.db").read_bytes()
    with Record.open(None, tmp_path, read_only=True) as reader:
        assert len(list(reader.hands())) == 1
        assert reader.verify().ok
        with pytest.raises(RecordError) as refusal:
            reader.append("fault", None, {})
        assert refusal.value.kind == "read-only"
    assert (tmp_path / "record.db").read_bytes() == before


def test_heads_name_the_newest_entry(open_record: Open, tmp_path: Path) -> None:
    record = open_record()
    entry = record.append("fault", None, {})
    head = json.loads((tmp_path / "heads" / "kiosk.head").read_text())
    assert (head["seq"], head["hash"]) == (entry.seq, entry.hash)
    assert (tmp_path / "keys" / "record.key").stat().st_mode & 0o777 == 0o600
