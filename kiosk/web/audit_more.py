"""Beside the hands: all tables of a pit, the log of faults, day heads and the check, rule cards."""

from __future__ import annotations

import csv
import io
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request
from pydantic import Field
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError
from kiosk.web import audit_texts
from kiosk.web.audit_shapes import FaultsShown, TablesShown
from kiosk.web.context import kiosk
from kiosk.web.described import described
from kiosk.web.refusals import in_words
from kiosk.web.seen import Json
from kiosk.web.shapes import Query

more = Blueprint("more", __name__)

FAULTS = 100
SILENT_MS = 10_000
"""A kiosk that was not heard of for longer is shown as silent."""


@more.get("/audit/tables")
def tables() -> str:
    """Every table as it stands; ``?part=rows`` gives the rows alone, for a page that is open."""
    template = "tables-rows.html" if request.args.get("part") == "rows" else "tables.html"
    try:
        found, problem = kiosk().recorded.tables(), ""
    except ActionError as refused:
        found, problem = [], in_words(str(refused))
    return render_template(
        template, tables=found, problem=problem, silent_ms=SILENT_MS, name=audit_texts.namer()
    )


@more.get("/api/v1/audit/tables")
@described(answer=TablesShown)
def tables_json() -> Json:
    """Every table of the pit as it stands."""
    return {"tables": kiosk().recorded.tables()}


@more.get("/audit/faults")
def faults() -> str:
    """The log of faults, newest first; ``?before=N`` goes on to older ones."""
    found = kiosk().recorded.faults(before=_before(), limit=FAULTS + 1)
    older = found[FAULTS - 1]["seq"] if len(found) > FAULTS else None
    return render_template(
        "faults.html",
        faults=found[:FAULTS],
        older=older,
        standing=kiosk().recorded.standing_faults(),
    )


@more.get("/audit/faults.csv")
def faults_csv() -> Response:
    """The whole log of faults as a table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("entry", "time", "kind", "what"))
    before = None
    while page := kiosk().recorded.faults(before=before, limit=1000):
        for entry in page:
            row = (entry["seq"], entry["time"], entry["kind"], audit_texts.fault_text(entry))
            writer.writerow(row)
        before = page[-1]["seq"]
    response = Response(text.getvalue(), mimetype="text/csv")
    response.headers["Content-Disposition"] = 'attachment; filename="faults.csv"'
    return response


class FaultsQuery(Query):
    """Older than which entry, and how many."""

    before: int | None = Field(default=None, ge=1, le=10**15)
    limit: int = Field(default=FAULTS, ge=1, le=1000)


@more.get("/api/v1/audit/faults")
@described(answer=FaultsShown)
def faults_json(query: FaultsQuery) -> Json:
    """Faults, clock steps, starts and deletions, newest first."""
    return {"faults": kiosk().recorded.faults(before=query.before, limit=query.limit)}


@more.get("/audit/heads")
def heads() -> str:
    """The signed heads of the chain, to print and keep elsewhere, and the last check."""
    recorded = kiosk().recorded
    return render_template("heads.html", heads=recorded.heads(), check=recorded.checking.state)


@more.post("/audit/check")
def check() -> BaseResponse:
    """Begins to check the whole record."""
    kiosk().recorded.check()
    return redirect("/audit/heads", 303)


@more.get("/audit/rules/<card_hash>")
def rules(card_hash: str) -> str:
    """The rule card that was in force, by the hash of its content."""
    content = kiosk().recorded.rule_card(card_hash, request.args.get("kiosk"))
    if content is None:
        raise ActionError("not-found", "no rule card of this hash is recorded", 404)
    return render_template("rules.html", card_hash=card_hash, content=content)


def _before() -> int | None:
    text: Any = request.args.get("before")
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise ActionError("bad-input", "before: expected the number of an entry", 400)
    return int(text)
