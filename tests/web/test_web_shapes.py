"""What the drills and the log of faults give back is described in full, and is what comes back."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pydantic import BaseModel, ValidationError

from kiosk.record.hands import STATES
from kiosk.record.lists import FAULT_KINDS
from kiosk.rules import list_houses, load_house
from kiosk.teach.topics import topics_of
from kiosk.web.audit_shapes import FaultShown, FaultsShown, TableHand, TablesShown
from kiosk.web.drill_shapes import StandingsShown, TestBegun
from kiosk.web.drill_told import DrillRound, DrillTold, TestTold
from kiosk.web.openapi import describe

CLOSED = (
    "DrillRound RoundLimits RoundDealer RoundBox SettledLine HandTold GameTold OrderTold BoxTold "
    "TestTold BetTold SaidLine SlipTold FaultsShown FaultShown TablesShown TableShown TableHand "
    "StandingsShown StandingShown TestBegun"
).split()


def fits(model: type[BaseModel], answer: Any) -> Any:
    """The answer, which must be of the model and no more."""
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return model.model_validate_json(answer.get_data(), strict=True)


def said(shown: dict[str, Any], floor: bool) -> dict[str, Any]:
    """Some answer to the round, right or not."""
    nothing = {"result": "not-paid"}
    form: dict[str, dict[str, Any]] = {
        "hand": {"combinations": shown["options"][:1]},
        "game": {"game": True},
        "settle": {"floor": floor, "bets": {} if floor else dict.fromkeys(shown["asks"], nothing)},
        "amount": {"amount": 12.5},
        "order": {"order": shown["steps"]},
    }
    return {"id": shown["id"], **form[shown["form"]]}


@pytest.mark.parametrize("house", list_houses())
def test_every_drill_round_and_what_is_told_of_it_is_as_described(
    stranger: FlaskClient, house: str
) -> None:
    forms = set()
    for topic in topics_of(load_house(house)):
        for floor in (False, True, False):
            wish = {"house": house, "topics": [topic]}
            answer = stranger.post("/api/v1/drill/next", json=wish)
            fits(DrillRound, answer)
            shown = answer.get_json()
            forms.add(shown["form"])
            told = stranger.post("/api/v1/drill/answer", json=said(shown, floor))
            assert not isinstance(fits(DrillTold, told).root, TestTold)
    assert forms == {"hand", "game", "settle", "amount", "order"}
    fits(StandingsShown, stranger.get(f"/api/v1/drill/standing?house={house}"))


def test_a_test_tells_only_how_far_it_is(stranger: FlaskClient) -> None:
    begun = stranger.post("/api/v1/drill/test", json={"house": "split-a"})
    fits(TestBegun, begun)
    for _ in range(3):
        answer = stranger.post("/api/v1/drill/next", json={"test": begun.get_json()["id"]})
        assert fits(DrillRound, answer).test is not None
        told = stranger.post("/api/v1/drill/answer", json=said(answer.get_json(), False))
        assert isinstance(fits(DrillTold, told).root, TestTold)


def test_every_kind_of_fault_is_as_described(client: Any, small_kiosk: Any) -> None:
    assert small_kiosk.recorded
    writer = small_kiosk.writer
    for kind, round_id, payload in (
        ("fault", None, {"what": "part-fault", "part": "camera", "text": "unplugged"}),
        ("fault", None, {"what": "part-good", "part": "camera", "seconds": 3.5}),
        ("fault", None, {"what": "part-good", "part": "camera", "seconds": None}),
        ("fault", None, {"what": "entries-lost", "count": 3}),
        ("fault", None, {"what": "tail-cut", "seq": 3, "hash": "00", "day": "2026-03-02"}),
        ("clock-step", None, {"seconds": -3600.5, "before": "2026-03-02T09:00:00Z"}),
        ("picture-deleted", None, {"files": ["a.jpg"], "why": "retention"}),
        ("unfinished", "r-000009", {"state": "open", "last_seq": 3}),
        ("closed", None, {}),
    ):
        writer.append(kind, round_id, payload)
    found = fits(FaultsShown, client.get("/api/v1/audit/faults?limit=1000"))
    assert {fault.kind for fault in found.faults} == set(FAULT_KINDS)
    assert set(get_args(FaultShown.model_fields["kind"].annotation)) == set(FAULT_KINDS)


def test_a_table_with_a_hand_is_as_described(client: Any, small_kiosk: Any) -> None:
    assert small_kiosk.recorded
    fits(TablesShown, client.get("/api/v1/audit/tables"))
    small_kiosk.writer.append("round-started", "r-000001", {"table": "Table 1", "person": None})
    table = fits(TablesShown, client.get("/api/v1/audit/tables")).tables[0]
    assert table.hand is not None and table.hand.id == "r-000001"
    states = set(get_args(TableHand.model_fields["state"].annotation))
    assert states == set(STATES)


def test_nothing_else_may_come_with_them(app: Flask) -> None:
    schemas = describe(app)["components"]["schemas"]
    open_ones = [name for name in CLOSED if schemas[name].get("additionalProperties") is not False]
    assert open_ones == []
    round_now = {"kept": True, "test": {"done": 1, "count": 2, "id": "t", "finished": False}}
    DrillTold.model_validate(round_now)
    with pytest.raises(ValidationError):
        DrillTold.model_validate(round_now | {"right": True})
