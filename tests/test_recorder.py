"""What the recorder writes of real rounds: under the right round, with what was taken back."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kiosk.cards import Card
from kiosk.hands import in_full
from kiosk.record.chain import Entry
from kiosk.record.schema import Place, Versions
from kiosk.record.search import HandFilter
from kiosk.record.tally import AtTable, Tally
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.recorder import Recorder
from kiosk.rules.mistakes import usual_mistakes
from kiosk.sightings import ReadCard, TableView, ZoneView
from kiosk.table import events as e
from kiosk.table.bodies import event_from
from kiosk.table.outputs import SLIP
from kiosk.table.round import apply, new_round
from kiosk.table.state import RoundSettings

DEALER = "2c 2d 5h 8s 9c"
BOX = "7h 7d Ts Kc Ad"
HOLDS = ("held", "released")
WORTH = ("result", "amount")
DEALS = "p-0123456789ab"
PLACE = Place("Table 1", DEALS, "russian-a", None, "russian", "training", {})


class Desk:
    """A round in training mode whose steps are recorded."""

    def __init__(self, data: Path) -> None:
        self.writer: RecordWriter = start_writer(None, data)
        self.told: list[str] = []
        self.over: list[tuple[Place, Any]] = []
        self.recorder = Recorder(
            self.writer,
            lambda: PLACE,
            Versions("t", None),
            lambda: b"\xff\xd8jpeg",
            self.told.append,
            lambda place, answers: self.over.append((place, answers)),
        )
        self.t = 0.0
        self.state = new_round(RoundSettings(), "r-000001")

    def apply(self, event: e.Event) -> None:
        before = self.state
        self.state, outputs = apply(before, event)
        self.recorder.happened(before, self.state, event, outputs)

    def do(self, name: str, **body: Any) -> None:
        self.apply(event_from(name, body, self.t, "Vera"))

    def lie(self, bodies: int = 0, **hands: str) -> None:
        """These cards lie in these zones for five seconds."""
        for _ in range(50):
            self.t += 0.1
            zones = []
            for name in self.state.settings.zones:
                cards = tuple(
                    ReadCard(Card.parse(card), 0.97, ((40.0 * n, 0.0, 40.0 * n + 30, 40.0),))
                    for n, card in enumerate(hands.get(name, "").split())
                )
                count = len(cards) + (bodies if name == "box1" else 0)
                zones.append(ZoneView(name, cards, (), count, False, not count))
            self.apply(e.ViewSeen(TableView(self.t, tuple(zones))))

    def entries(self, round_id: str = "r-000001") -> list[Entry]:
        assert self.writer.wait_until_settled(200).status == "ok"
        assert self.writer.record is not None
        return self.writer.record.events(round_id)

    def one(self, round_id: str = "r-000001") -> dict[str, Any]:
        """The hand in full, as its page shows it."""
        self.entries(round_id)
        detail = self.writer.record and self.writer.record.hand(round_id)
        assert detail
        return in_full(detail, [])

    def found(self, **wanted: Any) -> list[str]:
        """The hands that fit."""
        self.entries()
        assert self.writer.record is not None
        return [hand.id for hand in self.writer.record.hands(HandFilter(**wanted))]

    def kinds(self, round_id: str = "r-000001") -> list[str]:
        return [entry.kind for entry in self.entries(round_id)]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    assert made.writer.wait_until_settled(200).status == "ok"
    yield made
    made.writer.close()


def until(holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.02)


def test_an_entry_that_ends_the_hand_stands_with_that_hand(desk: Desk) -> None:
    """The answer put right lets the next hand begin: both are told of the hand that was held."""
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    wrong = {"ante": {"result": "lose", "amount": 0}}
    desk.do("answer", box=1, bets=wrong)
    desk.do("reveal")
    desk.lie()
    desk.lie(dealer="3c 4d")
    assert desk.state.held and desk.state.id == "r-000001"
    result = desk.state.derived.settlements.results[1]
    right = {
        name: {"result": line["result"], "amount": line["amount"]}
        for name, line in result["bets"].items()
    }
    desk.do("answer", box=1, bets=right)
    assert desk.state.id == "r-000002", "the next hand has begun"
    assert desk.kinds().count("answer") == 2
    assert desk.kinds()[-1] == "round-finished"
    assert "answer" not in desk.kinds("r-000002")


def test_p8_a_wrong_answer_at_the_table_counts_once_the_hand_is_over(desk: Desk) -> None:
    """What counts was said before the reveal, though another answer came first and one later."""

    def counted(person: str = "Vera") -> Tally | None:
        desk.entries()
        assert desk.writer.record is not None
        since = datetime.now(UTC) - timedelta(days=1)
        return desk.writer.record.tallies([person], since).get(person)

    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    result = desk.state.derived.settlements.results[1]
    right = {
        name: {"result": line["result"], "amount": line["amount"]}
        for name, line in result["bets"].items()
    }
    desk.do("answer", box=1, bets=right)
    desk.do("answer", box=1, bets={"ante": {"result": "lose", "amount": 0}})
    desk.do("reveal")
    assert counted() is None
    desk.do("answer", box=1, bets=right)
    desk.lie()
    desk.lie(dealer="3c 4d")
    assert desk.state.id == "r-000002"
    found = counted()
    assert found is not None and found.whole == found.recent
    assert (found.whole.hands, found.whole.right, found.whole.wrong) == (1, 0, 1)
    assert sum(count for _, count in found.whole.mistakes) == len(right)
    dealt = counted(DEALS)
    assert dealt is not None and dealt.whole == AtTable(hands=1)


def answered_wrongly(desk: Desk) -> None:
    """A hand in which the stake was counted into the payment, shown."""
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    result = desk.state.derived.settlements.results[1]
    case = desk.state.derived.settlements.case
    assert case is not None
    slip = next(m for m in usual_mistakes(case) if m["mistake"] == "stake-counted-in")
    said = {name: {k: line[k] for k in WORTH} for name, line in result["bets"].items()}
    desk.do("answer", box=1, bets=said | {slip["bet"]: {k: slip[k] for k in WORTH}})
    desk.do("reveal")


def test_p10_the_mistakes_of_a_hand_are_handed_on_once_it_is_over(desk: Desk) -> None:
    answered_wrongly(desk)
    right = desk.state.derived.settlements.results[1]["bets"]
    desk.do("answer", box=1, bets={n: {k: line[k] for k in WORTH} for n, line in right.items()})
    assert desk.over == []
    desk.do("next")
    ((place, answers),) = desk.over
    assert place is PLACE
    found = [m["mistake"] for _, answer in answers for m in answer["mistakes"]]
    assert found == ["stake-counted-in"]


def test_a_hand_that_does_not_count_or_was_settled_by_hand_teaches_nothing(desk: Desk) -> None:
    answered_wrongly(desk)
    desk.do("overrule", box=1, reason="the felt said otherwise")
    desk.do("next")
    assert [answers for _, answers in desk.over] == [()]
    desk.lie()
    answered_wrongly(desk)
    desk.do("void", reason="card exposed")
    desk.lie()
    assert desk.state.id == "r-000003" and len(desk.over) == 1


def test_a_misdeal_taken_back_is_none_in_the_record(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("void", reason="card exposed")
    desk.entries()
    assert desk.writer.record is not None
    before = desk.writer.record.hand("r-000001")
    assert before is not None and before.hand.state == "void"
    desk.do("undo")
    undone = [entry for entry in desk.entries() if entry.kind == "undone"]
    assert undone[0].payload["reason"] == SLIP
    assert [entry.payload["what"] for entry in undone] == ["voided"]
    assert undone[0].payload["event"] == {"who": "Vera", "reason": "card exposed"}
    after = desk.writer.record.hand("r-000001")
    assert after is not None and after.hand.state == "settled"


def test_p13_a_release_keeps_its_reason(desk: Desk) -> None:
    """Also one that is the taking back of the hold."""
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("hold", held=True, reason="chips moved")
    desk.do("hold", held=False, reason="counted again")
    desk.do("hold", held=True, reason="by mistake")
    desk.do("undo", reason="wrong key")
    found = [(e.kind, e.payload["reason"]) for e in desk.entries() if e.kind in HOLDS]
    assert found == [
        ("held", "chips moved"),
        ("released", "counted again"),
        ("held", "by mistake"),
        ("released", "wrong key"),
    ]


def test_an_overrule_taken_back_is_none_in_the_record(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("overrule", box=1, reason="agreed")
    desk.entries()
    assert desk.writer.record is not None
    before = desk.writer.record.hand("r-000001")
    assert before is not None and before.hand.overruled
    desk.do("undo", reason="not agreed")
    desk.entries()
    after = desk.writer.record.hand("r-000001")
    assert after is not None and not after.hand.overruled
    assert desk.writer.record.verify().findings == ()


def test_who_dismissed_a_question_is_recorded(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=BOX, bodies=1)
    desk.do("dismiss", question="q-box1-bodies")
    found = [entry.payload for entry in desk.entries() if entry.kind == "dismissed"]
    assert found == [{"who": "Vera", "question": "q-box1-bodies"}]


def test_only_the_newest_settlement_that_is_durable_counts(desk: Desk) -> None:
    assert not desk.recorder.is_stored("r-000001")
    desk.lie(dealer=DEALER, box1=BOX)
    until(lambda: desk.told == ["r-000001"])
    assert desk.recorder.is_stored("r-000001")
    desk.do("confirm", box=1)
    until(lambda: desk.told == ["r-000001"] * 2)
    assert desk.recorder.is_stored("r-000001")
    assert not desk.recorder.is_stored("r-000002")


def test_p13_pictures_from_the_first_cards_to_the_end_of_the_hand(desk: Desk) -> None:
    frames = itertools.count()
    desk.recorder._pictures.picture = lambda: b"\xff\xd8" + str(next(frames)).encode()
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    desk.do("reveal")
    desk.do("overrule", box=1, reason="paid by hand")
    desk.do("next")
    desk.entries()
    assert desk.writer.record is not None
    found = desk.writer.record.hand("r-000001")
    assert found is not None
    assert {picture.role for picture in found.pictures} == {
        "before", "dealer", "box1", "after", "end",
    }  # fmt: skip
    where = {
        picture["role"]: entry.kind
        for entry in found.entries
        for picture in entry.payload.get("pictures", [])
    }
    assert where["before"] == "cards-accepted" and where["end"] == "round-finished"


def pictures_of(desk: Desk, round_id: str = "r-000001") -> dict[str, tuple[bytes, ...]]:
    """What the hand's pictures show, by role, in the order they were stored."""
    desk.entries(round_id)
    found = desk.writer.record and desk.writer.record.hand(round_id)
    assert found
    kept: dict[str, tuple[bytes, ...]] = {}
    for picture in found.pictures:
        shows = picture.path.read_bytes().removeprefix(b"\xff\xd8").partition(b"#")[0]
        kept[picture.role] = (*kept.get(picture.role, ()), shows)
    return kept


def on_the_felt(desk: Desk, shows: bytes) -> None:
    """What the camera's pictures show from now on; no two of them are the same."""
    frames = itertools.count()
    desk.recorder._pictures.picture = lambda: b"\xff\xd8%s#%d" % (shows, next(frames))


def test_p13_no_picture_of_a_hand_shows_the_cards_of_the_next_one(desk: Desk) -> None:
    on_the_felt(desk, b"this hand")
    desk.lie(dealer=DEALER, box1=BOX)
    on_the_felt(desk, b"bare felt")
    desk.lie()
    on_the_felt(desk, b"next hand")
    desk.lie(dealer="3c 3d 6h 9s Tc", box1="8h 8d Js Qc 2s")
    desk.do("confirm", box=1)
    desk.do("reveal")
    desk.do("overrule", box=1, reason="paid by hand")
    assert desk.state.id == "r-000002"
    assert pictures_of(desk) == {
        "before": (b"this hand",),
        "dealer": (b"this hand",),
        "box1": (b"this hand",),
        "end": (b"bare felt",),
    }


def test_p13_a_box_confirmed_while_its_cards_lie_has_its_newest_picture(desk: Desk) -> None:
    on_the_felt(desk, b"bets lie")
    desk.lie(dealer=DEALER, box1=BOX)
    on_the_felt(desk, b"chips paid")
    desk.do("confirm", box=1)
    desk.do("reveal")
    kept = pictures_of(desk)
    assert kept["before"] == (b"bets lie",) and kept["after"] == (b"chips paid",)
    assert kept["box1"][-1] == b"chips paid" and kept["dealer"] == (b"bets lie",)


def test_p13_cards_that_only_a_person_saw_have_their_pictures(desk: Desk) -> None:
    on_the_felt(desk, b"not seen by the reader")
    desk.lie()
    for zone, hand in (("dealer", DEALER), ("box1", BOX)):
        for card in hand.split():
            desk.do("cards", zone=zone, card=card)
    desk.do("confirm", box=1)
    desk.do("reveal")
    desk.do("overrule", box=1, reason="paid by hand")
    desk.do("next")
    assert set(pictures_of(desk)) >= {"before", "dealer", "box1", "after", "end"}


def test_a_picture_is_stored_once_however_often_its_box_is_settled(desk: Desk) -> None:
    on_the_felt(desk, b"hand")
    desk.lie(dealer=DEALER, box1=BOX)
    on_the_felt(desk, b"bare felt")
    desk.lie()
    for _ in range(3):
        desk.do("bets", box=1, bets={"ante": 200})
        desk.do("bets", box=1, bets={"ante": 100})
    kept = pictures_of(desk)
    assert kept == {"before": (b"hand",), "dealer": (b"hand",), "box1": (b"hand",)}


def test_a_camera_that_fails_costs_the_picture_and_not_the_entry(desk: Desk) -> None:
    def broken() -> bytes:
        raise OSError("no frame")

    desk.recorder._pictures.picture = broken
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    assert "settled" in desk.kinds()


TORN = "8h 8d 2s Qc"
"""One card cannot be read."""


def test_p13_a_box_overruled_beside_a_settled_one_is_found_and_told(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=BOX, box2=TORN)
    desk.do("bets", box=2, bets={"ante": 550})
    said = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 777}}
    desk.do("answer", box=2, bets=said)
    desk.do("overrule", box=2, reason="card torn")
    desk.do("reveal")
    hand = desk.one()
    assert (hand["state"], hand["overruled"]) == ("settled", True)
    settled, overruled = hand["in_play"]
    assert settled["box"] == 1 and settled["worth"] and settled["overruled"] is None
    assert (overruled["box"], overruled["worth"]) == (2, None)
    assert overruled["overruled"] == {"who": "Vera", "reason": "card torn"}
    lines = {line["bet"]: line for line in overruled["lines"]}
    assert (lines["ante"]["stake"], lines["bet"]["said"]["amount"]) == (550, 777)
    assert desk.found(box=2) == desk.found(box=2, state="overruled") == ["r-000001"]
    assert desk.found(box=1, state="overruled") == []


def test_p13_a_hand_overruled_whole_is_over_and_found_by_its_boxes(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=TORN)
    desk.do("bets", box=1, bets={"ante": 550})
    desk.do("answer", box=1, bets={"ante": {"result": "lose", "amount": 777}})
    desk.do("overrule", box=1, reason="deck fell")
    desk.do("next")
    hand = desk.one()
    assert (hand["state"], hand["settlement"]) == ("by-hand", None)
    (box,) = hand["in_play"]
    assert box["overruled"] == {"who": "Vera", "reason": "deck fell"}
    assert [line["said"]["amount"] for line in box["lines"] if line["said"]] == [777]
    assert desk.found(box=1) == desk.found(state="by-hand") == ["r-000001"]
    assert desk.writer.record is not None and desk.writer.record.verify().ok


def test_p13_a_settlement_overruled_stays_to_be_seen_beside_the_reason(desk: Desk) -> None:
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("overrule", box=None, reason="paid by hand")
    (box,) = desk.one()["in_play"]
    assert box["worth"]["paid"] and box["overruled"]["reason"] == "paid by hand"
    assert desk.found(box=1, state="overruled") == ["r-000001"]
    desk.do("undo", reason="it was not")
    (box,) = desk.one()["in_play"]
    assert box["worth"]["paid"] and box["overruled"] is None
    assert desk.found(state="overruled") == []


MISREAD = BOX.replace("7d", "6d")


def withdrawn(desk: Desk) -> None:
    """Box 1 is settled and recorded; then its cards are read otherwise for seconds."""
    desk.lie(dealer=DEALER, box1=BOX)
    desk.do("confirm", box=1)
    assert desk.kinds().count("settled") and desk.recorder.is_stored("r-000001")
    desk.lie(dealer=DEALER, box1=MISREAD)


def test_p13_a_settlement_that_is_no_longer_certain_does_not_count(desk: Desk) -> None:
    withdrawn(desk)
    last = desk.entries()[-1]
    assert (last.kind, last.payload["what"]) == ("undone", "settled")
    assert last.payload["reason"] == "no-longer-certain"
    assert not desk.recorder.is_stored("r-000001")
    assert desk.one()["settlement"] is None
    desk.do("overrule", box=1, reason="misread: nothing was paid")
    desk.do("reveal")
    desk.do("next")
    hand = desk.one()
    assert hand["state"] == "by-hand" and hand["settlement"] is None
    assert "r-000001" in desk.found(box=1) and not desk.found(combination="pair")


def test_p13_a_settlement_that_is_certain_again_counts_again(desk: Desk) -> None:
    withdrawn(desk)
    desk.lie(dealer=DEALER, box1=BOX)
    kinds = desk.kinds()
    assert kinds[-1] == "settled" and kinds.count("undone") == 1
    assert desk.recorder.is_stored("r-000001") and desk.one()["state"] == "settled"
    assert desk.one()["settlement"] is not None and desk.found(combination="pair") == ["r-000001"]
