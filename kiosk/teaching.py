"""The drills of a running kiosk: its houses and limits, its clocks, its file."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from kiosk.config import Settings
from kiosk.errors import ActionError
from kiosk.people import People
from kiosk.rules import list_houses, load_house_file
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import number
from kiosk.teach.database import FILE
from kiosk.teach.drills import Drills, Rules, Sources
from kiosk.teach.progress import Aims
from kiosk.teach.store import ProgressStore

log = logging.getLogger(__name__)

_LARGEST_SEED = 2**31
_SAVED = re.compile(r"(.+)-v(\d{1,9})")
_NO_LOOKALIKES = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits of a certificate's number: none is taken for another."""


def open_drills(
    settings: Settings, data: Path, house: HouseFile, own: Iterable[HouseFile] = ()
) -> Drills:
    """The drills. ``data``: folder of the file, which is opened at the first use. ``house``: in
    force at the table; ``own``: saved on the page."""
    sources = Sources(
        now=lambda: datetime.now(UTC),
        steady=time.monotonic,
        seed=lambda: 1 + secrets.randbelow(_LARGEST_SEED),
        token=_token,
    )
    return Drills(ProgressStore(data / FILE), drill_rules(settings, house, own), sources)


def drill_rules(settings: Settings, house: HouseFile, own: Iterable[HouseFile] = ()) -> Rules:
    """What is drilled under these settings: the house in force at the table, the newest version
    of each house of one's own, the shipped ones."""
    earlier = {file.house.name: file for file in own}
    newest: dict[str, HouseFile] = {}
    for file in sorted(earlier.values(), key=lambda file: _version(file)[1]):
        newest[_version(file)[0]] = file
    houses = {house.house.name: house}
    houses |= {file.house.name: file for file in newest.values()}
    houses |= {name: load_house_file(name) for name in list_houses() if name not in houses}
    teach, table = settings.teach, settings.table
    return Rules(
        houses,
        Aims(teach.window, teach.accuracy, teach.pace, teach.questions, teach.pass_mark),
        {
            "ante_min": number(table.ante_min),
            "ante_max": number(table.ante_max),
            "max_payout": None if table.max_payout is None else number(table.max_payout),
            "currency": table.currency,
            "chips": [number(chip) for chip in sorted(table.chips, reverse=True)],
        },
        table.order,
        {name: file for name, file in earlier.items() if name not in houses},
    )


def _version(file: HouseFile) -> tuple[str, int]:
    """Base and number of a house saved on the page.

    Named NAME-vN there; any other name is its own base.
    """
    found = _SAVED.fullmatch(file.house.name)
    return (found[1], int(found[2])) if found else (file.house.name, 0)


def forget_erased(drills: Drills, people: People) -> None:
    """Erases the progress of those whose account was erased while nobody told the drills."""
    try:
        for key in drills.store.people():
            person = people.person(key)
            if person is not None and person.erased is not None:
                drills.forget(key)
    except ActionError as problem:
        log.warning("progress of erased people could not be looked through: %s", problem)


def _token() -> str:
    letters = [secrets.choice(_NO_LOOKALIKES) for _ in range(10)]
    return f"{''.join(letters[:5])}-{''.join(letters[5:])}"
