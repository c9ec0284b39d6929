"""The recorded hands, for a supervisor: a list, and each hand with its picture."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request
from pydantic import Field

from kiosk.errors import ActionError
from kiosk.web.context import kiosk
from kiosk.web.described import described
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer, Query

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


class HandsQuery(Query):
    """Which hands: how many, and older than which."""

    limit: int = Field(default=PAGE, ge=1, le=MOST)
    before: str | None = None


class HandShown(Answer):
    """A recorded hand."""

    id: str
    time: str | None


class HandsShown(Answer):
    """Recorded hands, newest first."""

    hands: list[HandShown]


@audit.get("/api/v1/audit")
@described(answer=HandsShown)
def overview_json(query: HandsQuery) -> Json:
    """The newest hands as JSON; ``before`` goes on to older ones."""
    return {"hands": list(kiosk().hands(query.limit, query.before))}


@audit.get("/api/v1/audit/<hand_id>")
@described(answer=HandShown)
def detail_json(hand_id: str) -> Json:
    """One hand as JSON."""
    return _hand(hand_id)


def _hand(hand_id: str) -> dict[str, Any]:
    hand = kiosk().hand(hand_id)
    if hand is None:
        raise ActionError("not-found", f"no hand {hand_id[:60]!r} is recorded", 404)
    return hand
