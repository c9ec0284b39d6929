"""What the record's routes beside the hands give back: tables of a pit, the log of faults."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kiosk.web.shapes import Answer, Measure, Whole


class TableNote(Answer):
    """What a kiosk says of itself; empty when it has said nothing. ``failing``: parts that do not
    work. A kiosk of another version may say more, or less."""

    table: str | None = None
    house: str | None = None
    mode: Literal["training", "demo"] | None = None
    round: str | None = None
    stage: str | None = None
    held: bool | None = None
    frozen: bool | None = None
    questions: int | None = None
    person: str | None = None
    failing: list[str] = Field(default=[])
    version: str | None = None


class TableHand(Whole):
    """The newest hand of a table; nothing of what it is worth."""

    id: str
    time: str
    table: str
    person: str | None
    house: str
    state: Literal["open", "settled", "by-hand", "void", "unfinished"]
    disputed: bool
    finished: bool


class TableShown(Whole):
    """A table as it stands. ``age_ms``: since its kiosk was last heard of, null when never;
    ``waiting``: entries on their way to the pit's server."""

    kiosk: str
    age_ms: int | None = Field(ge=0)
    waiting: int = Field(ge=0)
    note: TableNote
    hand: TableHand | None


class TablesShown(Whole):
    """All tables of the pit; without a pit's server this kiosk alone."""

    tables: list[TableShown]


class FaultPayload(Answer):
    """What the entry says, by its kind. ``what`` of a fault: part-fault and part-good with the
    ``part``, its ``text`` and how many ``seconds`` it lasted, entries-lost with their ``count``,
    or what was wrong with the record at the start. A clock-step: by how many ``seconds``. Opened:
    the ``software`` and whether the end before was ``clean``. Picture-deleted: ``files``, ``why``.
    """

    what: str | None = None
    part: str | None = None
    text: str | None = None
    seconds: Measure | None = None
    before: str | None = None
    count: int | None = None
    software: str | None = None
    clean: bool | None = None
    files: list[str] | None = None
    why: str | None = None
    state: str | None = None
    last_seq: int | None = None


class FaultShown(Whole):
    """An entry of the log of faults. ``round``: the hand that it belongs to, if to one."""

    seq: int = Field(ge=1)
    time: str
    kind: Literal["fault", "clock-step", "opened", "closed", "unfinished", "picture-deleted"]
    round: str | None
    payload: FaultPayload


class FaultsShown(Whole):
    """The log of faults, newest first."""

    faults: list[FaultShown]
