"""What comes next for a trainee: spaced repetition by the fsrs library.

Items are topics of a house and the slips that the trainee has made in it. Pure: the moment comes
in, nothing is drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler

from kiosk.teach.topics import Item

_SCHEDULER = Scheduler(desired_retention=0.9, maximum_interval=60, enable_fuzzing=False)
"""A skill at the table is refreshed at least every other month."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How well an item is kept: the library's card as JSON text, when it is due, how often it was
    asked and missed."""

    card: str
    due: datetime
    asked: int = 0
    missed: int = 0


def rate(right: bool, *, unlocked: bool, within_time: bool) -> Rating:
    """Accuracy first (P10): time is judged only once speed is unlocked."""
    if not right:
        return Rating.Again
    return Rating.Good if within_time or not unlocked else Rating.Hard


def reviewed(kept: Kept | None, rating: Rating, now: datetime) -> Kept:
    """The item after it was asked. ``now``: aware, any zone."""
    moment = now.astimezone(UTC)
    card = Card.from_json(kept.card) if kept is not None else Card(card_id=1, due=moment)
    card, _ = _SCHEDULER.review_card(card, rating, moment)
    asked, missed = (kept.asked, kept.missed) if kept is not None else (0, 0)
    return Kept(card.to_json(), card.due, asked + 1, missed + (rating is Rating.Again))


def choose(
    known: Mapping[Item, Kept], allowed: Sequence[Item], last: Item | None, now: datetime
) -> Item:
    """The item to ask next.

    What is due comes first, the longest overdue ahead; then what was never asked, in teaching
    order; then what falls due next. The item just asked comes again only when there is no other.
    ValueError when nothing is allowed.
    """
    if not allowed:
        raise ValueError("nothing to choose from")
    others = [item for item in dict.fromkeys(allowed) if item != last] or list(allowed)
    asked = sorted((known[item].due, at) for at, item in enumerate(others) if item in known)
    if asked and asked[0][0] <= now:
        return others[asked[0][1]]
    fresh = next((item for item in others if item not in known), None)
    return others[asked[0][1]] if fresh is None else fresh


def items_for(topics: Iterable[str], slips: Iterable[tuple[str, str]]) -> tuple[Item, ...]:
    """What may be asked: the chosen topics, and of the slips made (slip, its topic) those that
    belong to one of them."""
    chosen = list(dict.fromkeys(topics))
    made = [Item("slip", slip) for slip, topic in slips if topic in chosen]
    return (*(Item("topic", name) for name in chosen), *made)
