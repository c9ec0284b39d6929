"""Lists that pages and searches read, held to the entries: hands, terms, pictures, rule cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from written_record import Written, check, first, tamper

from kiosk.record.record import Record
from kiosk.record.retention import Retention, apply_retention

Open = Callable[..., Record]
Play = Callable[..., str]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE hands SET paid_e4 = 1 WHERE id = 'r-000003'",
        "UPDATE hands SET person = 'someone' WHERE id = 'r-000003'",
        "DELETE FROM hand_terms WHERE hand_id = 'r-000003'",
        "UPDATE hand_terms SET value = 'royal-flush' WHERE value = 'pair'",
        "DELETE FROM hands WHERE id = 'r-000003'",
        "INSERT INTO hands SELECT kiosk, 'r-000099', time, table_name, person, house, game, mode, "
        "state, finished, disputed, was_disputed, overruled, assumed, paid_e4, taken_e4, "
        "first_seq, last_seq, settled_seq FROM hands LIMIT 1",
        "UPDATE hands SET was_disputed = 2 WHERE id = 'r-000003'",
        "UPDATE hand_terms SET time = '2030-01-01T00:00:00.000000Z' WHERE hand_id = 'r-000003'",
        "INSERT INTO hand_terms VALUES ('kiosk', 'r-000099', 'box', '1', 'then')",
        "INSERT INTO hand_terms VALUES ('other', 'r-000001', 'box', '1', 'then')",
        "UPDATE pictures SET (file, sha256) = (SELECT file, sha256 FROM pictures "
        "WHERE round_id = 'r-000002') WHERE round_id = 'r-000001'",
        "UPDATE pictures SET sha256 = (SELECT sha256 FROM pictures WHERE round_id = 'r-000002') "
        "WHERE round_id = 'r-000001'",
        "UPDATE pictures SET round_id = 'r-000002' WHERE round_id = 'r-000001'",
        "UPDATE pictures SET role = 'end' WHERE round_id = 'r-000001'",
        "UPDATE pictures SET day = '2030-01-01' WHERE round_id = 'r-000001'",
        "UPDATE pictures SET deleted_seq = 5 WHERE round_id = 'r-000001'",
        "UPDATE pictures SET seq = seq + 1 WHERE round_id = 'r-000001'",
        "UPDATE pictures SET seq = 'abc' WHERE round_id = 'r-000001'",
        "UPDATE pictures SET kiosk = 'other' WHERE round_id = 'r-000001'",
        "DELETE FROM pictures WHERE round_id = 'r-000001'",
        "INSERT INTO pictures SELECT kiosk, 1, file, role, sha256, round_id, day, NULL "
        "FROM pictures WHERE round_id = 'r-000001'",
        f"INSERT INTO rule_cards VALUES ('kiosk', '{'ab' * 32}', 3)",
    ],
)
def test_lists_that_say_something_else_are_found_and_made_again(
    written: Written, open_record: Open, statement: str
) -> None:
    tamper(written, statement)
    assert first(written)[0] == "derived"
    record = open_record()
    record.rebuild()
    record.close()
    assert check(written).ok


def test_p14_the_first_picture_that_is_listed_wrongly_is_named(written: Written) -> None:
    """Pages take pictures from the list: one hand's must not pass for another's."""
    tamper(
        written,
        "UPDATE pictures SET (file, sha256) = (SELECT file, sha256 FROM pictures "
        "WHERE round_id = 'r-000005') WHERE round_id = 'r-000004'",
        "UPDATE pictures SET role = 'x' WHERE round_id = 'r-000006'",
    )
    found = check(written).findings
    assert [(finding.what, finding.seq) for finding in found] == [
        ("derived", 12), ("derived", 12), ("derived", 18),
    ]  # fmt: skip
    assert "entry 12 of kiosk: its picture 2031-05-18/" in found[0].sentence


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rule_cards SET seq = {b} WHERE seq = {a}",
        "UPDATE rule_cards SET hash = replace(hash, substr(hash, 1, 9), 'aaaaaaaaa') "
        "WHERE seq = {a}",
        "DELETE FROM rule_cards WHERE seq = {a}",
    ],
)
def test_a_rule_card_listed_under_another_hash_is_found(
    written: Written, open_record: Open, statement: str
) -> None:
    record = open_record()
    names = [record.keep_rule_card({"limit": n}) for n in (1, 2)]
    record.close()
    assert check(written).ok
    with Record.open(None, written.data, read_only=True) as reader:
        a, b = (
            next(e for e in reader.entries_after(0, 99) if e.payload.get("hash") == n).seq
            for n in names
        )
    tamper(written, statement.format(a=a, b=b))
    assert first(written) == ("derived", a)
    again = open_record()
    again.rebuild()
    assert again.verify().ok


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pictures SET deleted_seq = NULL WHERE round_id = 'r-000001'",
        "UPDATE pictures SET deleted_seq = 3 WHERE round_id = 'r-000001'",
        "UPDATE pictures SET deleted_seq = 22 WHERE round_id = 'r-000006'",
    ],
)
def test_a_deletion_that_the_list_tells_otherwise_is_found(
    written: Written, open_record: Open, clock: Any, statement: str
) -> None:
    record = open_record()
    clock.move(5 * 24 * 3600)
    assert apply_retention(record, Retention(days=7), clock()) == 2
    record.close()
    assert check(written).ok
    tamper(written, statement)
    assert first(written)[0] == "derived"
