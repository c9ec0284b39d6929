"""How long pictures are kept. Entries are kept for ever."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import and_, func, select

from kiosk.record import pictures
from kiosk.record.clock import Moment
from kiosk.record.record import Record
from kiosk.record.tables import hands
from kiosk.record.tables import pictures as pictures_table

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Retention:
    """Days that pictures are kept: of hands in general, and of hands that were disputed.

    While a dispute is not released its pictures stay, however old. Raises ValueError for
    less than one day.
    """

    days: int = 7
    disputed_days: int = 30

    def __post_init__(self) -> None:
        if self.days < 1 or self.disputed_days < 1:
            raise ValueError("pictures are kept for at least one day")


def apply_retention(record: Record, retention: Retention, now: Moment) -> int:
    """Deletes pictures whose time is over, through entries; returns how many.

    Files that no entry names (left by a crash before their entry was stored) go with them.
    Raises RecordError.
    """
    count = 0
    while files := _expired(record, retention, now):
        record.delete_pictures(files, "retention")
        count += len(files)
    _remove_strays(record, _day_before(now, max(retention.days, retention.disputed_days)))
    return count


def _day_before(now: Moment, days: int) -> str:
    return (date.fromisoformat(now.day) - timedelta(days=days)).isoformat()


def _expired(record: Record, retention: Retention, now: Moment) -> list[str]:
    p = pictures_table
    mine = and_(hands.c.kiosk == p.c.kiosk, hands.c.id == p.c.round_id)
    in_dispute = func.coalesce(hands.c.disputed, 0) == 1
    was_disputed = func.coalesce(hands.c.was_disputed, 0) == 1
    still_wanted = in_dispute | (
        (was_disputed & (p.c.day >= _day_before(now, retention.disputed_days)))
        | (~was_disputed & (p.c.day >= _day_before(now, retention.days)))
    )
    live = and_(p.c.kiosk == record.kiosk, p.c.deleted_seq.is_(None))
    joined = p.outerjoin(hands, mine)
    wanted = select(p.c.file).select_from(joined).where(live, still_wanted)
    query = (
        select(p.c.file)
        .distinct()
        .where(live, p.c.day < _day_before(now, min(retention.days, retention.disputed_days)))
        .where(p.c.file.not_in(wanted))
        .order_by(p.c.file)
        .limit(_BATCH)
    )
    with record.database.reading() as connection:
        return list(connection.scalars(query))


def _remove_strays(record: Record, before: str) -> None:
    folder = record.picture_folder
    for day in sorted(folder.glob("????-??-??")) if folder.is_dir() else ():
        if day.name >= before:
            break
        files = {f"{day.name}/{path.name}": path for path in day.iterdir() if path.is_file()}
        with record.database.reading() as connection:
            kept = set(
                connection.scalars(
                    select(pictures_table.c.file).where(
                        pictures_table.c.kiosk == record.kiosk,
                        pictures_table.c.day == day.name,
                        pictures_table.c.deleted_seq.is_(None),
                    )
                )
            )
        pictures.remove_paths(path for file, path in files.items() if file not in kept)
