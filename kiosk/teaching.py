"""The drills of a running kiosk: its houses and limits, its clocks, its file."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from pathlib import Path

from kiosk.config import Settings
from kiosk.rules import list_houses, load_house_file
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import number
from kiosk.teach.database import FILE
from kiosk.teach.drills import Drills, Rules, Sources
from kiosk.teach.progress import Aims
from kiosk.teach.store import ProgressStore

_LARGEST_SEED = 2**31
_NO_LOOKALIKES = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits of a certificate's number: none is taken for another."""


def open_drills(settings: Settings, data: Path, house: HouseFile) -> Drills:
    """The drills. ``data``: folder of the file, which is opened at the first use. ``house``: in
    force at the table; it is drilled beside the shipped ones."""
    houses = {name: load_house_file(name) for name in list_houses()}
    houses.setdefault(house.house.name, house)
    teach, table = settings.teach, settings.table
    rules = Rules(
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
    )
    sources = Sources(
        now=lambda: datetime.now(UTC),
        steady=time.monotonic,
        seed=lambda: 1 + secrets.randbelow(_LARGEST_SEED),
        token=_token,
    )
    return Drills(ProgressStore(data / FILE), rules, sources)


def _token() -> str:
    letters = [secrets.choice(_NO_LOOKALIKES) for _ in range(10)]
    return f"{''.join(letters[:5])}-{''.join(letters[5:])}"
