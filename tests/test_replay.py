"""Recorded hands step by step, and what people changed: was and is, and what was taken back."""

from __future__ import annotations

from typing import Any

from reportlab.platypus import Paragraph, Table

from kiosk.record.canonical import canonical
from kiosk.record.chain import Entry, genesis, seal
from kiosk.replay import changes, steps
from kiosk.web.change_texts import change_text
from kiosk.web.handsheet import _Sheet, hand_sheet
from kiosk.web.texts import translations

Step = tuple[str, dict[str, Any]]
RU = translations("ru").gettext


def entries(*told: Step) -> list[Entry]:
    return [
        seal(
            kiosk="k",
            seq=seq,
            token="0" * 32,
            time="2031-05-17T18:00:00.000000Z",
            offset_minutes=0,
            synchronised=True,
            monotonic_us=seq,
            kind=kind,
            round_id="r-1",
            payload_text=canonical(payload),
            previous=genesis("k"),
        )
        for seq, (kind, payload) in enumerate(told, 1)
    ]


def bets(reason: str = "", box: int | None = 1, **said: Any) -> Step:
    """As the recorder writes it: what was not said is null."""
    names = ("action", "exchanged", "sixth", "buy", "in_play", "extra_two", "prizes")
    whole = dict.fromkeys(names) | {"bets": [], "reason": reason, "box": box, "who": "Vera"}
    return "bets-entered", whole | said


def undone(step: Step) -> Step:
    payload = {"who": "Ira", "what": step[0], "reason": "wrong box", "event": step[1]}
    return "undone", payload


def settled(**box: Any) -> Step:
    boxes = [{"box": 1, "action": "play", "bets": {"ante": 100, "bet": 200}} | box]
    return "settled", {"case": {"boxes": boxes}, "settlement": {"boxes": [], "paid": 0, "taken": 0}}


def texts(*told: Step, t: Any = str) -> list[str]:
    return [change_text(change, t) for change in changes(entries(*told))]


def test_p13_late_bets_are_told_with_what_they_were() -> None:
    late = bets("forgot it", bets=[["bet", 300], ["bonus", 50]], action="fold", exchanged=2)
    assert texts(settled(), late) == [
        "Bet 200 → 300, Bonus — → 50, Decision Plays → Fold, Cards exchanged — → 2"
    ]
    more = bets(
        bets=[["bonus", None]], sixth=True, buy=False, extra_two=True, in_play=False,
        prizes=[["flush", 70]],
    )  # fmt: skip
    assert texts(settled(), late, more)[1] == (
        "Bonus 50 → —, Sixth card bought — → yes, Two extra cards — → yes, "
        "Buying the game — → no, In play — → no, Jackpot prizes — → flush 70"
    )
    meters = [("bets-entered", {"who": "p", "amount": n, "reason": ""}) for n in (5000, 5100)]
    assert texts(*meters) == ["Jackpot meter — → 5000", "Jackpot meter 5000 → 5100"]
    assert texts(settled(), late, t=RU)[0].startswith("Бет 200 → 300, Бонус — → 50, Решение")


def test_p13_what_was_taken_back_is_named() -> None:
    late = bets("forgot it", bets=[["bet", 300]])
    card: Step = ("card-corrected", {"who": "Vera", "zone": "box1", "was": "6c", "card": "4c"})
    hold: Step = ("undone", {"who": "Ira", "what": "held", "event": {"held": True, "reason": "x"}})
    told = texts(settled(), late, undone(late), card, undone(card), hold)
    assert told == [
        "Bet 200 → 300",
        "Bets entered: Bet 200 → 300",
        "6c → 4c",
        "Card put right by a person: 6c → 4c",
        "Held as disputed",
    ]
    found = changes(entries(card, undone(card)))[1]["detail"]
    assert found["zone"] == "box1" and found["reason"] == "wrong box"


def test_cards_that_were_entered_are_told() -> None:
    flop: Step = ("card-corrected", {"who": "V", "zone": "board", "cards": ["2c", "7d", "Ts"]})
    doubt: Step = ("card-corrected", {"who": "V", "zone": "box1", "key": "d1", "card": None})
    assert texts(flop, doubt) == ["2c 7d Ts", "No card"]


def test_bets_that_were_taken_back_are_not_replayed() -> None:
    first, second = bets(bets=[["ante", 100]]), bets(bets=[["ante", 150], ["bonus", 50]])
    found = steps(entries(first, second, undone(second)))
    assert [step["bets"]["box1"] for step in found] == [
        {"ante": 100},
        {"ante": 150, "bonus": 50},
        {"ante": 100},
    ]
    late = bets(bets=[["bet", 300]])
    found = steps(entries(settled(), late, settled(bets={"bet": 300}), undone(late)))
    assert [step["bets"]["box1"].get("bet") for step in found] == [200, 300, 300, 200]
    gone = bets(bets=[["bonus", 0]])
    assert steps(entries(second, gone))[1]["bets"]["box1"] == {"ante": 150}


def test_the_bets_of_a_box_without_cards_have_a_place() -> None:
    cards: Step = ("cards-accepted", {"zone": "dealer", "cards": []})
    found = steps(entries(cards, bets(bets=[["ante", 100]])))
    assert [step["places"] for step in found] == [["dealer"], ["dealer", "box1"]]


def test_an_answer_is_told_line_by_line() -> None:
    lines = [["ante", "lose", 100, None], ["bet", "win", 400, 50]]
    answer: Step = ("answer", {"who": "page", "box": 1, "bets": lines})
    (step,) = steps(entries(answer))
    assert change_text(step, str) == "Ante – Take 100, Bet – Pay 400 (Take 50)"


def sheet_texts(hand: dict[str, Any], language: str) -> list[str]:
    found: list[str] = []
    for part in _Sheet(hand, {}, lambda who: who or "", language).content():
        rows = part._cellvalues if isinstance(part, Table) else [[part]]
        found += [cell.text for row in rows for cell in row if isinstance(cell, Paragraph)]
    return found


def test_p13_the_printed_page_names_places_and_changes() -> None:
    """Texas and Split hands have a board and small hands."""
    read = [{"card": "Th", "confidence": 0.9, "source": "machine", "seen": "Th"}]
    zones = ("dealer", "dealer-small", "board", "box1", "box1-small")
    late = bets("forgot it", bets=[["bet", 300]])
    card: Step = ("card-corrected", {"who": "V", "zone": "board", "was": "Th", "card": "9h"})
    told = entries(settled(), late, card, undone(late))
    hand: dict[str, Any] = {
        "id": "r-1", "table": "T", "time": told[0].time, "state": "settled", "person": None,
        "house": "texas-a", "game": "texas", "cards": dict.fromkeys(zones, read), "steps": [],
        "changes": changes(told), "faults": [], "entries": [1, 4], "hash": "0" * 64, "kiosk": "k",
        "in_play": [],
    }  # fmt: skip
    found = sheet_texts(hand, "en")
    for text in (
        "Dealer", "Dealer, small hand", "Board", "Box 1", "Box 1, small hand",
        "Bets entered: Bet 200 → 300", "Card put right by a person: 10♥ → 9♥",
        "Taken back: Bets entered: Bet 200 → 300",
    ):  # fmt: skip
        assert text in found, text
    russian = sheet_texts(hand, "ru")
    assert {"Борд", "Бокс 1, малая рука"} & set(russian) and "Box 1" not in russian
    assert hand_sheet(hand, {}, lambda who: who or "").count(b"/Type /Page\n") == 1
