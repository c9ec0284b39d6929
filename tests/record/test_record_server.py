"""A pit of many tables: entries reach one PostgreSQL server, each once, whatever happens to it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from kiosk.bench.pgserver import PostgresServer, own_server
from kiosk.errors import UserError
from kiosk.hands import RecordedHands
from kiosk.pit import Pit as PitServer
from kiosk.record.chain import fault_of
from kiosk.record.commands import add_commands
from kiosk.record.errors import RecordError
from kiosk.record.outbox import Outbox, OutboxLimits
from kiosk.record.pictures import Picture
from kiosk.record.reading import RecordReader
from kiosk.record.record import Record
from kiosk.record.search import HandFilter
from kiosk.record.server import ServerDatabase, open_server
from kiosk.record.store import kiosks, page
from kiosk.record.tables import events
from kiosk.record.tally import AtTable, Tally
from kiosk.record.writer import start_writer
from kiosk.rules import load_house_file

Play = Callable[..., str]
QUICK = OutboxLimits(poll_seconds=0.05, longest_pause=0.3, batch=50, present_seconds=0.5)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with own_server() as server:
        if server is None:
            pytest.skip("there is no PostgreSQL server on this machine (Debian: postgresql)")
        yield server


@pytest.fixture
def address(server: PostgresServer, request: pytest.FixtureRequest) -> str:
    """A fresh database."""
    name = "t" + str(abs(hash(request.node.name)) % 10**12)
    return server.make_database(name)


@pytest.fixture
def central(address: str) -> Iterator[ServerDatabase]:
    database = open_server(address)
    yield database
    database.close()


def stands_there_once(central: ServerDatabase, record: Record) -> None:
    """The server has exactly this kiosk's entries."""
    with central.reading() as connection:
        there = page(connection, record.kiosk, 0, 100_000)
    assert there == record.entries_after(0, 100_000)
    before = None
    for entry in there:
        assert fault_of(entry, before) is None
        before = entry


def test_entries_arrive_and_hands_are_found_on_the_server(
    address: str,
    central: ServerDatabase,
    tmp_path: Path,
    play: Play,
    open_record: Callable[..., Record],
) -> None:
    record = open_record(kiosk_id="table-4")
    play(record, paid=Decimal("412.5"))
    outbox = Outbox(record, address, QUICK)
    second = play(record, slug="full-house")
    told = [[1, {"verdict": "wrong", "mistakes": [{"bet": "bet", "kind": "wrong-row"}]}]]
    settled = record.settled_of(list(record.hands(HandFilter(combination="full-house"))))[0]
    record.append("settled", second, {**(settled or {}), "answers": told})
    last = record.append("round-started", "r-x", {"table": "a\0b", "person": "\0", "house": "й"})
    assert outbox.wait_until_sent(last.seq, 200)
    assert (outbox.state.status, outbox.state.waiting) == ("ok", 0)
    outbox.close()
    stands_there_once(central, record)
    reader = RecordReader(central, tmp_path, "table-4")
    assert [h.id for h in reader.hands(HandFilter(combination="full-house"))] == [second]
    assert [h.table for h in reader.hands(HandFilter(house="й"))] == ["ab"]
    first = reader.hand("r-000001")
    assert first is not None and first.hand.paid == Decimal("412.5")
    assert list(reader.hands()) == list(record.hands())
    since = datetime(2031, 5, 17, tzinfo=UTC)
    counted = {"trainee-7": Tally(*2 * [AtTable(1, 1, 0, 1, 0, (("wrong-row", 1),))])}
    assert reader.tallies(["trainee-7"], since) == record.tallies(["trainee-7"], since) == counted
    assert reader.kiosks() == ["table-4"]
    assert reader.health().ok


def test_p13_lists_of_an_older_version_are_made_again_on_the_server(
    address: str,
    central: ServerDatabase,
    tmp_path: Path,
    play: Play,
    open_record: Callable[..., Record],
) -> None:
    record = open_record(kiosk_id="table-4")
    outbox = Outbox(record, address, QUICK)
    settled = play(record)
    record.append("round-started", "r-x", {"table": "T"})
    record.append("overruled", "r-x", {"box": 2, "reason": "torn"})
    last = record.append("round-finished", "r-x", {"complete": True})
    assert outbox.wait_until_sent(last.seq, 200)
    outbox.close()
    with central.writing() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0004'")
        connection.exec_driver_sql("DELETE FROM hand_terms WHERE term LIKE '%%@%%'")
        connection.exec_driver_sql("DELETE FROM hand_terms WHERE hand_id = 'r-x'")
        connection.exec_driver_sql("UPDATE hands SET state = 'open' WHERE id = 'r-x'")
    with pytest.raises(RecordError) as refused:
        open_server(address, read_only=True)
    assert refused.value.kind == "older"
    open_server(address).close()
    reader = RecordReader(central, tmp_path, "table-4")
    assert reader.verify().findings == ()
    by_seat = HandFilter(box=1, combination="two-pair")
    assert [hand.id for hand in reader.hands(by_seat)] == [settled]
    found = list(reader.hands(HandFilter(box=2, state="overruled")))
    assert [(hand.id, hand.state) for hand in found] == [("r-x", "by-hand")]


def test_the_server_keeps_entries_from_being_changed(
    address: str, central: ServerDatabase, open_record: Callable[..., Record]
) -> None:
    record = open_record()
    outbox = Outbox(record, address, QUICK)
    assert outbox.wait_until_sent(1, 200)
    outbox.close()
    for statement in (
        "UPDATE events SET kind = 'x'",
        "DELETE FROM events",
        "TRUNCATE events CASCADE",
    ):
        with pytest.raises(RecordError, match="append-only"), central.writing() as connection:
            connection.exec_driver_sql(statement)


def test_a_kiosk_works_on_while_the_server_is_away_and_catches_up(
    server: PostgresServer,
    address: str,
    central: ServerDatabase,
    open_record: Callable[..., Record],
    play: Play,
) -> None:
    record = open_record()
    outbox = Outbox(record, address, QUICK)
    play(record)
    assert outbox.wait_until_sent(4, 200)
    server.stop()
    try:
        for _ in range(3):
            play(record)
        deadline = time.monotonic() + 200
        while outbox.state.waiting < 9 and time.monotonic() < deadline:
            time.sleep(0.05)
        state = outbox.state
        assert (state.status, state.waiting) == ("failing", 9)
        assert "127.0.0.1" in state.sentence and "secret" not in state.sentence
    finally:
        server.start()
    assert outbox.wait_until_sent(13, 200)
    assert outbox.state.status == "ok"
    outbox.close()
    stands_there_once(central, record)


def test_the_writer_sends_and_audit_reads_from_the_server(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = start_writer(address, tmp_path, kiosk_id="table-9", software="0.1.0")
    entry = writer.append("round-started", "r-000001", {"table": "T9", "house": "russian-a"})
    deadline = time.monotonic() + 200
    while (state := writer.outbox_state) is None or state.sent < entry.seq:
        assert time.monotonic() < deadline, state
        time.sleep(0.05)
    writer.close()
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["audit", "list", "--json", "--record", address])
    assert args.run(args) == 0
    assert json.loads(capsys.readouterr().out)["table"] == "T9"
    args = parser.parse_args(["audit", "verify", "--record", address])
    assert args.run(args) == 0
    assert "The record holds: " in capsys.readouterr().out
    central = open_server(address)
    with central.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER events_append_only ON events")
        connection.exec_driver_sql(f"UPDATE events SET time = '2001' WHERE seq = {entry.seq}")
    central.close()
    assert args.run(args) == 1
    assert f"entry {entry.seq} of table-9" in capsys.readouterr().out
    away = address.replace("/t", "/none")
    args = parser.parse_args(["audit", "list", "--record", away])
    with pytest.raises(UserError) as problem:
        args.run(args)
    assert "none" in str(problem.value) and "secret" not in str(problem.value)


def test_two_senders_of_one_kiosk_store_each_entry_once(
    address: str, central: ServerDatabase, open_record: Callable[..., Record], play: Play
) -> None:
    record = open_record()
    senders = [Outbox(record, address, QUICK) for _ in range(3)]
    for _ in range(15):
        play(record)
    for sender in senders:
        assert sender.wait_until_sent(46, 200)
        sender.close()
    stands_there_once(central, record)


def test_another_kiosk_of_the_same_name_is_refused(
    address: str, tmp_path: Path, open_record: Callable[..., Record]
) -> None:
    first = open_record(tmp_path / "a")
    outbox = Outbox(first, address, QUICK)
    assert outbox.wait_until_sent(1, 200)
    outbox.close()
    second = open_record(tmp_path / "b")
    other = Outbox(second, address, QUICK)
    deadline = time.monotonic() + 200
    while other.state.status != "failing" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "another one here" in other.state.sentence
    assert "name of its own" in other.state.advice
    other.close()


class Pit:
    """Simulated kiosks that deal at a steady pace while the server goes down and comes back."""

    def __init__(
        self, folder: Path, address: str, tables: int, play: Play, limits: OutboxLimits
    ) -> None:
        self.play = play
        self.records = [
            Record.open(None, folder / str(n), kiosk_id=f"table-{n}") for n in range(tables)
        ]
        self.senders = [Outbox(record, address, limits) for record in self.records]
        for record, sender in zip(self.records, self.senders, strict=True):
            sender.tell({"table": record.kiosk, "held": False, "failing": []})

    def deal(self, hands: int, seconds: float) -> None:
        """Each table one hand each ``seconds``, one table after the other."""
        began = time.monotonic()
        for number in range(hands):
            for place, record in enumerate(self.records):
                due = began + (number + place / len(self.records)) * seconds
                time.sleep(max(0.0, due - time.monotonic()))
                self.play(record)

    def end(self, central: ServerDatabase) -> int:
        """Waits until all is sent, compares every entry, and gives their number."""
        count = 0
        for record, sender in zip(self.records, self.senders, strict=True):
            assert sender.wait_until_sent(record.newest_seq(), 200), sender.state
            assert sender.state.status == "ok"
            sender.close()
            stands_there_once(central, record)
            count += record.newest_seq()
            record.close()
        return count


def pit(
    server: PostgresServer, address: str, folder: Path, play: Play, tables: int, hands: int,
    seconds: float, outages: int, limits: OutboxLimits,
) -> None:  # fmt: skip
    """Nothing is lost and nothing twice, and the page of tables shows them all."""
    central = open_server(address)
    made = Pit(folder, address, tables, play, limits)
    for number in range(2 * outages + 1):
        if number % 2:
            server.stop()
        elif number:
            server.start()
        made.deal(hands // (2 * outages + 1), seconds)
    each = hands // (2 * outages + 1) * (2 * outages + 1)
    for record, sender in zip(made.records, made.senders, strict=True):
        assert sender.wait_until_sent(record.newest_seq(), 200), sender.state
    reader, deadline = RecordReader(central, folder, "supervisor"), time.monotonic() + 200
    while any(t.age_ms is None or t.age_ms > 10_000 or t.waiting for t in reader.tables_now()):
        assert time.monotonic() < deadline, reader.tables_now()
        time.sleep(limits.present_seconds)
    now = reader.tables_now()
    assert {table.kiosk for table in now} == {f"table-{n}" for n in range(tables)}
    for table in now:
        assert table.note["table"] == table.kiosk
        assert table.hand is not None and table.hand.id == f"r-{each:06d}"
    count = made.end(central)
    assert count == tables * (1 + 3 * each)
    with central.reading() as connection:
        assert len(kiosks(connection)) == tables
        assert connection.scalar(select(func.count()).select_from(events)) == count
    central.close()


def test_a_small_pit(server: PostgresServer, address: str, tmp_path: Path, play: Play) -> None:
    pit(server, address, tmp_path, play, 3, hands=3, seconds=0.5, outages=1, limits=QUICK)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_pit_of_fifty_tables_at_a_hand_each_five_seconds(
    server: PostgresServer, address: str, tmp_path: Path, play: Play
) -> None:
    """With the pace at which kiosks really look and try again."""
    real = OutboxLimits()
    pit(server, address, tmp_path, play, 50, hands=50, seconds=5.0, outages=2, limits=real)


def test_a_supervisor_at_one_kiosk_sees_all_tables(
    address: str, tmp_path: Path, play: Play, settled: Callable[..., Any]
) -> None:
    """The hand that is not shown yet at another table is not told, the one that is over is."""
    other = Record.open(None, tmp_path / "other", kiosk_id="table-9")
    over = play(other)
    on_table = other.new_round_id()
    other.append("round-started", on_table, {"table": "Table 9", "mode": "training"})
    other.append("settled", on_table, settled().to_payload())
    sender = Outbox(other, address, QUICK)
    sender.tell({"table": "Table 9", "held": True, "failing": ["camera"]})
    writer = start_writer(address, tmp_path / "own", kiosk_id="table-1")
    writer.append("round-started", "r-000001", {"table": "Table 1", "mode": "training"})
    assert sender.wait_until_sent(other.newest_seq(), 200)
    house = load_house_file("russian-a")
    hands = RecordedHands(
        writer, lambda: None, house, PitServer(address, tmp_path / "own", "table-1")
    )
    deadline = time.monotonic() + 200
    # A sign of life that was given before the note was told is an empty one.
    while len(tables := hands.tables()) < 2 or not tables[1]["note"]:
        assert time.monotonic() < deadline, tables
        time.sleep(0.2)
    assert [table["kiosk"] for table in tables] == ["table-1", "table-9"]
    assert tables[1]["note"]["held"] is True and tables[1]["hand"]["id"] == on_table
    found = {
        hand["id"]: hand for hand in hands.search(HandFilter(kiosk="table-9"), limit=9, pit=True)[0]
    }
    assert found[over]["settlement"]["paid"] == 400
    assert found[on_table]["settlement"] is None
    told = hands.one(on_table, "table-9")
    assert told is not None and told["settlement"] is None
    other.append("revealed", on_table, {"boxes": [1]})
    assert sender.wait_until_sent(other.newest_seq(), 200)
    told = hands.one(on_table, "table-9")
    assert told is not None and told["settlement"]["paid"] == 400
    sender.close()
    other.close()
    hands.close()
    writer.close()


def test_p14_lists_of_the_server_that_say_something_else_are_found(
    address: str,
    central: ServerDatabase,
    tmp_path: Path,
    play: Play,
    picture: Callable[..., Picture],
    open_record: Callable[..., Record],
) -> None:
    record = open_record(kiosk_id="table-4")
    first, second = play(record, (picture(),)), play(record, (picture(),))
    names = [record.keep_rule_card({"limit": n}) for n in (1, 2)]
    outbox = Outbox(record, address, QUICK)
    assert outbox.wait_until_sent(record.newest_seq(), 200)
    outbox.close()
    reader = RecordReader(central, tmp_path, "table-4")
    assert reader.verify().findings == ()
    of_second = f"(SELECT sha256 FROM pictures WHERE round_id = '{second}')"
    for statement, what in (
        (f"UPDATE pictures SET sha256 = {of_second} WHERE round_id = '{first}'", "entry 3 "),
        (f"UPDATE rule_cards SET seq = seq + 1 WHERE hash = '{names[0]}'", "entry 8 "),
        (f"UPDATE hands SET person = 'x' WHERE id = '{second}'", f"hand {second} "),
    ):
        with central.writing() as connection:
            connection.exec_driver_sql(statement)
        assert any(f.sentence.startswith(what) for f in reader.verify().findings), statement
