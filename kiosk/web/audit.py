"""The supervisor's record: finding hands, each hand in full, replay, exports, disputes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, g, redirect, render_template, request
from pydantic import ValidationError
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError
from kiosk.exporting import CSV_COLUMNS, CSV_KINDS, csv_row, told_json
from kiosk.record.hands import SEARCH_STATES
from kiosk.rules.judging import KINDS
from kiosk.web import audit_texts, exact
from kiosk.web.audit_more import more
from kiosk.web.audit_query import HandsQuery, bad
from kiosk.web.change_texts import answered_by, change_text, mark, put_right_text, said_text
from kiosk.web.context import kiosk
from kiosk.web.described import described
from kiosk.web.drill_texts import kind_name
from kiosk.web.handsheet import hand_sheet
from kiosk.web.refusals import in_words
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer
from kiosk.web.signin import require, who
from kiosk.web.texts import WORDS

audit = Blueprint("audit", __name__)
audit.register_blueprint(more)

COMBINATIONS = tuple(list(WORDS)[list(WORDS).index("high-card") : list(WORDS).index("fold")])


@audit.app_context_processor
def _words() -> dict[str, Any]:
    return {
        "kind_text": audit_texts.kind_text,
        "change_text": change_text,
        "reason_text": audit_texts.reason_text,
        "put_right_text": put_right_text,
        "said_text": said_text,
        "answer_mark": mark,
        "answered_by": answered_by,
        "picture_text": audit_texts.picture_text,
        "pictures_text": audit_texts.pictures_text,
        "state_text": audit_texts.state_text,
        "game_name": audit_texts.game_name,
        "verdict_text": audit_texts.verdict_text,
        "fault_text": audit_texts.fault_text,
        "part_text": audit_texts.part_text,
        "mistake_name": kind_name,
        "local": audit_texts.local,
        "local_zone": audit_texts.local_zone,
        "has_pit": kiosk().recorded.pit is not None,
        "own_kiosk": kiosk().recorded.kiosk,
    }


@audit.get("/audit")
def overview() -> Response | tuple[str, int]:
    """Hands that fit what was asked, newest first, a page at a time."""
    recorded = kiosk().recorded
    problem = ""
    hands: list[Json] = []
    after = None
    try:
        query = _query()
        hands, after = recorded.search(
            query.filter(), limit=query.limit, after=query.place(), pit=query.in_pit
        )
    except ActionError as refused:
        if refused.status >= 500:
            raise
        problem, query = in_words(str(refused)), HandsQuery()
    page = render_template(
        "audit.html",
        hands=hands,
        after=after,
        problem=problem,
        asked=query.asked() or dict(request.args),
        names=recorded.names(pit=query.in_pit),
        name=audit_texts.namer(),
        states=SEARCH_STATES,
        mistakes=KINDS,
        combinations=COMBINATIONS,
    )
    return page, 400 if problem else 200


def _query() -> HandsQuery:
    try:
        return HandsQuery.model_validate(dict(request.args))
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        raise bad(".".join(map(str, first["loc"])), str(first["msg"])) from None


@audit.get("/audit/<hand_id>")
def detail(hand_id: str) -> str:
    """One hand in full."""
    return render_template("hand.html", hand=_hand(hand_id), name=audit_texts.namer())


@audit.get("/audit/<hand_id>/replay")
def replay(hand_id: str) -> str:
    """The hand step by step, as it was recorded."""
    return render_template("replay.html", hand=_hand(hand_id), name=audit_texts.namer())


@audit.get("/audit/<hand_id>/<sha256>.jpg")
def picture(hand_id: str, sha256: str) -> Response:
    """A picture kept with a hand."""
    data = kiosk().recorded.picture(hand_id, sha256)
    if data is None:
        raise ActionError("not-found", "this picture is not kept any more", 404)
    return Response(data, mimetype="image/jpeg")


@audit.get("/audit/<hand_id>.pdf")
def sheet(hand_id: str) -> Response:
    """The hand on one printed page."""
    hand = _hand(hand_id)
    pictures = {
        role: data
        for kept in hand["pictures"]
        for role in kept["roles"]
        if not kept["deleted"]
        and (data := kiosk().recorded.picture(hand_id, kept["sha256"])) is not None
    }
    elsewhere = hand["kiosk"] != kiosk().recorded.kiosk
    made = hand_sheet(hand, pictures, audit_texts.namer(), g.language, elsewhere=elsewhere)
    return _download(Response(made, mimetype="application/pdf"), f"{_file_name(hand)}.pdf")


@audit.get("/audit/<hand_id>.json")
def hand_file(hand_id: str) -> Response:
    """The hand with all its entries as a file."""
    hand = _hand(hand_id)
    return _download(exact.answer(hand), f"{_file_name(hand)}.json")


@audit.get("/audit/export.csv")
def export_csv() -> Response:
    """The hands that fit, as a table."""
    query = _query()
    found = kiosk().recorded.every(query.filter(), pit=query.in_pit, kinds=CSV_KINDS)
    name = audit_texts.plain_namer()

    def rows() -> Iterator[str]:
        yield _line(list(CSV_COLUMNS))
        for each in found:
            yield _line(csv_row(each, name))

    return _download(Response(rows(), mimetype="text/csv"), "hands.csv")


@audit.get("/audit/export.json")
def export_json() -> Response:
    """The hands that fit, as one JSON object."""
    query = _query()
    found = kiosk().recorded.every(query.filter(), pit=query.in_pit)
    name = audit_texts.plain_namer()

    def pieces() -> Iterator[str]:
        yield '{"hands": ['
        for number, each in enumerate(found):
            yield (",\n" if number else "\n") + exact.dumps(told_json(each, name))
        yield "\n]}\n"

    return _download(Response(pieces(), mimetype="application/json"), "hands.json")


@audit.post("/audit/<hand_id>/dispute")
@require("dispute.release")
def dispute(hand_id: str) -> BaseResponse:
    """Marks a hand as disputed, or releases it, with a reason."""
    reason = " ".join(request.form.get("reason", "").split())[:500]
    if not reason:
        raise bad("reason", "say why, in a few words")
    disputed = request.form.get("disputed") == "1"
    if kiosk().snapshot()["id"] == hand_id:
        entry = {"held": disputed, "reason": reason, "round": hand_id}
        kiosk().act("hold", entry, who(), lambda _right: True)
    else:
        kiosk().recorded.settle_dispute(hand_id, who(), reason, disputed=disputed)
    return redirect(f"/audit/{hand_id}", 303)


class HandShown(Answer):
    """A recorded hand."""

    id: str
    time: str | None


class HandsShown(Answer):
    """Recorded hands, newest first. ``cursor``: where the next page begins, null at the end."""

    hands: list[HandShown]
    cursor: str | None


@audit.get("/api/v1/audit")
@described(answer=HandsShown)
def overview_json(query: HandsQuery) -> Json:
    """Recorded hands that fit, newest first."""
    hands, after = kiosk().recorded.search(
        query.filter(), limit=query.limit, after=query.place(), pit=query.in_pit
    )
    return {"hands": hands, "cursor": after}


@audit.get("/api/v1/audit/<hand_id>")
@described(answer=HandShown)
def detail_json(hand_id: str) -> Json:
    """One hand as JSON."""
    return _hand(hand_id)


def _hand(hand_id: str) -> Json:
    found = kiosk().recorded.one(hand_id, request.args.get("kiosk"))
    if found is None:
        raise ActionError("not-found", f"no hand {hand_id[:60]!r} is recorded", 404)
    return found


def _file_name(hand: Json) -> str:
    """Hands of other tables may have the same id."""
    foreign = hand["kiosk"] != kiosk().recorded.kiosk
    return f"{hand['kiosk']}-{hand['id']}" if foreign else str(hand["id"])


def _line(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _download(response: Response, name: str) -> Response:
    safe = "".join(c for c in name if c.isalnum() or c in "._-")
    response.headers["Content-Disposition"] = f'attachment; filename="{safe}"'
    response.headers["Cache-Control"] = "no-store"
    return response
