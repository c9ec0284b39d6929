"""A kiosk of whose parts one does not work: it says so, and the rest works."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kiosk import sight
from kiosk.app import Kiosk
from kiosk.config import load_settings
from kiosk.errors import UserError
from kiosk.people import Role
from kiosk.record.record import rule_card_hash
from kiosk.table import outputs as out
from kiosk.table.events import Tick
from kiosk.table.round import new_round
from kiosk.table.state import RoundSettings
from kiosk.teach.topics import Item
from kiosk.web.audit_shapes import TableNote, TableShown


def kiosk_in(data: Path, **more: Any) -> Kiosk:
    return Kiosk(load_settings(None, {"data": data, "panel": "none", **more}))


def until(holds: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < limit, what
        time.sleep(0.05)


def test_a_record_server_that_cannot_be_reached_is_seen(tmp_path: Path) -> None:
    kiosk = kiosk_in(tmp_path, record="postgresql://nobody@127.0.0.1:1/none")
    try:
        until(lambda: not kiosk.health()["parts"]["server"]["ok"], "the server is missed")
        health = kiosk.health()
        assert health["parts"]["storage"]["ok"], "the kiosk's own record works"
        assert "127.0.0.1" in health["parts"]["server"]["text"]
    finally:
        kiosk.stop()


def test_without_a_model_nothing_passes_for_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_arguments: object) -> None:
        raise UserError("finder.onnx is missing: install the program again")

    monkeypatch.setattr(sight, "open_reader", missing)
    kiosk = kiosk_in(tmp_path)
    kiosk.start()
    try:

        def kinds() -> list[str]:
            return [question["kind"] for question in kiosk.snapshot()["questions"]]

        until(lambda: "trouble" in kinds(), "people are asked")
        assert kiosk.table()["trouble"] == "model-missing"
        assert not kiosk.health()["ok"]
        assert "finder.onnx" in kiosk.health()["parts"]["model"]["text"]
    finally:
        kiosk.stop()


def test_the_rule_card_in_force_stands_in_the_record(tmp_path: Path) -> None:
    kiosk = kiosk_in(tmp_path)
    try:
        assert kiosk.writer.wait_until_settled(200).status == "ok"
        # Again and again while the kiosk runs, until the record is open.
        kiosk._rule_card.keep()
        record = kiosk.writer.record
        assert record is not None
        card = {name: str(value) for name, value in kiosk.house.values.items()}
        assert record.rule_card(rule_card_hash(card)) == card
    finally:
        kiosk.stop()


def test_p10_mistakes_at_the_table_reach_the_drills_of_who_dealt(tmp_path: Path) -> None:
    kiosk = kiosk_in(tmp_path, mode="training")
    anna = kiosk.people.add("Anna", Role.TRAINEE, pin="4471").id
    slip = {"bet": "bet", "kind": "cap", "mistake": "cap-forgotten", "difference": 100}
    settled = out.RoundSettled(
        "r-000001", None, None, (), (), ((1, {"mistakes": [slip]}),), (), corrected=False
    )
    kiosk.lessons.start()
    try:
        kiosk.deals(anna)
        begun = out.CardsAccepted("r-000001", "box1", ())
        over = out.RoundFinished("r-000001", complete=True)
        state = new_round(RoundSettings(), "r-000001")
        kiosk.recorder.happened(state, state, Tick(1.0), (begun, settled, over))
        kiosk.deals(None)
        kiosk.lessons.stop(60.0)
        assert list(kiosk.drills.store.items(anna, kiosk.house.house.name)) == [
            Item("slip", "cap-forgotten")
        ]
    finally:
        kiosk.stop()


def test_what_a_table_says_of_itself_is_described_in_full(tmp_path: Path) -> None:
    kiosk = kiosk_in(tmp_path)
    try:
        (table,) = kiosk.recorded.tables()
        assert set(table["note"]) == set(TableNote.model_fields)
        TableShown.model_validate(table, strict=True)
    finally:
        kiosk.stop()


def test_a_house_that_cannot_be_dealt_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="choose a house"):
        kiosk_in(tmp_path / "data", house="texas-a")
    assert not (tmp_path / "data").exists()
