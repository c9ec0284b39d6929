"""A pit of many tables: entries reach one PostgreSQL server, each once, whatever happens to it."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from kiosk.bench.pgserver import PostgresServer, own_server
from kiosk.errors import UserError
from kiosk.record.chain import fault_of
from kiosk.record.commands import add_commands
from kiosk.record.errors import RecordError
from kiosk.record.outbox import Outbox, OutboxLimits
from kiosk.record.reading import RecordReader
from kiosk.record.record import Record
from kiosk.record.search import HandFilter
from kiosk.record.server import ServerDatabase, open_server
from kiosk.record.store import kiosks, page
from kiosk.record.tables import events
from kiosk.record.writer import start_writer

Play = Callable[..., str]
QUICK = OutboxLimits(poll_seconds=0.05, longest_pause=0.3, batch=50)


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
    last = record.append("round-started", "r-x", {"table": "a\0b", "person": "\0", "house": "й"})
    assert outbox.wait_until_sent(last.seq, 20)
    assert (outbox.state.status, outbox.state.waiting) == ("ok", 0)
    outbox.close()
    stands_there_once(central, record)
    reader = RecordReader(central, tmp_path, "table-4")
    assert [h.id for h in reader.hands(HandFilter(combination="full-house"))] == [second]
    assert [h.table for h in reader.hands(HandFilter(house="й"))] == ["ab"]
    first = reader.hand("r-000001")
    assert first is not None and first.hand.paid == Decimal("412.5")
    assert list(reader.hands()) == list(record.hands())
    assert reader.kiosks() == ["table-4"]
    assert reader.health().ok


def test_the_server_keeps_entries_from_being_changed(
    address: str, central: ServerDatabase, open_record: Callable[..., Record]
) -> None:
    record = open_record()
    outbox = Outbox(record, address, QUICK)
    assert outbox.wait_until_sent(1, 20)
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
    assert outbox.wait_until_sent(4, 20)
    server.stop()
    try:
        for _ in range(3):
            play(record)
        deadline = time.monotonic() + 20
        while outbox.state.waiting < 9 and time.monotonic() < deadline:
            time.sleep(0.05)
        state = outbox.state
        assert (state.status, state.waiting) == ("failing", 9)
        assert "127.0.0.1" in state.sentence and "secret" not in state.sentence
    finally:
        server.start()
    assert outbox.wait_until_sent(13, 20)
    assert outbox.state.status == "ok"
    outbox.close()
    stands_there_once(central, record)


def test_the_writer_sends_and_audit_reads_from_the_server(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = start_writer(address, tmp_path, kiosk_id="table-9", software="0.1.0")
    entry = writer.append("round-started", "r-000001", {"table": "T9", "house": "russian-a"})
    deadline = time.monotonic() + 20
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
    with pytest.raises(UserError):
        args.run(args)
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
        assert sender.wait_until_sent(46, 30)
        sender.close()
    stands_there_once(central, record)


def test_another_kiosk_of_the_same_name_is_refused(
    address: str, tmp_path: Path, open_record: Callable[..., Record]
) -> None:
    first = open_record(tmp_path / "a")
    outbox = Outbox(first, address, QUICK)
    assert outbox.wait_until_sent(1, 20)
    outbox.close()
    second = open_record(tmp_path / "b")
    other = Outbox(second, address, QUICK)
    deadline = time.monotonic() + 20
    while other.state.status != "failing" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "another one here" in other.state.sentence
    assert "name of its own" in other.state.advice
    other.close()


def pit(
    server: PostgresServer,
    address: str,
    central: ServerDatabase,
    folder: Path,
    play: Play,
    clock: Any,
    tables: int,
    hands: int,
) -> None:
    """Many kiosks send at once, and the server goes down and comes back in between."""
    records = [
        Record.open(None, folder / str(n), kiosk_id=f"table-{n}", clock=clock)
        for n in range(tables)
    ]
    senders = [Outbox(record, address, QUICK) for record in records]
    for hand in range(hands):
        if hand == hands // 3:
            server.stop()
        if hand == 2 * hands // 3:
            server.start()
        for record in records:
            play(record)
    for record, sender in zip(records, senders, strict=True):
        assert sender.wait_until_sent(record.newest_seq(), 60), sender.state
        sender.close()
        stands_there_once(central, record)
    with central.reading() as connection:
        assert len(kiosks(connection)) == tables
        count = connection.scalar(select(func.count()).select_from(events))
    assert count == tables * (1 + 3 * hands)
    for record in records:
        record.close()


def test_a_small_pit(
    server: PostgresServer,
    address: str,
    central: ServerDatabase,
    tmp_path: Path,
    play: Play,
    clock: Any,
) -> None:
    pit(server, address, central, tmp_path, play, clock, tables=4, hands=3)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_pit_of_fifty_tables(
    server: PostgresServer,
    address: str,
    central: ServerDatabase,
    tmp_path: Path,
    play: Play,
    clock: Any,
) -> None:
    pit(server, address, central, tmp_path, play, clock, tables=50, hands=30)
