"""Time as the record keeps it (W8)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.record.clock import (
    Moment,
    SystemClock,
    clock_step,
    local_day,
    parse_time,
    time_text,
)

times = st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9998, 1, 1))


@given(times, times)
def test_order_of_texts_is_order_of_times(first: datetime, second: datetime) -> None:
    a, b = first.replace(tzinfo=UTC), second.replace(tzinfo=UTC)
    assert (time_text(a) < time_text(b)) == (a < b)
    assert parse_time(time_text(a)) == a


def test_times_of_other_zones_are_turned_into_utc() -> None:
    moscow = timezone(timedelta(hours=3))
    assert (
        time_text(datetime(2031, 5, 17, 21, 4, 9, tzinfo=moscow)) == "2031-05-17T18:04:09.000000Z"
    )
    with pytest.raises(ValueError):
        time_text(datetime(2031, 5, 17))
    with pytest.raises(ValueError):
        parse_time("2031-05-17 18:04")


def test_a_day_is_the_local_one() -> None:
    assert local_day("2031-05-17T22:30:00.000000Z", 180) == "2031-05-18"
    assert local_day("2031-05-17T02:30:00.000000Z", -210) == "2031-05-16"


def moment(wall: float, steady: float) -> Moment:
    start = datetime(2031, 5, 17, tzinfo=UTC)
    return Moment(start + timedelta(seconds=wall), 0, None, round(steady * 1_000_000))


@pytest.mark.parametrize(
    ("wall", "steady", "step"),
    [(10, 10, None), (10, 9, None), (10, 7, 3), (-90, 1, -91), (3610, 10, 3600), (0, 100, -100)],
)
def test_a_step_is_where_wall_and_steady_clock_part(
    wall: float, steady: float, step: float | None
) -> None:
    found = clock_step(moment(0, 0), moment(wall, steady))
    assert (None if found is None else found.total_seconds()) == step


def test_the_system_clock_runs() -> None:
    clock = SystemClock()
    first, second = clock(), clock()
    assert second.monotonic_us >= first.monotonic_us
    assert abs((datetime.now(UTC) - first.utc).total_seconds()) < 60
    assert first.synchronised in (True, False, None)
    assert first.utc.utcoffset() == timedelta()
    local = first.utc.astimezone()
    assert first.day == local.date().isoformat()
