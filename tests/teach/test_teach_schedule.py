"""What comes next: due first, mistakes sooner than what was right, nothing twice in a row."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fsrs import Rating
from hypothesis import given, settings
from hypothesis import strategies as st
from teach_school import START

from kiosk.rules.slip_texts import TEXTS
from kiosk.teach.schedule import Kept, choose, items_for, rate, reviewed
from kiosk.teach.topics import TOPICS, Item

ITEMS = st.one_of(
    st.sampled_from([Item("topic", name) for name in TOPICS]),
    st.sampled_from([Item("slip", name) for name in TEXTS]),
)
MINUTES = st.integers(-(10**5), 10**5)
KNOWN = st.dictionaries(
    ITEMS, MINUTES.map(lambda m: Kept("{}", START + timedelta(minutes=m))), max_size=12
)
ALLOWED = st.lists(ITEMS, min_size=1, max_size=12)


@given(KNOWN, ALLOWED, st.one_of(st.none(), ITEMS))
def test_what_is_chosen_is_allowed_and_not_asked_twice_in_a_row(
    known: dict[Item, Kept], allowed: list[Item], last: Item | None
) -> None:
    chosen = choose(known, allowed, last, START)
    assert chosen in allowed
    assert chosen != last or set(allowed) == {last}
    assert choose(known, allowed, last, START) == chosen


@given(KNOWN, ALLOWED, st.one_of(st.none(), ITEMS))
def test_due_comes_before_new_and_new_before_what_can_wait(
    known: dict[Item, Kept], allowed: list[Item], last: Item | None
) -> None:
    chosen = choose(known, allowed, last, START)
    others = [item for item in allowed if item != last] or allowed
    due = [item for item in others if item in known and known[item].due <= START]
    new = [item for item in others if item not in known]
    if due:
        assert known[chosen].due == min(known[item].due for item in due)
    elif new:
        assert chosen == new[0]
    else:
        assert known[chosen].due == min(known[item].due for item in others)


def test_nothing_allowed_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing"):
        choose({}, [], None, START)


@given(st.lists(st.booleans(), max_size=12), st.lists(st.integers(1, 10**5), max_size=12))
@settings(deadline=None)
def test_a_mistake_comes_back_sooner_than_what_was_right(
    history: list[bool], pauses: list[int]
) -> None:
    now, kept = START, None
    for right, pause in zip(history, pauses, strict=False):
        kept = reviewed(kept, rate(right, unlocked=False, within_time=False), now)
        assert kept.due > now
        now += timedelta(minutes=pause)
    wrong = reviewed(kept, Rating.Again, now)
    good = reviewed(kept, Rating.Good, now)
    assert wrong.due < good.due
    assert wrong.due - now <= timedelta(hours=1)
    assert good.due - now <= timedelta(days=60)
    assert (wrong.missed, good.missed) == (
        (kept.missed if kept else 0) + 1,
        kept.missed if kept else 0,
    )
    assert wrong.asked == good.asked == (kept.asked if kept else 0) + 1


def test_what_is_kept_is_asked_ever_more_rarely() -> None:
    now, kept, gaps = START, None, []
    for _ in range(7):
        kept = reviewed(kept, Rating.Good, now)
        gaps.append(kept.due - now)
        now = kept.due
    assert gaps == sorted(gaps)
    assert gaps[-1] > timedelta(days=7)


@pytest.mark.parametrize(
    ("right", "unlocked", "within", "rating"),
    [
        (False, True, True, Rating.Again),
        (False, False, False, Rating.Again),
        (True, False, False, Rating.Good),
        (True, True, True, Rating.Good),
        (True, True, False, Rating.Hard),
    ],
)
def test_p10_time_is_judged_only_once_speed_is_unlocked(
    right: bool, unlocked: bool, within: bool, rating: Rating
) -> None:
    assert rate(right, unlocked=unlocked, within_time=within) is rating


def test_slips_come_only_with_their_topic() -> None:
    slips = [("cap-forgotten", "cap"), ("insurance-taken", "insurance")]
    assert items_for(["cap", "hands"], slips) == (
        Item("topic", "cap"),
        Item("topic", "hands"),
        Item("slip", "cap-forgotten"),
    )
