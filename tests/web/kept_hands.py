"""Hands recorded whole for the web tests."""

from __future__ import annotations

from typing import Any

from cases import russian_case
from small_kiosk import Json, SmallKiosk, picture

from kiosk.record.pictures import Picture
from kiosk.rules import settle_case

CASE: Json = russian_case("9h 9c Kd 7s 3d", "Jh Jd 4c 4s 8h")


def keep_hand(kiosk: SmallKiosk, round_id: str, **more: Any) -> Json:
    """Records a whole hand: dealt, a card put right, answered wrongly, shown, settled, over.

    ``more`` changes the payload of the settlement.
    """
    writer = kiosk.recorded and kiosk.writer
    place = {
        "table": "Table 1", "person": None, "house": "russian-a", "house_hash": "ab" * 32,
        "game": "russian", "mode": "training", "limits": {},
    }  # fmt: skip
    reads = [{"card": c, "confidence": 0.98, "source": "machine", "seen": c} for c in ("Jh", "Jd")]
    fixed = {"card": "4c", "confidence": 0.61, "source": "person", "seen": "6c"}
    zone = {"zone": "box1", "cards": [*reads, fixed]}
    settlement = settle_case(CASE)
    bets = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 200}}
    answer = {
        "bets": bets, "right": {"ante": True, "bet": False}, "last": bets, "verdict": "wrong",
        "mistakes": [{"bet": "bet", "kind": "wrong-row", "mistake": "row-above", "difference": 1}],
    }  # fmt: skip
    cards = {
        "dealer": [
            {"card": c, "confidence": 0.99, "source": "machine", "machine": c}
            for c in CASE["dealer"]["cards"]
        ],
        "box1": [
            {"card": c, "confidence": 0.97, "source": "machine", "machine": c}
            for c in ("Jh", "Jd", "4s", "8h")
        ]
        + [{"card": "4c", "confidence": 0.61, "source": "person", "machine": "6c"}],
    }
    payload = place | {
        "case": CASE, "settlement": settlement, "cards": cards, "confirmed": [1],
        "versions": {"software": "t1", "model": "cd" * 32}, "complete": True, "corrected": False,
        "overruled": [], "answers": [[1, answer]],
    } | more  # fmt: skip
    who = {"who": "page"}
    writer.append("round-started", round_id, place)
    writer.append("cards-accepted", round_id, zone, [Picture("before", picture("before"))])
    writer.append("card-corrected", round_id, who | {"zone": "box1", "was": "6c", "card": "4c"})
    writer.append("bets-entered", round_id, who | {"box": 1, "bets": [["ante", 100]]})
    writer.append("fault", None, {"what": "part-fault", "part": "camera", "text": "unplugged"})
    writer.append("settled", round_id, payload, [Picture("box1", picture("box1"))])
    writer.append("revealed", round_id, {"boxes": [1]}, [Picture("after", picture("after"))])
    writer.append("round-finished", round_id, {"complete": True})
    return payload
