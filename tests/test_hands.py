"""Recorded hands as the pages get them: what is not revealed yet is not told there either."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.hands import RecordedHands
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.rules import load_house_file

PAYLOAD: dict[str, Any] = {
    "case": {
        "game": "russian",
        "house": "russian-a",
        "table": {"ante_min": 100, "ante_max": 1000, "max_payout": 50000},
        "dealer": {"cards": ["9h", "9c", "Kd", "7s", "3d"]},
        "boxes": [
            {
                "box": 1,
                "cards": ["Jh", "Jd", "4c", "4s", "8h"],
                "action": "play",
                "bets": {"ante": 100, "bet": 200},
            }
        ],
    },
    "settlement": {
        "dealer": {"combination": "pair", "game": True},
        "boxes": [{"box": 1, "combinations": ["two-pair"], "paid": 400, "taken": 0}],
        "paid": 400,
        "taken": 0,
    },
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


def test_p3_the_record_does_not_tell_the_hand_on_the_table_before_its_reveal(
    writer: RecordWriter,
) -> None:
    hidden: list[str | None] = ["r-000002"]
    hands = RecordedHands(writer, lambda: hidden[0], load_house_file("russian-a"))
    newest, older = hands.newest(5, None)
    whole = hands.one("r-000002")
    assert (newest["id"], older["id"]) == ("r-000002", "r-000001")
    assert older["settlement"]["paid"] == 400
    for told in (newest, whole):
        assert told is not None
        text = json.dumps(told, default=str)
        assert not any(secret in text for secret in SECRETS), text
        assert told["settlement"] is None and told["assumed"] is None
    hidden[0] = None
    revealed = hands.one("r-000002")
    assert revealed is not None and revealed["settlement"]["paid"] == 400
    assert "400" in revealed["text"]["en"] and "400" in revealed["text"]["ru"]
    assert hands.newest(1, None)[0]["settlement"]["paid"] == 400
    assert [event["kind"] for event in revealed["events"]] == ["round-started", "settled"]
