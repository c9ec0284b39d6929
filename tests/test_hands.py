"""Recorded hands as the pages get them: what is not revealed yet is not told there either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import russian_case

from kiosk.errors import ActionError
from kiosk.explained import card_of
from kiosk.hands import RecordedHands
from kiosk.record.errors import record_error
from kiosk.record.record import Record, rule_card_hash
from kiosk.record.search import HandFilter
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.rules import load_house_file, settle_case

CASE = russian_case("9h 9c Kd 7s 3d", "Jh Jd 4c 4s 8h")
PAYLOAD: dict[str, Any] = {
    "house_hash": rule_card_hash(card_of(load_house_file("russian-a"))),
    "case": CASE,
    "settlement": settle_case(CASE),
    "confirmed": [],
    "cards": {},
    "versions": {},
}
SECRETS = ("two-pair", "pair", "combination", "paid", "taken", 'game": true')


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[RecordWriter]:
    """A record with the hands r-000001 and r-000002, both settled."""
    opened = start_writer(None, tmp_path)
    for round_id in ("r-000001", "r-000002"):
        opened.append("round-started", round_id, {"table": "T", "mode": "training"})
        opened.append("settled", round_id, PAYLOAD)
    yield opened
    opened.close()


@pytest.fixture
def hidden() -> list[str | None]:
    """Holds the id of the hand on the table."""
    return ["r-000002"]


@pytest.fixture
def hands(writer: RecordWriter, hidden: list[str | None]) -> RecordedHands:
    return RecordedHands(writer, lambda: hidden[0], load_house_file("russian-a"))


def test_p3_the_record_does_not_tell_the_hand_on_the_table_before_its_reveal(
    hands: RecordedHands, hidden: list[str | None]
) -> None:
    (newest, older), after = hands.search(HandFilter(), limit=5)
    whole = hands.one("r-000002")
    assert (newest["id"], older["id"], after) == ("r-000002", "r-000001", None)
    assert older["settlement"]["paid"] == 400
    for told in (newest, whole):
        assert told is not None
        text = json.dumps(told, default=str)
        assert not any(secret in text for secret in SECRETS), text
        assert told["settlement"] is None and told["assumed"] is None
    assert [hand["id"] for hand in hands.search(HandFilter(combination="pair"), limit=5)[0]] == [
        "r-000001"
    ]
    assert [found.hand.id for found in hands.every(HandFilter())] == ["r-000001"]
    hidden[0] = None
    revealed = hands.one("r-000002")
    assert revealed is not None and revealed["settlement"]["paid"] == 400
    assert "400" in revealed["text"]["en"] and "400" in revealed["text"]["ru"]
    assert hands.search(HandFilter(), limit=1)[0][0]["settlement"]["paid"] == 400
    assert [event["kind"] for event in revealed["events"]] == ["round-started", "settled"]


def test_a_hand_that_ended_unrevealed_is_for_the_supervisor_to_see(
    hands: RecordedHands, hidden: list[str | None]
) -> None:
    """After a restart, or the key for the next hand, another hand is the hidden one."""
    hidden[0] = "r-000003"
    told = hands.one("r-000002")
    assert told is not None and told["settlement"]["paid"] == 400


def test_a_record_that_cannot_be_written_is_still_read(tmp_path: Path) -> None:
    first = start_writer(None, tmp_path)
    first.append("round-started", "r-000001", {"table": "T"})
    first.close()

    def refuse() -> Record:
        raise record_error("read-only", tmp_path)

    def read() -> Record:
        return Record.open(None, tmp_path, read_only=True)

    writer = RecordWriter(refuse, tmp_path, open_reader=read)
    assert writer.wait_until_settled(200).status == "failing"
    hands = RecordedHands(writer, lambda: None, load_house_file("russian-a"))
    assert [hand["id"] for hand in hands.search(HandFilter(), limit=5)[0]] == ["r-000001"]
    with pytest.raises(ActionError, match="read-only"):
        hands.settle_dispute("r-000001", "p", "why", disputed=True)
    hands.close()
    writer.close()
