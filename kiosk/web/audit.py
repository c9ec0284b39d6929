"""The recorded hands, for a supervisor: a list, and each hand with its picture."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request

from kiosk.errors import ActionError
from kiosk.web import exact
from kiosk.web.context import kiosk

audit = Blueprint("audit", __name__)

PAGE = 50
MOST = 500


@audit.get("/audit")
def overview() -> str:
    """The newest hands; ``?before=ID`` goes on to older ones."""
    hands = list(kiosk().hands(PAGE + 1, request.args.get("before")))
    older = hands[PAGE - 1].get("id") if len(hands) > PAGE else None
    return render_template("audit.html", hands=hands[:PAGE], older=older)


@audit.get("/audit/<hand_id>")
def detail(hand_id: str) -> str:
    """One hand in full."""
    return render_template("hand.html", hand=_hand(hand_id))


@audit.get("/audit/<hand_id>.jpg")
def picture(hand_id: str) -> Response:
    """The picture kept with a hand."""
    data = kiosk().hand_picture(hand_id)
    if data is None:
        raise ActionError("not-found", f"no picture is kept with hand {hand_id[:60]!r}", 404)
    response = Response(data, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@audit.get("/api/v1/audit")
def overview_json() -> Response:
    """The newest hands as JSON: ``?limit=`` (1 … 500), ``?before=ID``."""
    wish = request.args.get("limit", str(PAGE))
    if not wish.isascii() or not wish.isdigit() or not 1 <= int(wish[:9]) <= MOST:
        raise ActionError("bad-input", f"limit: expected a number from 1 to {MOST}", 400)
    hands = list(kiosk().hands(int(wish[:9]), request.args.get("before")))
    return exact.answer({"hands": hands})


@audit.get("/api/v1/audit/<hand_id>")
def detail_json(hand_id: str) -> Response:
    """One hand as JSON."""
    return exact.answer(_hand(hand_id))


def _hand(hand_id: str) -> dict[str, Any]:
    hand = kiosk().hand(hand_id)
    if hand is None:
        raise ActionError("not-found", f"no hand {hand_id[:60]!r} is recorded", 404)
    return hand
