"""What a supervisor asks for, read from the query string of ``/audit`` and of the API."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from kiosk.errors import ActionError
from kiosk.record.asked import MOST_BOXES, impossible
from kiosk.record.audit import amounts
from kiosk.record.hands import SEARCH_STATES
from kiosk.record.search import Cursor, HandFilter
from kiosk.web.shapes import Query

PAGE = 50
MOST = 500


def _or_none(value: Any) -> Any:
    """An empty field of a form asks for nothing; no database knows the zero character."""
    if not isinstance(value, str):
        return value
    return value.replace("\0", "").strip() or None


Text = Annotated[str, Field(max_length=100)]
Word = Annotated[Text | None, BeforeValidator(_or_none)]
Place = Annotated[str, Field(max_length=300)]


class HandsQuery(Query):
    """Which hands: every field narrows the list. ``since`` and ``until`` are local dates or times
    (``2031-05-17``, ``2031-05-17T18:30``), ``amount`` is ``400`` or ``400..900``, ``mistake`` a
    kind of mistake or ``any``, ``cursor`` the place where the page before ended, ``scope`` is
    ``pit`` for all tables."""

    since: Word = None
    until: Word = None
    table: Word = None
    seat: Word = None
    person: Word = None
    house: Word = None
    game: Word = None
    combination: Word = None
    mistake: Word = None
    amount: Word = None
    state: Word = None
    kiosk: Word = None
    scope: Word = None
    cursor: Annotated[Place | None, BeforeValidator(_or_none)] = None
    limit: int = Field(default=PAGE, ge=1, le=MOST)

    @property
    def in_pit(self) -> bool:
        """Whether the hands of all tables are asked for."""
        return self.scope == "pit"

    def filter(self) -> HandFilter:
        """The filter. ActionError naming the field that does not fit."""
        try:
            least, most = amounts(self.amount)
        except ValueError as problem:
            raise bad("amount", f"{problem}; expected 400 or 400..900") from None
        if self.state is not None and self.state not in SEARCH_STATES:
            raise bad("state", f"expected one of {', '.join(SEARCH_STATES)}")
        if self.scope not in (None, "pit"):
            raise bad("scope", "expected pit, for all tables")
        wanted = HandFilter(
            since=_time("since", self.since),
            until=_time("until", self.until),
            table=self.table,
            person=self.person,
            house=self.house,
            game=self.game,
            combination=self.combination,
            mistake=self.mistake,
            box=self._box(),
            state=self.state,
            least=least,
            most=most,
            kiosk=self.kiosk,
        )
        if (found := impossible(wanted)) is not None:
            raise bad(*found)
        return wanted

    def place(self) -> Cursor | None:
        """Where the page begins. ActionError when ``cursor`` is no place."""
        if self.cursor is None:
            return None
        try:
            return Cursor.parse(self.cursor)
        except ValueError as problem:
            raise bad("cursor", str(problem)) from None

    def asked(self) -> dict[str, str]:
        """The fields that narrow the list, for links to the next page and to exports."""
        given = self.model_dump(exclude={"cursor", "limit"}, exclude_none=True)
        return {name: str(value) for name, value in given.items()}

    def _box(self) -> int | None:
        if self.seat is None:
            return None
        if not self.seat.isascii() or not self.seat.isdigit() or len(self.seat) > 3:
            raise bad("seat", f"expected a box from 1 to {MOST_BOXES}")
        return int(self.seat)


def bad(field: str, text: str) -> ActionError:
    """A refusal that names the field."""
    return ActionError("bad-input", f"{field}: {text}", 400)


def _time(field: str, text: str | None) -> datetime | None:
    """A time; without an offset it is the kiosk's local time. A bare date as end includes it."""
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text.strip())
        if field == "until" and len(text.strip()) == len("2031-05-17"):
            when += timedelta(days=1)
        elif field == "until" and len(text.strip()) == len("2031-05-17T18:30"):
            when += timedelta(minutes=1)
        return when.astimezone()
    except (ValueError, OverflowError):
        raise bad(field, "expected a date or time, 2031-05-17T18:30") from None
