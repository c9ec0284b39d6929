"""What trainees' answers at the table came to, beside their drills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from kiosk.errors import ActionError
from kiosk.people import Person
from kiosk.record.tally import AtTable, Tally, together
from kiosk.rules.judging import KINDS
from kiosk.web.context import kiosk
from kiosk.web.drill_texts import kind_name
from kiosk.web.refusals import in_words

DAYS = 30


@dataclass(frozen=True, slots=True)
class TableShown:
    """What the section shows. ``problem``: why the record cannot be read, else empty. ``kinds``:
    name of a kind of mistake, how often lately, how often in all. ``rows``: of a class."""

    problem: str
    tally: Tally
    kinds: tuple[tuple[str, int, int], ...]
    rows: tuple[dict[str, Any], ...] = ()


def at_table_of(person: str) -> TableShown:
    """For one person."""
    found, problem = _counted([person])
    tally = found.get(person, Tally())
    return TableShown(problem, tally, _kinds(tally))


def at_table_of_class(people: Sequence[Person]) -> TableShown:
    """For everybody of these who has dealt in training mode, by name."""
    found, problem = _counted([person.id for person in people])
    rows = [_row(person, found[person.id]) for person in people if person.id in found]
    rows.sort(key=lambda row: str(row["name"]).casefold())
    whole = Tally(
        together(tally.whole for tally in found.values()),
        together(tally.recent for tally in found.values()),
    )
    return TableShown(problem, whole, _kinds(whole), tuple(rows))


def _counted(persons: Sequence[str]) -> tuple[dict[str, Tally], str]:
    """The tallies, and why there are none while the record cannot be read."""
    since = datetime.now(UTC) - timedelta(days=DAYS)
    try:
        found = kiosk().recorded.tallies(persons, since)
    except ActionError as refused:
        return {}, in_words(str(refused))
    known = {
        person: Tally(_of_known_kinds(tally.whole), _of_known_kinds(tally.recent))
        for person, tally in found.items()
    }
    return known, ""


def _of_known_kinds(counted: AtTable) -> AtTable:
    """Without kinds that only another version of the program names."""
    return replace(counted, mistakes=tuple(pair for pair in counted.mistakes if pair[0] in KINDS))


def _kinds(tally: Tally) -> tuple[tuple[str, int, int], ...]:
    lately = dict(tally.recent.mistakes)
    return tuple(
        (kind_name(kind), lately.get(kind, 0), count) for kind, count in tally.whole.mistakes
    )


def _row(person: Person, tally: Tally) -> dict[str, Any]:
    often = tally.recent.mistakes or tally.whole.mistakes
    return {
        "id": person.id,
        "name": person.name or "",
        "tally": tally,
        "often": kind_name(often[0][0]) if often else "",
    }
