"""What a question can be answered with on the panel: the answers of the page's keys. Pure.

What fits no row of sixteen buttons leads to the cards (``picks.py``) or to the box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_bridge.view import (
    Action,
    Dealt,
    Pick,
    Snapshot,
    Translate,
    cards_at,
    place_of,
    places,
    zone_name,
)

Question = Mapping[str, Any]

_CANDIDATES: Final = 3
_FLOP: Final = 3


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. ``does``: an action; or a Pick or Dealt, to choose cards first; or a box number,
    whose bets are to be looked at."""

    label: str
    does: Action | Pick | Dealt | int


Answers = Callable[[Question, Snapshot, Translate], Iterator[Choice]]


def choices(question: Question, snapshot: Snapshot, translate: Translate) -> list[Choice]:
    """All that the question can be answered with, in the order of the page's keys."""
    found: list[Choice] = []
    for name in question.get("actions", ()):
        answers = _ANSWERS.get(name)
        if answers is not None:
            found += answers(question, snapshot, translate)
    return found


def _name_card(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    doubt, zone = question.get("doubt"), question.get("zone")
    if not doubt:
        return
    candidates = [card for card, _chance in doubt.get("candidates", ())]
    start = candidates[0] if candidates else "As"
    about = {"doubt": doubt["key"], "question": question["id"]}
    if zone is None:
        for name in (place["zone"] for place in places(snapshot)):
            label = f"{translate(_('In'))} {zone_name(name, translate)}"
            yield Choice(label, Pick(name, None, start, **about))
        return
    for card, chance in doubt.get("candidates", ())[:_CANDIDATES]:
        body = {"zone": zone, "card": card, "doubt": doubt["key"]}
        yield Choice(f"{card} {round(float(chance) * 100)}%", ("cards", body))
    yield Choice(translate(_("Another card")), Pick(zone, None, start, **about))


def _no_card(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    doubt = question.get("doubt")
    if doubt:
        body = {"zone": question.get("zone"), "card": None, "doubt": doubt["key"]}
        yield Choice(translate(_("No card")), ("cards", body))


def _enter_card(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    if question.get("zone"):
        pick = Pick(question["zone"], None, "As", question=question["id"])
        yield Choice(translate(_("Enter a card")), pick)


def _zones(question: Question, snapshot: Snapshot) -> list[str]:
    """Where the card of the question lies: a card in two places can be put right in either."""
    card = question.get("card")
    found = [place["zone"] for place in places(snapshot) if card and card in cards_at(place)]
    return found or [zone for zone in (question.get("zone"),) if zone]


def _replace_card(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    card = question.get("card")
    for zone in _zones(question, snapshot):
        place = place_of(snapshot, zone) or {}
        was = card or next(iter(place.get("cards", ())), None)
        label = f"{translate(_('Fix'))} {card or ''} {zone_name(zone, translate)}"
        yield Choice(" ".join(label.split()), Pick(zone, was, was, question=question["id"]))


def _remove_card(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    card = question.get("card")
    for zone in _zones(question, snapshot):
        name = zone_name(zone, translate)
        if card:
            body = {"zone": zone, "was": card, "card": None}
            yield Choice(f"{translate(_('Out'))} {card} {name}", ("cards", body))
            continue
        was = next(iter((place_of(snapshot, zone) or {}).get("cards", ())), None)
        pick = Pick(zone, was, was, question=question["id"])
        yield Choice(f"{translate(_('Cards'))} {name}", pick)


def _dismiss(text: str) -> Answers:
    def answers(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
        yield Choice(translate(text), ("dismiss", {"question": question["id"]}))

    return answers


def _entry(text: str, name: str, value: object) -> Answers:
    """An entry of the box that the question is about."""

    def answers(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
        box = _box_number(question, snapshot)
        if box is not None:
            yield Choice(translate(text), ("bets", {"box": box, name: value}))

    return answers


def _box_number(question: Question, snapshot: Snapshot) -> int | None:
    place = place_of(snapshot, question.get("zone")) or {}
    box: int | None = place.get("box")
    return box


def _bets(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    box = _box_number(question, snapshot)
    if box is not None:
        yield Choice(translate(_("See the bets")), box)


def _buy(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    only = _box_number(question, snapshot)
    for box in snapshot.get("boxes", ()):
        playing = box.get("in_play") and box.get("action") != "fold"
        if playing and only in (None, box["box"]):
            label = f"{zone_name(box['zone'], translate)} {translate(_('buys'))}"
            yield Choice(label, ("bets", {"box": box["box"], "buy": True}))


def _dealt(text: str, zone: str | None = None) -> Answers:
    """The cards that were dealt first, of that zone or of the question's."""

    def answers(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
        place = place_of(snapshot, zone or question.get("zone"))
        if place is None:
            return
        more = bool(place.get("sixth")) + 2 * bool(place.get("extra_two"))
        needed = _FLOP if place["zone"] == "board" else int(place.get("expected", 0)) - more
        first = next(iter(cards_at(place)), "As")
        yield Choice(translate(text), Dealt(place["zone"], needed, first, question["id"]))

    return answers


def _next(question: Question, snapshot: Snapshot, translate: Translate) -> Iterator[Choice]:
    yield Choice(translate(_("Next round")), ("next", {}))


_ANSWERS: Final[Mapping[str, Answers]] = {
    "name-card": _name_card,
    "no-card": _no_card,
    "enter-card": _enter_card,
    "replace-card": _replace_card,
    "remove-card": _remove_card,
    "hand-stands": _dismiss(_("The hand stands")),
    "enter-sixth": _entry(_("Sixth bought"), "sixth", True),
    "no-sixth": _entry(_("No sixth card"), "sixth", False),
    "fold": _entry(_("Fold"), "action", "fold"),
    "in-play": _entry(_("Put in play"), "in_play", True),
    "not-in-play": _entry(_("Not in play"), "in_play", False),
    "enter-bets": _bets,
    "enter-buy": _buy,
    "no-buy": _entry(_("Does not buy"), "buy", False),
    "enter-dealt": _dealt(_("Cards dealt")),
    "name-flop": _dealt(_("Name the flop"), "board"),
    "next": _next,
    "dismiss": _dismiss(_("Seen, go on")),
}
"""Answer of a question → what it offers; the same names as on the page."""

PAGE_ONLY: Final = frozenset({"enter-meter", "place-stands", "set-up"})
"""Answers that need the page: an amount to be typed, and the set-up of the camera."""
